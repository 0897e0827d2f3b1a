/** Opens a registry for commands on its web API. Cargo Book: Registries; Registry Web API. */
import type { Config } from '../../../io/config/config.ts';
import type { Secret } from '../../../io/config/secret.ts';
import type { CredentialOperation } from '../../../io/credentials/credential-request.ts';
import type { RegistryCredentials } from '../../../io/credentials/registry-credentials.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import { TsregError, withContextAsync } from '../../../core/errors/error.ts';
import type { Files } from '../../../core/files/files.ts';
import { displaySource } from '../../../core/package-id/describe.ts';
import { SourceTable } from '../../../core/package-id/source-table.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { makeRegistry } from '../../../io/sources/make-registry.ts';
import { RegistryAccess } from '../../../io/sources/registry-access.ts';
import type { RemoteRegistry } from '../../../io/sources/remote-registry.ts';
import type { LoadManifest } from '../../../io/sources/load-package.ts';
import { type Caller, WebApi } from '../../../io/web-api/web-api.ts';
import { type AccessFlags, offlineFlag } from '../workspace/access-flags.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import { type RegistryChoice, type RegistrySource, registrySource } from './select-registry.ts';
import { VERSION } from '../version.ts';

/** Command-line options of every command on the web API. */
export interface RegistryCommandOptions extends AccessFlags {
  readonly config: Config;
  /** Verbosity of child programs that write to the user's terminal. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** `--token`; null if it was not given. */
  readonly token: Secret | null;
  /** True to behave and report exactly as cargo does, even if that differs from the Cargo Book. */
  readonly isCargo: boolean;
  /** `--max-wait`: how long one request waits for a busy registry in total; null to not wait. */
  readonly maxWaitMs: number | null;
}

/** Objects of a command that its registry uses too. */
export interface SharedObjects {
  readonly files: Files;
  readonly sources: SourceTable;
  readonly cache: PackageCache;
  readonly load: LoadManifest;
  /** Asks credential providers only once. Omitted if the command has not needed tokens yet. */
  readonly credentials?: RegistryCredentials;
}

/** How to open a registry. */
export interface OpenRegistryOptions extends RegistryCommandOptions {
  /** The result of `chooseRegistry`. */
  readonly choice: RegistryChoice | null;
  /** True to request `config.json` even if it is on disk, and to report `Updating … index`. */
  readonly refreshes: boolean;
  /** True if the operation needs a token. A registry that is given by its URL then requires `--token`. */
  readonly needsToken: boolean;
  /** New ones by default. */
  readonly shared?: SharedObjects;
}

/** A registry, and the connections to it. */
interface ConnectedRegistry {
  readonly source: RegistrySource;
  /** Looks up versions; `current` always contacts the registry. */
  readonly index: RemoteRegistry;
  readonly access: RegistryAccess;
  readonly credentials: RegistryCredentials;
  /** Closes the connections, also those of the registry that `open` has returned. */
  close(): Promise<void>;
}

/** A registry that has not been contacted yet. */
export interface PreparedRegistry extends ConnectedRegistry {
  /** Reads `config.json`. Rejects as `openRegistry` does. */
  open(): Promise<OpenedRegistry>;
}

/** A registry that has a web API. */
export interface OpenedRegistry extends ConnectedRegistry {
  /** The value of `api` in its `config.json`, as used in messages. */
  readonly host: string;
  /** True if reading also needs a token. */
  readonly isAuthRequired: boolean;
  /** True if the registry can check a package without storing it. */
  readonly offersDryRun: boolean;
  /**
   * Returns the web API with a token for `operation`. With null, it gets a token only if reading needs one. Rejects
   * with cargo's messages if there is no token, or if the network must not be used.
   */
  api(operation: CredentialOperation | null): Promise<WebApi>;
}

/**
 * Opens the chosen registry: finds its source and reads its `config.json`. Rejects if that is not available, or if it
 * names no web API. The caller must close the registry.
 */
export async function openRegistry(
  options: OpenRegistryOptions,
  context: OperationContext,
): Promise<OpenedRegistry> {
  const prepared = await prepareRegistry(options, context);
  try {
    return await prepared.open();
  } catch (error) {
    await prepared.close();
    throw error;
  }
}

/** Finds the source of the chosen registry. Rejects if it does not exist. The caller must close the registry. */
export async function prepareRegistry(
  options: OpenRegistryOptions,
  context: OperationContext,
): Promise<PreparedRegistry> {
  // The order of these steps is that of cargo's errors.
  const { config, choice, token } = options;
  const shared = options.shared ?? {
    sources: new SourceTable(),
    cache: new PackageCache(config.home, { ...context, env: config.env }),
  };
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
  const index = await makeRegistry(source.original, source.actual, { context: sourceContext, access });
  if (options.refreshes) index.invalidate();
  const prepared = { source, index, access, credentials, close: () => access.close() };
  const apiContext = { ...context, signal: sourceContext.signal };
  return { ...prepared, open: () => readRegistry(prepared, options, apiContext) };
}

/** Reads `config.json`. Throws `source` if it names no web API. */
async function readRegistry(
  prepared: ConnectedRegistry,
  { isCargo, maxWaitMs }: OpenRegistryOptions,
  context: OperationContext,
): Promise<OpenedRegistry> {
  const { source, index, access, credentials } = prepared;
  const place = displaySource(source.actual);
  const config = await withContextAsync(`failed to update ${place}`, () => index.config());
  const { api: host, authRequired, dryRun } = config;
  if (host === null) throw new TsregError(`${place} does not support API commands`, { code: 'source' });
  return {
    ...prepared,
    host,
    isAuthRequired: authRequired,
    offersDryRun: dryRun,
    async api(operation) {
      const tokenUse = operation ?? (authRequired ? { kind: 'read' as const } : null);
      credentials.noteLoginUrl(source.original, `${host}/me`);
      const token = tokenUse === null ? null : await credentials.token(source.original, tokenUse);
      access.transport.assertOnline();
      const caller: Caller = isCargo
        ? { kind: 'cargo' }
        : { kind: 'documented', userAgent: access.userAgent ?? `tsreg/${VERSION}` };
      return new WebApi({
        ...context,
        transport: access.transport,
        host,
        token,
        tokenOrigin: token === null ? null : credentials.origin(source.original),
        isTokenRequired: authRequired,
        caller,
        maxWaitMs,
      });
    },
  };
}
