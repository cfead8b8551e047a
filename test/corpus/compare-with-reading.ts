import { HoldfastError } from '../../lib/domain/errors.ts';
import type { CheckResult, Verdict } from '../../lib/domain/finding.ts';

/** The columns of the corpus index that this test reads. */
export interface CorpusRow {
  readonly file: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly moved: number;
  readonly imports: number;
  readonly output_changes: number;
  readonly drift: number;
  readonly drift_move_or_equal: number;
  readonly drift_empty_only: number;
  readonly drift_order_only: number;
  readonly drift_deleted: number;
  readonly deferred: number;
  readonly action_invocations: number;
  readonly classes: readonly string[];
}

/** Says how a result differs from the independent reading of the same document; `undefined` where they agree. */
export function compareWithReading(row: CorpusRow, result: CheckResult | HoldfastError): string | undefined {
  if (result instanceof HoldfastError) return `refused: ${result.message}`;
  const expected = describeReading(row);
  const actual = describeResult(result);
  if (result.verdict === 'failed') return expected.verdict === 'failed' ? undefined : 'failed';
  const differences = Object.keys(expected).flatMap((key) =>
    expected[key] === actual[key] ? [] : [`${key} ${actual[key]}, reading says ${expected[key]}`],
  );
  return differences.length === 0 ? undefined : differences.join('; ');
}

function describeReading(row: CorpusRow): Record<string, string | number> {
  const { create = 0, update = 0, delete: remove = 0, replace = 0, read = 0, forget = 0 } = row.counts;
  return {
    verdict: expectedVerdict(row.classes),
    add: create + replace,
    change: update,
    remove: remove + replace,
    read,
    forget,
    moved: row.moved,
    imports: row.imports,
    outputs: row.output_changes,
    deferred: row.deferred,
    actions: row.action_invocations,
    deletedOutside: row.drift_deleted,
    driftedResources: row.drift - row.drift_move_or_equal - row.drift_empty_only - row.drift_order_only,
  };
}

function describeResult({ verdict, counts, findings }: CheckResult): Record<string, string | number> {
  const outside = findings.filter((finding) => /outside/.test(finding.class));
  return {
    // Whether something is pending beside the drift is not in the reading.
    verdict: verdict === 'drifted-and-pending' ? 'drifted' : verdict,
    add: counts.add,
    change: counts.change,
    remove: counts.remove,
    read: counts.read,
    forget: counts.forget,
    moved: counts.move,
    imports: counts.import,
    outputs: counts.outputs,
    deferred: counts.deferred,
    actions: counts.actions,
    deletedOutside: outside.filter((finding) => finding.class === 'deleted-outside').length,
    driftedResources: new Set(outside.map(({ address }) => address)).size,
  };
}

function expectedVerdict(classes: readonly string[]): Verdict {
  if (classes.includes('errored')) return 'failed';
  if (classes.includes('drift')) return 'drifted';
  if (classes.includes('checks-failing')) return 'checks-failing';
  const quiet = ['no-changes', 'refresh-noise', 'read-only(data)'];
  return classes.every((name) => quiet.includes(name)) ? 'in-sync' : 'pending';
}
