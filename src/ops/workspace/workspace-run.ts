/** What one run on a workspace and its graph is about, whether it is answered from derived files or anew. */
import type { Config } from '../../config/config.ts';
import { type ResolverSettings, resolverSettings } from '../../config/resolver-settings.ts';
import type { ComparableFiles } from '../../files/files.ts';
import type { OperationContext } from '../../report/report.ts';
import { parseCliFeatures } from '../../resolve/parse-cli-features.ts';
import type { RequestedFeatures } from '../../resolve/problem.ts';
import type { PackagesOnDisk } from '../graph/packages-on-disk.ts';
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

/** What an operation on a workspace is given beside its options. */
export interface WorkspaceContext extends OperationContext {
  /**
   * Called before work that takes long; not where what an earlier run left is enough. `startsThread` if right
   * after that a thread is started for it.
   */
  readonly beforeLongWork?: (startsThread: boolean) => void;
}

/** What the steps of one run share. Made by `startRun`. */
export interface WorkspaceRun<Options extends WorkspaceOptions = WorkspaceOptions> {
  readonly options: Options;
  readonly context: OperationContext;
  readonly files: ComparableFiles;
  /** Absolute. */
  readonly manifestPath: string;
  /** When it began, before it or a thread of it read anything: which state of what changes later was read nobody can tell. */
  readonly startedMs: number;
  /** What is asked of the disk about packages; runs that follow one another may share it. */
  readonly onDisk: PackagesOnDisk;
  /** As of `WorkspaceContext`; the second time it does nothing. */
  readonly beforeLongWork: (startsThread?: boolean) => void;
  /** Reads the feature flags; throws where they are wrong, which is told after the workspace is loaded. */
  readonly requested: () => RequestedFeatures;
  /** Reads `[resolver]`; throws where it is wrong, which is told at the same moment. */
  readonly settings: () => ResolverSettings & { readonly warnings: readonly string[] };
}

/** A run on the manifest at an absolute path. */
export function startRun<Options extends WorkspaceOptions>(
  options: Options,
  rest: Pick<WorkspaceRun, 'files' | 'manifestPath' | 'onDisk'> & { readonly context: WorkspaceContext },
): WorkspaceRun<Options> {
  return {
    ...rest,
    options,
    startedMs: Date.now(),
    beforeLongWork: once((startsThread = false) => rest.context.beforeLongWork?.(startsThread)),
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

/** The action, which is done when it is first called, and never again. */
function once<T extends readonly unknown[]>(action: (...args: T) => void): (...args: T) => void {
  let isDone = false;
  return (...args) => {
    if (isDone) return;
    isDone = true;
    action(...args);
  };
}

/** True if nothing outside of the workspace puts packages in the place of others. */
export function isPlain(run: WorkspaceRun): boolean {
  const { config } = run.options;
  return lockfilePath(run) === null && config.value('paths') === null && config.value('patch') === null;
}

/** The lock file to use instead of the workspace's own; null for that. */
export function lockfilePath({ options, settings }: WorkspaceRun): string | null {
  return options.lockfilePath ?? settings().lockfilePath;
}
