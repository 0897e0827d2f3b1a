/** The origin of the token of a registry. Cargo Book: Registry Authentication. */
import type { Config } from '../../../io/config/config.ts';
import { registryCredentials, TOKEN_PROVIDER } from '../../../io/config/credentials.ts';
import { type Definition, describeDefinition } from '../../../io/config/definition.ts';
import { chooseProviders, PASETO_PROVIDER } from '../../../io/credentials/choose-providers.ts';
import type { SourceId } from '../../../core/package-id/source-id.ts';
import type { Report } from '../../../core/report/report.ts';

/** A file or variable with the token, or a credential provider, which may have none. */
export type TokenOrigin =
  | { readonly kind: 'definition'; readonly definition: Definition }
  | { readonly kind: 'provider'; readonly provider: string };

/**
 * Returns the origin of the token of `source`; null if there is none. Asks no provider. `config` must have the
 * credentials file. Throws `config` if the configuration of the registry is invalid.
 */
export function findTokenOrigin(config: Config, source: SourceId, report: Report): TokenOrigin | null {
  const credentials = registryCredentials(config, source, report);
  const { providers } = chooseProviders(source, credentials, { config, report, warn: null });
  for (const [provider] of providers) {
    if (provider !== TOKEN_PROVIDER && provider !== PASETO_PROVIDER) return { kind: 'provider', provider };
    const secret = provider === TOKEN_PROVIDER ? credentials?.token : credentials?.secretKey;
    if (secret) return { kind: 'definition', definition: secret.definition };
  }
  return null;
}

/** Returns the origin as messages name it. */
export function describeTokenOrigin(origin: TokenOrigin): string {
  return origin.kind === 'provider'
    ? `the provider \`${origin.provider}\``
    : describeDefinition(origin.definition);
}
