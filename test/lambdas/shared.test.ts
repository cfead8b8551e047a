import { describe, expect, it } from 'vitest';
import { optionalCount, optionalEnv, requireCount, requireEnv, requireOneOf } from '../../lambdas/shared/env.ts';
import { readPlacement } from '../../lambdas/shared/placement.ts';
import { throwAll } from '../../lambdas/shared/telemetry.ts';
import { createTestTelemetry } from '../support/telemetry.ts';

const invalid = expect.objectContaining({ code: 'ArgumentInvalid' });

describe('variables of the environment', () => {
  const env = { TEXT: 'x', EMPTY: '', COUNT: '12' };

  it('are read', () => {
    expect(requireEnv('TEXT', env)).toBe('x');
    expect(requireCount('COUNT', env)).toBe(12);
    expect(optionalCount('COUNT', env)).toBe(12);
    expect(requireOneOf('TEXT', ['w', 'x'], env)).toBe('x');
  });

  it('may be missing where that has a meaning', () => {
    expect(optionalEnv('NONE', env)).toBeUndefined();
    expect(optionalEnv('EMPTY', env)).toBeUndefined();
    expect(optionalCount('NONE', env)).toBeNull();
  });

  it.each(['NONE', 'EMPTY'])('fails without %s', (name) => {
    expect(() => requireEnv(name, env)).toThrow(invalid);
    expect(() => requireCount(name, env)).toThrow(invalid);
  });

  it.each(['0', '-1', '1.5', '1e9', 'many', ' 5'])('fails on the number %j', (COUNT) => {
    expect(() => requireCount('COUNT', { COUNT })).toThrow(invalid);
  });

  it('fails on a word that is none of the few', () => {
    expect(() => requireOneOf('TEXT', ['w', 'y'], env)).toThrow('TEXT is "x", expected w or y');
  });
});

describe('readPlacement', () => {
  const env = {
    CLUSTER_ARN: 'arn:cluster',
    TASK_DEFINITIONS: '{"arm64":"arn:task"}',
    SUBNET_IDS: 'subnet-1,subnet-2',
    SECURITY_GROUP_IDS: 'sg-1',
    ASSIGN_PUBLIC_IP: 'ENABLED',
  };

  it('reads what infrastructure sets', () => {
    expect(readPlacement(env)).toEqual({
      clusterArn: 'arn:cluster',
      taskDefinitions: { arm64: 'arn:task' },
      subnetIds: ['subnet-1', 'subnet-2'],
      securityGroupIds: ['sg-1'],
      assignPublicIp: 'ENABLED',
    });
  });

  it.each([{ TASK_DEFINITIONS: 'arm64' }, { TASK_DEFINITIONS: '{"arm64":1}' }, { ASSIGN_PUBLIC_IP: 'yes' }])(
    'fails on %o',
    (over) => {
      expect(() => readPlacement({ ...env, ...over })).toThrow();
    },
  );
});

describe('throwAll', () => {
  it('throws nothing where there is nothing', () => {
    throwAll(createTestTelemetry(), []);
  });

  it('fails with all of them, and logs each', () => {
    const telemetry = createTestTelemetry();
    const errors = [new TypeError('a'), 'b'];
    expect(() => throwAll(telemetry, errors)).toThrow(new AggregateError(errors, '2 steps failed, the log has each'));
    expect(telemetry.lines()).toMatchObject([{ error: { message: 'a' } }, { error: { message: 'b' } }]);
  });
});
