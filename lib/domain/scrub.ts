/** Takes values known to be sensitive out of text, whole or inside longer strings. */
export type Scrub = (text: string) => string;

export const SENSITIVE = '(sensitive)';

// Shorter secrets stand in too many innocent words; they are replaced only where they are the whole text.
const SHORTEST_PART = 4;
// Lines of a key file are secrets of their own: tools print them one by one.
const SHORTEST_LINE = 8;
// The middle of a longer base64 text looks like any other word.
const SHORTEST_BASE64 = 8;

/**
 * Makes a scrubber for a set of secrets. It finds them as they are, and as JSON (also inside another JSON document),
 * HCL, URLs and base64 write them. Secrets of fewer than four characters are found only where they are the whole text.
 *
 * Scrubbing twice gives the same text. One pass over the text for any number of secrets: candidates are looked up by
 * their first four characters.
 */
export function createScrub(secrets: Iterable<string>): Scrub {
  const whole = new Set<string>();
  const forms = new Set<string>();
  for (const secret of secrets) {
    // A mark inside a secret would be taken for one of ours: what stands around it is the secret.
    for (const part of secret.split(SENSITIVE)) {
      whole.add(part).add(part.trim());
      for (const form of formsOf(part)) forms.add(form);
    }
  }
  whole.delete('');
  const byStart = indexByStart(forms);
  return (text) => {
    if (whole.has(text)) return SENSITIVE;
    // What stands between two marks is scrubbed apart, so that a mark is never taken for a part of a secret.
    return text
      .split(SENSITIVE)
      .map((part) => scrubPart(byStart, part))
      .join(SENSITIVE);
  };
}

type FormsByStart = ReadonlyMap<string, readonly string[]>;

function indexByStart(forms: Iterable<string>): FormsByStart {
  const longestFirst = [...forms].filter(({ length }) => length >= SHORTEST_PART).sort((a, b) => b.length - a.length);
  return Map.groupBy(longestFirst, (form) => form.slice(0, SHORTEST_PART));
}

function scrubPart(byStart: FormsByStart, text: string): string {
  let clean = '';
  let end = 0;
  for (let at = 0; at + SHORTEST_PART <= text.length; at += 1) {
    const candidates = byStart.get(text.slice(at, at + SHORTEST_PART));
    // Comparing slices is a hundred times faster than `startsWith` where a text nearly repeats a long secret.
    const found = candidates?.find((form) => text.slice(at, at + form.length) === form);
    if (found === undefined) continue;
    // A secret may begin inside another one: both go, to the end of the longer.
    if (at >= end) clean += text.slice(end, at) + SENSITIVE;
    end = Math.max(end, at + found.length);
  }
  return clean + text.slice(end);
}

function formsOf(secret: string): Set<string> {
  const trimmed = secret.trim();
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  const forms = new Set<string>();
  for (const plain of [secret, trimmed, ...lines.filter(({ length }) => length >= SHORTEST_LINE)]) {
    forms.add(plain);
    for (const once of quotedForms(plain)) {
      forms.add(once);
      for (const twice of quotedForms(once)) forms.add(twice);
    }
  }
  for (const plain of [secret, trimmed]) {
    for (const form of [...urlForms(plain), ...base64Forms(plain)]) forms.add(form);
  }
  return forms;
}

/** What writers of JSON and HCL put between the quotes. */
function quotedForms(text: string): Set<string> {
  const json = JSON.stringify(text).slice(1, -1);
  return new Set([
    json,
    // Go, and so Terraform's `jsonencode`, escapes for HTML; Python escapes all that is not ASCII.
    json.replace(/[<>&\u2028\u2029]/g, unicodeEscape),
    json.replace(/[^ -~]/g, unicodeEscape),
    json.replace(/[$%](?=\{)/g, '$&$&'),
  ]);
}

/** What JavaScript, RFC 3986 and Terraform's `urlencode` make of a text. */
function urlForms(text: string): string[] {
  const lenient = encodeURIComponent(text.toWellFormed());
  const strict = lenient.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [lenient, strict, strict.replaceAll('%20', '+')];
}

/** A text encoded alone, without padding, and what all longer texts around it have in common, in both alphabets. */
function base64Forms(text: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  const alone = btoa(bytes).replace(/=+$/, '');
  // A base64 digit holds six bits: after one byte before the text the first two digits are not its own, after two three.
  const inside = [0, 2, 3].map((foreign, before) =>
    btoa('\0'.repeat(before) + bytes).slice(foreign, Math.floor(((before + bytes.length) * 4) / 3)),
  );
  const forms = [alone, ...inside.filter(({ length }) => length >= SHORTEST_BASE64)];
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

// Control characters, and the marks that change the direction of the text after them (Unicode TR 36).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Writes control and direction characters as `\uXXXX`, so that no medium obeys them. */
export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, unicodeEscape);
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
