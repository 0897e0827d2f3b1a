/** The parts of the identity that admins chose. They are settings with the names of the flags. */
import type { Identity, IdentityPart, Logo } from '../../server-context.ts';
import { type Colour, parseColour } from '../../shared/colour.ts';
import { logoOf, parseRegistryName, parseSiteName, parseWelcome } from './identity-values.ts';

/** The parts that admins chose. null for a part that they did not choose, or that this release does not accept. */
export interface StoredIdentity {
  readonly siteName: string | null;
  readonly registryName: string | null;
  readonly accent: Colour | null;
  readonly logo: Logo | null;
  /** Markdown. */
  readonly welcome: string | null;
}

/** Returns the stored parts of an identity, checked again: another release may have stored them. */
export function storedIdentity(settings: ReadonlyMap<string, Uint8Array>): StoredIdentity {
  const part = <T>(name: IdentityPart, parse: (bytes: Buffer) => T | null): T | null => {
    const value = settings.get(name);
    return value === undefined ? null : parse(Buffer.from(value));
  };
  return {
    siteName: part('name', (bytes) => parseSiteName(bytes.toString())),
    registryName: part('registry-name', (bytes) => parseRegistryName(bytes.toString())),
    accent: part('accent', (bytes) => parseColour(bytes.toString())),
    logo: part('logo', logoOf),
    welcome: part('welcome', (bytes) => parseWelcome(bytes.toString())),
  };
}

/** The rules by which stored parts take effect. */
export interface IdentityRules {
  /** The identity of the flags and their default values. */
  readonly base: Identity;
  /** The parts that flags set: their stored values have no effect. */
  readonly fixed: ReadonlySet<IdentityPart>;
}

/** Returns the identity with the stored parts that take effect. `welcomeHtml` is `stored.welcome` as safe HTML. */
export function withStored(
  { base, fixed }: IdentityRules,
  stored: StoredIdentity,
  welcomeHtml: string | null,
): Identity {
  const choose = <T>(part: IdentityPart, value: T | null, baseValue: T): T =>
    value === null || fixed.has(part) ? baseValue : value;
  return {
    siteName: choose('name', stored.siteName, base.siteName),
    registryName: choose('registry-name', stored.registryName, base.registryName),
    accent: choose('accent', stored.accent, base.accent),
    logo: choose('logo', stored.logo, base.logo),
    welcomeHtml: choose('welcome', welcomeHtml, base.welcomeHtml),
  };
}
