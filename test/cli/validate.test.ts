import { describe, expect, it } from 'vitest';
import type { Services } from '../../lib/cli/services.ts';
import { aCatalogueSource, type CatalogueWorld, NOW, OWN } from '../support/catalogue-world.ts';
import { runCli } from '../support/cli-world.ts';

const GOOD =
  'stacks: [{ id: prod/dns, source: { path: live/dns }, routes: [team], labels: ["env:prod"], contexts: [c] }]\ncontexts: [{ name: c }]\n';
const QUIET = 'stacks: [{ id: a, source: { path: a } }]\n';
const BROKEN = 'stacks:\n  - { id: A }\n  - { id: b, source: { path: b } }\n';

const run = async (yaml: string, args: readonly string[] = [], world: CatalogueWorld = {}) => {
  const asked: Parameters<Services['openCatalogue']>[] = [];
  const services: Partial<Services> = {
    clock: { now: () => NOW },
    openCatalogue: async (...request) => {
      asked.push(request);
      return { source: aCatalogueSource(yaml, world), repository: OWN };
    },
  };
  return { ...(await runCli(['validate', ...args], { services })), asked };
};

describe('holdfast validate', () => {
  it('says that nothing is wrong', async () => {
    expect(await run(GOOD)).toMatchObject({ exitCode: 0, stdout: '✓ 1 stack in 1 file\n', stderr: '' });
  });

  it('tells everything that is wrong, and exits with 1', async () => {
    expect(await run(BROKEN)).toMatchObject({
      exitCode: 1,
      stdout: `catalogue.yaml:2:11: error: stacks[0].id: expected an id of a-z, 0-9, - and /, up to 128 characters [field-invalid]
  hint: Ids stand in keys, paths and URLs, so other characters, upper case too, are reserved. Try "a".
catalogue.yaml:3:11: warning: nobody hears of drift in b: no route [no-route]
  hint: Give the stack routes, or all of them under defaults.
✗ 1 error, 1 warning, 1 stack in 1 file
`,
    });
  });

  it('exits with 0 for warnings, unless they are to count', async () => {
    expect((await run(QUIET)).exitCode).toBe(0);
    expect((await run(QUIET)).stdout).toContain('✓ 1 warning, 1 stack in 1 file');
    expect((await run(QUIET, ['--strict'])).exitCode).toBe(1);
    expect((await run(GOOD, ['--strict'])).exitCode).toBe(0);
  });

  it('names the stacks where it is asked to', async () => {
    expect((await run(GOOD, ['--verbose'])).stdout).toBe(
      'prod/dns  live/dns  env:prod, context c\n\n✓ 1 stack in 1 file\n',
    );
    expect((await run('', ['--verbose'])).stdout).toMatch(/^catalogue\.yaml:1:1: error: the catalogue has no stacks/);
  });

  it('tells the same to programs', async () => {
    const { exitCode, stdout } = await run(BROKEN, ['--format', 'json']);

    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      files: ['catalogue.yaml'],
      stacks: [{ id: 'b', source: { ...OWN, path: 'b' }, labels: [], contexts: [] }],
      problems: [
        {
          severity: 'error',
          code: 'field-invalid',
          message: expect.any(String),
          location: { file: 'catalogue.yaml', line: 2, column: 11 },
          hint: expect.any(String),
        },
        expect.objectContaining({ severity: 'warning', code: 'no-route' }),
      ],
    });
    expect(JSON.parse((await run(QUIET, ['--format', 'json'])).stdout)).toMatchObject({ valid: true });
  });

  it('looks in the working directory unless paths are named', async () => {
    expect((await run(GOOD)).asked).toEqual([[['.'], []]]);
    expect((await run(GOOD, ['a.yaml', 'ops'])).asked).toEqual([[['a.yaml', 'ops'], []]]);
  });

  it('takes checkouts of other repositories', async () => {
    const url = 'https://example.com/x/y?a=b';

    expect((await run(GOOD, ['--checkout', `${url}=../y`, '--checkout', 'git@h:a/b=c'])).asked).toEqual([
      [
        ['.'],
        [
          { url, directory: '../y' },
          { url: 'git@h:a/b', directory: 'c' },
        ],
      ],
    ]);
  });

  it.each(['../y', '=x', 'https://example.com/x/y='])('fails on the checkout %s', async (text) => {
    expect((await run(GOOD, ['--checkout', text])).error).toMatchObject({
      code: 'ArgumentInvalid',
      message: `"${text}" is no checkout, expected URL=DIR`,
    });
  });

  it('never lets a catalogue command the terminal', async () => {
    const { stdout } = await run('defaults: { "\\e[2J": 1 }\nstacks: [{ id: a, source: { path: "\\e[2J" } }]', [
      '--verbose',
    ]);

    expect(stdout).not.toContain('\u001b');
  });
});
