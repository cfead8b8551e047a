/** Key layout of the one table, and of the artefact bucket. */

/** Stacks are spread over this many partitions of each sparse index. */
export const SHARDS = 8;

const STACK_PREFIX = 'STACK#';
export const stackKey = (stackId: string) => ({ pk: `${STACK_PREFIX}${stackId}`, sk: 'STACK' });
/** Of the partition key of a stack. */
export const stackIdOf = (pk: string) => pk.slice(STACK_PREFIX.length);
/** The one item about catalogues. */
export const CATALOGUE_MARKS_KEY = { pk: 'CATALOGUE', sk: 'MARKS' };
export const runKey = (runId: string) => ({ pk: `RUN#${runId}`, sk: 'RUN' });

/** Partitions of the index `byTime`. A stack is in one of the two, or in neither while nothing is to be done. */
export const duePartition = (shard: number) => `DUE#${shard}`;
export const watchPartition = (shard: number) => `WATCH#${shard}`;

/** Partition of the index `byOutbox`. */
export const outboxPartition = (shard: number) => `OUTBOX#${shard}`;

/** Partitions of the index `byStack`: of all stacks by id, and of the runs of one stack by their ids, which are ULIDs. */
export const ALL_STACKS = 'STACKS';
export const runsOfStack = (stackId: string) => `RUNS#${stackId}`;

export const runPrefix = (stackId: string, runId: string) => `runs/${stackId}/${runId}/`;
/** Under the prefix of a run: what the runner gets, and what it reports. */
export const SPEC_OBJECT = 'spec.json';
export const REPORT_OBJECT = 'result.json';

export const CATALOGUE_PREFIX = 'catalogue/';
/** What the sync task found last: a resolved catalogue, or why there is none. */
export const CATALOGUE_OBJECT = `${CATALOGUE_PREFIX}latest.json`;
