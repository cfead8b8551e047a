import type { Configuration } from './configuration.ts';
import type { PathChange } from './diff.ts';
import type { Differences } from './differences.ts';
import type {
  BaselineComparison,
  Cause,
  FindingClass,
  InputDigests,
  Noise,
  PlanMode,
  Severity,
  Standing,
} from './finding.ts';
import type { IgnoreChangesIndex } from './ignore-changes.ts';
import type { PlanDocument, ResourceChange } from './plan-document.ts';
import type { Rules } from './rules.ts';
import type { SplitIndex } from './split-resources.ts';

/** A finding before rules and redaction: it still holds values, so it never leaves the domain. */
export interface Draft {
  readonly address: string;
  readonly deposed?: string | undefined;
  readonly type: string;
  readonly class: FindingClass;
  readonly standing: Standing;
  readonly actions: readonly string[];
  readonly changes: readonly PathChange[];
  readonly cause: Cause;
  /** The class's own severity; `undefined` where the changed paths decide. */
  readonly severity?: Severity;
}

/** All that classification looks at. */
export interface ClassifyInput {
  readonly stack: string;
  readonly document: PlanDocument;
  readonly mode: PlanMode;
  readonly baseline: BaselineComparison;
  /** What the digests behind `baseline` were taken from; a document knows no locals. */
  readonly basis: InputDigests['basis'] | undefined;
  /** Absent where the source files were not there to read. */
  readonly ignoreChanges: IgnoreChangesIndex | undefined;
  readonly rules: Rules;
}

export interface Context extends ClassifyInput {
  readonly configuration: Configuration;
  readonly splits: SplitIndex;
  readonly differences: Differences;
  /** Config addresses of resources with real drift. */
  readonly drifted: ReadonlySet<string>;
  /** Config addresses that Terraform says this plan was made from, as far as they drifted or are data sources. */
  readonly relevant: ReadonlySet<string>;
}

/** What one entry or one pair of entries comes to. */
export interface Reading {
  readonly drafts: readonly Draft[];
  readonly noise: readonly Noise[];
}

/** The parts of a draft that come from the resource. */
export function subjectOf(change: ResourceChange, planned: ResourceChange | undefined) {
  return {
    address: change.address,
    deposed: change.deposed,
    type: change.type,
    actions: planned?.actions ?? ['no-op'],
  };
}
