/** The dialog of `login` and `logout` with the user, or with a program that writes to stdin. */
import type { LoginDialog } from '../../io/credentials/credential-request.ts';
import { SecretInput } from '../../io/terminal/read-secret.ts';
import type { Shell } from '../../io/terminal/shell.ts';

/** Where `login` reads a token that is not on the command line. */
export interface LoginInput extends LoginDialog {
  /** True if a person types. Otherwise a program may already have sent a token. */
  readonly isTerminal: boolean;
}

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
