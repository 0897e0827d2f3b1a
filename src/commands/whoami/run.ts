/** `whoami`: shows which user the current token belongs to. */
import type { OperationContext } from '../../core/report/report.ts';
import { askAccount } from '../shared/registry/ask-account.ts';
import { openRegistry, type RegistryCommandOptions } from '../shared/registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from '../shared/registry/select-registry.ts';

/** The command-line options of `whoami`. */
export interface WhoamiOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
}

/** The document of `whoami --json`. */
export interface WhoamiDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly registry: RegistryEntry;
  readonly user: { readonly login: string; readonly name: string | null };
  /** null if the registry does not describe the token. */
  readonly token: WhoamiToken | null;
}

/** A token, as its registry describes it. */
export interface WhoamiToken {
  readonly name: string | null;
  /** The permitted operations; empty if the registry does not name them. */
  readonly scopes: readonly string[];
  /** Patterns of the crates that the token is for; empty for all. */
  readonly crates: readonly string[];
  /** RFC 3339; null if it does not expire. */
  readonly expiresAt: string | null;
}

/**
 * Asks the selected registry. Rejects if there is no token, if it is refused, or if the registry does not support this.
 */
export async function whoami(options: WhoamiOptions, context: OperationContext): Promise<WhoamiDocument> {
  const choice = chooseRegistry(options.registry, options.config);
  const registry = await openRegistry({ ...options, choice, refreshes: false, needsToken: true }, context);
  try {
    const { login, name, token } = await askAccount(registry);
    return {
      version: 1,
      registry: registryEntry(registry),
      user: { login, name },
      token:
        token === null
          ? null
          : { name: token.name, scopes: token.scopes, crates: token.crates, expiresAt: token.expiresAt },
    };
  } finally {
    await registry.close();
  }
}
