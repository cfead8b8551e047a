import semver from 'semver';
import { HoldfastError } from '../domain/errors.ts';

const CLAUSE = /^(=|!=|>=|<=|>|<|~>)?\s*v?(\d+(?:\.(?:\d+|[x*])){0,2})(-[\w.-]+)?$/i;

/**
 * Reads a version constraint as Terraform does: `~> 1.11`, `>= 1.5, < 2.0`, `!= 1.6.0`, also `1.9.x`. A pre-release
 * satisfies only a constraint that names a pre-release of the same version. Throws `ArgumentInvalid`.
 */
export function parseConstraint(text: string): (version: string) => boolean {
  const clauses = text.split(',').map((clause) => readClause(clause.trim(), text));
  const range = new semver.Range(clauses.flatMap(({ range }) => range ?? []).join(' '));
  const excluded = clauses.flatMap(({ excluded }) => excluded ?? []);
  return (version) => range.test(version) && !excluded.some((other) => semver.eq(other, version));
}

function readClause(clause: string, text: string): { readonly range?: string; readonly excluded?: string } {
  const [, operator = '=', numbers, preRelease = ''] = CLAUSE.exec(clause) ?? [];
  const wildcard = numbers !== undefined && /[x*]/i.test(numbers);
  if (numbers === undefined || (wildcard && (operator !== '=' || preRelease !== ''))) {
    throw new HoldfastError('ArgumentInvalid', `version constraint "${text}" is not understood`, {
      hint: 'Write clauses such as "1.11.4", "~> 1.11", ">= 1.5" or "1.9.x", separated by commas.',
    });
  }
  if (wildcard) return { range: numbers };
  const version = `${numbers}${'.0'.repeat(3 - numbers.split('.').length)}${preRelease}`;
  if (operator === '!=') return { excluded: version };
  return { range: operator === '~>' ? pessimisticRange(numbers, version) : `${operator}${version}` };
}

/** The right-most number given may grow: `~> 1.11` ends before 2.0.0, `~> 1.11.2` before 1.12.0, `~> 1` never. */
function pessimisticRange(numbers: string, version: string): string {
  const [major = 0, minor = 0] = numbers.split('.').map(Number);
  const ends = [undefined, `${major + 1}.0.0`, `${major}.${minor + 1}.0`];
  const end = ends[numbers.split('.').length - 1];
  return end === undefined ? `>=${version}` : `>=${version} <${end}`;
}
