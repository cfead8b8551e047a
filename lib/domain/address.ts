/** Terraform's absolute addresses, such as `module.net["eu/a"].aws_subnet.private[0]`. */

const KEY = /\[(?:\d+|"(?:[^"\\]|\\.)*"|\*)\]/g;

/** The address in the configuration: without instance keys. */
export function configAddress(address: string): string {
  return address.replace(KEY, '');
}

/** Rewrites the text of instance keys, which is data a user or another system wrote, and leaves names alone. */
export function mapInstanceKeys(address: string, rewrite: (text: string) => string): string {
  return address.replace(KEY, (key) => (key.startsWith('["') ? `[${rewriteQuoted(key.slice(1, -1), rewrite)}]` : key));
}

function rewriteQuoted(quoted: string, rewrite: (text: string) => string): string {
  const text = unquote(quoted);
  const rewritten = rewrite(text);
  return rewritten === text ? quoted : quote(rewritten);
}

// Terraform quotes keys as HCL does (`$${`, `\U000e0001`), and older versions as Go does (`\x1b`, `\a`).
const ESCAPE = /\\(u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4}|x[\da-fA-F]{2}|.)|([$%])(?=\2\{)/g;
const CONTROLS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unquote(quoted: string): string {
  return quoted.slice(1, -1).replace(ESCAPE, (_match, escaped: string | undefined) => {
    if (escaped === undefined) return '';
    if (escaped.length > 1) return String.fromCodePoint(Number.parseInt(escaped.slice(1), 16));
    return CONTROLS[escaped] ?? escaped;
  });
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/[$%](?=\{)/g, '$&$&');
}

/** The module part of a config address: `module.a.module.b` of `module.a.module.b.aws_x.y`, empty for the root. */
export function modulePath(address: string): string {
  const parts = address.split('.');
  let end = 0;
  while (parts[end] === 'module') end += 2;
  return parts.slice(0, end).join('.');
}
