/** `generate-lockfile`: writes a new `Cargo.lock`. Cargo Book: cargo-generate-lockfile(1). */
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import { valueFlag } from '../shared/flag.ts';
import { lockFlags } from '../shared/lock/lock-flags.ts';
import { IGNORE_RUST_VERSION, MANIFEST_PATH_FLAGS, SILENT_SUGGESTION } from '../shared/common-flags.ts';
import { unstableFlagError } from '../shared/unstable-flags.ts';

/** The flags of `tsreg generate-lockfile`, and its run. */
export const GENERATE_LOCKFILE: Command = {
  name: 'generate-lockfile',
  about: 'Create a new `Cargo.lock` with the latest versions',
  cargoAbout: 'Generate the lockfile for a package',
  network: 'optional',
  flags: [
    SILENT_SUGGESTION,
    ...MANIFEST_PATH_FLAGS,
    IGNORE_RUST_VERSION,
    valueFlag('publish-time', 'yyyy-mm-ddThh:mm:ssZ', {
      help: 'Latest publish time allowed for registry packages (unstable)',
      isUnsupported: true,
      heading: 'Manifest Options',
    }),
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, config, shell, signal } = invocation;
  const { generateLockfile } = await import('./run.ts');
  const isUnstable = isGiven(values, 'publish-time');
  const options = {
    ...lockFlags(invocation),
    ignoreRustVersion: isGiven(values, 'ignore-rust-version'),
    flagError: isUnstable ? unstableFlagError('--publish-time', 5221, config) : null,
  };
  await generateLockfile(options, { report: shell, signal });
}
