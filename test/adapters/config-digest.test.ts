import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestConfig } from '../../lib/adapters/config-digest.ts';
import { withTree } from '../support/module-tree.ts';

const digestWith = (path: string) =>
  digestConfig({ modules: [], configFiles: [], referencedFiles: [{ name: ':a.json', path }] });

describe('digestConfig', () => {
  it('goes on over a referenced file that can not be read', async () => {
    await withTree({ 'a.json': '' }, async (directory) => {
      const unreadable = await digestWith(join(directory, 'gone.json'));
      expect(await digestWith(directory)).toBe(unreadable);
      expect(await digestWith(join(directory, 'a.json'))).not.toBe(unreadable);
    });
  });
});
