/** `doctor`: checks the machine, the configuration, the registries and the workspace for the other commands. */
import { failureText } from '../../io/disk/failure-text.ts';
import type { Config } from '../../io/config/config.ts';
import { TsregError } from '../../core/errors/error.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import { resolveManifestPath } from '../../io/workspace/find-manifest.ts';
import { configuredRegistries, defaultRegistry } from '../shared/registry/configured-registries.ts';
import type { LockOptions } from '../shared/lock/lock-run.ts';
import { checkConfig, checkCredentials, readTables } from './check-config.ts';
import { checkCache, checkHome, checkPackages } from './check-folders.ts';
import { checkCertificates, checkProxy } from './check-network.ts';
import { checkGit, checkLocks, checkToolchain, checkTsreg } from './check-programs.ts';
import { checkRegistry, registryHelp } from './check-registry.ts';
import { checkWorkspace } from './check-workspace.ts';
import { type Check, type CheckName, check } from './check.ts';
import { withTimeLimit } from './time-limit.ts';

const SILENT = reportTo({});

/** The command-line options of `doctor`. With `locked` or `frozen`, an outdated lock file is an error. */
export type DoctorOptions = LockOptions;

/** The document of `doctor --json`. */
export interface DoctorDocument {
  /** Version of this format. */
  readonly version: 1;
  /** In the order of the text output. */
  readonly checks: readonly Check[];
}

/** A check that has not run yet. */
interface PendingCheck {
  readonly name: CheckName;
  /** The registry to check; absent for other checks. */
  readonly registry?: string;
  readonly run: (signal: AbortSignal) => Promise<readonly Check[]>;
}

/** Runs all checks at the same time. Rejects if the signal is aborted, or if `manifestPath` names no manifest. */
export async function doctor(
  options: DoctorOptions,
  { report, signal }: OperationContext,
): Promise<DoctorDocument> {
  const { config, manifestPath } = options;
  if (manifestPath !== null) resolveManifestPath(manifestPath, config.cwd, config.files);
  const pending = pendingChecks(options);
  let done = 0;
  const showProgress = (): void =>
    report.progress({ verb: 'Checking', done, total: pending.length, message: '' });
  showProgress();
  try {
    const results = await Promise.all(
      pending.map(async (each) => {
        const checks = await runCheck(each, signal);
        done += 1;
        showProgress();
        return checks;
      }),
    );
    return { version: 1, checks: results.flat() };
  } finally {
    report.progress(null);
  }
}

/** Runs one check. A check that fails itself is an error in the result. */
async function runCheck(
  { name, registry, run }: PendingCheck,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  try {
    return await withTimeLimit(signal, run);
  } catch (error) {
    signal.throwIfAborted();
    const text = `${registry ?? name}: ${failureText(error)}`;
    const help = registry === undefined ? null : registryHelp(error, registry);
    return [check(name, { status: 'error', subject: registry ?? null, text, help })];
  }
}

/** Returns all checks in the order of the output. Without a readable configuration, those that need it are left out. */
function pendingChecks(options: DoctorOptions): readonly PendingCheck[] {
  const { config, toolchain } = options;
  const always: readonly PendingCheck[] = [
    { name: 'tsreg', run: async () => [checkTsreg()] },
    { name: 'git', run: async (signal) => [await checkGit(config, signal)] },
    { name: 'locks', run: async (signal) => [await checkLocks(config, { report: SILENT, signal })] },
  ];
  const files: readonly PendingCheck[] = [
    { name: 'home', run: async () => [checkHome(config)] },
    { name: 'packages', run: async () => checkPackages(config) },
    { name: 'cache', run: async () => [checkCache(config)] },
    { name: 'config', run: async () => checkConfig(config) },
    { name: 'credentials', run: async () => checkCredentials(config) },
  ];
  if (!isReadable(config)) return [...always, ...files, NOT_CHECKED];
  return [
    ...always,
    { name: 'cargo', run: (signal) => checkToolchain(config, toolchain, signal) },
    ...files,
    { name: 'proxy', run: async (signal) => [await checkProxy(config, signal)] },
    { name: 'certificates', run: async () => [checkCertificates(config)] },
    ...registryChecks(options),
    { name: 'workspace', run: (signal) => checkWorkspace(options, { signal }) },
  ];
}

/** Stands for all checks that need the configuration. */
const NOT_CHECKED: PendingCheck = {
  name: 'registry',
  run: async () => [
    check('registry', { status: 'info', text: 'not checked, because the configuration cannot be read' }),
  ],
};

/** Returns a check for each registry; only one, which fails, if their configuration is invalid. */
function registryChecks(options: DoctorOptions): readonly PendingCheck[] {
  const sources = new SourceTable();
  try {
    // The first failure counts, and retries take time.
    const config = options.config.withArguments(['net.retry=0']);
    const registries = configuredRegistries(config, sources);
    const checks = registries.map(
      (registry): PendingCheck => ({
        name: 'registry',
        registry: registry.name,
        run: async (signal) => [await checkRegistry(registry, { ...options, config, sources }, { signal })],
      }),
    );
    if (registries.some(({ isDefault }) => isDefault)) return checks;
    return [...checks, missingDefault(defaultRegistry(config))];
  } catch (error) {
    return [{ name: 'registry', run: () => Promise.reject(error) }];
  }
}

/** Returns the warning for a default registry that does not exist. */
function missingDefault(name: string): PendingCheck {
  const text = `\`registry.default\` is \`${name}\`, which is not a registry of the configuration`;
  const help = `run \`tsreg registry add ${name} URL\`, or correct \`registry.default\``;
  const result = check('registry', { status: 'warning', subject: name, text, help });
  return { name: 'registry', registry: name, run: () => Promise.resolve([result]) };
}

function isReadable(config: Config): boolean {
  try {
    readTables(config);
    return true;
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return false;
    throw error;
  }
}
