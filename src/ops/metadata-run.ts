/** What one run of `metadata` is about, whether it is answered from derived files or anew. */
import type { Config } from '../config/config.ts';
import { type ResolverSettings, resolverSettings } from '../config/resolver-settings.ts';
import type { PrintedWorkspace } from '../derived/package-view.ts';
import type { Files } from '../files/files.ts';
import type { OperationContext } from '../report/report.ts';
import { parseCliFeatures } from '../resolve/cli-features.ts';
import type { RequestedFeatures } from '../resolve/problem.ts';

/** What the command line asks for. */
export interface MetadataOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  /** Null: the format that holds today, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  readonly noDeps: boolean;
  readonly filterPlatforms: readonly string[];
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  readonly locked: boolean;
  readonly frozen: boolean;
  /** `--offline` or `net.offline`. */
  readonly offline: boolean;
  readonly idForm: 'legacy' | 'spec';
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** What comes out. */
export interface MetadataResult {
  /** The document as one line of UTF-8, without its line break, in parts. */
  readonly document: readonly Uint8Array[];
  /** Leaves on disk what lets the next run answer sooner. To be called when the document is delivered. */
  readonly remember: () => void;
}

/** What the steps of one run share. Made by `startRun`. */
export interface MetadataRun {
  readonly options: MetadataOptions;
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
export function startRun(
  options: MetadataOptions,
  rest: Pick<MetadataRun, 'context' | 'files' | 'manifestPath'>,
): MetadataRun {
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

/** What is said once the workspace is known. */
export function greet({ warnings }: PrintedWorkspace, { options, context, settings }: MetadataRun): void {
  for (const warning of [...settings().warnings, ...warnings]) context.report.warning(warning);
  if (options.formatVersion === null) {
    context.report.warning(
      'please specify `--format-version` flag explicitly to avoid compatibility problems',
    );
  }
}

/** True if nothing outside of the workspace puts packages in the place of others. */
export function isPlain(run: MetadataRun): boolean {
  const { config } = run.options;
  return lockfilePath(run) === null && config.value('paths') === null && config.value('patch') === null;
}

/** The lock file to use instead of the workspace's own; null for that. */
export function lockfilePath({ options, settings }: MetadataRun): string | null {
  return options.lockfilePath ?? settings().lockfilePath;
}
