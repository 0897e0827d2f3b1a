/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/environment.ts';
import { TsregError } from '../errors/error.ts';
import type { OperationContext } from '../report/report.ts';

/** What the command line asks for. */
export interface MetadataOptions {
  /** The working folder, absolute. */
  readonly cwd: string;
  readonly env: Environment;
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
  /** A lock file instead of the workspace's own. */
  readonly lockfilePath: string | null;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
}

/** What comes out. */
export interface MetadataResult {
  /** The bytes of the line, without its line break. */
  readonly document: Uint8Array | readonly Uint8Array[];
}

/** Loads the workspace, resolves its dependencies and describes both. */
export async function metadata(
  _options: MetadataOptions,
  _context: OperationContext,
): Promise<MetadataResult> {
  throw new TsregError('metadata is not there yet', { code: 'bug' });
}
