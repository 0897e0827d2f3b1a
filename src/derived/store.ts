/** Where derived files lie, and how they come and go. Nothing here can fail a run. */
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../disk/make-folders.ts';
import { type MirroredFile, openMirroredFile, writeMirroredFile } from '../disk/mirrored-file.ts';
import { statsOrNull } from '../disk/stats.ts';
import { temporarySuffix } from '../disk/temporary-suffix.ts';
import type { LazyRecords } from './lazy-records.ts';
import { type RecordFile, RecordInMemory } from './record-file.ts';

/** Files that were not used for this long are removed. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** The oldest files are removed until the rest is no larger. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** How often the folder is looked through, and how often a used file is marked as used. */
const TRIM_INTERVAL_MS = 24 * 60 * 60 * 1000;

/** Files by kind and key. */
export interface RecordStore {
  /**
   * The file of one kind for one key, as it was written; null where there is none that can be read, or a damaged one.
   * Whether it is about that key stands inside.
   */
  read(kind: string, key: string): RecordFile | null;
  /** True if there may be such a file, whatever it says. */
  has(kind: string, key: string): boolean;
  /** Stores a file whole or not at all; of two writers the last wins. Failures are silent. */
  write(kind: string, key: string, bytes: Uint8Array): void;
}

/** The derived files below one `CARGO_HOME`. */
export class DerivedStore implements RecordStore {
  readonly #folder: string;
  readonly #owner: string;
  readonly #lazy: LazyRecords | null;

  /**
   * `cargoHome` is absolute; the folder inside it is this program's own. What another build left is not read: it may
   * have understood the same manifests differently. Nor is what was left while the folder was reached by another path,
   * which stands in documents, and above which no workspace is looked for. With `lazy`, files stay open for what is asked
   * of them later.
   */
  constructor(cargoHome: string, build: string, lazy: LazyRecords | null = null) {
    this.#folder = join(cargoHome, 'tsreg', 'derived');
    this.#owner = `${build}\0${cargoHome}`;
    // On Windows none can be put in the place of one that is open.
    this.#lazy = process.platform === 'win32' ? null : lazy;
  }

  read(kind: string, key: string): RecordFile | null {
    const path = this.#file(kind, key);
    try {
      const file = openMirroredFile(path);
      if (file === null) return null;
      if (Date.now() - file.modifiedMs > TRIM_INTERVAL_MS) markAsUsed(path);
      return this.#lazy === null ? inMemory(file) : this.#lazy.open(file);
    } catch {
      return null;
    }
  }

  has(kind: string, key: string): boolean {
    return existsSync(this.#file(kind, key));
  }

  write(kind: string, key: string, bytes: Uint8Array): void {
    const file = this.#file(kind, key);
    const temporary = `${file}${temporarySuffix()}`;
    try {
      makeFolders(this.#folder);
      writeMirroredFile(temporary, bytes);
      renameSync(temporary, file);
      this.#trim();
    } catch {
      removeQuietly(temporary);
    }
  }

  #file(kind: string, key: string): string {
    return `${this.#folder}/${nameOf(`${this.#owner}\0${key}`)}.${kind}`;
  }

  #trim(): void {
    const marker = join(this.#folder, 'trimmed');
    const now = Date.now();
    try {
      if (now - statSync(marker).mtimeMs < TRIM_INTERVAL_MS) return;
    } catch {
      // Never trimmed so far.
    }
    writeFileSync(marker, '');
    const files = readdirSync(this.#folder)
      .filter((name) => name !== 'trimmed')
      .flatMap((name) => {
        const path = join(this.#folder, name);
        const stats = statsOrNull(path);
        // Another run may have removed it by now, or given it its name.
        return stats === null ? [] : [{ path, mtimeMs: stats.mtimeMs, size: stats.size }];
      })
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
    let total = 0;
    for (const { path, mtimeMs, size } of files) {
      total += size;
      if (total > MAX_TOTAL_BYTES || now - mtimeMs > MAX_AGE_MS) removeQuietly(path);
    }
  }
}

function markAsUsed(path: string): void {
  try {
    const now = Date.now() / 1000;
    utimesSync(path, now, now);
  } catch {
    // It can be read, but not changed: then nothing is removed here either.
  }
}

/** The record in a file, which is closed. Throws as `MirroredFile.fill`. */
function inMemory(file: MirroredFile): RecordFile {
  try {
    const content = Buffer.allocUnsafeSlow(file.length);
    file.fill(content, 0);
    return new RecordInMemory(content);
  } finally {
    file.close();
  }
}

/** 16 hexadecimal digits. A hash of cargo or of Node would take longer than all else that is done to read a file. */
function nameOf(key: string): string {
  let first = 0x811c9dc5;
  let second = key.length;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    first = Math.imul(first ^ unit, 0x01000193);
    second = (Math.imul(second, 0x5bd1e995) ^ (second >>> 15)) + unit;
  }
  return [first, second].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What may not be removed stays, and nothing depends on it.
  }
}
