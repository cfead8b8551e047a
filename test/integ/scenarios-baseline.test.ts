import { expect, it } from 'vitest';
import type { Finding } from '../../lib/domain/finding.ts';
import { parameter, setParameter } from '../support/parameter.ts';
import { BASELINE_MISSING, describeScenarios, type Scenario } from '../support/scenario.ts';

/** The plan puts the value back, and that is all a document says. */
const UPDATED: Finding = {
  address: 'aws_ssm_parameter.level',
  class: 'absorbed',
  standing: 'drift',
  severity: 'medium',
  actions: ['update'],
  paths: ['value'],
  cause: { kind: 'accepted-into-state', inferred: true },
};

const PENDING: Finding = { ...UPDATED, class: 'pending-config', standing: 'pending', severity: 'info' };

const IN_SYNC = { verdict: 'in-sync', exitCode: 0, hasDocument: false } as const;

const CHANGED_TO_UPDATE = { exitCode: 2, counts: { change: 1 } } as const;

describeScenarios('a planned change without drift', (stage) => {
  /** Somebody changes the parameter, and somebody takes that over into the state. */
  const absorb = async (stack: Scenario, name: string) => {
    await setParameter(stage.world, name, 'debug');
    await stack.apply(['-refresh-only']);
  };

  it.concurrent('is absorbed drift where all inputs are those of a check in sync, today and tomorrow', async () => {
    const stack = await stage.scenario('absorbed', { 'main.tf': parameter({ name: '/absorbed/level' }) });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(stack.concludes(IN_SYNC));
    await absorb(stack, '/absorbed/level');
    const expected = stack.concludes({
      ...CHANGED_TO_UPDATE,
      verdict: 'drifted',
      findings: [UPDATED],
      baseline: { kind: 'same' },
    });
    const today = await stack.check();
    const tomorrow = await stack.check();
    expect(today).toStrictEqual(expected);
    expect(tomorrow).toStrictEqual({ ...expected, fingerprint: today.fingerprint, digests: today.digests });
  });

  it.concurrent('is taken for pending where no check was before', async () => {
    const stack = await stage.scenario('no-baseline', { 'main.tf': parameter({ name: '/no-baseline/level' }) });
    await stack.apply();
    await absorb(stack, '/no-baseline/level');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        ...CHANGED_TO_UPDATE,
        verdict: 'pending',
        findings: [{ ...PENDING, cause: { kind: 'no-baseline', inferred: true } }],
        warnings: [BASELINE_MISSING],
      }),
    );
  });

  it.concurrent('is pending where the configuration changed too', async () => {
    const name = '/config/level';
    const stack = await stage.scenario('config', { 'main.tf': parameter({ name }) });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(stack.concludes(IN_SYNC));
    await absorb(stack, name);
    await stack.write({ 'main.tf': parameter({ name, value: '"warn"' }) });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        ...CHANGED_TO_UPDATE,
        verdict: 'pending',
        findings: [{ ...PENDING, cause: { kind: 'config-changed', inferred: true, changed: ['config'] } }],
        baseline: { kind: 'differs', changed: ['config'] },
      }),
    );
  });

  it.concurrent('is pending where a variable has another value', async () => {
    const stack = await stage.scenario('inputs', {
      'main.tf': parameter({ name: '/inputs/level', value: 'var.level' }),
      'variables.tf': 'variable "level" {\n  type = string\n}\n',
    });
    await stack.apply(['-var=level=info']);
    expect(await stack.check({ vars: ['level=info'] })).toStrictEqual(stack.concludes(IN_SYNC));
    expect(await stack.check({ vars: ['level=warn'] })).toStrictEqual(
      stack.concludes({
        ...CHANGED_TO_UPDATE,
        verdict: 'pending',
        findings: [{ ...PENDING, cause: { kind: 'config-changed', inferred: true, changed: ['inputs'] } }],
        baseline: { kind: 'differs', changed: ['inputs'] },
      }),
    );
  });

  it.concurrent('is pending where only a refresh-only check has seen the new configuration', async () => {
    const name = '/refreshed/level';
    const stack = await stage.scenario('refreshed', { 'main.tf': parameter({ name }) });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(stack.concludes(IN_SYNC));
    await stack.write({ 'main.tf': parameter({ name, value: '"warn"' }) });
    const differs = { kind: 'differs', changed: ['config'] } as const;
    expect(await stack.check({ mode: 'refresh-only' })).toStrictEqual(
      stack.concludes({
        mode: 'refresh-only',
        verdict: 'in-sync',
        exitCode: 2,
        baseline: differs,
        warnings: [
          {
            code: 'exit-code-without-changes',
            message: 'exit code 2 says "changes", but the plan document holds none: only the form of the state differs',
          },
        ],
      }),
    );
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        ...CHANGED_TO_UPDATE,
        verdict: 'pending',
        findings: [{ ...PENDING, cause: { kind: 'config-changed', inferred: true, changed: ['config'] } }],
        baseline: differs,
      }),
    );
  });

  it.concurrent('is data-driven where a data source moved', async () => {
    await setParameter(stage.world, '/moving/source', 'info');
    const stack = await stage.scenario('moving', {
      'main.tf': `data "aws_ssm_parameter" "source" {
  name = "/moving/source"
}

${parameter({ name: '/moving/level', value: 'data.aws_ssm_parameter.source.value' })}`,
    });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(stack.concludes(IN_SYNC));
    await setParameter(stage.world, '/moving/source', 'debug');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        ...CHANGED_TO_UPDATE,
        verdict: 'pending',
        findings: [
          {
            ...PENDING,
            class: 'data-driven',
            cause: { kind: 'data-source', inferred: true, from: ['data.aws_ssm_parameter.source'] },
          },
        ],
        baseline: { kind: 'same' },
      }),
    );
  });
});
