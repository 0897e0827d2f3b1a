/** The opening of a registry that every command on its web API begins with. Cargo Book: Registries; Registry Web API. */
import type { Config } from '../../config/config.ts';
import type { Secret } from '../../config/secret.ts';
import { unnamedRegistryIndex } from '../../config/registry-index.ts';
import type { CredentialOperation } from '../../credentials/credential-request.ts';
import type { RegistryCredentials } from '../../credentials/registry-credentials.ts';
import { NodeFiles } from '../../disk/node-files.ts';
import { PackageCache } from '../../disk/package-cache.ts';
import { TsregError, withContextAsync } from '../../errors/error.ts';
import type { Files } from '../../files/files.ts';
import { displaySource } from '../../package-id/describe.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import type { OperationContext } from '../../report/report.ts';
import { makeRegistry } from '../../sources/make-source.ts';
import { RegistryAccess } from '../../sources/registry-access.ts';
import type { RegistrySource as RegistryIndex } from '../../sources/remote-source.ts';
import type { LoadManifest } from '../../sources/load-package.ts';
import { type Caller, WebApi } from '../../web-api/web-api.ts';
import { ManifestLoader } from '../../workspace/manifest-loader.ts';
import { type AccessFlags, offlineFlag } from '../workspace/open-catalog.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import { type RegistryChoice, type RegistrySource, registrySource } from './select-registry.ts';
import { VERSION } from '../version.ts';

/** What every command on the web API is told by its command line. */
export interface RegistryCommandOptions extends AccessFlags {
  readonly config: Config;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** `--token`; null if it was not given. */
  readonly token: Secret | null;
  /** True to do and say everything as cargo does, where that is not what the Cargo Book says. */
  readonly isCargo: boolean;
  /** `--max-wait`: how long a busy registry is waited for, in all of one request; null for not at all. */
  readonly maxWaitMs: number | null;
}

/** How a registry is opened. */
export interface OpenRegistryOptions extends RegistryCommandOptions {
  /** As `chooseRegistry` gives it. */
  readonly choice: RegistryChoice | null;
  /** True: `config.json` is asked for even if it lies on disk, and `Updating … index` is said. */
  readonly refreshes: boolean;
  /** True for what cannot be done without a token: a registry that has no name needs `--token` then. */
  readonly needsToken: boolean;
  /** Of the workspace that the command works on, if there is one. */
  readonly shared?: {
    readonly files: Files;
    readonly sources: SourceTable;
    readonly cache: PackageCache;
    readonly load: LoadManifest;
    readonly credentials?: RegistryCredentials;
  };
}

/** A registry that nothing was asked yet. */
export interface PreparedRegistry {
  readonly source: RegistrySource;
  /** For looking up versions; asked of the origin. */
  readonly index: RegistryIndex;
  readonly access: RegistryAccess;
  readonly credentials: RegistryCredentials;
  /** Asks for `config.json`. Rejects as `openRegistry` does. */
  open(): Promise<OpenedRegistry>;
  /** Gives up connections. */
  close(): Promise<void>;
}

/** A registry that has a web API. */
export interface OpenedRegistry {
  readonly source: RegistrySource;
  /** `api` of its `config.json`, as messages name it. */
  readonly host: string;
  /** True where reading needs a token, too. */
  readonly isAuthRequired: boolean;
  /** True where publications can be checked without storing them. */
  readonly offersDryRun: boolean;
  /** For looking up versions; asked of the origin. */
  readonly index: RegistryIndex;
  readonly access: RegistryAccess;
  readonly credentials: RegistryCredentials;
  /**
   * The web API, with a token for `operation`; with null, for what needs no token where reading needs none. Rejects in
   * cargo's words where there is no token, and where nothing may be sent.
   */
  api(operation: CredentialOperation | null): Promise<WebApi>;
  /** Gives up connections. */
  close(): Promise<void>;
}

/**
 * Opens the registry that was chosen: finds its source, and asks for its `config.json`. Rejects where that cannot be had,
 * and where it names no web API.
 */
export async function openRegistry(
  options: OpenRegistryOptions,
  context: OperationContext,
): Promise<OpenedRegistry> {
  return await prepareRegistry(options, context).open();
}

/** Finds the source of the registry that was chosen. Throws where there is none. */
export function prepareRegistry(options: OpenRegistryOptions, context: OperationContext): PreparedRegistry {
  const { config, choice, token, isCargo } = options;
  const shared = options.shared ?? openFiles(options, context);
  const source = registrySource(choice, config, shared.sources);
  if (choice?.kind === 'index' && options.needsToken && token === null) {
    throw new TsregError('command-line argument --index requires --token to be specified', { code: 'usage' });
  }
  const sourceContext = {
    ...context,
    signal: operationSignal(context.signal),
    config,
    ...shared,
    offlineFlag: offlineFlag(options),
    verbosity: options.verbosity,
    maxWaitMs: options.maxWaitMs,
  };
  const access = new RegistryAccess(sourceContext);
  const { credentials } = access;
  if (token !== null) credentials.setToken(source.original, token);
  const index = makeRegistry(source.original, source.actual, { context: sourceContext, access });
  if (options.refreshes) index.invalidate();
  const close = (): Promise<void> => access.close();
  return {
    ...{ source, index, access, credentials, close },
    async open() {
      const {
        api: host,
        authRequired,
        dryRun,
      } = await withContextAsync(`failed to update ${displaySource(source.actual)}`, () => index.config());
      if (host === null) {
        throw new TsregError(`${displaySource(source.actual)} does not support API commands`, {
          code: 'source',
        });
      }
      return {
        ...{ source, host, index, access, credentials, close },
        isAuthRequired: authRequired,
        offersDryRun: dryRun,
        async api(operation) {
          const wanted = operation ?? (authRequired ? { kind: 'read' as const } : null);
          credentials.noteLoginUrl(source.original, `${host}/me`);
          const token = wanted === null ? null : await credentials.token(source.original, wanted);
          access.transport.assertOnline();
          const caller: Caller = isCargo
            ? { kind: 'cargo' }
            : { kind: 'documented', userAgent: access.userAgent ?? `tsreg/${VERSION}` };
          return new WebApi({
            ...context,
            signal: sourceContext.signal,
            transport: access.transport,
            host,
            token,
            tokenOrigin: token === null ? null : credentials.origin(source.original),
            isTokenRequired: authRequired,
            caller,
            maxWaitMs: options.maxWaitMs,
          });
        },
      };
    },
  };
}

function openFiles(
  { config }: OpenRegistryOptions,
  context: OperationContext,
): NonNullable<OpenRegistryOptions['shared']> {
  const files = new NodeFiles();
  const sources = new SourceTable();
  const registry = (name: string) => unnamedRegistryIndex(config, name, sources);
  const loader = new ManifestLoader({ files, sources, cargoHome: config.home, registry });
  const cache = new PackageCache(config.home, { ...context, env: config.env });
  return { files, sources, cache, load: (path, source) => loader.load(path, source) };
}
