/** `fetch`: downloads the packages in the lock file. Cargo Book: cargo-fetch(1). */
import { type Command, isGiven, type Invocation, valuesOf } from '../shared/command.ts';
import { documentLine } from '../shared/document-line.ts';
import { switchFlag, valueFlag } from '../shared/flag.ts';
import { lockFlags } from '../shared/lock/lock-flags.ts';
import { MANIFEST_PATH_FLAGS, SHORT_TARGET_SUGGESTION, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg fetch`, and its run. */
export const FETCH: Command = {
  name: 'fetch',
  about: 'Download all dependencies',
  cargoAbout: 'Fetch dependencies of a package from the network',
  flags: [
    SILENT_SUGGESTION,
    valueFlag('target', 'TRIPLE', {
      kind: 'list',
      valueIsOptional: true,
      help: 'Download only the dependencies for this target',
      cargoHelp: 'Fetch dependencies for the target triple',
      heading: 'Compilation Options',
    }),
    SHORT_TARGET_SUGGESTION,
    switchFlag('json', 'Print the packages and their folders as JSON', { isAbsentInCargo: true }),
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell, signal } = invocation;
  const { fetchPackages } = await import('./run.ts');
  const targets = isGiven(values, 'target') ? valuesOf(values, 'target') : null;
  const packages = await fetchPackages({ ...lockFlags(invocation), targets }, { report: shell, signal });
  if (isGiven(values, 'json')) shell.writeOut(documentLine({ version: 1, packages }));
}
