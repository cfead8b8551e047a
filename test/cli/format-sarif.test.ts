import fc from 'fast-check';
import type { Log, Run } from 'sarif';
import { describe, expect, it } from 'vitest';
import { formatSarif } from '../../lib/cli/format-sarif.ts';
import type { CheckResult, Finding } from '../../lib/domain/finding.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';
import { hostileResult } from '../support/hostile-results.ts';

function runOf(results: readonly CheckResult[], directoryOf?: (stack: string) => string): Run {
  const options = directoryOf === undefined ? {} : { directoryOf };
  const log = JSON.parse(formatSarif(results, { version: '0.1.0', ...options })) as Log;
  const [run] = log.runs;
  if (run === undefined) throw new Error('no run');
  return run;
}

function resultOf(finding: Partial<Finding>, stack = 'prod/queues') {
  const [result] = runOf([aResult({ stack, verdict: 'drifted', findings: [aFinding(finding)] })]).results ?? [];
  return result;
}

describe('the SARIF report', () => {
  it('has a result per finding, at its stack and resource', () => {
    expect(resultOf({})).toEqual({
      ruleId: 'changed-outside/medium',
      kind: 'fail',
      level: 'warning',
      message: {
        text: 'aws_sqs_queue.jobs: changed outside Terraform; Terraform would put it back; changed: visibility_timeout_seconds',
      },
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: 'prod/queues' } },
          logicalLocations: [{ fullyQualifiedName: 'aws_sqs_queue.jobs', kind: 'resource' }],
        },
      ],
      partialFingerprints: { primaryLocationLineHash: expect.stringMatching(/^[\da-f]{64}$/) },
      properties: { stack: 'prod/queues', standing: 'drift', severity: 'medium' },
    });
  });

  it('has a rule per class and severity, which is where code scanning looks for severity', () => {
    const findings = [aFinding(), aFinding({ address: 'a.b' }), aFinding({ address: 'a.c', severity: 'high' })];
    const { driver } = runOf([aResult({ verdict: 'drifted', findings })]).tool;
    expect(driver.rules?.map(({ id, properties }) => [id, properties?.['security-severity']])).toEqual([
      ['changed-outside/high', '8.0'],
      ['changed-outside/medium', '5.0'],
    ]);
  });

  it.each([
    ['critical', 'error'],
    ['high', 'error'],
    ['medium', 'warning'],
    ['low', 'note'],
    ['info', 'none'],
  ] as const)('gives drift of severity %s the level %s', (severity, level) => {
    expect(resultOf({ severity })?.level).toBe(level);
  });

  it.each([
    ['pending', 'note', 'fail'],
    ['informational', 'none', 'informational'],
  ] as const)('gives a critical finding that is %s the level %s', (standing, level, kind) => {
    expect(resultOf({ standing, severity: 'critical' })).toMatchObject({ level, kind });
  });

  it('names the deposed object a finding is about', () => {
    expect(resultOf({ deposed: '1a2b3c4d' })?.message.text).toContain('(deposed object 1a2b3c4d)');
  });
});

describe('the fingerprint of a SARIF result', () => {
  const fingerprint = (finding: Partial<Finding>, stack?: string) =>
    resultOf(finding, stack)?.partialFingerprints?.primaryLocationLineHash;

  it('stays the same where only severity or values change', () => {
    expect(fingerprint({ severity: 'low', values: {} })).toBe(fingerprint({}));
  });

  it.each([
    ['address', fingerprint({ address: 'a.b' })],
    ['deposed object', fingerprint({ deposed: '1a2b3c4d' })],
    ['class', fingerprint({ class: 'absorbed' })],
    ['paths', fingerprint({ paths: ['policy'] })],
    ['stack', fingerprint({}, 'dev/queues')],
  ])('differs by %s', (_, other) => {
    expect(other).not.toBe(fingerprint({}));
  });
});

describe('the place of a SARIF result', () => {
  const uriOf = (directory: string) => {
    const { results } = runOf([aResult({ verdict: 'drifted', findings: [aFinding()] })], () => directory);
    return results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri;
  };

  it.each([
    ['infra/prod', 'infra/prod'],
    ['infra/größe 1', 'infra/gr%C3%B6%C3%9Fe%201'],
    ['../shared', '../shared'],
    ['/srv/infra', 'file:///srv/infra'],
    ['a:b', 'a%3Ab'],
  ])('writes %s as %s', (directory, uri) => {
    expect(uriOf(directory)).toBe(uri);
  });
});

describe('the invocations of the SARIF report', () => {
  it('are one per stack, and not successful where there is no verdict', () => {
    const failure = {
      code: 'PlanFailed',
      message: 'got 99999',
      location: { file: 'main.tf', line: 23 },
      hint: 'Allowed are 0 to 900.',
    };
    const [clean, failed] = runOf([aResult(), aFailedResult({ failure })]).invocations ?? [];
    expect(clean).toMatchObject({ executionSuccessful: true, toolExecutionNotifications: [] });
    expect(failed).toMatchObject({
      executionSuccessful: false,
      exitCode: 1,
      toolExecutionNotifications: [
        {
          level: 'error',
          descriptor: { id: 'PlanFailed' },
          message: { text: 'got 99999 at main.tf:23; Allowed are 0 to 900.' },
        },
      ],
    });
  });

  it('are not successful for a stack that is busy and says no more', () => {
    const [invocation] = runOf([aFailedResult({ verdict: 'busy', failure: null })]).invocations ?? [];
    expect(invocation?.executionSuccessful).toBe(false);
  });

  it('carry warnings, and leave out what is not known', () => {
    const warnings = [{ code: 'mass-deletion', message: 'everything is gone' }] as const;
    const [invocation] = runOf([aResult({ warnings, exitCode: null, startedAt: null })]).invocations ?? [];
    expect(invocation?.toolExecutionNotifications?.[0]).toMatchObject({
      level: 'warning',
      message: { text: 'everything is gone' },
    });
    expect(invocation).not.toHaveProperty('exitCode');
    expect(invocation).not.toHaveProperty('startTimeUtc');
  });
});

describe('the SARIF report of any text', () => {
  it('keeps every result with a rule, and takes no key of a resource for a link', () => {
    fc.assert(
      fc.property(fc.array(hostileResult(), { maxLength: 3 }), (results) => {
        const run = runOf(results);
        const rules = new Set(run.tool.driver.rules?.map(({ id }) => id));
        expect(run.results).toHaveLength(results.flatMap(({ findings }) => findings).length);
        for (const { ruleId, message } of run.results ?? []) {
          expect(rules).toContain(ruleId);
          expect(message.text).not.toContain('](');
        }
      }),
    );
  });
});
