/** Questions to whoever sits at the terminal. */
import type { Shell } from './shell.ts';

const MAX_CHARS = 1024;

/**
 * Asks a question that is answered by yes or no; anything but `y` and `yes` is no. Null where stdin or stderr is no
 * terminal.
 */
export function askOnTerminal(
  shell: Pick<Shell, 'writeError' | 'errorWidth'>,
): ((question: string) => Promise<boolean>) | null {
  if (!process.stdin.isTTY || shell.errorWidth === null) return null;
  return async (question) => {
    shell.writeError(`${question} [y/N] `);
    const answer = await readLine();
    return /^y(?:es)?$/i.test(answer.trim());
  };
}

async function readLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_CHARS) break;
  }
  process.stdin.pause();
  return text.split('\n', 1).join('');
}
