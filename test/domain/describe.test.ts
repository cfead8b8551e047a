import { describe, expect, it } from 'vitest';
import {
  alerts,
  describeCause,
  describeClass,
  describeConsequence,
  describeDuration,
  describeLocation,
  describeNoise,
  describeOutcome,
  describePlan,
  describeRule,
  describeTotals,
  describeVerdict,
  describeWhy,
  isQuiet,
  needsAttention,
} from '../../lib/domain/describe.ts';
import { CAUSE_KINDS, FINDING_CLASSES, NOISE_REASONS, VERDICTS } from '../../lib/domain/finding.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';

describe('words', () => {
  it('differ for every class', () => {
    expect(new Set(FINDING_CLASSES.map(describeClass)).size).toBe(FINDING_CLASSES.length);
  });

  it('differ for every cause', () => {
    const sentences = CAUSE_KINDS.map((kind) => describeCause({ kind, inferred: false }));
    expect(new Set(sentences).size).toBe(CAUSE_KINDS.length);
  });

  it('differ for every reason of noise', () => {
    expect(new Set(NOISE_REASONS.map(describeNoise)).size).toBe(NOISE_REASONS.length);
  });

  it('differ for every verdict', () => {
    const words = VERDICTS.map((verdict) => describeVerdict({ verdict, complete: true }));
    expect(new Set(words).size).toBe(VERDICTS.length);
  });
});

describe('describeConsequence', () => {
  it.each([
    ['changed-outside', ['update'], 'Terraform would put it back'],
    ['absorbed', ['update'], 'Terraform would put it back'],
    ['pending-config', ['update'], 'Terraform would change it'],
    ['deleted-outside', ['create'], 'Terraform would create it again'],
    ['pending-config', ['create'], 'Terraform would create it'],
    ['pending-config', ['delete'], 'Terraform would destroy it'],
    ['changed-outside', ['delete', 'create'], 'Terraform would replace it (destroy, then create)'],
    ['changed-outside', ['create', 'delete'], 'Terraform would replace it (create, then destroy)'],
    ['pending-config', ['create', 'forget'], 'Terraform would create a new one and forget this one'],
    ['deleted-outside', ['no-op'], 'the plan leaves it alone'],
  ] as const)('tells for %s and %j: %s', (findingClass, actions, words) => {
    expect(describeConsequence({ class: findingClass, actions })).toBe(words);
  });

  it('says that an unknown action needs a review', () => {
    expect(describeConsequence({ class: 'pending-config', actions: ['transmute'] })).toContain('"transmute"');
  });

  it.each([
    ['changed-outside-unmanaged', ['no-op']],
    ['moved', ['no-op']],
    ['imported', ['no-op']],
    ['read', ['read']],
    ['outputs-only', ['update']],
    ['changed-outside', []],
  ] as const)('is silent for %s and %j', (findingClass, actions) => {
    expect(describeConsequence({ class: findingClass, actions })).toBeUndefined();
  });
});

describe('describeCause', () => {
  it('labels a deduced cause', () => {
    expect(describeCause({ kind: 'no-baseline', inferred: true })).toMatch(/\(inferred\)$/);
  });

  it('does not label a stated cause', () => {
    expect(describeCause({ kind: 'tainted', inferred: false })).not.toContain('inferred');
  });

  it('names up to three sources and counts the rest', () => {
    const from = ['data.a.a', 'data.a.b', 'data.a.c', 'data.a.d', 'data.a.e'];
    expect(describeCause({ kind: 'data-source', inferred: true, from })).toBe(
      'takes a value from data.a.a, data.a.b, data.a.c and 2 more (inferred)',
    );
  });

  it('names the address before a move', () => {
    const cause = { kind: 'moved-in-config', inferred: false, from: ['aws_sqs_queue.old'] } as const;
    expect(describeCause(cause)).toBe('moved from aws_sqs_queue.old');
  });

  it('names which inputs changed', () => {
    const cause = { kind: 'config-changed', inferred: false, changed: ['config', 'providers'] } as const;
    expect(describeCause(cause)).toMatch(/^the configuration and providers changed/);
  });

  it('says that something changed where it is not known what', () => {
    expect(describeCause({ kind: 'config-changed', inferred: false, changed: [] })).toMatch(/^something changed/);
  });
});

describe('describeWhy', () => {
  it('is silent where the class has said it', () => {
    expect(describeWhy(aFinding())).toBeUndefined();
  });

  it('speaks up where the same cause is a deduction', () => {
    expect(describeWhy(aFinding({ cause: { kind: 'outside-change', inferred: true } }))).toContain('(inferred)');
  });

  it('gives any other cause', () => {
    expect(describeWhy(aFinding({ cause: { kind: 'tainted', inferred: false } }))).toContain('tainted');
  });
});

describe('describeVerdict', () => {
  it('does not call a part of a stack in sync', () => {
    expect(describeVerdict({ verdict: 'in-sync', complete: false })).toBe('incomplete');
  });
});

describe('describeTotals', () => {
  it('counts from the best to the worst', () => {
    const results = [
      aFailedResult(),
      aResult({ verdict: 'drifted' }),
      aResult({ complete: false }),
      aResult(),
      aResult({ verdict: 'drifted' }),
    ];
    expect(describeTotals(results)).toBe('1 in sync, 1 incomplete, 2 drifted, 1 failed');
  });
});

describe('needsAttention', () => {
  it.each(['in-sync', 'pending'] as const)('is false for a complete plan that is %s', (verdict) => {
    expect(needsAttention({ verdict, complete: true })).toBe(false);
  });

  it.each(['in-sync', 'pending'] as const)('is true for a part of a plan that is %s', (verdict) => {
    expect(needsAttention({ verdict, complete: false })).toBe(true);
  });

  it.each(['drifted', 'drifted-and-pending', 'checks-failing', 'failed', 'busy'] as const)(
    'is true for %s',
    (verdict) => {
      expect(needsAttention({ verdict, complete: true })).toBe(true);
    },
  );
});

describe('alerts', () => {
  it.each([
    ['drift', true],
    ['check', true],
    ['pending', false],
    ['informational', false],
  ] as const)('is for %s %s', (standing, alert) => {
    expect(alerts(aFinding({ standing }))).toBe(alert);
  });
});

describe('isQuiet', () => {
  it('is true where there is nothing but noise', () => {
    expect(isQuiet(aResult({ noise: [{ address: 'a.b', paths: ['tags'], reason: 'empty-flip' }] }))).toBe(true);
  });

  it.each([
    ['a finding', aResult({ findings: [aFinding({ standing: 'informational' })] })],
    ['a warning', aResult({ warnings: [{ code: 'source-missing', message: 'no files' }] })],
    ['a failure', aFailedResult()],
    ['a missing part', aResult({ complete: false })],
  ])('is false where there is %s', (_, result) => {
    expect(isQuiet(result)).toBe(false);
  });
});

describe('describeOutcome', () => {
  it('claims no more than that no drift was detected', () => {
    expect(describeOutcome(aResult())).toBe('no drift detected');
  });

  it('counts the noise nothing else tells of', () => {
    expect(describeOutcome(aResult({ counts: { noise: 2 } }))).toBe('no drift detected, 2 noise');
  });

  it('counts findings by standing', () => {
    const counts = { drift: 2, checks: 1, pending: 3, informational: 4 };
    const result = aResult({ verdict: 'drifted-and-pending', findings: [aFinding()], counts });
    expect(describeOutcome(result)).toBe('2 drifted, 1 failing check, 3 pending, 4 for information');
  });

  it('counts several failing checks', () => {
    const result = aResult({ verdict: 'checks-failing', findings: [aFinding()], counts: { drift: 0, checks: 2 } });
    expect(describeOutcome(result)).toBe('2 failing checks');
  });

  it('says that only a part was planned', () => {
    expect(describeOutcome(aResult({ complete: false }))).toBe(
      'no drift detected, only a part of the stack was planned',
    );
  });

  it.each(['failed', 'busy'] as const)('has no verdict for %s', (verdict) => {
    expect(describeOutcome(aFailedResult({ verdict }))).toBe('no verdict');
  });
});

describe('describePlan', () => {
  it('is empty for a plan that does nothing', () => {
    expect(describePlan(aResult().counts)).toBe('');
  });

  it('counts as Terraform does', () => {
    expect(describePlan(aResult({ counts: { add: 1, change: 2 } }).counts)).toBe('1 to add, 2 to change, 0 to destroy');
  });

  it('leaves Terraform’s counts out where only something else would happen', () => {
    expect(describePlan(aResult({ counts: { outputs: 1, actions: 1 } }).counts)).toBe(
      '1 output to change, 1 action to invoke',
    );
  });

  it('counts everything else a plan can do', () => {
    const counts = { import: 1, remove: 1, forget: 2, move: 3, outputs: 2, actions: 2, deferred: 1 };
    expect(describePlan(aResult({ counts }).counts)).toBe(
      '1 to import, 0 to add, 0 to change, 1 to destroy, 2 to forget, 3 to move, 2 outputs to change, 2 actions to invoke, 1 put off',
    );
  });
});

describe('describeRule', () => {
  it('names reason, owner and expiry', () => {
    const rule = { reason: 'the scaler owns it', owner: 'platform', expires: '2027-01-31' };
    expect(describeRule(rule)).toBe('the scaler owns it (platform, until 2027-01-31)');
  });
});

describe('describeLocation', () => {
  it.each([
    [{ file: 'main.tf', line: 23, column: 18 }, 'main.tf:23:18'],
    [{ file: 'main.tf', line: 23 }, 'main.tf:23'],
    [{ file: 'main.tf' }, 'main.tf'],
    [{ file: 'main.tf', column: 18 }, 'main.tf'],
  ])('writes %j as %s', (location, text) => {
    expect(describeLocation(location)).toBe(text);
  });
});

describe('describeDuration', () => {
  it.each([
    [0, '0.0s'],
    [12_444, '12.4s'],
    [59_949, '59.9s'],
    [59_950, '1m00s'],
    [185_000, '3m05s'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(describeDuration(ms)).toBe(text);
  });
});
