/** The entries of a tar archive that describe the next entry: long names (GNU) and pax extensions (POSIX). */
import { archiveError } from './archive-error.ts';

/** cargo's words for the types of such entries. `g` is about all following entries, and counts as none. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['L', 'long name'],
  ['K', 'long name'],
  ['x', 'pax extensions'],
  ['g', 'pax extensions'],
]);
/** Limits on their number before one entry, and on the size of each. */
const MAX_EXTENSIONS = 4;
const MAX_EXTENSION_BYTES = 64 * 1024;

/** Pax records that all programs treat alike: they change an entry's name, or nothing that programs must read. */
const PORTABLE_RECORDS: ReadonlySet<string> = new Set(
  'path mtime atime ctime uid gid uname gname comment'.split(' '),
);

/** Returns true for the type of an entry that describes the next entry, or all entries. */
export function isExtension(type: string): boolean {
  return NOUNS.has(type);
}

/** The extensions that describe the next entry. */
export class TarExtensions {
  readonly #types = new Set<string>();
  #longName: string | null = null;
  #pax: PaxRecords | null = null;
  #count = 0;

  /** The size of the next entry of any type; null if not given. */
  get size(): number | null {
    return this.#pax?.size ?? null;
  }

  /** The path of the next entry; null if not given. GNU's name takes precedence over that of POSIX. */
  get path(): string | null {
    return this.#longName ?? this.#pax?.path ?? null;
  }

  /** Throws `archive` if there are more than honest programs write: each costs time and none is content. */
  count(): void {
    this.#count += 1;
    if (this.#count > MAX_EXTENSIONS) throw archiveError('too many extensions describe one member');
  }

  /** Throws `archive` if an extension of this type and size is not allowed. Call it before the content is read. */
  expect(type: string, size: number): void {
    const noun = NOUNS.get(type);
    if (this.#types.has(type)) throw archiveError(`two ${noun} entries describing the same member`);
    if (size > MAX_EXTENSION_BYTES)
      throw archiveError(`a ${noun} entry has more than ${MAX_EXTENSION_BYTES} bytes`);
  }

  /** Adds an extension with its content. */
  add(type: string, data: Buffer): void {
    this.#types.add(type);
    if (type === 'L') this.#longName = longName(data);
    if (type === 'x') this.#pax = readPax(data);
  }

  /** Removes all extensions, but not their count. */
  clear(): void {
    this.#types.clear();
    this.#longName = null;
    this.#pax = null;
  }

  /** Throws `archive` if programs could interpret the extensions differently. */
  checkPortable(): void {
    if (this.#pax === null) return;
    if (this.#longName !== null && this.#pax.path !== null) throw archiveError('a file has two long names');
    if (!this.#pax.isPortable)
      throw archiveError('pax extensions have records that programs read differently');
  }

  /** Throws `archive` if there are extensions at the end of the archive, where no entry follows. */
  checkEnd(): void {
    if (this.#types.size > 0)
      throw archiveError('members found describing a future member but no future member found');
  }
}

/** Returns the name in a GNU entry, with or without a NUL at the end. */
function longName(data: Buffer): string {
  return data.toString('utf8', 0, data.length - (data.at(-1) === 0 ? 1 : 0));
}

interface PaxRecord {
  readonly key: string;
  readonly value: Buffer;
  /** True if its length has a plus sign, which cargo accepts. */
  readonly hasSign: boolean;
}

interface PaxRecords {
  readonly path: string | null;
  readonly size: number | null;
  /** False if a record is unknown to some programs or occurs twice, or if a line is not a record, even an empty one. */
  readonly isPortable: boolean;
}

/**
 * Reads records like cargo: the first of a kind counts. Lines that are not records are skipped, but a size after one is
 * ignored. An empty line ends the records.
 */
function readPax(data: Buffer): PaxRecords {
  const seenKeys = new Set<string>();
  let path: string | null = null;
  let size: number | null = null;
  let isPortable = true;
  let hasRecordsOnly = true;
  for (const record of paxRecords(data)) {
    if (record === null) {
      isPortable = false;
      hasRecordsOnly = false;
      continue;
    }
    const { key, value, hasSign } = record;
    isPortable &&= PORTABLE_RECORDS.has(key) && !seenKeys.has(key) && !hasSign;
    if (key === 'path' && !seenKeys.has(key)) path = value.toString();
    if (key === 'size' && !seenKeys.has(key) && hasRecordsOnly) size = paxNumber(value.toString());
    seenKeys.add(key);
  }
  return { path, size, isPortable };
}

function paxNumber(text: string): number | null {
  const number = /^\+?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : null;
}

/**
 * Yields records, which are lines such as `30 path=some/long/name\n` with their own length, up to an empty line; null
 * for any other line. The length is decimal: `Number` would also accept `0x1e`.
 */
function* paxRecords(data: Buffer): Generator<PaxRecord | null, void, undefined> {
  for (let start = 0, end = 0; start < data.length; start = end + 1) {
    end = data.indexOf('\n', start);
    if (end === -1) end = data.length;
    const line = data.subarray(start, end);
    if (line.length === 0) {
      yield null;
      return;
    }
    const space = line.indexOf(' ');
    const equals = line.indexOf('=', space);
    const length = line.toString('latin1', 0, Math.max(space, 0));
    const isRecord = equals !== -1 && /^\+?\d+$/.test(length) && Number(length) === line.length + 1;
    yield isRecord
      ? {
          key: line.toString('utf8', space + 1, equals),
          value: line.subarray(equals + 1),
          hasSign: length.startsWith('+'),
        }
      : null;
  }
}
