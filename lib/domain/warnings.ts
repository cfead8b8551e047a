import type { BaselineComparison, Counts, Finding, Warning } from './finding.ts';
import type { PlanDocument } from './plan-document.ts';
import type { ChangeSummary } from './ui-stream.ts';

/** What a reader has to know before trusting the findings. */
export function warnAbout(
  document: PlanDocument | undefined,
  findings: readonly Finding[],
  baseline: BaselineComparison,
): Warning[] {
  if (document === undefined) return [];
  return [
    ...warnIncomplete(document),
    ...warnMassDeletion(document, findings),
    ...warnWithoutBaseline(findings, baseline),
  ];
}

function warnIncomplete({ complete, deferred }: PlanDocument): Warning[] {
  if (complete !== false && deferred.length === 0) return [];
  const why = deferred.length > 0 ? `changes put off to a later plan: ${deferred.length}` : 'it was limited to targets';
  return [{ code: 'incomplete-plan', message: `the plan covers only a part of the stack: ${why}` }];
}

const MANY = 5;

// Half of everything gone at once is more often a permission than a deletion: some APIs answer 404 for 403.
function warnMassDeletion(document: PlanDocument, findings: readonly Finding[]): Warning[] {
  const gone = findings.filter((finding) => finding.class === 'deleted-outside').length;
  const managed = document.changes.filter(({ mode }) => mode === 'managed').length;
  if (gone < MANY || gone * 2 < managed) return [];
  // A refresh-only plan lists what drifted, not what there is.
  const share = document.plansChanges ? `${gone} of ${managed}` : gone;
  const message = `${share} resources look deleted: check that the credentials of this run may still read them`;
  return [{ code: 'mass-deletion', message }];
}

function warnWithoutBaseline(findings: readonly Finding[], baseline: BaselineComparison): Warning[] {
  if (baseline.kind !== 'none' || !findings.some(({ cause }) => cause.kind === 'no-baseline')) return [];
  const message =
    'no baseline to compare with: a planned change may be unapplied configuration, or drift that somebody accepted into the state';
  return [{ code: 'baseline-missing', message }];
}

/** Holds Terraform's own counts against ours: they differ where the stream is that of another plan. */
export function warnAboutCounts(summary: ChangeSummary | undefined, counts: Counts): Warning[] {
  if (summary === undefined || summary.operation !== 'plan') return [];
  const kinds = ['add', 'change', 'remove', 'import'] as const;
  // Whether a resource that is forgotten and created anew counts as added differs between versions.
  const agrees = (kind: (typeof kinds)[number]) =>
    summary[kind] === counts[kind] || (kind === 'add' && counts.forget > 0);
  if (kinds.every(agrees)) return [];
  const show = (of: Pick<Counts, (typeof kinds)[number]>) => kinds.map((kind) => `${of[kind]} to ${kind}`).join(', ');
  return [
    {
      code: 'summary-disagrees',
      message: `Terraform counted ${show(summary)}, the document holds ${show(counts)}: do both come from the same plan?`,
    },
  ];
}
