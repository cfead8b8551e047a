/** Where a value sits inside a resource: attribute and map keys as strings, list positions as numbers. */
export type Path = readonly (string | number)[];

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const SEGMENT = /^(?:\.?([A-Za-z_*][A-Za-z0-9_*-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\])/;

/** Writes a path as Terraform does: `ingress[0].cidr_blocks`, `tags["k8s.io/role"]`. Identifier-like keys use dots. */
export function formatPath(path: Path): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (IDENTIFIER.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `[${JSON.stringify(segment)}]`;
  }
  return text;
}

/** Reads what {@link formatPath} writes; `*` may stand in identifiers. `undefined` where the text is no path. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  let rest = text;
  while (rest !== '') {
    const match = SEGMENT.exec(rest);
    if (match === null) return undefined;
    const segment = readSegment(match);
    if (segment === undefined) return undefined;
    path.push(segment);
    rest = rest.slice(match[0].length);
  }
  return path.length === 0 ? undefined : path;
}

function readSegment([, identifier, index, key]: RegExpExecArray): string | number | undefined {
  if (identifier !== undefined) return identifier;
  if (index !== undefined) return Number(index);
  try {
    return JSON.parse(`"${key}"`) as string;
  } catch {
    return undefined;
  }
}

/** True where `path` is `prefix` or lies below it. */
export function startsWithPath(path: Path, prefix: Path): boolean {
  return prefix.every((segment, index) => segment === path[index]);
}

/** The part of a path above its first list position: two diffs may number the same element differently. */
export function withoutPositions(path: Path): Path {
  const first = path.findIndex((segment) => typeof segment === 'number');
  return first === -1 ? path : path.slice(0, first);
}

/** True where one path contains the other, list positions left aside. */
export function pathsOverlap(left: Path, right: Path): boolean {
  const a = withoutPositions(left);
  const b = withoutPositions(right);
  return startsWithPath(a, b) || startsWithPath(b, a);
}
