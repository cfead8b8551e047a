import { expect, it } from 'vitest';
import type { Standing } from '../../lib/domain/finding.ts';
import { verdictOf } from '../../lib/domain/verdict.ts';
import { aFinding } from '../support/builders.ts';

it.each<[readonly Standing[], string]>([
  [[], 'in-sync'],
  [['informational'], 'in-sync'],
  [['pending'], 'pending'],
  [['pending', 'informational'], 'pending'],
  [['check'], 'checks-failing'],
  [['pending', 'check'], 'checks-failing'],
  [['drift'], 'drifted'],
  [['drift', 'informational'], 'drifted'],
  [['check', 'drift'], 'drifted'],
  [['pending', 'drift'], 'drifted-and-pending'],
  [['drift', 'pending', 'check'], 'drifted-and-pending'],
])('standings %j come to %s', (standings, verdict) => {
  expect(verdictOf(standings.map((standing) => aFinding({ standing })))).toBe(verdict);
});
