/** `login`: stores a token for a registry. Cargo Book: cargo-login(1). */
import { type Command, isGiven, type Invocation, valuesOf } from '../shared/command.ts';
import { positionalFlag, switchFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { registryCommandOptions } from '../shared/registry/command-options.ts';
import { registryFlag, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg login`, and its run. */
export const LOGIN: Command = {
  name: 'login',
  about: 'Log in to a registry',
  cargoAbout: 'Log in to a registry.',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  flags: [
    positionalFlag('token', 'TOKEN', { kind: 'value', help: '', isHidden: true }),
    registryFlag('Registry to use'),
    positionalFlag('args', 'args', {
      isTrailing: true,
      help: 'Arguments for the credential provider',
      cargoHelp: 'Additional arguments for the credential provider',
    }),
    switchFlag('check', 'Check the token with the registry before storing it'),
    switchFlag('json', 'Print the result as JSON'),
    SILENT_SUGGESTION,
  ],
  annotatesErrors: true,
  network: 'required',
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { login } = await import('./run.ts');
  const { openLoginDialog } = await import('../shared/login-dialog.ts');
  const shared = registryCommandOptions(invocation);
  if (shared.token !== null) {
    // Report an invalid configuration before the warning.
    if (shared.registry.registry === null) invocation.config.string('registry.default');
    shell.warning(
      `\`${invocation.identity.program} login <token>\` is deprecated in favor of reading \`<token>\` from stdin`,
    );
  }
  const input = openLoginDialog(shell);
  const options = { ...shared, args: valuesOf(values, 'args'), check: isGiven(values, 'check'), input };
  try {
    const { failure } = await interruptible(async (signal) => {
      const result = await login(options, { report: shell, signal });
      if (isGiven(values, 'json')) shell.writeOut(documentLine(result.document));
      return result;
    });
    if (failure !== null) throw failure;
  } finally {
    input.close();
  }
}
