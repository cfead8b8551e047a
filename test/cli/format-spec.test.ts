import { describe, expect, it } from 'vitest';
import { describeSpec, describeTiming } from '../../lib/cli/format-spec.ts';
import { aSpec, aTiming, HOUR } from '../support/stack-builder.ts';

const office = { days: ['mon', 'fri'], from: '08:00', to: '18:00', timezone: 'Europe/Berlin' } as const;
const night = { days: [], from: '22:00', to: '06:00', timezone: 'UTC' } as const;

describe('describeTiming', () => {
  it('tells schedules, spread, windows and blackouts', () => {
    const cron = { kind: 'cron', expression: '0 6 * * *', timezone: 'Europe/Berlin' } as const;
    const timing = aTiming({
      schedules: [{ kind: 'rate', everyMs: HOUR }, cron],
      jitterMs: 5 * 60_000,
      windows: [office, night],
      blackouts: [night],
    });

    expect(describeTiming(timing)).toBe(
      'every 1h and at 0 6 * * * (Europe/Berlin), up to 5m later; ' +
        'only mon, fri 08:00-18:00 Europe/Berlin or daily 22:00-06:00 UTC; not daily 22:00-06:00 UTC',
    );
  });

  it('says so where a stack is never checked', () => {
    expect(describeTiming(aTiming({ schedules: [] }))).toBe('never');
  });
});

describe('describeSpec', () => {
  const told = (field: string, over: Parameters<typeof aSpec>[0]) =>
    describeSpec(aSpec(over)).find((entry) => entry.field === field)?.value;

  it.each<[string, string, Parameters<typeof aSpec>[0]]>([
    ['engine', 'tofu ~> 1.10', { engine: { name: 'tofu', constraint: '~> 1.10' } }],
    ['source', 'https://a/b main', { source: { url: 'https://a/b', ref: 'main', path: '.' } }],
    ['workspace', 'blue', { workspace: 'blue' }],
    ['backendConfig', 'bucket=b, key=k', { backendConfig: { bucket: 'b', key: 'k' } }],
    ['vars', 'size=3, zones=["a"]', { vars: { size: 3, zones: ['a'] } }],
    ['varFiles', 'a.tfvars, b.tfvars', { varFiles: ['a.tfvars', 'b.tfvars'] }],
    ['dependsOn', 'prod/dns', { dependsOn: ['prod/dns'] }],
    [
      'secrets',
      'A from /a, B from b',
      { secrets: { A: { kind: 'ssm', name: '/a' }, B: { kind: 'secrets-manager', id: 'b', jsonKey: null } } },
    ],
  ])('tells %s', (field, value, over) => {
    expect(told(field, over)).toBe(value);
  });

  it('leaves out what says nothing', () => {
    const fields = describeSpec(aSpec({ owner: null, planRole: null })).map(({ field }) => field);

    expect(fields).not.toContain('workspace');
    expect(fields).not.toContain('owner');
    expect(fields).not.toContain('planRole');
    expect(fields).not.toContain('vars');
  });
});
