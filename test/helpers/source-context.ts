/** A source context on a temporary CARGO_HOME. */
import { loadConfig } from '../../src/io/config/config.ts';
import { registryIndex } from '../../src/io/config/registry-index.ts';
import { NodeFiles } from '../../src/io/disk/node-files.ts';
import { PackageCache } from '../../src/io/disk/package-cache.ts';
import { SourceTable } from '../../src/core/package-id/source-table.ts';
import type { SourceContext } from '../../src/io/sources/source-context.ts';
import { ManifestLoader } from '../../src/io/workspace/manifest-loader.ts';
import { recordingContext } from './recording-report.ts';

/** The folders and settings of an operation. */
export interface SourceContextOptions {
  /** The working folder, from which configuration is found. */
  readonly cwd: string;
  readonly home: string;
  readonly offlineFlag?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Creates a context as an operation does. Each call is a new run without state. */
export function makeSourceContext(options: SourceContextOptions): {
  readonly context: SourceContext;
  readonly lines: string[];
} {
  const { context: operation, lines } = recordingContext();
  const files = new NodeFiles();
  const env = {
    PATH: process.env['PATH'],
    HOME: options.home,
    CARGO_HOME: options.home,
    __CARGO_TEST_FIXED_RETRY_SLEEP_MS: '1',
    ...options.env,
  };
  const config = loadConfig({ cwd: options.cwd, env, files, report: operation.report });
  const sources = new SourceTable();
  const loader = new ManifestLoader({
    files,
    sources,
    cargoHome: config.home,
    registry: (name) => registryIndex(config, name, sources),
  });
  const context: SourceContext = {
    ...operation,
    config,
    files,
    sources,
    load: (path, source) => loader.load(path, source),
    cache: new PackageCache(config.home, operation),
    offlineFlag: options.offlineFlag ?? null,
    verbosity: 'normal',
  };
  return { context, lines };
}

/** Returns the messages of an error and its causes, outermost first. */
export function messagesOf(error: unknown): string[] {
  const messages: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) messages.push(at.message);
  return messages;
}

/** Returns the messages of a promise's rejection. Throws if it resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<string[]> {
  try {
    await promise;
  } catch (error) {
    return messagesOf(error);
  }
  throw new Error('did not reject');
}
