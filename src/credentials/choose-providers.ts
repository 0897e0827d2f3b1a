/** Which providers are asked for a registry, and in which order. Cargo Book: Registry Authentication. */
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
import { displaySource } from '../package-id/describe.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Report } from '../report/report.ts';

/** The provider of asymmetric tokens. */
export const PASETO_PROVIDER = 'cargo:paseto';

/** The providers of a registry. */
export interface ProviderChoice {
  /** In the order in which they are asked. */
  readonly providers: readonly CredentialProvider[];
  /** False if nothing is configured: not enough for a registry that needs a token for reading. */
  readonly isConfigured: boolean;
}

/** What decides beside the configuration of the registry. */
export interface ProviderChoiceOptions {
  readonly config: Config;
  readonly report: Report;
  /** Told about what is configured and not used; null to say nothing about it. */
  readonly warn: ((text: string) => void) | null;
}

/** True if asymmetric tokens may be used: without a flag here, with `-Z asymmetric-token` where all is as cargo has it. */
export function hasAsymmetricTokens({ env, unstable }: Config): boolean {
  return programName(env) !== 'cargo' || unstable.has('asymmetric-token');
}

/** The providers to ask for `source`, for which `registry` is configured. */
export function chooseProviders(
  source: SourceId,
  registry: RegistryCredentialConfig | null,
  { config, report, warn }: ProviderChoiceOptions,
): ProviderChoice {
  const listed = globalCredentialProviders(config);
  const listedProviders = listed?.map((each) => resolveProvider(config, each, report)) ?? null;
  const knowsKeys = hasAsymmetricTokens(config);
  const defaults: readonly CredentialProvider[] = knowsKeys
    ? [[TOKEN_PROVIDER], [PASETO_PROVIDER]]
    : [[TOKEN_PROVIDER]];
  const isIgnored = (what: string, { definition }: Located<unknown>, why: string): void =>
    warn?.(
      `${displaySource(source)} has a ${what} configured in ${describeDefinition(definition)} that will be ignored because ${why}`,
    );
  const { token = null, provider = null, secretKey = null } = registry ?? {};
  if (provider !== null) {
    const resolved = resolveProvider(config, provider, report);
    const [name] = resolved;
    const why = `this registry is configured to use credential-provider \`${name}\``;
    if (token !== null && name !== TOKEN_PROVIDER) isIgnored('token', token, why);
    if (secretKey !== null && name !== PASETO_PROVIDER) isIgnored('secret-key', secretKey, why);
    return { providers: [resolved], isConfigured: true };
  }
  const providers = listedProviders ?? defaults;
  const tokenRank = rankOf(TOKEN_PROVIDER, providers);
  const keyRank = rankOf(PASETO_PROVIDER, providers);
  const notListed = (name: string): string =>
    `the \`${name}\` credential provider is not listed in \`registry.global-credential-providers\``;
  if (token !== null && secretKey !== null && knowsKeys) {
    if (tokenRank !== -1 && keyRank !== -1) {
      if (tokenRank < keyRank) isIgnored('`secret_key`', secretKey, outranked('token', TOKEN_PROVIDER));
      else isIgnored('`token`', token, outranked('secret_key', PASETO_PROVIDER));
    }
  } else if (token !== null) {
    if (tokenRank === -1) isIgnored('token', token, notListed(TOKEN_PROVIDER));
  } else if (secretKey !== null && knowsKeys && keyRank === -1) {
    isIgnored('secret-key', secretKey, notListed(PASETO_PROVIDER));
  }
  return { providers, isConfigured: listed !== null };
}

function rankOf(name: string, providers: readonly CredentialProvider[]): number {
  return providers.findIndex(([provider]) => provider === name);
}

function outranked(what: string, provider: string): string {
  return `a \`${what}\` is also configured, and the \`${provider}\` provider is configured with higher precedence`;
}
