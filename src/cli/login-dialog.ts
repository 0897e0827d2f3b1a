/** How logging in talks to who sits at the keyboard, or to what is connected to stdin. */
import type { LoginInput } from '../ops/login.ts';
import { SecretInput } from './read-secret.ts';
import type { Shell } from './shell.ts';

/** Reads from stdin, and says on stderr what must be said even with `--quiet`. To be closed. */
export function openLoginDialog(shell: Shell): LoginInput & { close(): void } {
  const input = new SecretInput(shell);
  return {
    isTerminal: input.isTerminal,
    say: (line) => shell.writeError(`${line}\n`),
    readSecretLine: async () => (await input.readLine()).trim(),
    close: () => input.close(),
  };
}
