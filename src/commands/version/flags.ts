/** `version`: prints the version of the program. Cargo Book: cargo version. */
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { SILENT_SUGGESTION } from '../shared/common-flags.ts';
import { versionText } from './print.ts';

/** The flags of `tsreg version`, and its run. */
export const VERSION: Command = {
  name: 'version',
  about: 'Print the version of tsreg',
  cargoAbout: 'Show version information',
  supportedGlobalFlags: ['verbose'],
  flags: [SILENT_SUGGESTION],
  run,
};

async function run({ values, identity, shell }: Invocation): Promise<void> {
  shell.writeOut(await versionText(identity, { isVerbose: isGiven(values, 'verbose') }));
}
