/** Reads packages by `file:` URL: a registry's `.crate` files may be in a folder. Cargo Book: Registry Index, `dl`. */
import { readFile, stat } from 'node:fs/promises';
import { CurlError } from '../http/curl-error.ts';
import type { Transport } from '../http/transport.ts';
import { urlToPath } from '../../core/package-id/url.ts';

/** Returns true if the URL names a file. */
export function isFileUrl(url: string): boolean {
  return /^file:/i.test(url);
}

/**
 * Reads the file; `--offline` forbids this like a request. Rejects with a `CurlError` if the file does not exist or has
 * more than `maxBytes`.
 */
export async function readFileUrl(
  url: string,
  { transport, maxBytes }: { readonly transport: Transport; readonly maxBytes: number },
): Promise<Uint8Array> {
  transport.assertOnline();
  const path = urlToPath(url);
  if (path === null || namesServer(path)) throw new CurlError(3, 'URL rejected: Bad file:// URL');
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) throw unreadable(path);
  if (found.size > maxBytes) throw new CurlError(63, `Exceeded the maximum allowed file size (${maxBytes})`);
  return readFile(path).catch(() => {
    throw unreadable(path);
  });
}

/** Returns true for a Windows path that names a server. Windows would send it a hash of the user's password. */
export function namesServer(path: string, platform = process.platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path);
}

function unreadable(path: string): CurlError {
  return new CurlError(37, `Couldn't open file ${path}`);
}
