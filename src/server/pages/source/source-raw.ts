/** Single files of archives, which browsers must never run or interpret. */
import type { HttpContext } from '../../http/http-env.ts';
import { decodeContent } from '../../source/file-content.ts';
import { nameOf } from './source-tree.ts';

/** Even if a browser opens the response as a page, it has no scripts, no origin and loads nothing. */
const RAW_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** A file to send. */
export interface RawFile {
  readonly path: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Whether the browser saves the file instead of showing it. */
  readonly isDownload: boolean;
}

/** Returns a file as the response: images with their type, everything else as text or as a download. */
export function rawResponse(c: HttpContext, { path, content, etag, isDownload }: RawFile): Response {
  const decoded = decodeContent(content);
  const shownType = decoded.kind === 'image' ? decoded.type : 'text/plain; charset=utf-8';
  return c.body(content, 200, {
    ...rawHeaders(etag),
    'Content-Type': isDownload ? 'application/octet-stream' : shownType,
    'Content-Disposition': isDownload ? `attachment; filename*=UTF-8''${encodeName(nameOf(path))}` : 'inline',
  });
}

/** Returns the headers of every response about a file. Only its reader may keep it, and asks again each time. */
export function rawHeaders(etag: string): Record<string, string> {
  return {
    'Content-Security-Policy': RAW_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'private, no-cache',
    ETag: etag,
    Vary: 'Cookie',
  };
}

/** Encodes a file name as RFC 8187 requires. */
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
