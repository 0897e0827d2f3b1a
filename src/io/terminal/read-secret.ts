/** Reads secrets that a user types, or that a program sends. */
import { TsregError } from '../../core/errors/error.ts';
import type { Shell } from './shell.ts';

/** More than any secret has. */
const MAX_CHARS = 65_536;
/** More than Node needs to run the handlers of a signal. */
const SIGNAL_MS = 100;
/** The characters of Ctrl-C, Ctrl-D and the key that deletes a character. */
const [CTRL_C, CTRL_D, DELETE] = ['\x03', '\x04', '\x7f'];

/** Reads stdin line by line. On a terminal, typed text is not shown, and Ctrl-C ends the process as usual. */
export class SecretInput {
  readonly #shell: Pick<Shell, 'writeError'>;
  #chunks: AsyncIterator<unknown> | null = null;
  /** Input after the last line. */
  #unread = '';

  constructor(shell: Pick<Shell, 'writeError'>) {
    this.#shell = shell;
  }

  /** True if a person types. */
  get isTerminal(): boolean {
    return process.stdin.isTTY;
  }

  /** Returns the next line without its end. Empty if there is none, or, as in cargo, if piped input is not UTF-8. */
  async readLine(): Promise<string> {
    if (!this.isTerminal) {
      const line = await this.#readUntil(/\r?\n/);
      return line.includes('\uFFFD') ? '' : line;
    }
    process.stdin.setRawMode(true);
    try {
      return await this.#readTyped();
    } finally {
      process.stdin.setRawMode(false);
      process.stdin.pause();
      this.#shell.writeError('\n');
    }
  }

  /** Stops reading: a process that waits for more input would not end. */
  close(): void {
    if (this.#chunks !== null) process.stdin.destroy();
  }

  /** Returns the text before `end`, and stores the text after it for the next call. */
  async #readUntil(end: RegExp): Promise<string> {
    let text = this.#unread;
    while (!end.test(text) && text.length < MAX_CHARS) {
      const chunk = await this.#nextChunk();
      if (chunk === null) break;
      text += chunk;
    }
    const [line = '', ...laterLines] = text.split(end);
    this.#unread = laterLines.join('\n');
    return line;
  }

  /** Reads a line in raw mode, in which the terminal itself handles no key. */
  async #readTyped(): Promise<string> {
    let text = '';
    for (;;) {
      const chunk = this.#unread === '' ? await this.#nextChunk() : this.#unread;
      this.#unread = '';
      if (chunk === null) return text;
      const characters = [...chunk];
      for (const [i, character] of characters.entries()) {
        if (character === '\r' || character === '\n' || character === CTRL_D) {
          this.#unread = characters.slice(i + 1).join('');
          return text;
        }
        if (character === CTRL_C) {
          process.stdin.setRawMode(false);
          process.kill(process.pid, 'SIGINT');
          // Signal handlers run in a later turn of the event loop.
          await new Promise((resolve) => setTimeout(resolve, SIGNAL_MS));
          throw new TsregError('interrupted', { code: 'aborted' });
        }
        if (character === DELETE || character === '\b') text = [...text].slice(0, -1).join('');
        else if (character >= ' ' && text.length < MAX_CHARS) text += character;
      }
    }
  }

  /** Returns the next part of the input; null at its end. */
  async #nextChunk(): Promise<string | null> {
    this.#chunks ??= process.stdin.setEncoding('utf8')[Symbol.asyncIterator]();
    const next = await this.#chunks.next();
    return next.done === true ? null : String(next.value);
  }
}

/** Returns the first line of stdin. On a terminal, prints `prompt` first. */
export async function readSecret(prompt: string, shell: Pick<Shell, 'writeError'>): Promise<string> {
  const input = new SecretInput(shell);
  if (input.isTerminal) shell.writeError(`${prompt}: `);
  try {
    return await input.readLine();
  } finally {
    input.close();
  }
}
