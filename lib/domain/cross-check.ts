import { isEffective, isMoved } from './classify-planned.ts';
import type { Failure, PlanMode, Warning } from './finding.ts';
import type { PlanDocument } from './plan-document.ts';

/** What the exit code and the document say of each other. */
export interface CrossCheck {
  readonly failure: Failure | null;
  readonly warnings: readonly Warning[];
}

const AGREED: CrossCheck = { failure: null, warnings: [] };

/**
 * Holds the exit code of `plan -detailed-exitcode` against the document (DESIGN §4, field cases A1–A12). The document
 * decides; code 1 always wins, because an errored plan still writes a file that `show` reads; disagreement is a
 * failure, never "clean": a wrapper may have eaten the code.
 */
export function crossCheck(exitCode: number | null, document: PlanDocument | undefined, mode: PlanMode): CrossCheck {
  if (document?.errored === true)
    return failed('PlanErrored', 'the plan is marked as errored: it covers only a part of the stack');
  if (exitCode === 1) return failed('PlanFailed', 'terraform plan ended with exit code 1');
  if (exitCode !== null && exitCode !== 0 && exitCode !== 2) {
    return failed('UnexpectedExit', `terraform plan ended with exit code ${exitCode}, expected 0, 1 or 2`);
  }
  if (document === undefined) return checkAlone(exitCode);
  if (exitCode === 0) return checkZero(document, mode);
  if (exitCode === 2) return checkTwo(document);
  return AGREED;
}

/** Without a document only exit code 0 says anything. */
function checkAlone(exitCode: 0 | 2 | null): CrossCheck {
  if (exitCode === 0) return AGREED;
  return failed(
    'PlanUnreadable',
    `there is no plan document, which only exit code 0 allows, got ${exitCode ?? 'none'}`,
  );
}

function checkZero(document: PlanDocument, mode: PlanMode): CrossCheck {
  // Applying a refresh-only plan changes the state only, so there the flag says something else.
  const applyable = mode === 'plan' && document.applyable === true;
  if (!applyable && !document.changes.some(changesInfrastructure)) return AGREED;
  return failed('ExitCodeDisagrees', 'exit code 0 says "no changes", but the plan document holds some', WRAPPER_HINT);
}

function checkTwo(document: PlanDocument): CrossCheck {
  if (document.applyable === false) {
    return failed(
      'ExitCodeDisagrees',
      'exit code 2 says "changes", but the plan document is not applyable',
      WRAPPER_HINT,
    );
  }
  if (hasSomethingToSay(document)) return AGREED;
  // Terraform compares raw state here, and its drift list compares decoded objects (hashicorp/terraform#37406).
  return { failure: null, warnings: [{ code: 'exit-code-without-changes', message: WITHOUT_CHANGES }] };
}

const WITHOUT_CHANGES =
  'exit code 2 says "changes", but the plan document holds none: only the form of the state differs';
const WRAPPER_HINT = 'run the real binary and take its own exit status: wrappers and pipes change it';

function changesInfrastructure(change: PlanDocument['changes'][number]): boolean {
  return change.mode === 'managed' && isEffective(change);
}

function hasSomethingToSay(document: PlanDocument): boolean {
  return (
    document.drift.length > 0 ||
    document.actionInvocations.length > 0 ||
    document.deferred.length > 0 ||
    document.outputs.some(({ actions }) => actions.some((action) => action !== 'no-op')) ||
    document.changes.some(
      (change) => isEffective(change) || change.actions.includes('read') || change.importing || isMoved(change),
    )
  );
}

function failed(code: string, message: string, hint?: string): CrossCheck {
  return { failure: hint === undefined ? { code, message } : { code, message, hint }, warnings: [] };
}
