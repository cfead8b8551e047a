import { describe, expect, it } from 'vitest';
import { FORMATS, type ReportOptions } from '../../lib/cli/options.ts';
import { report } from '../../lib/cli/report.ts';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';

const DRIFTED = aResult({ verdict: 'drifted', findings: [aFinding()] });

const reported = async (results: readonly CheckResult[], options: Partial<ReportOptions> = {}, width = 80) => {
  const printed: string[] = [];
  const output = {
    color: false,
    width,
    live: false,
    print: (text: string) => printed.push(text),
    say() {},
    error() {},
  };
  const exitCode = await report({ output, version: '9.8.7' }, results, { format: 'human', failOn: 'low', ...options });
  return { exitCode, printed };
};

describe('report', () => {
  it.each([
    ['human', /aws_sqs_queue\.jobs/],
    ['json', /^\{\n {2}"schemaVersion": 1/],
    ['markdown', /aws\\?_sqs\\?_queue\.jobs/],
    ['junit', /^<\?xml .*<testsuites/s],
    ['sarif', /"semanticVersion": "9\.8\.7"/],
  ] as const)('prints results as %s, once', async (format, expected) => {
    const { printed } = await reported([DRIFTED], { format });

    expect(printed).toEqual([expect.stringMatching(expected)]);
    expect(printed[0]).toMatch(/\n$/);
  });

  it('knows every format that the command line offers', async () => {
    for (const format of FORMATS) expect((await reported([aResult()], { format })).exitCode).toBe(0);
  });

  it('writes one result by itself, and several as a list', async () => {
    const parse = async (results: readonly CheckResult[]) =>
      JSON.parse((await reported(results, { format: 'json' })).printed.join(''));

    expect(await parse([DRIFTED])).toEqual(DRIFTED);
    expect(await parse([DRIFTED, aResult()])).toEqual([DRIFTED, aResult()]);
  });

  it('gives the exit code that the results come to', async () => {
    expect((await reported([aResult()])).exitCode).toBe(0);
    expect((await reported([DRIFTED])).exitCode).toBe(2);
    expect((await reported([DRIFTED], { failOn: 'high' })).exitCode).toBe(0);
    expect((await reported([DRIFTED, aFailedResult()])).exitCode).toBe(1);
  });

  it('names noise only where asked to', async () => {
    const noisy = aResult({ noise: [{ address: 'aws_sqs_queue.quiet', paths: ['tags'], reason: 'empty-flip' }] });

    expect((await reported([noisy])).printed.join('')).not.toContain('aws_sqs_queue.quiet');
    expect((await reported([noisy], { verbose: true })).printed.join('')).toContain('aws_sqs_queue.quiet');
  });
});
