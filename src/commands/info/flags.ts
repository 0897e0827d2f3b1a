/** `info`: shows details of a package. Cargo Book: cargo-info(1). */
import { type Command, type Invocation, isGiven, requiredValueOf, valueOf } from '../shared/command.ts';
import { positionalFlag, switchFlag } from '../shared/flag.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg info`, and its run. */
export const INFO: Command = {
  name: 'info',
  about: 'Show details of a package',
  cargoAbout: 'Display information about a package',
  network: 'optional',
  flags: [
    ...registryFlags({
      index: 'Registry index URL to search packages in',
      registry: 'Registry to search packages in',
    }),
    switchFlag('json', 'Print the details as JSON'),
    SILENT_SUGGESTION,
    positionalFlag('package', 'SPEC', {
      kind: 'value',
      isRequired: true,
      help: 'Package to show, such as `log` or `log@0.4`',
      cargoHelp: 'Package to inspect',
      heading: 'Package Selection',
    }),
  ],
  annotatesErrors: true,
  run,
};

async function run({
  values,
  identity,
  config,
  offline,
  shell,
  signal,
  toolchain,
}: Invocation): Promise<void> {
  const { packageInfo } = await import('./run.ts');
  const options = {
    config,
    spec: requiredValueOf(values, 'package'),
    registry: { registry: valueOf(values, 'registry'), index: valueOf(values, 'index') },
    locked: isGiven(values, 'locked'),
    frozen: isGiven(values, 'frozen'),
    offline,
    toolchain,
    verbosity: shell.verbosity,
  };
  const info = await packageInfo(options, { report: shell, signal });
  if (isGiven(values, 'json')) {
    const { infoLine } = await import('./print.ts');
    shell.writeOut(infoLine(info.describe(identity.idForm)));
  } else {
    const { infoText } = await import('./print.ts');
    const isVerbose = shell.verbosity === 'verbose';
    shell.writeText(infoText(info, { isVerbose, hasLinks: shell.linksOutput }));
  }
  if (info.relation === 'dependency') {
    const command = `${identity.program} tree --invert ${info.name}@${info.version}`;
    shell.noteCommand(`to see how you depend on ${info.name}`, command);
  }
}
