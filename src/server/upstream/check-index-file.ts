/** Validation of index files of other registries. Cargo Book: Registry Index, Index files. */
import { present } from '../../core/errors/assert.ts';
import { isIndexedName } from '../../core/package-id/path-part.ts';
import { parseVersion } from '../../core/version/version.ts';
import { MAX_MIRRORED_LINE_BYTES } from '../store/index-limits.ts';

/** An index line, which describes one version. */
export interface MirroredLine {
  /** Name of the crate in the spelling of its registry. */
  readonly name: string;
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
  readonly isYanked: boolean;
  /** `pubtime`; null if it is missing or not a time. */
  readonly publishedAtMs: number | null;
  /** `rust_version`; null if it is missing or has an unexpected form. */
  readonly rustVersion: string | null;
}

/** A line of a checked file, and its text. */
export interface PlacedLine extends MirroredLine {
  /** Where its text begins and ends in the file. */
  readonly start: number;
  readonly end: number;
}

interface CheckedLine {
  readonly line: MirroredLine;
  /** The first name in `deps` that no crate can have; null if there is none. Clients make paths from these names. */
  readonly badDependency: string | null;
}

/**
 * Returns the text of an index file if each line describes a version of the crate, else the `problem`. A file with a
 * single wrong line is not the requested file.
 */
export function checkIndexFile(
  bytes: Uint8Array,
  lowerCaseName: string,
): { readonly body: string } | { readonly problem: string } {
  let body: string;
  try {
    body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { problem: 'it is not UTF-8' };
  }
  let count = 0;
  for (const [position, text] of body.split('\n').entries()) {
    if (text.trim() === '') continue;
    if (Buffer.byteLength(text) > MAX_MIRRORED_LINE_BYTES) {
      return { problem: `line ${position + 1} is longer than ${MAX_MIRRORED_LINE_BYTES} bytes` };
    }
    const checked = checkLine(text);
    if (checked === null) return { problem: `line ${position + 1} does not describe a version` };
    if (checked.line.name.toLowerCase() !== lowerCaseName) {
      return { problem: `line ${position + 1} belongs to another crate` };
    }
    if (checked.badDependency !== null) {
      const name = JSON.stringify(checked.badDependency);
      return { problem: `line ${position + 1} has a dependency that is called ${name}` };
    }
    count += 1;
  }
  return count === 0 ? { problem: 'it has no lines' } : { body };
}

/** Returns the line of a version in a checked file; null if there is none. */
export function findLine(body: string, version: string): MirroredLine | null {
  // Parses only lines that contain the version, as its own or as a requirement: a file may have thousands of lines.
  const quotedVersion = JSON.stringify(version);
  for (let position = body.indexOf(quotedVersion); position !== -1; ) {
    const end = body.indexOf('\n', position);
    const line = readLine(body.slice(body.lastIndexOf('\n', position) + 1, end === -1 ? body.length : end));
    if (line?.version === version) return line;
    position = end === -1 ? -1 : body.indexOf(quotedVersion, end);
  }
  return null;
}

/** Returns the lines of a checked file, in its order. */
export function listLines(body: string): readonly PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (let start = 0; start < body.length; ) {
    const lineEnd = body.indexOf('\n', start);
    const end = lineEnd === -1 ? body.length : lineEnd;
    const line = readLine(body.slice(start, end));
    if (line !== null) lines.push({ ...line, start, end });
    start = end + 1;
  }
  return lines;
}

/**
 * Returns a checked file in which some of the lines are yanked. Other lines, and yanked ones, keep their texts. Calls
 * `isYanked` for each line.
 */
export function yankLines(body: string, isYanked: (line: MirroredLine) => boolean): string {
  const parts: string[] = [];
  let copiedTo = 0;
  for (const line of listLines(body)) {
    if (!isYanked(line) || line.isYanked) continue;
    parts.push(body.slice(copiedTo, line.start), yanked(body.slice(line.start, line.end)));
    copiedTo = line.end;
  }
  return parts.length === 0 ? body : parts.join('') + body.slice(copiedTo);
}

/** Returns a checked line with `"yanked":true`. */
function yanked(text: string): string {
  const line: unknown = JSON.parse(text);
  return JSON.stringify({
    ...present(typeof line === 'object' ? line : null, 'the object of a line'),
    yanked: true,
  });
}

/** Returns the name of a checked file's crate in the spelling of its registry. */
export function crateNameOf(body: string): string {
  const first = body.split('\n').find((text) => text.trim() !== '');
  const what = 'the first line of a checked index file';
  return present(readLine(present(first, what)), what).name;
}

function readLine(text: string): MirroredLine | null {
  return checkLine(text)?.line ?? null;
}

/** Returns null for a line that does not describe a version. */
function checkLine(text: string): CheckedLine | null {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof line !== 'object' || line === null || !('name' in line && 'vers' in line && 'cksum' in line)) {
    return null;
  }
  const { name, vers, cksum } = line;
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) return null;
  if (typeof vers !== 'string' || !isVersion(vers)) return null;
  if (typeof cksum !== 'string' || !/^[0-9a-f]{64}$/i.test(cksum)) return null;
  const names = namesOf('deps' in line ? line.deps : []);
  if (names === null) return null;
  const badDependency = names.find((depName) => !isIndexedName(depName)) ?? null;
  const isYanked = 'yanked' in line && line.yanked === true;
  const publishedAtMs = 'pubtime' in line ? timeOf(line.pubtime) : null;
  const rust = 'rust_version' in line ? line.rust_version : null;
  const rustVersion = typeof rust === 'string' && /^[0-9A-Za-z.-]{1,32}$/.test(rust) ? rust : null;
  return {
    line: { name, version: vers, checksum: cksum.toLowerCase(), isYanked, publishedAtMs, rustVersion },
    badDependency,
  };
}

/** Parses an RFC 3339 time, such as `2021-01-02T03:04:05Z`. Returns null for anything else. */
function timeOf(value: unknown): number | null {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i.test(value)
  )
    return null;
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? null : timeMs;
}

/** Returns all names in `deps`; null if it is not a list of dependencies. */
function namesOf(deps: unknown): readonly string[] | null {
  if (!Array.isArray(deps)) return null;
  const items: readonly unknown[] = deps;
  const names: string[] = [];
  for (const dep of items) {
    if (typeof dep !== 'object' || dep === null || !('name' in dep)) return null;
    const { name } = dep;
    // `package` is the crate's name if `name` is another one in the manifest.
    const crateName = 'package' in dep && dep.package !== null ? dep.package : name;
    if (typeof name !== 'string' || typeof crateName !== 'string') return null;
    names.push(name, crateName);
  }
  return names;
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch {
    return false;
  }
}
