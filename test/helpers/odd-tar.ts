/** Archives that no well-behaved program writes. */

const BLOCK = 512;

/** The fields of one entry. */
export interface OddEntry {
  readonly path: string;
  readonly data?: Buffer;
  /** `0` by default. */
  readonly type?: string;
  /** The content of the size field; the octal size by default. */
  readonly sizeField?: Buffer;
  /** `ustar` and its version by default. */
  readonly magic?: string;
  readonly mode?: number;
}

/** Returns the header and the content of an entry. */
export function oddEntry({
  path,
  data = Buffer.alloc(0),
  type = '0',
  sizeField,
  magic,
  mode = 0o644,
}: OddEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(path, 0, 100, 'utf8');
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  (sizeField ?? Buffer.from(`${data.length.toString(8).padStart(11, '0')}\0`)).copy(header, 124, 0, 12);
  header.write('10617411400\0', 136);
  header.write(type, 156, 'latin1');
  header.write(magic ?? 'ustar\u000000', 257, 'latin1');
  return Buffer.concat([withSum(header), data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)]);
}

/** Writes the correct checksum into a header and returns it. */
export function withSum(header: Buffer): Buffer {
  header.write('        ', 148);
  const sum = header.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Returns an entry with POSIX extended header records. */
export function pax(records: Readonly<Record<string, string>>, type = 'x'): Buffer {
  const text = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`;
    let length = Buffer.byteLength(rest) + 1;
    while (String(length).length + Buffer.byteLength(rest) !== length) length += 1;
    return `${length}${rest}`;
  });
  return oddEntry({ path: 'PaxHeader', type, data: Buffer.from(text.join('')) });
}

/** Joins entries and adds the two empty blocks that end an archive. */
export function oddTar(...entries: readonly Buffer[]): Buffer {
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}
