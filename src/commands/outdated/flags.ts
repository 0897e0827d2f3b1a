/** `outdated`: shows dependencies that have newer versions. */
import { type Command, isGiven, type Invocation } from '../shared/command.ts';
import {
  IGNORE_RUST_VERSION,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  SILENT_SUGGESTION,
} from '../shared/common-flags.ts';
import { switchFlag } from '../shared/flag.ts';
import { lockFlags } from '../shared/lock/lock-flags.ts';
import { packageSelection } from '../shared/workspace/package-selection.ts';
import type { OutdatedResult } from './run.ts';

const PACKAGE_TEXTS = {
  package: 'Member whose dependencies to show; may be repeated',
  workspace: 'Show the dependencies of all workspace members',
  exclude: 'Workspace member to leave out; may be repeated',
};

/** The flags of `tsreg outdated`, and its run. */
export const OUTDATED: Command = {
  name: 'outdated',
  about: 'Show dependencies that have newer versions',
  network: 'optional',
  flags: [
    switchFlag('all', 'Also show the dependencies of dependencies', { short: 'a' }),
    switchFlag('exit-code', 'Exit with status 1 if a dependency is outdated'),
    switchFlag('json', 'Print the outdated packages as JSON'),
    SILENT_SUGGESTION,
    ...packageFlags(PACKAGE_TEXTS, PACKAGE_TEXTS),
    ...MANIFEST_PATH_FLAGS,
    IGNORE_RUST_VERSION,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void | 1> {
  const { values, shell, signal } = invocation;
  const { outdated } = await import('./run.ts');
  const all = isGiven(values, 'all');
  const options = {
    ...lockFlags(invocation),
    ...packageSelection(values),
    all,
    ignoreRustVersion: isGiven(values, 'ignore-rust-version'),
  };
  const result = await outdated(options, { report: shell, signal });
  const isCurrent = result.packages.length === 0;
  if (isGiven(values, 'json')) {
    shell.writeOut(`${JSON.stringify(result.document)}\n`);
  } else if (!isCurrent) {
    const { outdatedText } = await import('./print.ts');
    const dependents = all ? 'Dependent' : 'Member';
    const noCompatible = result.updateError === null ? '-' : '?';
    shell.writeText(outdatedText(result.packages, { width: shell.outputWidth, noCompatible, dependents }));
  }
  conclude(result, invocation);
  if (!isCurrent && isGiven(values, 'exit-code')) return 1;
}

/** Reports why an update is impossible, that nothing is outdated, or which command updates the packages. */
function conclude(
  { checked, packages, updateError, document }: OutdatedResult,
  { identity, shell }: Invocation,
): void {
  if (updateError !== null) {
    shell.warning(
      `the compatible versions are unknown, because \`${identity.program} update\` would fail: ${updateError}`,
    );
  }
  const hasUpdates = document.packages.some(
    ({ current, compatible }) => compatible !== null && compatible !== current,
  );
  if (packages.length === 0) {
    const dependencies = `${checked} ${checked === 1 ? 'dependency' : 'dependencies'}`;
    shell.status(
      'Checked',
      checked === 0 ? 'no dependencies from registries' : `${dependencies}, none is outdated`,
    );
  } else if (hasUpdates) {
    shell.noteCommand('to get the compatible versions', `${identity.program} update`);
  }
}
