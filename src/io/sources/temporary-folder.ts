/** Temporary folders that become packages. Killed runs leave them behind. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** Returns a new name for a temporary folder. */
export function temporaryFolderName(): string {
  // Loaded here because it takes 3 ms, and most runs unpack nothing.
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return `.tsreg-${randomBytes(6).toString('hex')}`;
}

/** Removes `name` from `parent` if it is a temporary folder, and returns true then. Ignores failures. */
export function removeIfTemporary(parent: string, name: string): boolean {
  if (!/^\.tsreg-[0-9a-f]{12}$/.test(name)) return false;
  try {
    rmSync(join(parent, name), { recursive: true, force: true });
  } catch {
    // For example, another user owns it.
  }
  return true;
}
