/** Makes changes to a folder durable. */
import { open } from 'node:fs/promises';

/** Resolves when the names in a folder will survive a power failure; at once on Windows. Rejects with Node's errors. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
