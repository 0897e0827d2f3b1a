/**
 * The library: the commands as functions. They print nothing, end no process, keep no state between calls and
 * read neither the environment nor the working folder of the process: both are options. Several may run at once.
 */
import { isAbsolute } from 'node:path';
import { loadConfig } from './config/config.ts';
import { isOfflineConfigured } from './config/network-settings.ts';
import { TsregError } from './errors/error.ts';
import type { MetadataDocument } from './metadata/document.ts';
import { metadata as runMetadata } from './ops/metadata.ts';
import { type Report, reportTo } from './report/report.ts';

export { type ErrorCode, type Snippet, TsregError } from './errors/error.ts';
export { type AnnotatedWarning, formatWarning, type Warning, type WarningRemark } from './errors/warning.ts';
export type {
  DependencyEntry,
  JsonValue,
  MetadataDocument,
  NodeDependency,
  NodeEntry,
  PackageEntry,
  ResolveEntry,
  TargetEntry,
} from './metadata/document.ts';
export type { Progress, Report, StatusOptions, StatusStyle } from './report/report.ts';

/** What `metadata` is asked for. The flags of the command line by their names, and what a process has around it. */
export interface MetadataOptions {
  /** Working folder: where manifest and configuration are looked for. Absolute. */
  readonly cwd: string;
  /**
   * Environment variables that count: `CARGO_HOME`, `CARGO_*`, proxies and the like, and `PATH`, which programs such
   * as git are looked for in. `process.env` for those of the process.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of `Cargo.toml`, absolute or from `cwd`. Unless given it is looked for in `cwd` and above. */
  readonly manifestPath?: string;
  /** Members only: nothing is resolved, fetched or written. */
  readonly noDeps?: boolean;
  /** Target triples; what any of them needs. */
  readonly filterPlatforms?: readonly string[];
  /** Each as behind `--features`. */
  readonly features?: readonly string[];
  readonly allFeatures?: boolean;
  readonly noDefaultFeatures?: boolean;
  readonly locked?: boolean;
  readonly offline?: boolean;
  readonly frozen?: boolean;
  /** Each as behind `--config`: `KEY=VALUE` or the path of a file. */
  readonly config?: readonly string[];
  /** `legacy` unless given. */
  readonly packageIdFormat?: 'legacy' | 'spec';
  /** Receives status lines, warnings and notes while the call runs, as far as it has methods for them. */
  readonly report?: Partial<Report>;
  /** Ends the call: it rejects with the code `aborted`. */
  readonly signal?: AbortSignal;
}

/** The document of `metadata`. */
export interface Metadata {
  /**
   * As `tsreg metadata` prints it, without the line break: one line of JSON in UTF-8. (The program
   * leaves U+007F out of strings, as cargo does, where its output is not coloured.)
   */
  readonly bytes: Uint8Array;
  /**
   * The document as a value, new at each call. Integers beyond 53 bits in `metadata` tables lose their last digits
   * here, and `1.0` becomes `1`; the bytes have them right.
   */
  readonly parse: () => MetadataDocument;
}

/**
 * What `tsreg metadata --format-version 1` prints: a workspace and its resolved dependencies. Creates or updates
 * `Cargo.lock` and fetches packages as that does. Rejects with a `TsregError` whose message and causes are cargo's.
 * Cargo Book: cargo metadata.
 */
export async function metadata(options: MetadataOptions): Promise<Metadata> {
  const { cwd, env, signal = new AbortController().signal } = options;
  if (!isAbsolute(cwd)) throw new TsregError(`\`cwd\` must be absolute, not \`${cwd}\``, { code: 'usage' });
  const report = reportTo(options.report ?? {});
  try {
    signal.throwIfAborted();
    const config = loadConfig({ cwd, env, report }).withArguments(options.config ?? []);
    const { document, remember } = await runMetadata(
      {
        config,
        manifestPath: options.manifestPath ?? null,
        formatVersion: 1,
        noDeps: options.noDeps ?? false,
        filterPlatforms: options.filterPlatforms ?? [],
        features: options.features ?? [],
        allFeatures: options.allFeatures ?? false,
        noDefaultFeatures: options.noDefaultFeatures ?? false,
        locked: options.locked ?? false,
        frozen: options.frozen ?? false,
        offline: (options.offline ?? false) || isOfflineConfigured(config),
        idForm: options.packageIdFormat ?? 'legacy',
        lockfilePath: null,
        toolchain: null,
        verbosity: 'quiet',
      },
      { report, signal },
    );
    remember();
    const bytes = Buffer.concat(document);
    return { bytes, parse: () => parseDocument(bytes) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new TsregError('interrupted', { code: 'aborted', cause: signal.reason });
  }
}

function parseDocument(bytes: Buffer): MetadataDocument {
  const document: MetadataDocument = JSON.parse(bytes.toString('utf8'));
  return document;
}
