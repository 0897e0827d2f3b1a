/** `logout`: removes the token of a registry. Cargo Book: cargo-logout(1). */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { documentLine } from '../shared/document-line.ts';
import { switchFlag } from '../shared/flag.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { registryFlag, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg logout`, and its run. */
export const LOGOUT: Command = {
  name: 'logout',
  about: 'Remove the stored token of a registry',
  cargoAbout: 'Remove an API token from the registry locally',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  flags: [registryFlag('Registry to use'), switchFlag('json', 'Print the result as JSON'), SILENT_SUGGESTION],
  annotatesErrors: true,
  run,
};

async function run({ values, config, shell }: Invocation): Promise<void> {
  const { logout } = await import('./run.ts');
  const { openLoginDialog } = await import('../shared/login-dialog.ts');
  const dialog = openLoginDialog(shell);
  const options = { config, registry: { registry: valueOf(values, 'registry'), index: null }, dialog };
  try {
    const document = await interruptible((signal) => logout(options, { report: shell, signal }));
    if (isGiven(values, 'json')) shell.writeOut(documentLine(document));
  } finally {
    dialog.close();
  }
}
