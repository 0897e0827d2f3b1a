/** `vendor`: copies the dependencies of a workspace into a folder. Cargo Book: cargo-vendor(1). */
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import { type Flag, positionalFlag, rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import { lockFlags } from '../shared/lock/lock-flags.ts';
import { MANIFEST_PATH_FLAGS } from '../shared/common-flags.ts';

/** The flags of `tsreg vendor`, and its run. */
export const VENDOR: Command = {
  name: 'vendor',
  about: 'Copy all dependencies into a folder',
  cargoAbout: 'Vendor all dependencies for a project locally',
  network: 'optional',
  flags: [
    positionalFlag('destination', 'path', {
      kind: 'value',
      refusesEmpty: true,
      help: 'Folder to copy the crates into [default: vendor]',
      cargoHelp: 'Where to vendor crates (`vendor` by default)',
    }),
    switchFlag('no-delete', 'Keep crates in the folder that are no longer needed', {
      cargoHelp: "Don't delete older crates in the vendor directory",
    }),
    valueFlag('sync', 'TOML', {
      short: 's',
      kind: 'list',
      refusesEmpty: true,
      help: 'Also copy the dependencies of this `Cargo.toml`',
      cargoHelp: 'Additional `Cargo.toml` to sync and vendor',
    }),
    switchFlag('respect-source-config', 'Use the `[source]` tables of the configuration', {
      cargoHelp: 'Respect `[source]` config in `.cargo/config`',
    }),
    switchFlag('versioned-dirs', 'Put the version into every folder name', {
      cargoHelp: 'Always include version in subdir name',
    }),
    switchFlag('json', 'Print the configuration and the packages as JSON', { isAbsentInCargo: true }),
    ...['no-merge-sources', 'relative-path', 'only-git-deps', 'disallow-duplicates'].map(unsupportedFlag),
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

/** Returns a flag of the separate `cargo-vendor` program, which cargo rejects with these tips. */
function unsupportedFlag(name: string): Flag {
  const tips = [
    'the crates.io `cargo vendor` command has been merged into Cargo',
    `and the flag \`--${name}\` isn't supported currently`,
    'to continue using the flag, execute `cargo-vendor vendor ...`',
    'to suggest this flag supported in Cargo, file an issue at <https://github.com/rust-lang/cargo/issues/new>',
  ];
  return rejectedFlag(name, { tips }, { isOnlyInCargo: true });
}

async function run(invocation: Invocation): Promise<void> {
  const { values, shell, signal } = invocation;
  const { vendor } = await import('./run.ts');
  const { config, packages } = await vendor(
    {
      ...lockFlags(invocation),
      path: valueOf(values, 'destination') ?? 'vendor',
      sync: valuesOf(values, 'sync'),
      noDelete: isGiven(values, 'no-delete'),
      versionedDirs: isGiven(values, 'versioned-dirs'),
      respectSourceConfig: isGiven(values, 'respect-source-config'),
    },
    { report: shell, signal },
  );
  if (isGiven(values, 'json')) {
    shell.writeOut(documentLine({ version: 1, config, packages }));
    return;
  }
  if (shell.verbosity === 'quiet') return;
  if (config === null) {
    shell.writeError('There is no dependency to vendor in this project.\n');
    return;
  }
  shell.writeError('To use vendored sources, add this to your .cargo/config.toml for this project:\n\n');
  shell.writeOut(config);
}
