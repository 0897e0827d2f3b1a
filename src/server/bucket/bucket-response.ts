/** S3's responses in XML: errors and lists. They need no XML parser, since only the entries are nested. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';

/** An error from the store, safe to print. */
export interface BucketFault {
  /** Such as `NoSuchKey`; empty if the store sent none. */
  readonly code: string;
  readonly message: string;
}

/** A page of a list. */
export interface BucketPage {
  readonly entries: readonly BucketEntry[];
  /** Continuation token of the next page; null for the last page. */
  readonly next: string | null;
}

/** An object in a list. */
export interface BucketEntry {
  readonly key: string;
  readonly size: number;
  readonly changedAtMs: number;
}

const MAX_MESSAGE_CHARS = 300;

/** Parses an `<Error>`. Returns empty texts for any other body. */
export function parseFault(body: string): BucketFault {
  const error = elementOf(body, 'Error') ?? '';
  const code = elementOf(error, 'Code') ?? '';
  return {
    code: /^\w{1,80}$/.test(code) ? code : '',
    message: printable(elementOf(error, 'Message') ?? ''),
  };
}

/** Parses a `<ListBucketResult>` whose keys are escaped (`encoding-type=url`). Returns null for anything else. */
export function parsePage(body: string): BucketPage | null {
  const list = elementOf(body, 'ListBucketResult');
  if (list === null) return null;
  const entries: BucketEntry[] = [];
  for (const [, text = ''] of list.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
    const key = unescapeUrl(elementOf(text, 'Key') ?? '');
    const size = Number(elementOf(text, 'Size') ?? Number.NaN);
    const changedAtMs = Date.parse(elementOf(text, 'LastModified') ?? '');
    if (key === null || !Number.isSafeInteger(size) || Number.isNaN(changedAtMs)) return null;
    entries.push({ key, size, changedAtMs });
  }
  const isTruncated = elementOf(list, 'IsTruncated') === 'true';
  const next = isTruncated ? elementOf(list, 'NextContinuationToken') : null;
  return isTruncated && next === null ? null : { entries, next };
}

/** Returns the content of the first element of this name, or null. */
function elementOf(xml: string, name: string): string | null {
  const content = new RegExp(`<${name}(?:\\s[^>]*)?>(.*?)</${name}>`, 's').exec(xml)?.[1];
  return content === undefined ? null : unescapeXml(content);
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Unescapes the references in a text: `&amp;`, `&#38;`, `&#x26;`. Leaves nested elements unchanged, because a later
 * `elementOf` unescapes their texts.
 */
function unescapeXml(text: string): string {
  if (text.includes('<')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(String(name)) ?? whole;
    const point = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return point <= 0x10_ffff ? String.fromCodePoint(point) : whole;
  });
}

/** Returns null for invalid escapes. */
function unescapeUrl(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function printable(text: string): string {
  const line = sanitizeForTerminal(text, 'join').trim();
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)}…` : line;
}
