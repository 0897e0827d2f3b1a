/** A file that another program may change for a while. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { TsregError } from '../errors/error.ts';
import { errnoOf, osError } from './errno.ts';

/** What a file was, to be put back. */
export interface KeptFile {
  /** Writes what `change` makes of the text that the file was; empty for one that was not there. */
  edit(change: (text: string) => string): void;
  /** True while it is what `edit` wrote; false where nothing was written, and where another program has changed it since. */
  isAsEdited(): boolean;
  /** Makes it what it was; one that was not there is removed. Untouched if nothing changed. */
  restore(): void;
}

/** Remembers the file at `path`. Throws, as do the methods, in cargo's words. */
export function keepFile(path: string): KeptFile {
  const before = readOrNull(path);
  let edited: Buffer | null = null;
  return {
    edit: (change) => {
      const text = before?.toString('utf8') ?? '';
      const changed = change(text);
      if (changed === text) return;
      edited = Buffer.from(changed);
      write(path, edited);
    },
    isAsEdited: () => edited !== null && (readOrNull(path)?.equals(edited) ?? false),
    restore: () => {
      const after = readOrNull(path);
      if (before === null) {
        if (after !== null) rmSync(path);
      } else if (after === null || !after.equals(before)) write(path, before);
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
