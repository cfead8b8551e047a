/** What the `{name}` parts of a pattern stand for in a path. */
export type Captures = Readonly<Record<string, string>>;

type Segment = readonly Token[];
type Token = { readonly text: string } | { readonly capture: string | undefined; readonly least: 0 | 1 };

/**
 * A pattern over folders: `*` stands for any text in one name, `{name}` for the same, not empty and kept, `**` for any
 * folders or none. A name that starts with a dot has to be written out.
 */
export interface PathGlob {
  readonly names: readonly string[];
  /** What the pattern captures in a path (`a/b`, `.` for the root); `undefined` where it does not match. */
  match(path: string): Captures | undefined;
}

const TOKEN = /\{([a-z][a-zA-Z0-9_]*)\}|\*+|[^*{]+|\{/g;

/** Gives what is wrong about a pattern instead where something is. */
export function parsePathGlob(pattern: string): PathGlob | { readonly mistake: string } {
  const segments = segmentsOf(pattern);
  const names = segments.flatMap((segment) => (segment === '**' ? [] : segment.flatMap(nameOf)));
  const mistake = mistakeIn(pattern, segments, names);
  if (mistake !== undefined) return { mistake };
  const runs = splitAtGlobstars(segments);
  return { names, match: (path) => matchRuns(runs, path === '.' ? [] : path.split('/')) };
}

function mistakeIn(
  pattern: string,
  segments: readonly (Segment | '**')[],
  names: readonly string[],
): string | undefined {
  const braces = /\{(?![a-z][a-zA-Z0-9_]*\})[^}/]*\}?/.exec(pattern)?.[0];
  if (braces !== undefined) return `${braces} is no placeholder: expected one such as {environment}`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `{${twice}} stands in the pattern twice`;
  return segments.some((segment) => segment !== '**' && segment.some(isStuck))
    ? 'nothing says where one wildcard ends and the next begins'
    : undefined;
}

function segmentsOf(pattern: string): readonly (Segment | '**')[] {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  return parts.map((part) => (part === '**' ? part : tokensOf(part)));
}

function tokensOf(part: string): Segment {
  return [...part.matchAll(TOKEN)].map(([text, capture]): Token => {
    if (capture !== undefined) return { capture, least: 1 };
    return text.startsWith('*') ? { capture: undefined, least: 0 } : { text };
  });
}

function isStuck(token: Token, index: number, segment: Segment): boolean {
  const before = segment[index - 1];
  return !('text' in token) && before !== undefined && !('text' in before);
}

function nameOf(token: Token): readonly string[] {
  return 'capture' in token && token.capture !== undefined ? [token.capture] : [];
}

/** Runs of segments between `**`. */
function splitAtGlobstars(segments: readonly (Segment | '**')[]): readonly (readonly Segment[])[] {
  const runs: Segment[][] = [[]];
  for (const segment of segments) {
    if (segment === '**') runs.push([]);
    else runs.at(-1)?.push(segment);
  }
  return runs;
}

// As with the texts between stars, the leftmost place for each run is always good enough: no need to go back.
function matchRuns(
  [first = [], ...rest]: readonly (readonly Segment[])[],
  path: readonly string[],
): Captures | undefined {
  const last = rest.pop();
  const start = matchAt(first, path, 0);
  if (last === undefined) return first.length === path.length ? start : undefined;
  const tail = path.length - last.length;
  const end = tail < first.length ? undefined : matchAt(last, path, tail);
  if (start === undefined || end === undefined) return undefined;
  return matchBetween(rest, path.slice(0, tail), first.length, { ...start, ...end });
}

function matchBetween(
  runs: readonly (readonly Segment[])[],
  path: readonly string[],
  from: number,
  captured: Captures,
): Captures | undefined {
  const [run, ...others] = runs;
  if (run === undefined) return path.slice(from).some(isHidden) ? undefined : captured;
  for (let at = from; at + run.length <= path.length; at += 1) {
    const found = matchAt(run, path, at);
    if (found !== undefined) return matchBetween(others, path, at + run.length, { ...captured, ...found });
    if (isHidden(path[at])) return undefined;
  }
  return undefined;
}

const isHidden = (name: string | undefined) => name?.startsWith('.') === true;

function matchAt(run: readonly Segment[], path: readonly string[], at: number): Captures | undefined {
  const captured: Record<string, string> = {};
  for (const [index, segment] of run.entries()) {
    const name = path[at + index];
    if (name === undefined || !matchSegment(segment, name, captured)) return undefined;
  }
  return captured;
}

function matchSegment(tokens: Segment, name: string, captured: Record<string, string>): boolean {
  const [first] = tokens;
  if (isHidden(name) && !(first !== undefined && 'text' in first)) return false;
  let at = 0;
  for (const [index, token] of tokens.entries()) {
    if ('text' in token) {
      if (!name.startsWith(token.text, at)) return false;
      at += token.text.length;
      continue;
    }
    const end = endOfWildcard(tokens, index, name, at + token.least);
    if (end === undefined) return false;
    if (token.capture !== undefined) captured[token.capture] = name.slice(at, end);
    at = end;
  }
  return at === name.length;
}

/** Where the text behind a wildcard starts: the first place for it, or the only one where it ends the name. */
function endOfWildcard(tokens: Segment, index: number, name: string, from: number): number | undefined {
  const next = tokens[index + 1];
  const isLast = index + 2 >= tokens.length;
  const text = next !== undefined && 'text' in next ? next.text : '';
  const end = isLast ? name.length - text.length : name.indexOf(text, from);
  return end >= from && (!isLast || name.endsWith(text)) ? end : undefined;
}
