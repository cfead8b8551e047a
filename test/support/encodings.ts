/** How the programs around Terraform write a text, each by other means than the code under test. */
export const ENCODINGS: readonly (readonly [name: string, encode: (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['in JSON', json],
  ['in JSON inside JSON', (text) => json(json(text))],
  ['in JSON by Go', goJson],
  ['in JSON by Go, inside JSON', (text) => json(goJson(text))],
  ['in JSON by Go, inside JSON by Go', (text) => goJson(goJson(text))],
  ['in JSON by Python', pythonJson],
  ['in JSON by Python, inside JSON', (text) => json(pythonJson(text))],
  ['in HCL', hcl],
  ['in JSON, inside HCL', (text) => hcl(json(text))],
  ['in a URL by JavaScript', (text) => encodeURIComponent(text.toWellFormed())],
  ['in a URL by Go', goPathEscape],
  ['in a form by Go', (text) => goPathEscape(text).replaceAll('%20', '+')],
  ['in base64', (text) => Buffer.from(text).toString('base64').replaceAll('=', '')],
  ['in base64 for URLs', (text) => Buffer.from(text).toString('base64url')],
];

function json(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');

function goJson(text: string): string {
  return [...json(text)]
    .map((char) => ('<>&\u2028\u2029'.includes(char) ? `\\u${hex(char.charCodeAt(0), 4)}` : char))
    .join('');
}

function pythonJson(text: string): string {
  return json(text)
    .split('')
    .map((unit) => (unit.charCodeAt(0) > 0x7e ? `\\u${hex(unit.charCodeAt(0), 4)}` : unit))
    .join('');
}

function hcl(text: string): string {
  return json(text).split('${').join('$${').split('%{').join('%%{');
}

/** `url.QueryEscape`, which Terraform's `urlencode` calls, but for spaces. */
function goPathEscape(text: string): string {
  const plain = /[A-Za-z0-9\-_.~]/;
  return [...Buffer.from(text)]
    .map((byte) => [String.fromCharCode(byte), `%${hex(byte, 2).toUpperCase()}`] as const)
    .map(([char, escaped]) => (plain.test(char) ? char : escaped))
    .join('');
}
