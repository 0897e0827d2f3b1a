/** Text of a server as it may be shown. */
import { hideSecret } from '../protocol/hide-secret.ts';

/** How much of one is shown. */
const MAX_CHARACTERS = 4096;

/** How text of a server is shown. */
export interface ShownText {
  /** True where it is shown as it came, as cargo does; else without control characters, and no more than a few pages. */
  readonly isRaw: boolean;
  /** What must not be shown whoever sent it; null for nothing. */
  readonly secret: string | null;
}

/** The text as it is to be shown. Line breaks and tabs stay. */
export function showText(text: string, { isRaw, secret }: ShownText): string {
  const safe = hideSecret(text, secret);
  if (isRaw) return safe;
  const short =
    safe.length > MAX_CHARACTERS ? `${safe.slice(0, MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…` : safe;
  // Without what a server could steer the terminal by, and without what turns the direction of text.
  return short.replaceAll(STEERING, '');
}

const STEERING =
  // oxlint-disable-next-line no-control-regex
  /\u001b\[[0-?]*[ -/]*[@-~]|[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
