import { describe, expect, it } from 'vitest';
import { readZipEntry } from '../../lib/adapters/toolchain-zip.ts';
import { buildZip } from '../support/zip-archive.ts';

const program = Buffer.from('#!/bin/sh\n'.repeat(500));
const licence = { name: 'LICENSE.txt', content: Buffer.from('Mozilla Public License') };

describe('readZipEntry', () => {
  it.each(['stored', 'deflated'] as const)('reads a %s entry among others', async (method) => {
    const archive = buildZip([licence, { name: 'tofu', content: program, method }]);
    expect(await readZipEntry(archive, 'tofu')).toEqual(program);
  });

  it('reads an archive with a comment', async () => {
    const archive = buildZip([{ name: 'tofu', content: program }], 'built on Tuesday');
    expect(await readZipEntry(archive, 'tofu')).toEqual(program);
  });

  const good = buildZip([{ name: 'tofu', content: program }]);
  const localHeaderBytes = 30 + 'tofu'.length + 5;

  it.each([
    { what: 'a web page', reason: 'it has no end record', archive: Buffer.from('<html>not found</html>') },
    { what: 'an empty file', reason: 'it has no end record', archive: Buffer.alloc(0) },
    { what: 'a truncated archive', reason: 'it has no end record', archive: good.subarray(0, -1) },
    { what: 'an archive without the entry', reason: 'it has no entry "tofu"', archive: buildZip([licence]) },
    {
      what: 'a damaged directory',
      reason: 'its directory is damaged',
      archive: patched(good, good.indexOf('PK\x01\x02'), 0),
    },
    { what: 'a damaged entry header', reason: 'its entry header is damaged', archive: patched(good, 0, 0) },
    {
      what: 'an unknown compression',
      reason: 'compression method 255 is not supported',
      archive: patched(good, good.indexOf('PK\x01\x02') + 10, 255),
    },
    {
      what: 'damaged compressed data',
      reason: 'invalid stored block lengths',
      archive: patched(good, localHeaderBytes, 0),
    },
    {
      what: 'a wrong CRC',
      reason: '"tofu" is damaged',
      archive: buildZip([{ name: 'tofu', content: program, crc: 1 }]),
    },
    {
      what: 'an entry of 4 GiB',
      reason: '"tofu" is larger than',
      archive: patched(good, good.indexOf('PK\x01\x02') + 27, 0xff),
    },
    {
      what: 'more content than announced',
      reason: 'larger than',
      archive: patched(good, good.indexOf('PK\x01\x02') + 25, 0),
    },
  ])('fails on $what', async ({ reason, archive }) => {
    await expect(readZipEntry(archive, 'tofu')).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: expect.stringContaining(reason),
    });
  });
});

/** A copy with one byte changed. */
function patched(archive: Buffer, position: number, byte: number): Buffer {
  const copy = Buffer.from(archive);
  copy[position] = byte;
  return copy;
}
