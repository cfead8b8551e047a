import { describe, expect, it } from 'vitest';
import { findOrigins } from '../../lib/app/find-origins.ts';
import { aCatalogueSource, OWN } from '../support/catalogue-world.ts';

const find = (yaml: string, stackId = 'a') =>
  findOrigins({ source: aCatalogueSource(yaml) }, { repository: OWN, stackId });
const YAML = 'defaults: { owner: me }\nstacks: [{ id: a, source: { path: a } }]';

describe('findOrigins', () => {
  it('says where each field comes from', async () => {
    const origins = await find(YAML);

    expect(origins.get('owner')).toBe('defaults, catalogue.yaml:1');
    expect(origins.get('source.path')).toBe('stack, catalogue.yaml:2');
    expect(origins.get('timeout')).toBe('built in');
  });

  it('fails on a catalogue with an error', async () => {
    await expect(find(`${YAML}\nnonsense: 1`)).rejects.toMatchObject({
      code: 'CatalogueInvalid',
      message: 'nonsense: unknown field',
      location: { file: 'catalogue.yaml', line: 3, column: 1 },
      hint: expect.any(String),
    });
  });

  it('fails on a stack that the catalogue does not have', async () => {
    await expect(find(YAML, 'b')).rejects.toMatchObject({
      code: 'StackNotFound',
      message: 'the catalogue has no stack "b"',
    });
  });
});
