/** Reads a folder with a copy of an advisory database. */
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { TomlSyntaxError } from '../../../core/toml/syntax-error.ts';
import { VersionParseError } from '../../../core/version/version.ts';
import { parseOsvFile } from './osv-file.ts';
import { AdvisoryProblem, type ParsedAdvisory } from './parsed-advisory.ts';
import { parseRustsecFile } from './rustsec-file.ts';

/** The content of a folder. */
export interface AdvisoryFolder {
  readonly advisories: readonly ParsedAdvisory[];
  /** Files that were not read, because they are damaged or too large. */
  readonly brokenFiles: number;
  /** Whether there are more files than were read. */
  readonly isTruncated: boolean;
  /** Changes if a folder that was read gets or loses files, and with each `git pull` that changes files. */
  readonly fingerprint: Fingerprint;
}

/** The folders that were read, and git's index, with the times of their last changes before that. */
export type Fingerprint = ReadonlyMap<string, number>;

const MAX_FILE_BYTES = 256 * 1024;
/** Maximum characters of all files together. */
const MAX_TOTAL_CHARS = 512 * 1024 * 1024;
const MAX_DEPTH = 8;
/** `git pull` replaces this file at its end, also if all changed files are in folders outside of the fingerprint. */
const GIT_INDEX = path.join('.git', 'index');
/** The folder of RustSec's database about Rust itself, whose versions are not those of crates such as `cargo`. */
const RUST_FOLDER = 'rust';
/** Maximum number of folders whose changes are noticed: the upper ones. */
const MAX_FINGERPRINT = 5_000;

/** `RUSTSEC-2021-0001.md`, `GHSA-xxxx-xxxx-xxxx.json`, and IDs of other databases in the form of the first one. */
const FILE_NAME = /^(?:GHSA(?:-[a-z0-9]{4}){3}\.json|[A-Z]{2,16}-\d{4}-\d{4,10}\.(?:md|json))$/;

/** How much of a folder is read: the upper folders first. */
export interface FolderLimits {
  readonly maxFiles: number;
  readonly maxFolders: number;
}

/** Reads the advisories below a folder. Throws if the folder cannot be read. Does not follow links. */
export async function readAdvisoryFolder(
  folder: string,
  { maxFiles, maxFolders }: FolderLimits,
): Promise<AdvisoryFolder> {
  const fingerprint = new Map<string, number>();
  const advisories: ParsedAdvisory[] = [];
  let files = 0;
  let chars = 0;
  let brokenFiles = 0;
  let hasUnreadFolders = false;
  // The loop below appends subfolders, and so reads the upper folders first.
  const folders = [{ folderPath: folder, depth: 0 }];
  const readSoFar = (isTruncated: boolean): AdvisoryFolder => ({
    advisories,
    brokenFiles,
    isTruncated,
    fingerprint,
  });
  const gitIndex = path.join(folder, GIT_INDEX);
  const gitState = await stat(gitIndex).catch(() => null);
  if (gitState !== null) fingerprint.set(gitIndex, gitState.mtimeMs);
  for (const { folderPath, depth } of folders) {
    if (fingerprint.size < MAX_FINGERPRINT) fingerprint.set(folderPath, (await stat(folderPath)).mtimeMs);
    for (const entry of await readdir(folderPath, { withFileTypes: true })) {
      const file = path.join(folderPath, entry.name);
      const isSkipped = entry.name.startsWith('.') || (depth === 0 && entry.name === RUST_FOLDER);
      const isFolder = entry.isDirectory() && depth < MAX_DEPTH && !isSkipped;
      if (isFolder && folders.length >= maxFolders) hasUnreadFolders = true;
      else if (isFolder) folders.push({ folderPath: file, depth: depth + 1 });
      if (!entry.isFile() || !FILE_NAME.test(entry.name)) continue;
      if (files >= maxFiles || chars >= MAX_TOTAL_CHARS) return readSoFar(true);
      const parsed = await readAdvisoryFile(file);
      files += 1;
      chars += parsed?.chars ?? 0;
      if (parsed === null) brokenFiles += 1;
      else advisories.push(...parsed.advisories);
    }
  }
  return readSoFar(hasUnreadFolders);
}

/** Returns true if something in the fingerprint has changed, or is gone. */
export async function hasChanged(fingerprint: Fingerprint): Promise<boolean> {
  for (const [file, mtimeMs] of fingerprint) {
    const state = await stat(file).catch(() => null);
    if (state?.mtimeMs !== mtimeMs) return true;
  }
  return false;
}

/** Returns the advisories in a file; null if it is too large, cannot be read or has another form. */
async function readAdvisoryFile(
  file: string,
): Promise<{ readonly chars: number; readonly advisories: readonly ParsedAdvisory[] } | null> {
  const text = await readText(file);
  if (text === null) return null;
  try {
    const advisories = file.endsWith('.md') ? parseRustsecFile(text) : parseOsvFile(text);
    return { chars: text.length, advisories };
  } catch (error) {
    if (isAboutFile(error)) return null;
    throw error;
  }
}

/** Returns true for the errors of a file in another form, which do not show a bug. */
function isAboutFile(error: unknown): boolean {
  const kinds = [AdvisoryProblem, VersionParseError, SyntaxError, TomlSyntaxError];
  return kinds.some((kind) => error instanceof kind);
}

/** Returns null for a file that is too large, is not UTF-8 or cannot be read. */
async function readText(file: string): Promise<string | null> {
  const handle = await open(file).catch(() => null);
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    if (size > MAX_FILE_BYTES) return null;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead));
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
