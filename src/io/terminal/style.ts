/** Terminal styles, byte for byte as in cargo: each attribute has a separate escape sequence. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';

const BOLD = '\x1b[1m';
const RESET = '\x1b[0m';

/** The parts of a message that have a style. */
export type StyleName =
  | 'header'
  | 'error'
  | 'warning'
  | 'note'
  | 'help'
  | 'gutter'
  | 'emphasis'
  | 'literal'
  | 'placeholder'
  | 'dimmed'
  | 'italic'
  | 'added'
  | 'removed';

const OPENING: Readonly<Record<StyleName, string>> = {
  header: `${BOLD}\x1b[92m`,
  error: `${BOLD}\x1b[91m`,
  warning: process.platform === 'win32' ? `${BOLD}\x1b[93m` : `${BOLD}\x1b[33m`,
  note: `${BOLD}\x1b[92m`,
  help: `${BOLD}\x1b[96m`,
  gutter: process.platform === 'win32' ? `${BOLD}\x1b[96m` : `${BOLD}\x1b[94m`,
  emphasis: BOLD,
  literal: `${BOLD}\x1b[96m`,
  placeholder: '\x1b[36m',
  dimmed: '\x1b[2m',
  italic: '\x1b[3m',
  added: '\x1b[92m',
  removed: '\x1b[91m',
};

/** Returns `text` in a style. */
export function styled(style: StyleName, text: string): string {
  return `${OPENING[style]}${text}${RESET}`;
}

/** Returns `text` without escape sequences and other control characters. White space stays. */
export function stripStyles(text: string): string {
  return text.replace(CONTROLS, '');
}

/** Returns `text` as `sanitizeForTerminal` does, but keeps styles and links in the form that this program writes. */
export function sanitizeStyled(text: string): string {
  if (!text.includes('\u001b')) return sanitizeForTerminal(text);
  // `split` with a group returns the parts between matches and the matches in turn.
  return text
    .split(OWN_SEQUENCES)
    .map((part, i) => (i % 2 === 1 ? part : sanitizeForTerminal(part)))
    .join('');
}

/** Returns UTF-8 without U+007F, the one ASCII control character that `JSON.stringify` does not escape. */
export function stripDelete(bytes: Uint8Array): Uint8Array {
  return bytes.includes(DELETE) ? bytes.filter((byte) => byte !== DELETE) : bytes;
}

/** The styles above, those of `tree`, and links. */
const OWN_SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /(\u001b\[(?:[0-3]|22|3[3-69]|9[1-6])m|\u001b\]8;;[!-~]*\u001b\\)/;

const DELETE = 0x7f;

/** CSI sequences, OSC sequences (up to BEL or ST), short escape sequences, and single control characters. */
const CONTROLS = new RegExp(
  '\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|[ -/]*[0-~])' +
    '|[\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f]',
  'g',
);
