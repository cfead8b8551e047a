import { describe, expect, it } from 'vitest';
import { runCli } from '../support/cli-world.ts';

describe('holdfast', () => {
  it('names its commands where none is given', async () => {
    const { stderr, stdout, exitCode } = await runCli([]);

    expect(stderr).toMatch(/check .*explain .*demo /s);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
  });

  it('tells its version', async () => {
    expect(await runCli(['--version'])).toMatchObject({ stdout: '9.8.7\n', exitCode: 0 });
  });

  it('shows the demo, and exits as it says', async () => {
    expect((await runCli(['demo'], { services: { demo: async () => 2 } })).exitCode).toBe(2);
  });

  it.each(['check', 'explain'])('tells in the help of %s what exit codes mean, with examples', async (command) => {
    const { stdout, stderr, exitCode } = await runCli([command, '--help']);

    expect(stdout).toMatch(/Exit codes:\n {2}0 {2}in sync.*\n {2}2 {2}drift.*\n {2}1 {2}something failed/);
    expect(stdout).toMatch(/Examples:\n {2}\S/);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  });

  it('lists in its help what an option may be', async () => {
    const help = (await runCli(['check', '--help'])).stdout.replace(/\s+/g, ' ');

    expect(help).toContain('(choices: "human", "json", "markdown", "junit", "sarif", default: "human")');
    expect(help).toContain('(choices: "critical", "high", "medium", "low", "info", default: "low")');
    expect(help).toContain('90s, 30m, 2h (default: 30m)');
    expect(help).not.toContain('[]');
  });
});

describe('holdfast with arguments it cannot read', () => {
  it.each<[readonly string[], string]>([
    [['check', '--nope'], "unknown option '--nope'"],
    [['chekc'], "unknown command 'chekc'"],
    [['check', '--format', 'xml'], "argument 'xml' is invalid. Allowed choices are human, json"],
    [['check', '--fail-on', 'bad'], "argument 'bad' is invalid. Allowed choices are critical, high"],
    [['check', '--state'], "option '--state <dir>' argument missing"],
    [['explain'], "missing required argument 'plan'"],
    [['explain', 'a.json', 'b.json'], 'too many arguments'],
    [['demo', 'now'], 'too many arguments'],
  ])('fails on %j', async (args, message) => {
    const { stderr, stdout, exitCode, requests } = await runCli(args);

    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(exitCode).toBe(1);
    expect(requests).toEqual([]);
  });

  it('does not let an argument command the terminal', async () => {
    const { stderr } = await runCli(['check', '--no\u001b[2Jpe']);

    expect(stderr).toContain('\\u001b[2J');
    expect(stderr).not.toContain('\u001b');
  });

  it.each([
    [['check', '--timeout', 'soon']],
    [['check', '--concurrency', '0']],
    [['check', '--engine', 'pulumi']],
    [['explain', 'a.json', '--exit-code', 'two']],
  ])('fails on %j with an error of our own', async (args) => {
    const { error, requests } = await runCli(args);

    expect(error).toMatchObject({ code: 'ArgumentInvalid' });
    expect(requests).toEqual([]);
  });
});
