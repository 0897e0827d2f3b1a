/** Text of a server without the token that it was sent. */

/** The fewest characters of a token that is hidden: what is shorter occurs in ordinary text and protects nothing. */
const MIN_SECRET = 8;

/** Returns `text` with REDACTED in place of `secret`, and of what follows the scheme in it (`Bearer …`). */
export function hideSecret(text: string, secret: string | null): string {
  if (secret === null) return text;
  const parts = [secret, secret.slice(secret.lastIndexOf(' ') + 1)].filter(
    ({ length }) => length >= MIN_SECRET,
  );
  return parts.reduce((shown, part) => shown.replaceAll(part, 'REDACTED'), text);
}
