/** Text of a server as it may be shown. */
import { sanitizeForTerminal } from '../errors/sanitize-for-terminal.ts';
import { hideSecret } from '../protocol/hide-secret.ts';

/** How much of one is shown. */
const MAX_CHARACTERS = 4096;

/** How text of a server is shown. */
export interface ShownText {
  /** True where all of it is shown, as cargo does; else no more than a few pages. */
  readonly isWhole: boolean;
  /** What must not be shown whoever sent it; null for nothing. */
  readonly secret: string | null;
}

/** The text as it is to be shown. Line breaks and tabs stay. */
export function showText(text: string, { isWhole, secret }: ShownText): string {
  const safe = sanitizeForTerminal(hideSecret(text, secret));
  if (isWhole || safe.length <= MAX_CHARACTERS) return safe;
  return `${safe.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}
