/** Questions to the user at the terminal. */
import type { Shell } from './shell.ts';

/** The most characters of a response. */
const MAX_CHARS = 1024;

/**
 * Returns a function that asks a yes-or-no question; any response except `y` and `yes` means no. It works only once,
 * because reading closes stdin. Returns null if stdin or stderr is not a terminal.
 */
export function askOnTerminal(
  shell: Pick<Shell, 'writeError'>,
): ((question: string, signal: AbortSignal) => Promise<boolean>) | null {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return async (question, signal) => {
    shell.writeError(`${question} [y/N] `);
    const stop = (): void => void stdin.destroy();
    signal.addEventListener('abort', stop);
    try {
      const line = await readLine();
      return /^y(?:es)?$/i.test(line.trim());
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

/** Returns the next line of stdin, without its end. Stops at `MAX_CHARS`. */
async function readLine(): Promise<string> {
  const { stdin } = process;
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_CHARS) break;
  }
  stdin.pause();
  return text.split('\n', 1).join('');
}
