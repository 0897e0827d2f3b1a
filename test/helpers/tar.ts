import { crc32 } from 'node:zlib';

/** One entry of a tar archive. `link` makes it a symbolic link. */
export interface TarEntry {
  readonly path: string;
  readonly data: Buffer;
  readonly link?: string;
}

/** Returns a tar archive (ustar) with fixed times, owners and modes. The same entries give the same bytes. */
export function packTar(entries: readonly TarEntry[]): Buffer {
  const blocks: Buffer[] = [];
  for (const entry of entries) {
    const header = Buffer.alloc(512);
    header.write(entry.path, 0, 100, 'utf8');
    header.write('0000644\0', 100);
    header.write('0000000\0', 108);
    header.write('0000000\0', 116);
    header.write(
      `${(entry.link === undefined ? entry.data.length : 0).toString(8).padStart(11, '0')}\0`,
      124,
    );
    header.write('10617411400\0', 136);
    header.write('        ', 148);
    header.write(entry.link === undefined ? '0' : '2', 156);
    if (entry.link !== undefined) header.write(entry.link, 157, 100, 'utf8');
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    blocks.push(header);
    if (entry.link === undefined) {
      blocks.push(entry.data, Buffer.alloc((512 - (entry.data.length % 512)) % 512));
    }
  }
  blocks.push(Buffer.alloc(1024));
  return Buffer.concat(blocks);
}

/**
 * Returns gzip data without compression. Unlike zlib's output, it does not depend on the version of Node, so recorded
 * checksums stay valid.
 */
export function gzipStored(data: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])];
  const step = 0xffff;
  for (let at = 0; at === 0 || at < data.length; at += step) {
    const chunk = data.subarray(at, at + step);
    const head = Buffer.alloc(5);
    head[0] = at + step >= data.length ? 1 : 0;
    head.writeUInt16LE(chunk.length, 1);
    head.writeUInt16LE(chunk.length ^ 0xffff, 3);
    parts.push(head, chunk);
  }
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(crc32(data), 0);
  tail.writeUInt32LE(data.length % 2 ** 32, 4);
  parts.push(tail);
  return Buffer.concat(parts);
}
