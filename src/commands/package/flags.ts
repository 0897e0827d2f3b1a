/** `package`: creates the archive that a registry accepts. Cargo Book: cargo-package(1). */
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { documentLine } from '../shared/document-line.ts';
import { rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import type { ListedPackage } from './print.ts';
import { packagesOptions } from '../shared/packaging/command-options.ts';
import {
  BUILD_FLAGS,
  FEATURE_FLAGS,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  registryFlags,
  SILENT_SUGGESTION,
} from '../shared/common-flags.ts';
import { unstableFlagError } from '../shared/unstable-flags.ts';

/** The flags of `tsreg package`, and its run. */
export const PACKAGE: Command = {
  name: 'package',
  about: 'Create the `.crate` file of a package',
  cargoAbout: 'Assemble the local package into a distributable tarball',
  network: 'optional',
  flags: [
    ...registryFlags({
      index: 'Registry index URL to prepare the package for',
      registry: 'Registry to prepare the package for',
    }),
    switchFlag('list', 'List the files without creating the `.crate` file', {
      cargoHelp: 'Print files included in a package without making one',
      short: 'l',
    }),
    switchFlag('no-verify', 'Do not check the package by building it', {
      cargoHelp: "Don't verify the contents by building them",
    }),
    switchFlag('no-metadata', 'Do not warn about a missing description, license or link', {
      cargoHelp: 'Ignore warnings about a lack of human-usable metadata',
    }),
    switchFlag('allow-dirty', 'Package files with uncommitted changes', {
      cargoHelp: 'Allow dirty working directories to be packaged',
    }),
    switchFlag('exclude-lockfile', 'Leave out `Cargo.lock`', {
      cargoHelp: "Don't include the lock file when packaging",
    }),
    valueFlag('message-format', 'FMT', {
      help: 'Output format of --list',
      cargoHelp: 'Output representation',
      values: ['human', 'json'],
      requires: 'list',
    }),
    switchFlag('json', 'Print the archives as JSON, or the files with --list', {
      conflictsWith: 'message-format',
      isAbsentInCargo: true,
    }),
    SILENT_SUGGESTION,
    rejectedFlag('dry-run', { flag: '--list' }, { isAbsentInCargo: true }),
    rejectedFlag('output', { flag: '--target-dir' }, { isAbsentInCargo: true }),
    rejectedFlag(
      'unsupported-short-output',
      { flag: '--target-dir' },
      { long: null, short: 'o', isAbsentInCargo: true },
    ),
    ...packageFlags(
      {
        package: 'Package to pack; may be repeated',
        workspace: 'Pack all workspace members',
        exclude: 'Workspace member to leave out; may be repeated',
      },
      {
        package: 'Package(s) to assemble',
        workspace: 'Assemble all packages in the workspace',
        exclude: "Don't assemble specified packages",
      },
    ),
    ...FEATURE_FLAGS,
    ...BUILD_FLAGS,
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, identity, config, shell } = invocation;
  const { listPackages, packageCrates } = await import('./run.ts');
  const options = {
    ...packagesOptions(invocation),
    noMetadata: isGiven(values, 'no-metadata'),
    excludeLockfile: isGiven(values, 'exclude-lockfile'),
  };
  const isJson = isGiven(values, 'json');
  if (!isGiven(values, 'list')) {
    const packages = await interruptible((signal) => packageCrates(options, { report: shell, signal }));
    if (isJson) shell.writeOut(documentLine({ version: 1, packages }));
    return;
  }
  const { fileList, jsonFileList, listedPackage } = await import('./print.ts');
  const format = valueOf(values, 'message-format');
  // The format is unstable in cargo.
  const isRefused =
    identity.program === 'cargo' && format !== null && !config.unstable.has('unstable-options');
  const flagError = isRefused ? unstableFlagError('--message-format', 15353, config) : null;
  const print = format === 'json' ? jsonFileList : fileList;
  const packages: ListedPackage[] = [];
  const context = { report: shell, signal: invocation.signal };
  for await (const listing of listPackages({ ...options, flagError }, context)) {
    if (isJson) packages.push(listedPackage(listing));
    else shell.writeOut(print(listing));
  }
  if (isJson) shell.writeOut(documentLine({ version: 1, packages }));
}
