/** The dialog of `login` and `logout` with the user, or with a program that writes to stdin. */
import type { LoginInput } from '../ops/login.ts';
import { SecretInput } from '../io/terminal/read-secret.ts';
import type { Shell } from '../io/terminal/shell.ts';

/** Opens a dialog that reads from stdin and writes to stderr, even with `--quiet`. The caller must close it. */
export function openLoginDialog(shell: Shell): LoginInput & { close(): void } {
  const input = new SecretInput(shell);
  return {
    isTerminal: input.isTerminal,
    say: (line) => shell.writeError(`${line}\n`),
    readSecretLine: async () => (await input.readLine()).trim(),
    close: () => input.close(),
  };
}
