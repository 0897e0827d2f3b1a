/** `publish`: packages go to a registry. Cargo Book: cargo-publish(1). */
import { type Command, isGiven, type Invocation } from '../command.ts';
import { switchFlag, valueFlag } from '../flag.ts';
import { interruptible } from '../interruption.ts';
import { packagesOptions } from '../packages-command.ts';
import { registryCommandOptions } from '../registry-command.ts';
import {
  BUILD_FLAGS,
  FEATURE_FLAGS,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  registryFlags,
  SILENT_SUGGESTION,
} from '../shared-flags.ts';

/** What is waited for where nothing is said: a minute. */
const DEFAULT_WAIT_MS = 60_000;

/** The command. */
export const PUBLISH: Command = {
  name: 'publish',
  about: 'Upload a package to the registry',
  flags: [
    switchFlag('dry-run', 'Perform all checks without uploading', { short: 'n' }),
    ...registryFlags({
      index: 'Registry index URL to upload the package to',
      registry: 'Registry to upload the package to',
    }),
    valueFlag('token', 'TOKEN', { help: 'Token to use when uploading', isHidden: true }),
    switchFlag('no-verify', "Don't verify the contents by building them"),
    switchFlag('allow-dirty', 'Allow dirty working directories to be packaged'),
    SILENT_SUGGESTION,
    ...packageFlags({
      package: 'Package(s) to publish',
      workspace: 'Publish all packages in the workspace',
      exclude: "Don't publish specified packages",
    }),
    ...FEATURE_FLAGS,
    ...BUILD_FLAGS,
    ...MANIFEST_PATH_FLAGS,
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell, hooks } = invocation;
  hooks.beforeLongWork();
  const { publish } = await import('../../ops/publish.ts');
  const options = {
    ...registryCommandOptions(invocation),
    ...packagesOptions(invocation),
    dryRun: isGiven(values, 'dry-run') ? ('client' as const) : ('none' as const),
    waitMs: DEFAULT_WAIT_MS,
    skipsPublished: false,
  };
  const { error } = await interruptible((signal) => publish(options, { report: shell, signal }));
  if (error !== null) throw error;
}
