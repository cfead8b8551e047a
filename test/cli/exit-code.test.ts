import { describe, expect, it } from 'vitest';
import { exitCodeOf } from '../../lib/cli/exit-code.ts';
import type { Severity, Standing } from '../../lib/domain/finding.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';

function withFinding(standing: Standing, severity: Severity) {
  return aResult({ findings: [aFinding({ standing, severity })] });
}

describe('the exit code', () => {
  it('is 0 where all stacks are in sync', () => {
    expect(exitCodeOf([aResult(), aResult()])).toBe(0);
  });

  it.each(['drift', 'check'] as const)('is 2 for any %s', (standing) => {
    expect(exitCodeOf([aResult(), withFinding(standing, 'low')])).toBe(2);
  });

  it.each(['pending', 'informational'] as const)('is 0 for what is %s, however severe', (standing) => {
    expect(exitCodeOf([withFinding(standing, 'critical')])).toBe(0);
  });

  it.each(['failed', 'busy'] as const)('is 1 where a stack is %s, whatever the others have', (verdict) => {
    expect(exitCodeOf([withFinding('drift', 'critical'), aFailedResult({ verdict })])).toBe(1);
  });

  it.each([
    ['critical', 'high', 2],
    ['high', 'high', 2],
    ['medium', 'high', 0],
    ['info', 'low', 0],
    ['info', 'info', 2],
  ] as const)('for drift of severity %s with --fail-on %s is %i', (severity, failOn, code) => {
    expect(exitCodeOf([withFinding('drift', severity)], { failOn })).toBe(code);
  });
});
