/** Tells text, images and other files apart, by their content and never by their name. */

/** Formats that browsers show without running anything. SVG is not one of them. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The content of a file. */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly type: ImageType }
  | { readonly kind: 'binary' };

/** The first bytes of each format, as Latin-1. A dot is any byte. WHATWG: MIME Sniffing, section 6.1. */
const IMAGE_STARTS: readonly (readonly [type: ImageType, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBPVP/s],
];
const START_BYTES = 16;

/** Returns the content of a file. Text is UTF-8 without NUL; a byte order mark at its start is removed. */
export function decodeContent(bytes: Uint8Array): FileContent {
  const start = Buffer.from(bytes.subarray(0, START_BYTES)).toString('latin1');
  const image = IMAGE_STARTS.find(([, pattern]) => pattern.test(start));
  if (image !== undefined) return { kind: 'image', type: image[0] };
  if (bytes.includes(0)) return { kind: 'binary' };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'binary' };
  }
}
