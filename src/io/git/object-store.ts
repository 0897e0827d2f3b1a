/**
 * Reads the objects of a git repository without starting git: loose ones and those in packs. Git's own documentation:
 * gitformat-pack, gitrepository-layout. It cannot write.
 */
import { closeSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { TsregError } from '../../core/errors/error.ts';

/** The type of an object. */
export type ObjectKind = 'commit' | 'tree' | 'blob' | 'tag';

/** One object, with deltas resolved. */
export interface GitObject {
  readonly kind: ObjectKind;
  readonly data: Buffer;
}

const KINDS: readonly (ObjectKind | 'ofs-delta' | 'ref-delta' | null)[] = [
  null,
  'commit',
  'tree',
  'blob',
  'tag',
  null,
  'ofs-delta',
  'ref-delta',
];
const OID_BYTES = 20;
const FANOUT_END = 8 + 256 * 4;
const MAX_OBJECT_BYTES = 512 * 1024 * 1024;
const MAX_DELTA_DEPTH = 5000;

/** One `pack-*.idx` and its fan-out table. */
interface Pack {
  readonly path: string;
  /** 256 running totals: the number of ids whose first byte is at most the index. */
  readonly fanout: Uint32Array;
  /** Number of objects. */
  readonly total: number;
}

/** The objects of one repository. If `read` does not find an object, it lists the packs again. */
export class ObjectStore {
  readonly #dir: string;
  #packs: Pack[] | null = null;

  /** `dir` is the `objects` folder. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Returns true if the object with this full id (40 hex digits) exists. */
  has(oid: string): boolean {
    return this.withPrefix(oid).length > 0;
  }

  /** Returns the object with this full id, or null if it does not exist. Throws if it is damaged. */
  read(oid: string): GitObject | null {
    return this.#read(oid, 0);
  }

  /** Returns full ids that begin with `prefix` (2 to 40 lower-case hex digits). Stops after two different ones. */
  withPrefix(prefix: string): readonly string[] {
    const found = new Set<string>();
    this.#collectLoose(prefix, found);
    for (const pack of this.#listPacks()) {
      if (found.size > 1) break;
      this.#searchIndex(pack, prefix, (oid) => {
        found.add(oid);
        return found.size > 1;
      });
    }
    return [...found];
  }

  #read(oid: string, depth: number): GitObject | null {
    const loose = this.#readLoose(oid);
    if (loose !== null) return loose;
    const inPacks = this.#readPacked(oid, depth);
    if (inPacks !== null) return inPacks;
    this.#packs = null;
    return this.#readPacked(oid, depth);
  }

  #readLoose(oid: string): GitObject | null {
    const raw = readIfThere(`${this.#dir}/${oid.slice(0, 2)}/${oid.slice(2)}`);
    if (raw === null) return null;
    const data = inflateSync(raw, { maxOutputLength: MAX_OBJECT_BYTES });
    const end = data.indexOf(0);
    const kind = KINDS.find((k) => k === data.toString('latin1', 0, data.indexOf(0x20)));
    if (end < 0 || kind === undefined || kind === null || kind === 'ofs-delta' || kind === 'ref-delta')
      throw damaged(oid);
    return { kind, data: data.subarray(end + 1) };
  }

  #readPacked(oid: string, depth: number): GitObject | null {
    for (const pack of this.#listPacks()) {
      const offset = this.#searchIndex(pack, oid, () => true);
      if (offset !== null) return this.#readAt(pack, offset, depth);
    }
    return null;
  }

  #readAt(pack: Pack, offset: number, depth: number): GitObject {
    if (depth > MAX_DELTA_DEPTH) throw damaged(pack.path);
    const fd = openSync(`${pack.path}.pack`, 'r');
    try {
      const head = readRange(fd, offset, 64);
      let at = 0;
      let byte = head[at++] ?? 0;
      const kind = KINDS[(byte >> 4) & 7] ?? null;
      let size = byte & 15;
      for (let scale = 16; byte & 0x80; scale *= 128) {
        byte = head[at++] ?? 0;
        size += (byte & 0x7f) * scale;
      }
      if (kind === null || size > MAX_OBJECT_BYTES) throw damaged(pack.path);
      if (kind === 'ofs-delta') {
        byte = head[at++] ?? 0;
        let back = byte & 0x7f;
        while (byte & 0x80) {
          byte = head[at++] ?? 0;
          back = (back + 1) * 128 + (byte & 0x7f);
        }
        if (back <= 0 || back > offset) throw damaged(pack.path);
        const delta = inflateAt(fd, offset + at, size);
        return applyDelta(this.#readAt(pack, offset - back, depth + 1), delta);
      }
      if (kind === 'ref-delta') {
        const base = this.#read(head.toString('hex', at, at + OID_BYTES), depth + 1);
        if (base === null) throw damaged(pack.path);
        return applyDelta(base, inflateAt(fd, offset + at + OID_BYTES, size));
      }
      return { kind, data: inflateAt(fd, offset + at, size) };
    } finally {
      closeSync(fd);
    }
  }

  #collectLoose(prefix: string, found: Set<string>): void {
    const folder = prefix.slice(0, 2);
    const rest = prefix.slice(2);
    for (const name of listIfThere(`${this.#dir}/${folder}`))
      if (name.length === 38 && name.startsWith(rest)) found.add(folder + name);
  }

  #listPacks(): readonly Pack[] {
    if (this.#packs !== null) return this.#packs;
    const packs: Pack[] = [];
    for (const name of listIfThere(`${this.#dir}/pack`)) {
      if (!name.startsWith('pack-') || !name.endsWith('.idx')) continue;
      const path = `${this.#dir}/pack/${name.slice(0, -4)}`;
      const fd = openSync(`${path}.idx`, 'r');
      try {
        const head = readRange(fd, 0, FANOUT_END);
        // git has not written version 1 indexes since 1.6.
        if (head.length < FANOUT_END || head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2)
          continue;
        const fanout = new Uint32Array(256);
        for (let i = 0; i < 256; i++) fanout[i] = head.readUInt32BE(8 + i * 4);
        packs.push({ path, fanout, total: head.readUInt32BE(FANOUT_END - 4) });
      } finally {
        closeSync(fd);
      }
    }
    this.#packs = packs;
    return packs;
  }

  /** Calls `visit` for each id with the prefix until it returns true. Returns the offset of that object, or null. */
  #searchIndex(pack: Pack, prefix: string, visit: (oid: string) => boolean): number | null {
    const first = Number.parseInt(prefix.slice(0, 2), 16);
    const low = first === 0 ? 0 : (pack.fanout[first - 1] ?? 0);
    const high = pack.fanout[first] ?? 0;
    if (low >= high) return null;
    const fd = openSync(`${pack.path}.idx`, 'r');
    try {
      const ids = readRange(fd, FANOUT_END + low * OID_BYTES, (high - low) * OID_BYTES);
      const padded = Buffer.from(prefix.padEnd(OID_BYTES * 2, '0'), 'hex');
      let from = 0;
      let to = high - low;
      while (from < to) {
        const middle = (from + to) >> 1;
        const at = middle * OID_BYTES;
        if (ids.compare(padded, 0, OID_BYTES, at, at + OID_BYTES) < 0) from = middle + 1;
        else to = middle;
      }
      for (let i = from; i < high - low; i++) {
        const oid = ids.toString('hex', i * OID_BYTES, (i + 1) * OID_BYTES);
        if (!oid.startsWith(prefix)) return null;
        if (!visit(oid)) continue;
        const offsets = FANOUT_END + pack.total * (OID_BYTES + 4);
        const offset = readRange(fd, offsets + (low + i) * 4, 4).readUInt32BE(0);
        if (offset < 0x80000000) return offset;
        const large = offsets + pack.total * 4 + (offset - 0x80000000) * 8;
        return Number(readRange(fd, large, 8).readBigUInt64BE(0));
      }
      return null;
    } finally {
      closeSync(fd);
    }
  }
}

/** Reads up to `length` bytes from `position`; fewer at the end of the file. */
function readRange(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const got = readSync(fd, buffer, filled, length - filled, position + filled);
    if (got === 0) break;
    filled += got;
  }
  return buffer.subarray(0, filled);
}

/** Inflates the zlib stream at `position`, whose content has `size` bytes. Throws if it has another length. */
function inflateAt(fd: number, position: number, size: number): Buffer {
  // Compressed data is never longer than this. Bytes after the stream are ignored.
  const bound = size + (size >> 10) + 128;
  const data = inflateSync(readRange(fd, position, bound), { maxOutputLength: size + 1 });
  if (data.length !== size) throw damaged(String(position));
  return data;
}

/** Returns the object that a delta makes from its base. Gitformat-pack: "Deltified representation". */
function applyDelta(base: GitObject, delta: Buffer): GitObject {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++] ?? 0;
      size += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) return size;
    }
  };
  const baseSize = readSize();
  const size = readSize();
  if (baseSize !== base.data.length || size > MAX_OBJECT_BYTES) throw damaged('delta');
  const data = Buffer.allocUnsafe(size);
  let filled = 0;
  while (at < delta.length) {
    const op = delta[at++] ?? 0;
    if (op & 0x80) {
      let offset = 0;
      let length = 0;
      for (let i = 0; i < 4; i++) if (op & (1 << i)) offset += (delta[at++] ?? 0) * 2 ** (8 * i);
      for (let i = 0; i < 3; i++) if (op & (16 << i)) length += (delta[at++] ?? 0) * 2 ** (8 * i);
      if (length === 0) length = 0x10000;
      if (offset + length > base.data.length || filled + length > size) throw damaged('delta');
      filled += base.data.copy(data, filled, offset, offset + length);
    } else {
      if (op === 0 || at + op > delta.length || filled + op > size) throw damaged('delta');
      filled += delta.copy(data, filled, at, at + op);
      at += op;
    }
  }
  if (filled !== size) throw damaged('delta');
  return { kind: base.kind, data };
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

function listIfThere(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function damaged(what: string): TsregError {
  return new TsregError(`damaged git object in \`${what}\``, { code: 'git' });
}
