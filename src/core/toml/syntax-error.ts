/** TOML syntax errors, and how they are printed. */

/** Receives the message and the UTF-16 offsets of an error after which parsing continues. */
export type ErrorReceiver = (message: string, start: number, end: number) => void;

/** A place in a TOML text and cargo's message about the error there. */
export class TomlSyntaxError extends Error {
  override readonly name = 'TomlSyntaxError';
  /**
   * UTF-16 offsets into the text; `end` is exclusive and may equal `start`. Both are -1 for an error without a place.
   */
  readonly start: number;
  readonly end: number;

  constructor(message: string, start: number, end: number) {
    super(message);
    this.start = start;
    this.end = end;
  }
}

/**
 * Returns true if the line of an error may be printed. Text with a NUL is not TOML and may be secret: a link in a
 * repository can lead to `/proc/self/environ`, whose only line has every secret of a CI job.
 */
export function mayShowLine(text: string, { start }: { readonly start: number }): boolean {
  return start >= 0 && !text.includes('\0');
}

/**
 * Returns an error as cargo prints it for files that it shows without annotated source (lock file, config). The text
 * ends with a line break.
 *
 *     TOML parse error at line 3, column 9
 *       |
 *     3 | <<<<<<< HEAD
 *       |         ^
 *     key with no value, expected `=`
 */
export function renderTomlError(
  text: string,
  error: { readonly message: string; readonly start: number; readonly end: number },
): string {
  if (!mayShowLine(text, error)) return `${error.message}\n`;
  // An error at the end of the text is shown in the line of the last character.
  const position = Math.min(error.start, Math.max(text.length - 1, 0));
  const lineStart = position === 0 ? 0 : text.lastIndexOf('\n', position - 1) + 1;
  let lineNumber = 1;
  for (let i = text.indexOf('\n'); i !== -1 && i < lineStart; i = text.indexOf('\n', i + 1)) lineNumber += 1;
  const newline = text.indexOf('\n', lineStart);
  const line = text.slice(lineStart, newline === -1 ? text.length : newline);
  const column = columnOf(text, lineStart, error.start);
  const width = Math.min(
    Buffer.byteLength(text.slice(error.start, error.end)),
    Math.max(Buffer.byteLength(line) - column, 0),
  );
  const number = String(lineNumber);
  const gutter = ' '.repeat(number.length + 1);
  return (
    `TOML parse error at line ${number}, column ${column + 1}\n` +
    `${gutter}|\n${number} | ${line}\n` +
    `${gutter}|${' '.repeat(column + 1)}${'^'.repeat(Math.max(width, 1))}\n` +
    `${error.message}\n`
  );
}

/**
 * Returns the number of characters before an offset in its line. If the character there is not ASCII, cargo counts
 * bytes.
 */
function columnOf(text: string, lineStart: number, offset: number): number {
  const before = text.slice(lineStart, offset);
  return text.charCodeAt(offset) >= 0x80 ? Buffer.byteLength(before) : [...before].length;
}
