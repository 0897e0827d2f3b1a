/**
 * Reads the objects of a git repository without starting git: loose ones and those in packs. Git's own documentation:
 * gitformat-pack, gitrepository-layout. It cannot write.
 */
import { closeSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { damagedObject, listIfThere, openIfThere, readIfThere, readRange } from './object-files.ts';
import { listPacks, type Pack, searchPack } from './pack-index.ts';
import {
  applyDelta,
  decodePackedHeader,
  type GitObject,
  MAX_OBJECT_BYTES,
  type ObjectKind,
} from './packed-object.ts';

const KINDS: readonly ObjectKind[] = ['commit', 'tree', 'blob', 'tag'];
/** An id without its first two digits, which are the name of a folder. */
const LOOSE_NAME_LENGTH = 38;
/** More than the longest header in a pack. */
const MAX_HEADER_BYTES = 64;
/** The limit for deltas of deltas. git's own default is 50. */
const MAX_DELTA_DEPTH = 5000;

/** The objects of one repository. A method that finds nothing lists the packs again, as git may have replaced them. */
export class ObjectStore {
  readonly #dir: string;
  #packs: readonly Pack[] | null = null;

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
    const oids = this.#findWithPrefix(prefix);
    if (oids.size > 0) return [...oids];
    this.#packs = null;
    return [...this.#findWithPrefix(prefix)];
  }

  #findWithPrefix(prefix: string): ReadonlySet<string> {
    const oids = this.#looseWithPrefix(prefix);
    for (const pack of this.#listPacks()) {
      if (oids.size > 1) break;
      searchPack(pack, prefix, (oid) => oids.add(oid).size > 1);
    }
    return oids;
  }

  #looseWithPrefix(prefix: string): Set<string> {
    const folder = prefix.slice(0, 2);
    const start = prefix.slice(2);
    const names = listIfThere(`${this.#dir}/${folder}`).filter(
      (name) => name.length === LOOSE_NAME_LENGTH && name.startsWith(start),
    );
    return new Set(names.map((name) => folder + name));
  }

  /** `depth` is the number of deltas that lead to this object. */
  #read(oid: string, depth: number): GitObject | null {
    const loose = this.#readLoose(oid);
    if (loose !== null) return loose;
    const packed = this.#readPacked(oid, depth);
    if (packed !== null) return packed;
    this.#packs = null;
    return this.#readPacked(oid, depth);
  }

  #readLoose(oid: string): GitObject | null {
    const raw = readIfThere(`${this.#dir}/${oid.slice(0, 2)}/${oid.slice(2)}`);
    if (raw === null) return null;
    // The kind, a space, the size, a NUL and the data.
    const content = inflateSync(raw, { maxOutputLength: MAX_OBJECT_BYTES });
    const name = content.toString('latin1', 0, content.indexOf(' '));
    const kind = KINDS.find((known) => known === name);
    const nul = content.indexOf(0);
    if (nul < 0 || kind === undefined) throw damagedObject(oid);
    return { kind, data: content.subarray(nul + 1) };
  }

  #readPacked(oid: string, depth: number): GitObject | null {
    for (const pack of this.#listPacks()) {
      const offset = searchPack(pack, oid, () => true);
      const object = offset === null ? null : this.#readAt(pack, offset, depth);
      if (object !== null) return object;
    }
    return null;
  }

  /** Returns null if git has removed the pack. */
  #readAt(pack: Pack, offset: number, depth: number): GitObject | null {
    if (depth > MAX_DELTA_DEPTH) throw damagedObject(pack.path);
    const fd = openIfThere(`${pack.path}.pack`);
    if (fd === null) return null;
    try {
      const header = decodePackedHeader(readRange(fd, offset, MAX_HEADER_BYTES));
      if (header === null || header.size > MAX_OBJECT_BYTES) throw damagedObject(pack.path);
      const readData = (): Buffer => inflateAt(fd, offset + header.length, header.size);
      if (header.kind === 'ofs-delta') {
        if (header.distance > offset) throw damagedObject(pack.path);
        const delta = readData();
        const base = this.#readAt(pack, offset - header.distance, depth + 1);
        return base === null ? null : applyDelta(base, delta);
      }
      if (header.kind === 'ref-delta') {
        const base = this.#read(header.base, depth + 1);
        if (base === null) throw damagedObject(pack.path);
        return applyDelta(base, readData());
      }
      return { kind: header.kind, data: readData() };
    } finally {
      closeSync(fd);
    }
  }

  #listPacks(): readonly Pack[] {
    this.#packs ??= listPacks(this.#dir);
    return this.#packs;
  }
}

/** Inflates the zlib stream at `position`, whose content has `size` bytes. Throws if it has another length. */
function inflateAt(fd: number, position: number, size: number): Buffer {
  // Compressed data is never longer than this. zlib ignores bytes after the stream.
  const maxBytes = size + (size >> 10) + 128;
  const data = inflateSync(readRange(fd, position, maxBytes), { maxOutputLength: size + 1 });
  if (data.length !== size) throw damagedObject(String(position));
  return data;
}
