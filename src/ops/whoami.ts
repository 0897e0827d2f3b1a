/** `whoami`: asks a registry whose the token is that commands use for it. */
import type { OperationContext } from '../report/report.ts';
import { askAccount } from './registry/ask-account.ts';
import { openRegistry, type RegistryCommandOptions } from './registry/open-registry.ts';
import { type RegistryEntry, registryEntry } from './registry/registry-document.ts';
import { chooseRegistry, type RegistryFlags } from './registry/select-registry.ts';

/** What the command line asks for. */
export interface WhoamiOptions extends RegistryCommandOptions {
  readonly registry: RegistryFlags;
}

/** The document of `whoami --json`. */
export interface WhoamiDocument {
  /** Of this form. */
  readonly version: 1;
  readonly registry: RegistryEntry;
  readonly user: { readonly login: string; readonly name: string | null };
  /** Null where the registry does not tell. */
  readonly token: WhoamiToken | null;
}

/** A token as its registry knows it. */
export interface WhoamiToken {
  readonly name: string | null;
  /** What may be done with it; empty where the registry does not tell. */
  readonly scopes: readonly string[];
  /** Patterns of the crates that it is for; empty for all. */
  readonly crates: readonly string[];
  /** RFC 3339; null if it does not expire. */
  readonly expires_at: string | null;
}

/** Asks the registry that was chosen. Rejects where there is no token, and where the registry tells nobody. */
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
          : { name: token.name, scopes: token.scopes, crates: token.crates, expires_at: token.expiresAt },
    };
  } finally {
    await registry.close();
  }
}
