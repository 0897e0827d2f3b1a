/** Text of a server, made safe to print. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { hideSecret } from '../../core/protocol/hide-secret.ts';

/** Maximum length of printed text, in UTF-16 code units. */
const MAX_CHARACTERS = 4096;

/** Options for printing text of a server. */
export interface SanitizedText {
  /** True to print all of it, as cargo does; else at most a few pages. */
  readonly isWhole: boolean;
  /** Text that must never be printed; null for none. */
  readonly secret: string | null;
}

/** Returns text that is safe to print. Keeps line breaks and tabs. */
export function showText(text: string, { isWhole, secret }: SanitizedText): string {
  const safe = sanitizeForTerminal(hideSecret(text, secret));
  if (isWhole || safe.length <= MAX_CHARACTERS) return safe;
  // The cut may leave the first half of a surrogate pair.
  return `${safe.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}
