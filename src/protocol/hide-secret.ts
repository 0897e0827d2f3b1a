/** Text of a server without the token that it was sent. */
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';

/** The fewest characters of a token that is hidden: what is shorter occurs in ordinary text and protects nothing. */
const MIN_SECRET = 8;

/**
 * Returns `text` with REDACTED in place of `secret`, and of what follows the scheme in it (`Bearer …`). Where characters that
 * are not printed would hide one of them, the result is without these characters.
 */
export function hideSecret(text: string, secret: string | null): string {
  if (secret === null) return text;
  const parts = [secret, secret.slice(secret.lastIndexOf(' ') + 1)].filter(
    ({ length }) => length >= MIN_SECRET,
  );
  const hide = (shown: string): string =>
    parts.reduce((rest, part) => rest.replaceAll(part, 'REDACTED'), shown);
  const hidden = hide(text);
  const printed = sanitizeForTerminal(hidden);
  return parts.some((part) => printed.includes(part)) ? hide(printed) : hidden;
}
