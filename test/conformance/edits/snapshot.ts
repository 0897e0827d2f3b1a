import {
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** The entry at one path: a file with its text, a link with its target, or a folder. */
interface SavedEntry {
  readonly kind: 'file' | 'link' | 'folder';
  readonly content: Buffer;
  readonly modified: Date;
}

/** All entries below a folder, by relative path; parents come before their entries. */
export type Snapshot = ReadonlyMap<string, SavedEntry>;

/** Returns the entries below `base`, without those of `base` that `skip` names. */
export function takeSnapshot(base: string, skip: ReadonlySet<string>): Snapshot {
  const entries = new Map<string, SavedEntry>();
  const visit = (relative: string): void => {
    for (const name of readdirSync(path.join(base, relative)).sort()) {
      if (relative === '' && skip.has(name)) continue;
      const at = path.join(relative, name);
      const file = path.join(base, at);
      const stats = lstatSync(file);
      const modified = stats.mtime;
      if (stats.isDirectory()) {
        entries.set(at, { kind: 'folder', content: Buffer.alloc(0), modified });
        visit(at);
      } else if (stats.isSymbolicLink()) {
        entries.set(at, { kind: 'link', content: Buffer.from(readlinkSync(file)), modified });
      } else entries.set(at, { kind: 'file', content: readFileSync(file), modified });
    }
  };
  visit('');
  return entries;
}

/** Restores the entries below `base`, with their modification times. */
export function restoreSnapshot(base: string, saved: Snapshot, skip: ReadonlySet<string>): void {
  const now = takeSnapshot(base, skip);
  for (const [at, entry] of now) {
    const before = saved.get(at);
    if (before === undefined || before.kind !== entry.kind)
      rmSync(path.join(base, at), { recursive: true, force: true });
  }
  for (const [at, { kind, content }] of saved) {
    const file = path.join(base, at);
    const entry = lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : now.get(at);
    if (entry?.kind === kind && entry.content.equals(content)) continue;
    if (kind === 'folder') mkdirSync(file, { recursive: true });
    else if (kind === 'file') writeFileSync(file, content);
    else {
      rmSync(file, { recursive: true, force: true });
      symlinkSync(content.toString(), file);
    }
  }
  for (const [at, { modified }] of [...saved].reverse()) {
    const file = path.join(base, at);
    if (Math.abs(lstatSync(file).mtimeMs - modified.getTime()) > 1) lutimesSync(file, modified, modified);
  }
}
