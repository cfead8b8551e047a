import { readFile } from 'node:fs/promises';
import { Result } from '../contract/result-schema.ts';
import { type Baseline, servesAsBaseline } from '../domain/baseline.ts';
import { HoldfastError } from '../domain/errors.ts';

/** Reads an earlier result as a baseline. Throws `BaselineUnreadable` where it is none, or was none to compare with. */
export async function readBaselineFile(file: string): Promise<Baseline> {
  const parsed = Result.safeParse(await readJson(file));
  if (!parsed.success) throw unreadable(file, 'is no result of Holdfast', parsed.error);
  const result = parsed.data;
  if (!servesAsBaseline(result)) {
    throw unreadable(file, `is not of a complete check that left nothing pending or absorbed (${result.verdict})`);
  }
  return { digests: result.digests, at: result.startedAt ?? '' };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw unreadable(file, "can't be read as JSON", cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('BaselineUnreadable', `the baseline ${file} ${why}`, {
    cause,
    location: { file },
    hint: 'expected what "holdfast explain PLAN.json --format json" printed when the stack was in sync',
  });
}
