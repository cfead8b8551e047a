import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  /** @default deflated */
  readonly method?: 'stored' | 'deflated';
  /** @default the right one */
  readonly crc?: number;
}

/** A zip archive as the release builds are: no data descriptors, no Zip64. */
export function buildZip(entries: readonly ZipEntry[], comment = ''): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = entry.method === 'stored' ? entry.content : deflateRawSync(entry.content);
    // The local header has an extra field of its own, which a reader has to step over.
    const extra = Buffer.from([0x55, 0x54, 0x01, 0x00, 0x00]);
    const local = Buffer.concat([header(entry, packed), size(extra.length), Buffer.from(entry.name), extra, packed]);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    header(entry, packed).copy(central, 6, 4);
    central.writeUInt32LE(offset, 42);
    locals.push(local);
    centrals.push(Buffer.concat([central, Buffer.from(entry.name)]));
    offset += local.length;
  }
  return Buffer.concat([...locals, ...centrals, end(Buffer.concat(centrals).length, entries.length, offset, comment)]);
}

function header({ name, content, method = 'deflated', crc = crc32(content) }: ZipEntry, packed: Buffer): Buffer {
  const bytes = Buffer.alloc(28);
  bytes.writeUInt32LE(0x04034b50, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(method === 'stored' ? 0 : 8, 8);
  bytes.writeUInt32LE(crc, 14);
  bytes.writeUInt32LE(packed.length, 18);
  bytes.writeUInt32LE(content.length, 22);
  bytes.writeUInt16LE(Buffer.byteLength(name), 26);
  return bytes;
}

function size(bytes: number): Buffer {
  return Buffer.from([bytes, 0]);
}

function end(directoryBytes: number, count: number, offset: number, comment: string): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(directoryBytes, 12);
  bytes.writeUInt32LE(offset, 16);
  bytes.writeUInt16LE(Buffer.byteLength(comment), 20);
  return Buffer.concat([bytes, Buffer.from(comment)]);
}
