import { isMoved } from './classify-planned.ts';
import type { Counts, Finding, Noise, Standing, Suppressed } from './finding.ts';
import type { PlanDocument, ResourceChange } from './plan-document.ts';

export interface Found {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  readonly noise: readonly Noise[];
}

/** Counts as Terraform's own summary does (`Plan: 1 to add, 2 to change, 0 to destroy`), and the findings per standing. */
export function count(document: PlanDocument | undefined, { findings, suppressed, noise }: Found): Counts {
  const changes = document?.changes ?? [];
  // Terraform leaves data sources out of its summary, and counts a replacement on both sides.
  const managed = changes.filter(({ mode }) => mode === 'managed');
  const withAction = (action: string) => managed.filter(({ actions }) => actions.includes(action)).length;
  const standing = (wanted: Standing) => findings.filter((finding) => finding.standing === wanted).length;
  return {
    add: withAction('create'),
    change: withAction('update'),
    remove: withAction('delete'),
    import: managed.filter(({ importing }) => importing).length,
    forget: withAction('forget'),
    move: managed.filter(isMoved).length,
    read: changes.filter(isRead).length,
    outputs: document?.outputs.filter(({ actions }) => actions.some((action) => action !== 'no-op')).length ?? 0,
    actions: document?.actionInvocations.length ?? 0,
    deferred: document?.deferred.length ?? 0,
    drift: standing('drift'),
    checks: standing('check'),
    pending: standing('pending'),
    informational: standing('informational'),
    suppressed: suppressed.length,
    noise: noise.length,
  };
}

function isRead({ mode, actions }: ResourceChange): boolean {
  return mode === 'data' && actions.includes('read');
}
