/** The options and inputs of one run on a workspace. */
import type { Config } from '../../../io/config/config.ts';
import { type ResolverSettings, resolverSettings } from '../../../io/config/resolver-settings.ts';
import type { Warning } from '../../../core/errors/warning.ts';
import type { Files } from '../../../core/files/files.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { parseCliFeatures } from '../../../core/resolve/parse-cli-features.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { AccessFlags } from './access-flags.ts';

/** Command-line options that these commands share. */
export interface WorkspaceOptions extends AccessFlags {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  /** Absolute path of a lock file to use instead of the workspace's; null for none. */
  readonly lockfilePath: string | null;
  /** Name of the toolchain to use; null for the active one. */
  readonly toolchain: string | null;
  /** Verbosity of child programs that write to the user's terminal. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** The inputs shared by the steps of one run. Created by `startRun`. */
export interface WorkspaceRun<Options extends WorkspaceOptions = WorkspaceOptions> {
  readonly options: Options;
  readonly context: OperationContext;
  readonly files: Files;
  /** Absolute. */
  readonly manifestPath: string;
  /** Parses the feature flags. Throws if they are invalid; called after the workspace is loaded. */
  readonly requested: () => RequestedFeatures;
  /** Reads `[resolver]`. Throws if it is invalid; called after the workspace is loaded. */
  readonly settings: () => ResolverSettings & { readonly warnings: readonly string[] };
}

/** Returns a run on the manifest at an absolute path. */
export function startRun<Options extends WorkspaceOptions>(
  options: Options,
  inputs: Pick<WorkspaceRun, 'context' | 'files' | 'manifestPath'>,
): WorkspaceRun<Options> {
  return {
    ...inputs,
    options,
    requested: () => ({
      features: parseCliFeatures(options.features),
      all: options.allFeatures,
      default: !options.noDefaultFeatures,
    }),
    settings: () => {
      const warnings: string[] = [];
      return { ...resolverSettings(options.config, (text) => warnings.push(text)), warnings };
    },
  };
}

/** Reports the warnings of `[resolver]`, then those of the loaded workspace. Throws if `[resolver]` is invalid. */
export function emitInitialWarnings(
  { warnings }: { readonly warnings: readonly Warning[] },
  { context, settings }: WorkspaceRun,
): void {
  for (const warning of [...settings().warnings, ...warnings]) context.report.warning(warning);
}

/**
 * Returns the absolute path of the lock file to use instead of the workspace's: that of the options, else that of the
 * configuration; null for none. Throws if `[resolver]` is invalid.
 */
export function overridingLockfilePath({ options, settings }: WorkspaceRun): string | null {
  return options.lockfilePath ?? settings().lockfilePath;
}
