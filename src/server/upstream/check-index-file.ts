/** Index files of others. Cargo Book: Registry Index, Index files. */
import { MAX_INDEX_LINE_BYTES } from '../index-limits.ts';
import { parseVersion } from '../../version/version.ts';

/** The line of a version. */
export interface PulledLine {
  /** Of the crate, as its registry spells it. */
  readonly name: string;
  readonly version: string;
  /** Hex SHA-256 of the `.crate`. */
  readonly checksum: string;
}

/**
 * The text of an index file whose every line is that of a version of the crate. Otherwise says, in `problem`, what is
 * wrong: a file with one line that does not belong there is not the one that was asked for.
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
    if (Buffer.byteLength(text) > MAX_INDEX_LINE_BYTES) {
      return { problem: `line ${position + 1} is longer than ${MAX_INDEX_LINE_BYTES} bytes` };
    }
    const line = readLine(text);
    if (line === null) return { problem: `line ${position + 1} is not that of a version` };
    if (line.name.toLowerCase() !== lowerCaseName) {
      return { problem: `line ${position + 1} is of another crate` };
    }
    count += 1;
  }
  return count === 0 ? { problem: 'it has no lines' } : { body };
}

/** The line of a version in a file that was checked; null if there is none. */
export function findLine(body: string, version: string): PulledLine | null {
  const wanted = JSON.stringify(version);
  for (let at = body.indexOf(wanted); at !== -1; ) {
    const end = body.indexOf('\n', at);
    const line = readLine(body.slice(body.lastIndexOf('\n', at) + 1, end === -1 ? body.length : end));
    if (line?.version === version) return line;
    at = end === -1 ? -1 : body.indexOf(wanted, end);
  }
  return null;
}

/** The name of the crate that a checked file is of, as its registry spells it. */
export function crateNameOf(body: string): string {
  const first = body.split('\n').find((text) => text.trim() !== '');
  return readLine(first ?? '')?.name ?? '';
}

function readLine(text: string): PulledLine | null {
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
  return { name, version: vers, checksum: cksum.toLowerCase() };
}

function isVersion(text: string): boolean {
  try {
    parseVersion(text);
    return true;
  } catch {
    return false;
  }
}
