/** A file that is changed temporarily, also by another program. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf, osError } from './errno.ts';

/** The original state of a file, which can be restored. */
export interface SavedFile {
  /** The original text; empty if the file did not exist. */
  readonly text: string;
  /** Writes `newText` to the file. Writes nothing if it is the original text. */
  edit(newText: string): void;
  /**
   * Returns true while the file is as `edit` wrote it. False if nothing was written, or another program changed it
   * since.
   */
  isAsEdited(): boolean;
  /** Restores the file, or removes it if it did not exist. Writes nothing if it is unchanged. */
  restore(): void;
}

/** Reads the file at `path`. Throws `io` in cargo's words, as do the methods. */
export function saveFile(path: string): SavedFile {
  const original = readOrNull(path);
  /** The content that `edit` wrote last. */
  let editedContent: Buffer | null = null;
  const text = original?.toString('utf8') ?? '';
  return {
    text,
    edit: (newText) => {
      if (newText === text) return;
      editedContent = Buffer.from(newText);
      write(path, editedContent);
    },
    isAsEdited: () => editedContent !== null && (readOrNull(path)?.equals(editedContent) ?? false),
    restore: () => {
      const current = readOrNull(path);
      if (original === null) {
        if (current !== null) rmSync(path);
      } else if (current === null || !current.equals(original)) write(path, original);
    },
  };
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw new TsregError(`failed to read \`${path}\``, { cause: osError(error) });
  }
}

function write(path: string, content: Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new TsregError(`failed to write \`${path}\``, { cause: osError(error) });
  }
}
