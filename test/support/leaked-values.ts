import type { CheckResult } from '../../lib/domain/finding.ts';

// Shorter values are in every text by chance.
const SHORTEST = 6;

/**
 * Values of a plan document that turn up in a result. What also stands in the document's own names (addresses, types,
 * attribute and map keys) does not count: a result may show those.
 */
export function leakedValues(document: Record<string, unknown>, result: CheckResult): string[] {
  const names = namesIn(document).join('\n');
  const shown = textsIn(result).join('\n');
  const values = new Set(
    ['resource_changes', 'resource_drift', 'output_changes', 'planned_values', 'prior_state', 'variables'].flatMap(
      (key) => valuesIn(document[key]),
    ),
  );
  return [...values].filter((value) => value.length >= SHORTEST && shown.includes(value) && !names.includes(value));
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    key,
    ...(NAME_KEYS.has(key) && typeof member === 'string' ? [member] : namesIn(member)),
    ...(key === 'actions' && Array.isArray(member) ? member.filter((action) => typeof action === 'string') : []),
  ]);
}

const NAME_KEYS = new Set([
  'address',
  'previous_address',
  'module_address',
  'mode',
  'type',
  'name',
  'deposed',
  'to_display',
  'terraform_version',
  'format_version',
]);

function textsIn(result: CheckResult): string[] {
  const { findings, suppressed, noise, warnings, failure } = result;
  return stringsIn({ findings, suppressed, noise, warnings: warnings.map(({ message }) => message), failure });
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Every leaf below `values`, `before`, `after` and `value`, as text. */
function valuesIn(value: unknown, inside = false): string[] {
  if (typeof value === 'string' || typeof value === 'number') return inside ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((member) => valuesIn(member, inside));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => valuesIn(member, inside || VALUE_KEYS.has(key)));
}

const VALUE_KEYS = new Set(['values', 'before', 'after', 'value']);
