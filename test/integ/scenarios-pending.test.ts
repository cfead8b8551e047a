import { expect, it } from 'vitest';
import type { Finding } from '../../lib/domain/finding.ts';
import { deleteParameter, parameter, setParameter } from '../support/parameter.ts';
import { BASELINE_MISSING, describeScenarios } from '../support/scenario.ts';

const AHEAD: Finding = {
  address: 'aws_ssm_parameter.level',
  class: 'pending-config',
  standing: 'pending',
  severity: 'info',
  actions: ['update'],
  paths: ['description'],
  cause: { kind: 'no-baseline', inferred: true },
};

const CHANGED: Finding = {
  ...AHEAD,
  class: 'changed-outside',
  standing: 'drift',
  severity: 'medium',
  paths: ['value', 'version'],
  cause: { kind: 'outside-change', inferred: false },
};

describeScenarios('a stack that waits for an apply', (stage) => {
  it.concurrent('is pending where its configuration is ahead', async () => {
    const name = '/ahead/level';
    const stack = await stage.scenario('ahead', { 'main.tf': parameter({ name }) });
    await stack.apply();
    await stack.write({
      'main.tf': parameter({ name, description: 'another' }) + parameter({ name: '/ahead/size', label: 'size' }),
    });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { add: 1, change: 1 },
        findings: [AHEAD, { ...AHEAD, address: 'aws_ssm_parameter.size', actions: ['create'], paths: [] }],
        warnings: [BASELINE_MISSING],
      }),
    );
  });

  it.concurrent('has drifted as well where somebody changed the same resource', async () => {
    const name = '/both/level';
    const stack = await stage.scenario('both', { 'main.tf': parameter({ name }) });
    await stack.apply();
    await setParameter(stage.world, name, 'debug');
    await stack.write({ 'main.tf': parameter({ name, description: 'another' }) });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted-and-pending',
        exitCode: 2,
        counts: { change: 1 },
        findings: [CHANGED, AHEAD],
        warnings: [BASELINE_MISSING],
      }),
    );
  });

  it.concurrent('has drifted as well where somebody changed another resource', async () => {
    const other = parameter({ name: '/each/size', label: 'size' });
    const stack = await stage.scenario('each', { 'main.tf': parameter({ name: '/each/level' }) + other });
    await stack.apply();
    await setParameter(stage.world, '/each/size', 'debug');
    await stack.write({ 'main.tf': parameter({ name: '/each/level', description: 'another' }) + other });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted-and-pending',
        exitCode: 2,
        counts: { change: 2 },
        findings: [{ ...CHANGED, address: 'aws_ssm_parameter.size' }, AHEAD],
        warnings: [BASELINE_MISSING],
      }),
    );
  });

  it.concurrent('is pending where a resource is tainted', async () => {
    const stack = await stage.scenario('tainted', { 'main.tf': parameter({ name: '/tainted/level' }) });
    await stack.apply();
    await stack.terraform(['taint', 'aws_ssm_parameter.level']);
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { add: 1, remove: 1 },
        findings: [
          {
            ...AHEAD,
            severity: 'medium',
            actions: ['delete', 'create'],
            paths: [],
            cause: { kind: 'tainted', inferred: false },
          },
        ],
        noise: [{ address: 'aws_ssm_parameter.level', paths: ['allowed_pattern'], reason: 'empty-flip' }],
      }),
    );
  });

  it.concurrent('is pending where a resource would go, and critical where it is gone already', async () => {
    const kept = parameter({ name: '/dropped/size', label: 'size' });
    const stack = await stage.scenario('dropped', { 'main.tf': kept + parameter({ name: '/dropped/level' }) });
    await stack.apply();
    await stack.write({ 'main.tf': kept });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { remove: 1 },
        findings: [{ ...AHEAD, severity: 'medium', actions: ['delete'], paths: [] }],
        warnings: [BASELINE_MISSING],
      }),
    );
    await deleteParameter(stage.world, '/dropped/level');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 0,
        findings: [{ ...CHANGED, class: 'deleted-outside', severity: 'critical', actions: ['no-op'], paths: [] }],
      }),
    );
  });

  it.concurrent('has failing checks where a check block says so, whatever its message quotes', async () => {
    const value = 'level-of-verbosity';
    const stack = await stage.scenario('check', {
      'main.tf': `${parameter({ name: '/check/level', value: `"${value}"` })}
check "quiet" {
  assert {
    condition     = nonsensitive(aws_ssm_parameter.level.value) != "${value}"
    error_message = "too loud: \${nonsensitive(aws_ssm_parameter.level.value)}"
  }
}
`,
    });
    await stack.apply();
    const result = await stack.check();
    expect(result).toStrictEqual(
      stack.concludes({
        verdict: 'checks-failing',
        exitCode: 0,
        findings: [
          {
            ...AHEAD,
            address: 'check.quiet',
            class: 'check-failing',
            standing: 'check',
            severity: 'medium',
            actions: [],
            paths: [],
            cause: { kind: 'check-failed', inferred: false },
          },
        ],
      }),
    );
    expect(JSON.stringify(result)).not.toContain(value);
  });
});
