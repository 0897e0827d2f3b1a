/** `pkgid`: prints the full specification of one package. Cargo Book: cargo pkgid. */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { positionalFlag, valueFlag } from '../shared/flag.ts';
import { MANIFEST_PATH_FLAGS, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The flags of `tsreg pkgid`, and its run. */
export const PKGID: Command = {
  name: 'pkgid',
  about: 'Print the full ID of a package',
  cargoAbout: 'Print a fully qualified package specification',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  isCacheable: true,
  flags: [
    positionalFlag('spec', 'SPEC', {
      kind: 'value',
      help: 'Package whose ID to print [default: the current package]',
      cargoHelp: 'The package to name, the current one unless given',
      isAlwaysOptional: true,
    }),
    SILENT_SUGGESTION,
    valueFlag('package', 'SPEC', {
      short: 'p',
      valueIsOptional: true,
      help: 'Same as SPEC',
      cargoHelp: 'Argument to get the package ID specifier for',
      heading: 'Package Selection',
    }),
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run({ values, config, shell }: Invocation): Promise<void> {
  const { pkgid } = await import('./run.ts');
  const packageSpec = valueOf(values, 'package');
  const options = {
    config,
    manifestPath: valueOf(values, 'manifest-path'),
    spec: valueOf(values, 'spec') ?? packageSpec,
    listsPackages: isGiven(values, 'package') && packageSpec === null,
  };
  shell.writeText(`${pkgid(options, { report: shell })}\n`);
}
