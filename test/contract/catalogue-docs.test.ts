import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolderCatalogueSource } from '../../lib/adapters/folder-catalogue-source.ts';
import { validateCatalogue } from '../../lib/app/validate-catalogue.ts';
import { PROBLEM_CODES } from '../../lib/domain/catalogue-problem.ts';
import { NOW, OWN, validate } from '../support/catalogue-world.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/catalogue.md'), 'utf8');

describe('the page about catalogues', () => {
  it('explains every problem that there can be', () => {
    const explained = [...page.matchAll(/`([a-z]+(?:-[a-z]+)+)`(?=[^\n]* \|)/g)].map(([, code]) => code);

    expect(explained.filter((code) => code !== 'auto-minor').sort()).toEqual(PROBLEM_CODES);
  });

  it('starts with a catalogue that nothing is wrong with', async () => {
    const [, yaml = ''] = /```yaml\n([^`]*)```/.exec(page) ?? [];
    const { problems, stacks } = await validate(yaml, { modules: ['live/prod/network', 'live/dev/network'] });

    expect(problems).toEqual([]);
    expect(stacks.map(({ spec, contexts }) => [spec.id, contexts])).toEqual([
      ['live/dev/network', []],
      ['live/prod/network', ['production']],
    ]);
  });
});

describe('the example of a catalogue', () => {
  it('has the stacks of its folder, and nothing wrong', async () => {
    const source = createFolderCatalogueSource({
      cwd: ROOT,
      paths: ['examples'],
      checkouts: [{ url: OWN.url, directory: ROOT }],
    });

    const { files, stacks, problems } = await validateCatalogue(
      { source, clock: { now: () => NOW } },
      { repository: OWN },
    );

    expect(problems).toEqual([]);
    expect(files).toEqual(['examples/catalogue.yaml']);
    expect(stacks.map(({ spec }) => spec.id)).toEqual([
      'dev/messaging',
      'dev/workers',
      'prod/messaging',
      'prod/workers',
      'staging/messaging',
    ]);
  });
});
