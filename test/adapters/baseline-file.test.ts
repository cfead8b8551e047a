import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaselineFile } from '../../lib/adapters/baseline-file.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';
import { aFolder } from '../support/temporary-folder.ts';

const read = async (content: unknown) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return readBaselineFile(join(await aFolder({ 'result.json': text }), 'result.json'));
};

describe('readBaselineFile', () => {
  it('takes what an earlier result was made from', async () => {
    const result = aResult();

    expect(await read(result)).toEqual({ digests: result.digests, at: '2026-11-30T09:00:00.000Z' });
  });

  it('takes a result of explain, which knows no time', async () => {
    expect((await read(aResult({ startedAt: null, durationMs: null }))).at).toBe('');
  });

  it('takes a result with drift: configuration and state agreed', async () => {
    expect((await read(aResult({ verdict: 'drifted', findings: [aFinding()] }))).digests.basis).toBe('files');
  });

  it.each([
    ['was pending', aResult({ verdict: 'pending' }), '(pending)'],
    ['failed', aFailedResult({ fingerprint: '' }), '(failed)'],
    ['was incomplete', aResult({ complete: false }), '(in-sync)'],
    ['was absorbed', aResult({ verdict: 'drifted', findings: [aFinding({ class: 'absorbed' })] }), '(drifted)'],
  ])('fails on a result of a check in which something %s', async (_, result, verdict) => {
    await expect(read(result)).rejects.toMatchObject({
      code: 'BaselineUnreadable',
      message: expect.stringMatching(/complete check that left nothing pending or absorbed/),
    });
    await expect(read(result)).rejects.toThrow(verdict);
  });

  it.each([
    ['results of several stacks', [aResult(), aResult()], 'is no result of Holdfast'],
    ['a plan document', { format_version: '1.2', resource_changes: [] }, 'is no result of Holdfast'],
    ['a result of another version', { ...aResult(), schemaVersion: 2 }, 'is no result of Holdfast'],
    ['text', 'in sync', "can't be read as JSON"],
    ['an empty file', '', "can't be read as JSON"],
  ])('fails on %s', async (_, content, message) => {
    await expect(read(content)).rejects.toMatchObject({
      code: 'BaselineUnreadable',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('--format json'),
      location: { file: expect.stringContaining('result.json') },
    });
  });

  it('fails on a file that is not there', async () => {
    const file = join(await aFolder(), 'missing.json');

    await expect(readBaselineFile(file)).rejects.toMatchObject({ code: 'BaselineUnreadable', location: { file } });
  });
});
