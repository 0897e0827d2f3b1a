/** Secrets that a user types, or a program sends. */
import type { Shell } from './shell.ts';

const MAX_CHARS = 65_536;

/**
 * The first line of stdin. On a terminal it is asked for by `prompt` and not shown while it is typed; interrupting
 * ends the process as usual.
 */
export async function readSecret(prompt: string, shell: Pick<Shell, 'writeError'>): Promise<string> {
  const { stdin } = process;
  if (!stdin.isTTY) return await readLine();
  shell.writeError(`${prompt}: `);
  stdin.setRawMode(true);
  try {
    return await readTyped();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    shell.writeError('\n');
  }
}

async function readLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_CHARS) break;
  }
  return text.split('\n', 1).join('').replace(/\r$/, '');
}

async function readTyped(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    for (const character of String(chunk)) {
      if (character === '\r' || character === '\n' || character === '\x04') return text;
      if (character === '\x03') {
        process.stdin.setRawMode(false);
        process.kill(process.pid, 'SIGINT');
        return '';
      }
      if (character === '\x7f' || character === '\b') text = [...text].slice(0, -1).join('');
      else if (character >= ' ' && text.length < MAX_CHARS) text += character;
    }
  }
  return text;
}
