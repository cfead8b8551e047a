import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { explainPlan } from '../../lib/app/explain-plan.ts';
import { Result } from '../../lib/contract/result-schema.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { leakedValues } from '../support/leaked-values.ts';
import { type CorpusRow, compareWithReading } from './compare-with-reading.ts';
import { DISAGREEMENTS } from './disagreements.ts';

const CORPUS = process.env.HOLDFAST_CORPUS ?? join(import.meta.dirname, '../../../shared/corpus');
const INDEX = join(CORPUS, 'index.jsonl');
const rows = existsSync(INDEX)
  ? readFileSync(INDEX, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CorpusRow)
  : [];

const deps = { clock: { now: () => new Date('2026-11-30T00:00:00Z') }, sha256 };
const read = (row: CorpusRow) => readFileSync(join(CORPUS, row.file), 'utf8');

function explain(document: string): CheckResult {
  const input = { stack: 'corpus', ui: undefined, exitCode: null, baseline: undefined, rules: NO_RULES };
  return explainPlan(deps, { ...input, document });
}

/** What a document comes to: a result, or the refusal of a format nobody knows. */
function explainOrRefuse(row: CorpusRow): CheckResult | HoldfastError {
  try {
    return explain(read(row));
  } catch (error) {
    if (error instanceof HoldfastError) return error;
    throw error;
  }
}

describe.skipIf(rows.length === 0)('the corpus of public plan documents', () => {
  it('agrees with its reading, but for the listed disagreements', () => {
    const found = Object.fromEntries(
      rows.flatMap((row) => {
        const disagreement = compareWithReading(row, explainOrRefuse(row));
        return disagreement === undefined ? [] : [[row.file, disagreement]];
      }),
    );
    expect(found).toEqual(Object.fromEntries(DISAGREEMENTS.map(({ file, what }) => [file, what])));
  });

  it('gives results that the published schema accepts', () => {
    for (const row of rows) {
      const result = explainOrRefuse(row);
      if (!(result instanceof HoldfastError)) expect(Result.safeParse(result).error, row.file).toBeUndefined();
    }
  });

  it('lets no attribute value into a result', () => {
    const leaks = rows.flatMap((row) => {
      const result = explainOrRefuse(row);
      if (result instanceof HoldfastError) return [];
      return leakedValues(JSON.parse(read(row)), result).map((value) => `${row.file}: ${value}`);
    });
    expect(leaks).toEqual([]);
  });

  it('finds the same in whatever order a document lists things', () => {
    for (const row of rows) {
      const document = JSON.parse(read(row)) as Record<string, unknown>;
      const result = explainOrRefuse(row);
      if (result instanceof HoldfastError) continue;
      for (const key of ['resource_changes', 'resource_drift', 'checks']) {
        if (Array.isArray(document[key])) document[key] = document[key].toReversed();
      }
      const { fingerprint, verdict, counts } = explain(JSON.stringify(document));
      expect({ fingerprint, verdict, counts }, row.file).toEqual({
        fingerprint: result.fingerprint,
        verdict: result.verdict,
        counts: result.counts,
      });
    }
  });
});
