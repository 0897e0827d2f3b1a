/** The check of a registry: its index, and whether it accepts the token. */
import { failureText } from '../../io/disk/failure-text.ts';
import type { Config } from '../../io/config/config.ts';
import { loadCredentials } from '../../io/config/credentials.ts';
import type { Secret } from '../../io/config/secret.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import { isCratesIo, isRemoteRegistry, type SourceId } from '../../core/package-id/source-id.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import type { IndexConfig } from '../../core/protocol/index-config.ts';
import { type OperationContext, reportTo } from '../../core/report/report.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { RegistrySurroundings } from '../../io/sources/remote-registry.ts';
import { SourceReplacement } from '../../io/sources/source-replacement.ts';
import { WebApi } from '../../io/web-api/web-api.ts';
import { askAccount } from '../shared/registry/ask-account.ts';
import type { ConfiguredRegistry } from '../shared/registry/configured-registries.ts';
import { openProbe, probeIndex, type ProbeOptions } from '../shared/registry/probe-index.ts';
import type { RegistrySource } from '../shared/registry/select-registry.ts';
import { describeTokenOrigin, findTokenOrigin, type TokenOrigin } from '../shared/registry/token-origin.ts';
import { offlineFlag } from '../shared/workspace/access-flags.ts';
import { VERSION } from '../shared/version.ts';
import { type Check, check, failureHelp } from './check.ts';

const SILENT = reportTo({});

/**
 * Checks a registry. `sources` is the table of its sources. Without network, only finds its token. Shows no token.
 */
export async function checkRegistry(
  registry: ConfiguredRegistry,
  options: ProbeOptions & { readonly sources: SourceTable },
  { signal }: Pick<OperationContext, 'signal'>,
): Promise<Check> {
  const { config, sources } = options;
  const title = `${registry.name}${registry.isDefault ? ' (default)' : ''}`;
  const result = (status: Check['status'], text: string, help: string | null = null): Check =>
    check('registry', { status, subject: registry.name, text: `${title}: ${text}`, help });
  try {
    if (registry.problem !== null) throw registry.problem;
    const { original } = registry.source;
    const actual = new SourceReplacement(config, sources).actualOf(original);
    const isReplaced = actual !== registry.source.actual;
    const note = isReplaced ? `replaced by ${displaySource(actual)}, ` : '';
    if (!isRemoteRegistry(actual.kind)) return result('ok', `${note}on disk`);
    const origin = tokenOriginOf(original, config);
    const token = origin === null ? 'no token' : `token from ${describeTokenOrigin(origin)}`;
    const flag = offlineFlag(options);
    if (flag !== null) return result('info', `${note}not asked because of \`${flag}\`, ${token}`);
    // A replacement must not get the token. crates.io does not say whether it accepts one.
    const sendsToken = origin !== null && !isReplaced && !isCratesIo(original);
    const { durationMs, acceptance } = await ask({ original, actual }, options, { sendsToken, signal });
    const { status, text, help } = describeAcceptance(token, acceptance, registry.name);
    return result(status, `${note}index responds in ${durationMs} ms, ${text}`, help);
  } catch (error) {
    signal.throwIfAborted();
    return result('error', failureText(error), registryHelp(error, registry.name));
  }
}

/** Returns what to do about a registry that cannot be used. */
export function registryHelp(error: unknown, name: string): string {
  const hint = failureHelp(error);
  if (hint !== null) return hint;
  if (error instanceof TsregError && error.code === 'network')
    return 'check the network, the proxy and the URL';
  return name === CRATES_IO_NAME
    ? 'check the configuration of crates.io'
    : `correct the index, or remove the registry: \`tsreg registry remove ${name}\``;
}

/** The response of a registry to its token. `unknown`: there is none, or the registry does not say. */
type Acceptance =
  | { readonly kind: 'accepted'; readonly login: string }
  | { readonly kind: 'refused'; readonly error: TsregError }
  /** A provider failed, or has no token. */
  | { readonly kind: 'unavailable'; readonly error: TsregError }
  | { readonly kind: 'unknown' };

function describeAcceptance(
  token: string,
  acceptance: Acceptance,
  name: string,
): Pick<Check, 'status' | 'text' | 'help'> {
  switch (acceptance.kind) {
    case 'accepted':
      return { status: 'ok', text: `${token} accepted for ${acceptance.login}`, help: null };
    case 'unknown':
      return { status: 'ok', text: token, help: null };
    case 'unavailable':
      return {
        status: 'error',
        text: `${token} cannot be used: ${failureText(acceptance.error)}`,
        help:
          failureHelp(acceptance.error) ??
          `correct \`credential-provider\`, or run \`tsreg login --registry ${name}\``,
      };
    case 'refused':
      return {
        status: 'error',
        text: `${token} refused: ${failureText(acceptance.error)}`,
        help: `run \`tsreg login --registry ${name}\``,
      };
  }
}

/** Asks the index, and with `sendsToken` the web API about the token. Rejects if the index does not respond. */
async function ask(
  source: RegistrySource,
  options: ProbeOptions,
  { sendsToken, signal }: { readonly sendsToken: boolean; readonly signal: AbortSignal },
): Promise<{ readonly durationMs: number; readonly acceptance: Acceptance }> {
  const surroundings = openProbe(options, { report: SILENT, signal });
  try {
    const startMs = performance.now();
    const config = await probeIndex(source.actual, surroundings);
    const durationMs = Math.round(performance.now() - startMs);
    const isAsked = sendsToken && config !== null;
    const acceptance = isAsked
      ? await askToken(source, config, surroundings)
      : ({ kind: 'unknown' } as const);
    return { durationMs, acceptance };
  } finally {
    await surroundings.access.close();
  }
}

/** Asks a registry which user the token belongs to. */
async function askToken(
  source: RegistrySource,
  { api: host, authRequired }: IndexConfig,
  { context, access }: RegistrySurroundings,
): Promise<Acceptance> {
  if (host === null) return { kind: 'unknown' };
  const { report, signal } = context;
  const { transport, credentials } = access;
  const userAgent = access.userAgent ?? `tsreg/${VERSION}`;
  let token: Secret;
  try {
    token = await credentials.token(source.original, { kind: 'read' });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TsregError)) throw error;
    return { kind: 'unavailable', error };
  }
  const api = new WebApi({
    report,
    signal,
    transport,
    host,
    token,
    tokenOrigin: credentials.origin(source.original),
    isTokenRequired: authRequired,
    caller: { kind: 'documented', userAgent },
    maxWaitMs: null,
  });
  try {
    const { login } = await askAccount({ api: () => Promise.resolve(api), host, source });
    return { kind: 'accepted', login };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof TsregError)) throw error;
    // Registries without this request have other codes.
    return error.code === 'auth' ? { kind: 'refused', error } : { kind: 'unknown' };
  }
}

function tokenOriginOf(source: SourceId, config: Config): TokenOrigin | null {
  const withTokens = config.withArguments([]);
  loadCredentials(withTokens, SILENT);
  return findTokenOrigin(withTokens, source, SILENT);
}
