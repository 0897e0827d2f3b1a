/** The choice and order of credential providers for a registry. Cargo Book: Registry Authentication. */
import type { Config } from '../config/config.ts';
import {
  type CredentialProvider,
  globalCredentialProviders,
  type RegistryCredentialConfig,
  resolveProvider,
  TOKEN_PROVIDER,
} from '../config/credentials.ts';
import { describeDefinition, type Located } from '../config/definition.ts';
import { programName } from '../config/environment.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { Report } from '../../core/report/report.ts';

/** The name of the provider of asymmetric tokens. */
export const PASETO_PROVIDER = 'cargo:paseto';

/** The credential providers of a registry. */
export interface ProviderChoice {
  /** In the order of their use. */
  readonly providers: readonly CredentialProvider[];
  /** False if no provider is configured. A registry that requires a token for reads needs one. */
  readonly isConfigured: boolean;
}

/** Inputs of the choice, in addition to the configuration of the registry. */
export interface ProviderChoiceOptions {
  readonly config: Config;
  readonly report: Report;
  /** Called with warnings about ignored configuration; null for no warnings. */
  readonly warn: ((text: string) => void) | null;
}

/** Returns true if asymmetric tokens are allowed. In compatibility mode they need `-Z asymmetric-token`. */
export function hasAsymmetricTokens({ env, unstable }: Config): boolean {
  return programName(env) !== 'cargo' || unstable.has('asymmetric-token');
}

/**
 * Returns the providers for `source`, whose configuration is `registry`; null if it has none. Its own provider takes
 * precedence over the global ones. Warns about a token or key that no provider of the choice uses.
 */
export function chooseProviders(
  source: SourceId,
  registry: RegistryCredentialConfig | null,
  { config, report, warn }: ProviderChoiceOptions,
): ProviderChoice {
  const globalProviders = globalCredentialProviders(config);
  // Before any other step, even if they are not used: as in cargo, this warns about aliases of built-in providers.
  const resolvedProviders =
    globalProviders?.map((provider) => resolveProvider(config, provider, report)) ?? null;
  const allowsKeys = hasAsymmetricTokens(config);
  const defaults: readonly CredentialProvider[] = allowsKeys
    ? [[TOKEN_PROVIDER], [PASETO_PROVIDER]]
    : [[TOKEN_PROVIDER]];
  const warnIgnored: WarnIgnored = (credential, { definition }, reason) =>
    warn?.(
      `${displaySource(source)} has a ${credential} configured in ${describeDefinition(definition)} that will be ignored because ${reason}`,
    );
  const { token = null, provider = null, secretKey = null } = registry ?? {};
  if (provider !== null) {
    const ownProvider = resolveProvider(config, provider, report);
    const [name] = ownProvider;
    const reason = `this registry is configured to use credential-provider \`${name}\``;
    if (token !== null && name !== TOKEN_PROVIDER) warnIgnored('token', token, reason);
    if (secretKey !== null && name !== PASETO_PROVIDER) warnIgnored('secret-key', secretKey, reason);
    return { providers: [ownProvider], isConfigured: true };
  }
  const providers = resolvedProviders ?? defaults;
  warnOfUnused({ token, secretKey: allowsKeys ? secretKey : null }, providers, warnIgnored);
  return { providers, isConfigured: globalProviders !== null };
}

/** Warns about a credential at `located` that is ignored for a reason. */
type WarnIgnored = (credential: string, located: Located<unknown>, reason: string) => void;

/**
 * Warns about a token or key whose provider is not in the list. If both exist, warns as cargo does: only if the list
 * has both providers, about the credential of the later one.
 */
function warnOfUnused(
  { token, secretKey }: Pick<RegistryCredentialConfig, 'token' | 'secretKey'>,
  providers: readonly CredentialProvider[],
  warnIgnored: WarnIgnored,
): void {
  const tokenRank = rankOf(TOKEN_PROVIDER, providers);
  const keyRank = rankOf(PASETO_PROVIDER, providers);
  if (token !== null && secretKey !== null) {
    if (tokenRank === -1 || keyRank === -1) return;
    if (tokenRank < keyRank) warnIgnored('`secret_key`', secretKey, outranked('token', TOKEN_PROVIDER));
    else warnIgnored('`token`', token, outranked('secret_key', PASETO_PROVIDER));
  } else if (token !== null && tokenRank === -1) {
    warnIgnored('token', token, notListed(TOKEN_PROVIDER));
  } else if (secretKey !== null && keyRank === -1) {
    warnIgnored('secret-key', secretKey, notListed(PASETO_PROVIDER));
  }
}

/** Returns the position of a provider, 0 for the highest precedence; -1 if it is not in the list. */
function rankOf(name: string, providers: readonly CredentialProvider[]): number {
  return providers.findIndex(([provider]) => provider === name);
}

function notListed(provider: string): string {
  return `the \`${provider}\` credential provider is not listed in \`registry.global-credential-providers\``;
}

function outranked(credential: string, provider: string): string {
  return `a \`${credential}\` is also configured, and the \`${provider}\` provider is configured with higher precedence`;
}
