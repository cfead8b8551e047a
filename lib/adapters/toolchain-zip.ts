import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { HoldfastError } from '../domain/errors.ts';

const inflate = promisify(inflateRaw);

const END_SIGNATURE = 0x06054b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_LENGTH = 22;
const CENTRAL_LENGTH = 46;
const LOCAL_LENGTH = 30;
/** The end record is followed by a comment of at most 65 535 bytes. */
const MAX_COMMENT = 0xffff;
/** Four times the largest tool. Also keeps out Zip64, which marks its sizes as 4 GiB. */
const MAX_ENTRY_BYTES = 512 * 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

/** Content of one entry of a zip archive, its CRC verified. Throws `DownloadFailed` where it can't be read. */
export async function readZipEntry(archive: Buffer, name: string): Promise<Buffer> {
  try {
    const entry = centralDirectory(archive).find((candidate) => candidate.name === name);
    if (entry === undefined) throw new RangeError(`it has no entry "${name}"`);
    if (entry.bytes > MAX_ENTRY_BYTES) throw new RangeError(`"${name}" is larger than ${MAX_ENTRY_BYTES} bytes`);
    const content = await unpack(archive, entry);
    if (content.length !== entry.bytes || crc32(content) !== entry.crc) throw new RangeError(`"${name}" is damaged`);
    return content;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HoldfastError('DownloadFailed', `zip archive can't be read: ${reason}`, { cause });
  }
}

function centralDirectory(archive: Buffer): Entry[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries: Entry[] = [];
  let position = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(position) !== CENTRAL_SIGNATURE) throw new RangeError('its directory is damaged');
    const nameEnd = position + CENTRAL_LENGTH + archive.readUInt16LE(position + 28);
    entries.push({
      name: archive.toString('utf8', position + CENTRAL_LENGTH, nameEnd),
      method: archive.readUInt16LE(position + 10),
      crc: archive.readUInt32LE(position + 16),
      packedBytes: archive.readUInt32LE(position + 20),
      bytes: archive.readUInt32LE(position + 24),
      offset: archive.readUInt32LE(position + 42),
    });
    position = nameEnd + archive.readUInt16LE(position + 30) + archive.readUInt16LE(position + 32);
  }
  return entries;
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_LENGTH - MAX_COMMENT);
  for (let position = archive.length - END_LENGTH; position >= first; position -= 1) {
    if (archive.readUInt32LE(position) === END_SIGNATURE) return position;
  }
  throw new RangeError('it has no end record');
}

async function unpack(archive: Buffer, { offset, method, packedBytes, bytes }: Entry): Promise<Buffer> {
  if (archive.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw new RangeError('its entry header is damaged');
  const start = offset + LOCAL_LENGTH + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const packed = archive.subarray(start, start + packedBytes);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new RangeError(`compression method ${method} is not supported`);
  return await inflate(packed, { maxOutputLength: bytes });
}
