import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRulesFile } from '../../lib/adapters/rules-file.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { aFolder } from '../support/temporary-folder.ts';

const read = async (text: string) => readRulesFile(join(await aFolder({ 'rules.yaml': text }), 'rules.yaml'));

const RULES = `
ignore:
  - address: aws_autoscaling_group.*
    path: tags["k8s.io/*"]
    owner: team-platform
    reason: the autoscaler writes them
    expires: 2027-03-31
  - stack: prod/*
    address: "*"
    classes: [outputs-only]
    owner: team-platform
    reason: nobody reads them
    expires: never
severity:
  - address: aws_sqs_queue.audit
    path: policy
    severity: critical
serviceOwned:
  - { type: aws_ecs_service, path: desired_count, owned: false }
allowValues:
  - { address: "*", path: visibility_timeout_seconds }
`;

describe('readRulesFile', () => {
  it('reads rules as the domain applies them', async () => {
    expect(await read(RULES)).toEqual({
      ignore: [
        {
          stack: '*',
          address: 'aws_autoscaling_group.*',
          path: 'tags["k8s.io/*"]',
          owner: 'team-platform',
          reason: 'the autoscaler writes them',
          expires: '2027-03-31',
        },
        {
          stack: 'prod/*',
          address: '*',
          path: '*',
          classes: ['outputs-only'],
          owner: 'team-platform',
          reason: 'nobody reads them',
          expires: 'never',
        },
      ],
      severity: [{ stack: '*', address: 'aws_sqs_queue.audit', path: 'policy', severity: 'critical' }],
      serviceOwned: [{ type: 'aws_ecs_service', path: 'desired_count', owned: false }],
      allowValues: [{ address: '*', path: 'visibility_timeout_seconds' }],
    });
  });

  it('leaves out what a rule does not say', async () => {
    const [rule] = (await read(RULES)).ignore;

    expect(Object.keys(rule ?? {})).not.toContain('value');
    expect(Object.keys(rule ?? {})).not.toContain('classes');
  });

  it('takes an empty file for no rules', async () => {
    expect(await read('')).toEqual(NO_RULES);
  });

  const rule = (lines: string) => `ignore:\n  - address: "*"\n    reason: known\n${lines}`;

  it.each([
    ['a rule without owner', rule('    expires: never\n'), 'ignore.0.owner', 2],
    [
      'a bad date',
      rule('    owner: me\n    expires: 2027-02-30\n'),
      'ignore.0.expires: expected a date such as 2027-03-31, or never',
      5,
    ],
    [
      'a date in another order',
      rule('    owner: me\n    expires: 31/03/2027\n'),
      'ignore.0.expires: expected a date',
      5,
    ],
    [
      'an unknown class',
      rule('    owner: me\n    expires: never\n    classes: [drift]\n'),
      'expected one of "deleted-outside"',
      6,
    ],
    ['an unknown key', rule('    owner: me\n    expires: never\n    until: never\n'), 'unrecognized key: "until"', 6],
    ['an unknown section', 'ignored: []\n', 'unrecognized key: "ignored"', 1],
  ])('fails on %s, with the line and what was expected', async (_, text, message, line) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'RulesInvalid',
      message: expect.stringContaining(message),
      location: { line },
      hint: expect.stringContaining('docs/rules.schema.json'),
    });
  });
});
