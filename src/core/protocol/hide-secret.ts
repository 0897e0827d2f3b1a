/** Removal of tokens from the text of a server. */
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';

/** Minimum length of a hidden token: shorter ones occur in ordinary text and protect nothing. */
const MIN_SECRET = 8;

/**
 * Returns `text` with REDACTED in place of `secret`, and of its part after the scheme (`Bearer …`). If unprintable
 * characters would hide an occurrence, the result is without these characters.
 */
export function hideSecret(text: string, secret: string | null): string {
  if (secret === null) return text;
  // The server receives it without white space at its ends.
  const sent = secret.trim();
  const parts = [sent, sent.replace(/^.*\s/, '')].filter(({ length }) => length >= MIN_SECRET);
  const hide = (shown: string): string =>
    parts.reduce((hidden, part) => hidden.replaceAll(part, 'REDACTED'), shown);
  const hidden = hide(text);
  const printed = sanitizeForTerminal(hidden);
  return parts.some((part) => printed.includes(part)) ? hide(printed) : hidden;
}
