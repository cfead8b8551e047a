const NAMED = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** An instance key as Terraform quotes it in addresses: `toHCLQuotedString` of its package addrs, character by character. */
export function hclKey(text: string): string {
  const characters = [...text];
  const quoted = characters.map((character, index) => {
    const doubled = (character === '$' || character === '%') && characters[index + 1] === '{';
    return NAMED.get(character) ?? (doubled ? character.repeat(2) : visible(character));
  });
  return `"${quoted.join('')}"`;
}

function visible(character: string): string {
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character)) return character;
  const code = character.codePointAt(0) as number;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}
