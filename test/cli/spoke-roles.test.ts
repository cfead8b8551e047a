import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { spokeRolesCommand } from '../../lib/cli/spoke-roles.ts';
import { aFolder } from '../support/temporary-folder.ts';
import { findTools } from '../support/tools.ts';

const REQUIRED = ['--hub-account', '111122223333', '--external-id', 'ours', '--runner-role', 'Holdfast-*'];
const WHOLE = [
  ...REQUIRED,
  ...['--state-bucket', 'acme-terraform', '--state-bucket', 'acme-legacy'],
  ...['--state-key', 'arn:aws:kms:eu-west-1:444455556666:key/1234-abcd'],
  ...['--lock-table', 'locks'],
  ...['--apply-policy', 'arn:aws:iam::aws:policy/PowerUserAccess'],
  ...['--apply-policy', 'arn:aws:iam::444455556666:policy/more'],
];

function run(args: readonly string[]): string {
  let printed = '';
  const output = {
    color: false,
    width: 80,
    live: false,
    say: () => {},
    error: () => {},
    print: (report: string) => {
      printed += report;
    },
  };
  const ends: number[] = [];
  const command = spokeRolesCommand({ output }, (exitCode) => ends.push(exitCode)).exitOverride();
  command.configureOutput({ writeErr: () => {} }).parse(args, { from: 'user' });
  expect(ends).toEqual([0]);
  return printed;
}

const terraform = (args: readonly string[]) => run(['--format', 'terraform', ...args]);

describe('holdfast spoke-roles', () => {
  it('prints CloudFormation unless told otherwise', () => {
    const template = run(WHOLE);
    expect(template).toContain('AWSTemplateFormatVersion: "2010-09-09"');
    expect(template).toContain(`        - !Sub arn:\${AWS::Partition}:iam::aws:policy/ReadOnlyAccess`);
    expect(template).toContain('              # What is in queues and streams.\n              - Sid: NoMessages');
    const { Resources: resources, Outputs: outputs } = parse(template, { logLevel: 'error' }) as Record<string, object>;
    expect(resources).toMatchObject({
      PlanRole: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'holdfast-plan', MaxSessionDuration: 3600 } },
      ApplyRole: {
        Properties: {
          RoleName: 'holdfast-apply',
          ManagedPolicyArns: ['arn:aws:iam::aws:policy/PowerUserAccess', 'arn:aws:iam::444455556666:policy/more'],
        },
      },
    });
    expect(Object.keys(outputs ?? {})).toEqual(['PlanRoleArn', 'ApplyRoleArn']);
  });

  it('says the same in both formats', () => {
    const words = (text: string) => new Set(text.match(/[a-z0-9-]+:[A-Z*]\w*/g));
    expect(words(terraform(WHOLE))).toEqual(words(run(WHOLE).replace(/AWS::\w+/g, '')));
  });

  it.each([
    { option: '--hub-account', value: '1234' },
    { option: '--external-id', value: 'a"b' },
    { option: '--runner-role', value: 'a b' },
    { option: '--state-bucket', value: 'Upper' },
    { option: '--state-key', value: 'alias/state' },
    { option: '--lock-table', value: `x\${y}` },
    { option: '--apply-policy', value: 'AdministratorAccess' },
  ])('fails on $option $value', ({ option, value }) => {
    expect(() => run([...REQUIRED, option, value])).toThrow(expect.objectContaining({ code: 'ArgumentInvalid' }));
  });

  it('fails where it is not told whom to trust', () => {
    expect(() => run(REQUIRED.slice(2))).toThrow("required option '--hub-account <id>' not specified");
  });
});

const hasCfnLint = spawnSync('cfn-lint', ['--version']).status === 0;

describe.skipIf(!hasCfnLint && !process.env.CI)('the CloudFormation template', () => {
  it.each([
    ['with everything', WHOLE],
    ['with no more than it needs', REQUIRED],
  ])('%s has nothing that cfn-lint would say anything about', async (_, args) => {
    const folder = await aFolder({ 'roles.yaml': run(args) });
    const { status, stdout } = spawnSync('cfn-lint', ['--include-checks', 'I', '--', join(folder, 'roles.yaml')], {
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});

describe('the Terraform configuration', { timeout: 120_000 }, () => {
  it.each([
    ['with everything', WHOLE],
    ['with no more than it needs', REQUIRED],
  ])('%s is formatted and valid', async (_, args) => {
    const tools = await findTools();
    const folder = await aFolder({ 'main.tf': terraform(args) });
    const options = { cwd: folder, env: tools.env, encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync(tools.terraform.path, ['fmt', '-check', '-diff'], options)).toBe('');
    execFileSync(tools.terraform.path, ['init', '-backend=false'], options);
    expect(JSON.parse(execFileSync(tools.terraform.path, ['validate', '-json'], options))).toMatchObject({
      valid: true,
      diagnostics: [],
    });
  });
});
