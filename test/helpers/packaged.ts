import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** One file that packaging left below a target folder. */
export interface PackagedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** SHA-256 of everything that must be equal: the file, or an archive's gzip header and the bytes of its tar. */
  readonly digest: string;
  /**
   * A readable description, also for recorded results. For an archive, its entries in order and the text of generated
   * ones; otherwise one line. It does not depend on the size of a generated file.
   */
  readonly lines: readonly string[];
}

/** Paths of packaged files. Target folders are named `target`, `far` or `out`. */
const place = /(?:^|\/)(?:target|far|out)\/package\/./;
/** Files that packaging generates. They may contain addresses, and so have no hash in `lines`. */
const generated = /(?:^|\/)(?:Cargo\.toml|Cargo\.lock|\.cargo_vcs_info\.json)$/;

/** The index of a git repository or submodule. It contains the times of files, so no two runs agree on it. */
const gitIndex = /\/\.git\/(?:modules\/.+\/)?index$/;

/**
 * Lists the files in `package` of every target folder below `workspace`, sorted by path. The compression of archives
 * does not matter: in other files, an archive's checksum is replaced by its name.
 */
export function listPackaged(workspace: string): PackagedFile[] {
  const files = filesBelow(workspace, '').filter((name) => place.test(name));
  const contents = new Map(files.map((name) => [name, readFileSync(path.join(workspace, name))]));
  const checksums = new Map<string, string>();
  for (const [name, bytes] of contents) {
    if (name.endsWith('.crate')) checksums.set(sha256(bytes), `$ARCHIVE(${path.basename(name, '.crate')})`);
  }
  const nameChecksums = (bytes: Buffer): Buffer => {
    if (checksums.size === 0) return bytes;
    const text = bytes.toString('latin1');
    const named = text.replace(/\b[0-9a-f]{64}\b/g, (hash) => checksums.get(hash) ?? hash);
    return Buffer.from(named, 'latin1');
  };
  return [...contents].map(([name, bytes]) => {
    if (name.endsWith('.crate')) return describeArchive(name, bytes, nameChecksums);
    const digest = sha256(nameChecksums(bytes));
    return { path: name, digest, lines: [generated.test(name) ? name : `${name} ${digest.slice(0, 16)}`] };
  });
}

/** Returns the content of an archive as lines, without the checksums in it and independent of its compression. */
export function archiveLines(bytes: Buffer): readonly string[] {
  const maskChecksums = (data: Buffer): Buffer =>
    Buffer.from(data.toString('latin1').replace(/\b[0-9a-f]{64}\b/g, '$CHECKSUM'), 'latin1');
  const { digest, lines } = describeArchive('archive', bytes, maskChecksums);
  return [...lines, digest];
}

function filesBelow(root: string, folder: string): string[] {
  const names: string[] = [];
  // A folder name that is not valid UTF-8 gives a path that does not exist.
  if (!existsSync(path.join(root, folder))) return names;
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== '.git') names.push(...filesBelow(root, name));
    else if (entry.isFile()) names.push(name);
  }
  return names.sort();
}

/** Returns whether a file belongs to an unfinished archive. The remains of a failed run do not matter. */
export function isUnfinished(name: string): boolean {
  return /(?:^|\/)package\/tmp-(?:crate|registry)\//.test(name);
}

/** Removes the unfinished archives of a failed run, so that they do not affect later runs. */
export function removeUnfinished(workspace: string): void {
  for (const name of filesBelow(workspace, '')) {
    if (place.test(name) && isUnfinished(name)) rmSync(path.join(workspace, name));
  }
}

/** One entry of a tar archive, unparsed. */
interface RawEntry {
  readonly header: Buffer;
  readonly data: Buffer;
}

function describeArchive(
  name: string,
  bytes: Buffer,
  nameChecksums: (bytes: Buffer) => Buffer,
): PackagedFile {
  let tar: Buffer;
  try {
    tar = gunzipSync(bytes);
  } catch (error) {
    return { path: name, digest: sha256(bytes), lines: [`${name} is broken: ${String(error)}`] };
  }
  // This flag means that a file name follows the ten bytes of every header.
  const headerEnd = ((bytes[3] ?? 0) & 8) === 0 ? 10 : bytes.indexOf(0, 10) + 1;
  const header = bytes.subarray(0, headerEnd);
  const { entries, rest } = readTar(tar);
  const hash = createHash('sha256').update(header);
  const lines = [
    `${name} (${header.subarray(0, 10).toString('hex')} ${header.subarray(10).toString().replace('\0', '')})`,
  ];
  for (const entry of entries) {
    const named = entryPath(entry);
    const isGenerated = /^[^/]+\/(?:Cargo\.toml|Cargo\.lock|\.cargo_vcs_info\.json)$/.test(named);
    const isIndex = gitIndex.test(named);
    const data = isGenerated ? nameChecksums(entry.data) : isIndex ? Buffer.alloc(0) : entry.data;
    hash.update(entry.header).update(data);
    const place = `${field(entry.header, 100, 8)} ${attributes(entry.header)} ${named}`;
    if (isGenerated) lines.push(`  ${place}`, ...textLines(data));
    else lines.push(`  ${place} ${entry.data.length} ${sha256(data).slice(0, 16)}`);
  }
  hash.update(rest);
  if (rest.length !== 1024 || rest.some((byte) => byte !== 0)) lines.push(`  and ${rest.length} bytes`);
  return { path: name, digest: hash.digest('hex'), lines };
}

function readTar(tar: Buffer): { entries: RawEntry[]; rest: Buffer } {
  const entries: RawEntry[] = [];
  let at = 0;
  while (at + 512 <= tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + 512);
    const size = Number.parseInt(field(header, 124, 12), 8);
    if (!Number.isSafeInteger(size)) break;
    entries.push({ header, data: tar.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return { entries, rest: tar.subarray(at) };
}

function entryPath({ header }: RawEntry): string {
  return field(header, 0, 100);
}

/** Returns `disk` or `made` for the two usual kinds of header, and otherwise every field. */
function attributes(header: Buffer): string {
  const ids = [108, 116, 329, 337].map((at) => header.subarray(at, at + 8).toString('latin1'));
  const others = [
    field(header, 136, 12),
    header.subarray(156, 157).toString('latin1'),
    field(header, 157, 100),
    header.subarray(257, 265).toString('latin1'),
    field(header, 265, 64),
    header.subarray(345, 512).toString('latin1').replace(/\0+$/, ''),
  ];
  const all = JSON.stringify([ids, others]);
  const usual = (id: string): string =>
    JSON.stringify([
      [id, id, id, id],
      ['10461020230', '0', '', 'ustar  \0', '', ''],
    ]);
  if (all === usual('0000000\0')) return 'disk';
  if (all === usual('\0'.repeat(8))) return 'made';
  return all;
}

function field(header: Buffer, at: number, length: number): string {
  const bytes = header.subarray(at, at + length);
  const end = bytes.indexOf(0);
  return bytes.subarray(0, end < 0 ? length : end).toString('utf8');
}

function textLines(data: Buffer): string[] {
  const lines = data.toString('utf8').split('\n');
  const isEnded = lines.at(-1) === '';
  if (isEnded) lines.pop();
  return [...lines.map((line) => `    | ${line}`), ...(isEnded ? [] : ['    (no newline)'])];
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
