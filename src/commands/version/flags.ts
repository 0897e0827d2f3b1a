/** `version`: prints the version of the program. Cargo Book: cargo version. */
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { SILENT_SUGGESTION } from '../shared/common-flags.ts';
import { documentLine } from '../shared/document-line.ts';
import { switchFlag } from '../shared/flag.ts';
import { versionDocument, versionText } from './print.ts';

/** The flags of `tsreg version`, and its run. */
export const VERSION: Command = {
  name: 'version',
  about: 'Print the version of tsreg',
  cargoAbout: 'Show version information',
  supportedGlobalFlags: ['verbose'],
  flags: [
    switchFlag('json', 'Print the version and the system as JSON', { isAbsentInCargo: true }),
    SILENT_SUGGESTION,
  ],
  run,
};

async function run({ values, identity, shell }: Invocation): Promise<void> {
  if (isGiven(values, 'json')) {
    shell.writeOut(documentLine(await versionDocument()));
    return;
  }
  shell.writeOut(await versionText(identity, { isVerbose: isGiven(values, 'verbose') }));
}
