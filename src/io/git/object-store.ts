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
  type PackedHeader,
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

  /** Returns the object with this full id, or null if it does not exist. Throws `git` if it is damaged. */
  read(oid: string): GitObject | null {
    const object = this.#readLoose(oid) ?? this.#readPacked(oid);
    if (object !== null) return object;
    this.#packs = null;
    return this.#readPacked(oid);
  }

  /** Returns full ids that begin with `prefix` (2 to 40 lower-case hex digits). Stops after two different ones. */
  withPrefix(prefix: string): readonly string[] {
    const oids = this.#findWithPrefix(prefix);
    if (oids.size > 0) return [...oids];
    this.#packs = null;
    return [...this.#findWithPrefix(prefix)];
  }

  /** Like `withPrefix`, but does not list the packs again. */
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

  /** Reads an object from a file of its own; null if there is none. */
  #readLoose(oid: string): GitObject | null {
    const raw = readIfThere(`${this.#dir}/${oid.slice(0, 2)}/${oid.slice(2)}`);
    if (raw === null) return null;
    // The kind, a space, the size, a NUL and the data.
    const content = inflate(raw, MAX_OBJECT_BYTES, oid);
    const name = content.toString('latin1', 0, content.indexOf(' '));
    const kind = KINDS.find((candidate) => candidate === name);
    const nul = content.indexOf(0);
    if (nul < 0 || kind === undefined) throw damagedObject(oid);
    return { kind, data: content.subarray(nul + 1) };
  }

  /** Reads an object from a pack; null if no pack has it. */
  #readPacked(oid: string): GitObject | null {
    for (const place of this.#placesOf(oid)) {
      const object = this.#readAt(place);
      if (object !== null) return object;
    }
    return null;
  }

  /** Yields the places of an object in packs: several, if packs have copies of it. */
  *#placesOf(oid: string): Generator<PackedPlace, void> {
    for (const pack of this.#listPacks()) {
      const offset = searchPack(pack, oid, () => true);
      if (offset !== null) yield { pack, offset };
    }
  }

  /** Follows deltas to their base, and applies them, the last one first. Returns null if git has removed a pack. */
  #readAt(place: PackedPlace): GitObject | null {
    const deltas: Buffer[] = [];
    const withDeltas = (base: GitObject): GitObject =>
      deltas.reduceRight((object, delta) => applyDelta(object, delta), base);
    for (let next = place; ; ) {
      const { pack, offset } = next;
      const packed = readPacked(next);
      if (packed === null) return null;
      const { header, data } = packed;
      if (header.kind !== 'ofs-delta' && header.kind !== 'ref-delta')
        return withDeltas({ kind: header.kind, data });
      deltas.push(data);
      if (deltas.length > MAX_DELTA_DEPTH) throw damagedObject(pack.path);
      if (header.kind === 'ofs-delta') {
        if (header.distance > offset) throw damagedObject(pack.path);
        next = { pack, offset: offset - header.distance };
      } else {
        const loose = this.#readLoose(header.base);
        if (loose !== null) return withDeltas(loose);
        const [base] = this.#placesOf(header.base);
        if (base === undefined) throw damagedObject(pack.path);
        next = base;
      }
    }
  }

  #listPacks(): readonly Pack[] {
    this.#packs ??= listPacks(this.#dir);
    return this.#packs;
  }
}

/** The start of an object in a pack. */
interface PackedPlace {
  readonly pack: Pack;
  readonly offset: number;
}

/** Reads an object or a delta; null if git has removed the pack. */
function readPacked({
  pack: { path },
  offset,
}: PackedPlace): { readonly header: PackedHeader; readonly data: Buffer } | null {
  const fd = openIfThere(`${path}.pack`);
  if (fd === null) return null;
  try {
    const header = decodePackedHeader(readRange(fd, offset, MAX_HEADER_BYTES));
    if (header === null || header.size > MAX_OBJECT_BYTES) throw damagedObject(path);
    // zlib's output is never longer: this is more than `compressBound` in zlib.h. zlib ignores bytes after the stream.
    const maxBytes = header.size + (header.size >> 10) + 128;
    const data = inflate(readRange(fd, offset + header.length, maxBytes), header.size + 1, path);
    if (data.length !== header.size) throw damagedObject(path);
    return { header, data };
  } finally {
    closeSync(fd);
  }
}

/** Inflates a zlib stream to at most `maxBytes`. `what` names the object in errors. */
function inflate(stream: Buffer, maxBytes: number, what: string): Buffer {
  try {
    return inflateSync(stream, { maxOutputLength: maxBytes });
  } catch {
    throw damagedObject(what);
  }
}
