/** `publish`: uploads packages to a registry. Cargo Book: cargo-publish(1). */
import type { Config } from '../../io/config/config.ts';
import { Secret } from '../../io/config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';
import { wordingByProgram } from '../../core/errors/wording.ts';
import type { PublishOptions } from './run.ts';
import { type Command, isGiven, type Invocation, valueOf } from '../shared/command.ts';
import { parseDuration } from '../shared/duration.ts';
import { type Flag, positionalFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { packagesOptions } from '../shared/packaging/command-options.ts';
import { MAX_WAIT_FLAG } from '../shared/registry/command-options.ts';
import {
  BUILD_FLAGS,
  FEATURE_FLAGS,
  MANIFEST_PATH_FLAGS,
  packageFlags,
  registryFlags,
  SILENT_SUGGESTION,
} from '../shared/common-flags.ts';

/** Flags that apply only to packages of a workspace. `PACKAGE_OPTIONS` in library/publish.ts must have the same ones. */
const PACKAGE_FLAGS = [
  'package',
  'workspace',
  'exclude',
  'features',
  'all-features',
  'no-default-features',
  'manifest-path',
] as const;

/** How long to wait for the index by default. The help of `--wait` names it too. */
export const DEFAULT_WAIT_MS = 60_000;

const TOKEN_WARNING = wordingByProgram(
  (program) =>
    `\`${program} publish --token\` is deprecated in favor of using \`${program} login\` and environment variables`,
);

/** Flags that cargo does not have. */
const BEYOND_CARGO: readonly Flag[] = [
  positionalFlag('file', 'FILE.crate', {
    kind: 'value',
    help: '`.crate` file to publish instead of packages of the workspace',
    isAbsentInCargo: true,
  }),
  switchFlag('plan', 'Print what would be published, in which order, and exit'),
  switchFlag('skip-published', 'Skip versions that the registry already has with the same content'),
  valueFlag('wait', 'DURATION', {
    help: 'How long to wait for the index to list a new version [default: 60s]',
  }),
  MAX_WAIT_FLAG,
  switchFlag('server', 'With --dry-run, also ask the registry to check the packages'),
  switchFlag('trusted-publishing', 'Authenticate as this CI job instead of with a token', {
    conflictsWith: 'token',
  }),
  switchFlag('json', 'Print the result as JSON'),
];

/** The flags of `tsreg publish`, and its run. */
export const PUBLISH: Command = {
  name: 'publish',
  about: 'Upload packages to a registry',
  cargoAbout: 'Upload a package to the registry',
  network: 'required',
  flags: [
    switchFlag('dry-run', 'Run all checks without uploading', {
      cargoHelp: 'Perform all checks without uploading',
      short: 'n',
    }),
    ...registryFlags({
      index: 'Registry index URL to upload the package to',
      registry: 'Registry to upload the package to',
    }),
    valueFlag('token', 'TOKEN', { help: 'Token to use when uploading', isHidden: true }),
    switchFlag('no-verify', 'Do not check the packages by building them', {
      cargoHelp: "Don't verify the contents by building them",
    }),
    switchFlag('allow-dirty', 'Package files with uncommitted changes', {
      cargoHelp: 'Allow dirty working directories to be packaged',
    }),
    SILENT_SUGGESTION,
    ...packageFlags(
      {
        package: 'Package to publish; may be repeated',
        workspace: 'Publish all workspace members',
        exclude: 'Workspace member to leave out; may be repeated',
      },
      {
        package: 'Package(s) to publish',
        workspace: 'Publish all packages in the workspace',
        exclude: "Don't publish specified packages",
      },
    ),
    ...FEATURE_FLAGS,
    ...BUILD_FLAGS,
    ...MANIFEST_PATH_FLAGS,
    ...BEYOND_CARGO,
  ],
  annotatesErrors: true,
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const { planPublish, publish } = await import('./run.ts');
  const options = publishOptions(invocation);
  const isJson = isGiven(values, 'json');
  if (isGiven(values, 'plan')) {
    const [{ publishPlanText }, { planError }] = await Promise.all([
      import('./print.ts'),
      import('./plan.ts'),
    ]);
    const plan = await interruptible((signal) => planPublish(options, { report: shell, signal }));
    if (isJson) shell.writeOut(documentLine(plan));
    else shell.writeText(publishPlanText(plan));
    const error = planError(plan);
    if (error !== null) throw error;
    return;
  }
  const { error } = await interruptible(async (signal) => {
    const result = await publish(options, { report: shell, signal });
    if (isJson) shell.writeOut(documentLine(result.document));
    return result;
  });
  if (error !== null) throw error;
}

/** Returns the options in the flags. Throws `usage` if flags cannot be combined. */
function publishOptions(invocation: Invocation): PublishOptions {
  const { values, config, identity } = invocation;
  const packages = packagesOptions(invocation);
  const file = valueOf(values, 'file');
  const packageFlag = file === null ? undefined : PACKAGE_FLAGS.find((flag) => isGiven(values, flag));
  if (packageFlag !== undefined)
    throw usage(`\`--${packageFlag}\` does not apply to an archive that already exists`);
  const isDryRun = isGiven(values, 'dry-run');
  const isServer = isGiven(values, 'server');
  if (isServer && !isDryRun) throw usage('`--server` is only for `--dry-run`');
  const wait = valueOf(values, 'wait');
  const token = valueOf(values, 'token');
  return {
    file,
    packages: { ...packages, flagWarning: token === null ? null : TOKEN_WARNING },
    config,
    token: token === null ? null : new Secret(token),
    isCargo: identity.program === 'cargo',
    isTrusted: isGiven(values, 'trusted-publishing'),
    dryRun: dryRunOf({ isDryRun, isServer }),
    waitMs: wait === null ? (configuredWaitMs(config) ?? DEFAULT_WAIT_MS) : parseDuration(wait, '--wait'),
    skipsPublished: isGiven(values, 'skip-published'),
  };
}

function dryRunOf({
  isDryRun,
  isServer,
}: {
  readonly isDryRun: boolean;
  readonly isServer: boolean;
}): PublishOptions['dryRun'] {
  if (!isDryRun) return 'none';
  return isServer ? 'server' : 'client';
}

/** Returns the milliseconds of cargo's unstable `publish.timeout`; null if it is not set, or not turned on. */
function configuredWaitMs(config: Config): number | null {
  const configured = config.unstable.has('publish-timeout') ? config.integer('publish.timeout') : null;
  return configured === null ? null : configured.value * 1000;
}

function usage(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
