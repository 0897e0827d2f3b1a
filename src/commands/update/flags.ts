/** `update`: updates packages in `Cargo.lock`. Cargo Book: cargo-update(1). */
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import { positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import { lockFlags } from '../shared/lock/lock-flags.ts';
import { IGNORE_RUST_VERSION, MANIFEST_PATH_FLAGS, SILENT_SUGGESTION } from '../shared/common-flags.ts';

const PACKAGE_SELECTION = { heading: 'Package Selection', group: 'package-group' } as const;

/** The flags of `tsreg update`, and its run. */
export const UPDATE: Command = {
  name: 'update',
  about: 'Update dependencies in `Cargo.lock`',
  cargoAbout: 'Update dependencies as recorded in the local lock file',
  network: 'optional',
  flags: [
    switchFlag('dry-run', 'Show the changes without writing `Cargo.lock`', {
      cargoHelp: "Don't actually write the lockfile",
      short: 'n',
    }),
    switchFlag('recursive', 'Also update the dependencies of SPEC', {
      cargoHelp: 'Force updating all dependencies of [SPEC]... as well',
      alias: 'aggressive',
      conflictsWith: 'precise',
    }),
    valueFlag('precise', 'PRECISE', {
      help: 'Update SPEC to exactly this version or commit',
      cargoHelp: 'Update [SPEC] to exactly PRECISE',
      requires: 'package-group',
    }),
    switchFlag('json', 'Print the changes, and what blocks newer versions, as JSON'),
    SILENT_SUGGESTION,
    switchFlag('workspace', 'Change only what your edits of the manifests require', {
      cargoHelp: 'Only update the workspace packages',
      short: 'w',
      heading: 'Package Selection',
    }),
    positionalFlag('spec', 'SPEC', {
      ...PACKAGE_SELECTION,
      help: 'Package to update [default: all]',
      cargoHelp: 'Package to update',
    }),
    valueFlag('package', 'SPEC', {
      ...PACKAGE_SELECTION,
      short: 'p',
      kind: 'list',
      valueIsOptional: true,
      help: 'Package to update',
      isHidden: true,
    }),
    ...MANIFEST_PATH_FLAGS,
    IGNORE_RUST_VERSION,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell, signal } = invocation;
  const { update } = await import('./run.ts');
  const isNamed = isGiven(values, 'package');
  const specs = valuesOf(values, isNamed ? 'package' : 'spec');
  const options = {
    ...lockFlags(invocation),
    ignoreRustVersion: isGiven(values, 'ignore-rust-version'),
    specs,
    listsPackages: isNamed && specs.length === 0,
    precise: valueOf(values, 'precise'),
    recursive: isGiven(values, 'recursive'),
    workspace: isGiven(values, 'workspace'),
    dryRun: isGiven(values, 'dry-run'),
  };
  const { describe } = await update(options, { report: shell, signal });
  if (isGiven(values, 'json')) shell.writeOut(documentLine(await describe()));
}
