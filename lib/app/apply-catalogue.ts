import { judgeRemovals, removedFrom } from '../domain/catalogue-change.ts';
import { initialState } from '../domain/claim.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Failure } from '../domain/finding.ts';
import type { StackSpec } from '../domain/stack-spec.ts';
import { expectChecks } from '../domain/suspension.ts';
import type { CatalogueMarkStore, CatalogueMarks } from '../ports/catalogue-marks.ts';
import type { CatalogueStore, LatestCatalogue } from '../ports/catalogue-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import { changeStack } from './change-stack.ts';
import { listStacks } from './list-stacks.ts';
import { type RemoveStackDeps, removeStack } from './remove-stack.ts';
import { settleAll } from './settle-all.ts';

export interface ApplyCatalogueDeps extends RemoveStackDeps {
  readonly catalogues: CatalogueStore;
  readonly marks: CatalogueMarkStore;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

export interface ApplyCatalogueInput {
  /** `guarded`: a catalogue that drops more than half of the stacks, or all, is refused. */
  readonly removals: 'guarded' | 'any';
}

export type AppliedCatalogue =
  /** No catalogue was written yet. */
  | { readonly kind: 'none' }
  /** The same as last time. */
  | { readonly kind: 'unchanged' }
  /** Nothing was changed. */
  | { readonly kind: 'invalid'; readonly failure: Failure; readonly announced: boolean }
  | {
      readonly kind: 'applied';
      readonly created: number;
      readonly updated: number;
      readonly removed: number;
      /** Of single stacks; the next time tries those again. */
      readonly errors: readonly unknown[];
    };

/**
 * Makes the stacks those of the latest catalogue. One that can't be taken over changes nothing and is announced once for
 * its commit, until a good one follows.
 */
export async function applyCatalogue(
  deps: ApplyCatalogueDeps,
  { removals }: ApplyCatalogueInput,
): Promise<AppliedCatalogue> {
  const latest = await readLatest(deps.catalogues);
  if (latest === undefined) return { kind: 'none' };
  const marks = await deps.marks.get();
  if ('failure' in latest) return refuse(deps, marks, latest.commit, latest.failure);
  const digest = deps.sha256(JSON.stringify(latest.stacks));
  if (marks.applied === digest && marks.announced.length === 0) return { kind: 'unchanged' };

  const known = new Map((await listStacks(deps)).map((stack) => [stack.spec.id, stack]));
  const removed = removedFrom([...known.keys()], latest.stacks);
  const sizes = { known: known.size, wanted: latest.stacks.length, removed: removed.length };
  const problem = removals === 'guarded' ? judgeRemovals(sizes) : null;
  if (problem !== null) return refuse(deps, marks, latest.commit, problem);

  const applied = await converge(deps, known, latest.stacks, removed);
  if (applied.errors.length === 0) await deps.marks.put({ applied: await stillLatest(deps, digest), announced: [] });
  return applied;
}

/**
 * The digest, or `null` where another catalogue has come meanwhile: somebody else may have taken that one over, and what
 * was just done may have undone it. Without a mark the next reading converges again.
 */
async function stillLatest({ catalogues, sha256 }: ApplyCatalogueDeps, digest: string): Promise<string | null> {
  const latest = await readLatest(catalogues);
  const same = latest !== undefined && 'stacks' in latest && sha256(JSON.stringify(latest.stacks)) === digest;
  return same ? digest : null;
}

async function readLatest(catalogues: CatalogueStore): Promise<LatestCatalogue | undefined> {
  try {
    return await catalogues.get();
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code !== 'ResultUnreadable') throw error;
    const { code, message } = error;
    return { schemaVersion: 1, commit: null, failure: { code, message } };
  }
}

/** Announcements that are remembered: different failures may take turns. */
const MOST_ANNOUNCED = 20;

async function refuse(
  { publisher, clock, marks }: ApplyCatalogueDeps,
  { applied, announced }: CatalogueMarks,
  commit: string | null,
  failure: Failure,
): Promise<AppliedCatalogue> {
  const key = commit ?? failure.code;
  if (announced.includes(key)) return { kind: 'invalid', failure, announced: false };
  const at = clock.now().toISOString();
  await publisher.publish({ schemaVersion: 1, type: 'catalogue.invalid', at, commit, failure });
  await marks.put({ applied, announced: [...announced, key].slice(-MOST_ANNOUNCED) });
  return { kind: 'invalid', failure, announced: true };
}

const WRITES_AT_ONCE = 16;

async function converge(
  deps: ApplyCatalogueDeps,
  known: ReadonlyMap<string, StoredStack>,
  wanted: readonly StackSpec[],
  removed: readonly string[],
): Promise<AppliedCatalogue & { kind: 'applied' }> {
  const put = await settleAll({
    items: wanted,
    concurrency: WRITES_AT_ONCE,
    work: (spec) => putStack(deps, spec, known.get(spec.id)),
  });
  const gone = await settleAll({
    items: removed,
    concurrency: WRITES_AT_ONCE,
    work: (stackId) => removeStack(deps, { stackId }),
  });
  const count = (change: string) => put.results.filter((result) => result === change).length;
  return {
    kind: 'applied',
    created: count('created'),
    updated: count('updated'),
    removed: gone.results.length,
    errors: [...put.errors, ...gone.errors],
  };
}

async function putStack(
  { stacks, clock }: ApplyCatalogueDeps,
  spec: StackSpec,
  before: StoredStack | undefined,
): Promise<'created' | 'updated' | 'unchanged'> {
  const now = clock.now();
  const put = await stacks.putSpec(spec, initialState(spec, now));
  const resumed = put === 'updated' && spec.suspended === null && typeof before?.spec.suspended === 'string';
  if (resumed) await changeStack(stacks, { stackId: spec.id, change: ({ state }) => expectChecks(state, now) });
  return put;
}
