/** What one run on a workspace and its graph is about. */
import type { Config } from '../../config/config.ts';
import { type ResolverSettings, resolverSettings } from '../../config/resolver-settings.ts';
import type { Files } from '../../files/files.ts';
import type { OperationContext } from '../../report/report.ts';
import { parseCliFeatures } from '../../resolve/parse-cli-features.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import type { AccessFlags } from './open-catalog.ts';

/** What the command line asks for, whatever the command. */
export interface WorkspaceOptions extends AccessFlags {
  readonly config: Config;
  readonly manifestPath: string | null;
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** What the steps of one run share. Made by `startRun`. */
export interface WorkspaceRun<Options extends WorkspaceOptions = WorkspaceOptions> {
  readonly options: Options;
  readonly context: OperationContext;
  readonly files: Files;
  /** Absolute. */
  readonly manifestPath: string;
  /** Reads the feature flags; throws where they are wrong, which is told after the workspace is loaded. */
  readonly requested: () => RequestedFeatures;
  /** Reads `[resolver]`; throws where it is wrong, which is told at the same moment. */
  readonly settings: () => ResolverSettings & { readonly warnings: readonly string[] };
}

/** A run on the manifest at an absolute path. */
export function startRun<Options extends WorkspaceOptions>(
  options: Options,
  rest: Pick<WorkspaceRun, 'files' | 'manifestPath'> & { readonly context: OperationContext },
): WorkspaceRun<Options> {
  return {
    ...rest,
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

/** The lock file to use instead of the workspace's own; null for that. */
export function lockfilePath({ options, settings }: WorkspaceRun): string | null {
  return options.lockfilePath ?? settings().lockfilePath;
}
