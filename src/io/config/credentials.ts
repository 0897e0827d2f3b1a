/** Configured tokens and credential providers. Cargo Book: Registry Authentication. */
import type { Report } from '../../core/report/report.ts';
import { TsregError } from '../../core/errors/error.ts';
import { configuredName, isCratesIo, type SourceId } from '../../core/package-id/source-id.ts';
import { formatIndexUrl, formatSourceUrl } from '../../core/package-id/source-url.ts';
import type { Config } from './config.ts';
import { configFromToml, mergeConfig, type TableValue } from './config-value.ts';
import { optional, words } from './decoder.ts';
import { type Definition, definitionRoot, describeDefinition, type Located } from './definition.ts';
import { findNamedFile } from './discover-files.ts';
import { joinPath } from '../../core/files/path.ts';
import { parseConfigText } from './parse-text.ts';
import { readConfigFile } from './read-file.ts';
import { checkRegistryIndexUnset } from './registry-index.ts';
import { DEFAULT_REGISTRY_TABLE, namesOfRegistry, REGISTRY_TABLE } from './registry-tables.ts';
import { Secret } from './secret.ts';

/** The part of a report that credentials need. */
export type CredentialReport = Pick<Report, 'warning' | 'note'>;

/** The provider that reads tokens from the configuration and the credentials file. */
export const TOKEN_PROVIDER = 'cargo:token';

/** Names of built-in providers, which an alias cannot replace. */
const BUILT_IN_PROVIDERS = [
  TOKEN_PROVIDER,
  'cargo:paseto',
  'cargo:token-from-stdout',
  'cargo:wincred',
  'cargo:macos-keychain',
  'cargo:libsecret',
];

/** A program or built-in provider, and its arguments. */
export type CredentialProvider = readonly [name: string, ...args: string[]];

/** A provider and its origin, which a program's path is relative to. */
export type WrittenProvider = Located<CredentialProvider>;

/** The credentials configured for one registry. */
export interface RegistryCredentialConfig {
  readonly token: Located<Secret> | null;
  readonly provider: WrittenProvider | null;
  /** For asymmetric tokens, as PASERK: `k3.secret.…`. */
  readonly secretKey: Located<Secret> | null;
  /** The owner of the key. */
  readonly secretKeySubject: string | null;
}

/** Adds the credentials file in cargo's home to the configuration, with precedence. Call it once. */
export function loadCredentials(config: Config, report: Report): void {
  const path = findNamedFile(config.home, 'credentials', { files: config.files, report });
  if (path === null) return;
  overlayCredentials(
    config,
    readConfigFile(path, 'file', { files: config.files, cwd: config.cwd, hidesValues: true }),
  );
}

/** Replaces the credentials in the configuration by `text`, the new content of the credentials file at `path`. */
export function replaceCredentials(config: Config, path: string, text: string): void {
  overlayCredentials(
    config,
    configFromToml(parseConfigText(text, { hidesValues: true }), { kind: 'file', path }),
  );
}

/** Gives the tables of the credentials file to `config`, merged over its own values. */
function overlayCredentials(config: Config, file: TableValue): void {
  const tables = new Map(file.value);
  // Very old releases of cargo stored the crates.io token outside any table.
  const token = tables.get('token');
  tables.delete('token');
  if (token !== undefined && !tables.has('registry')) {
    tables.set('registry', {
      type: 'table',
      value: new Map([['token', token]]),
      definition: file.definition,
    });
  }
  const base = config.values();
  for (const [key, value] of tables) {
    const baseValue = base.get(key);
    if (baseValue !== undefined) tables.set(key, mergeConfig(baseValue, value, { force: true }));
  }
  config.addCredentials(tables);
}

/**
 * Returns the credentials for `source`; null if there are none. Finds the registry's name by its index, first in
 * variables. Throws `config` if several names match.
 */
export function registryCredentials(
  config: Config,
  source: SourceId,
  report: CredentialReport,
): RegistryCredentialConfig | null {
  const isDefault = isCratesIo(source);
  if (isDefault) checkRegistryIndexUnset(config);
  const key = isDefault ? 'registry' : registryTableKey(config, source, report);
  if (key === null) return null;
  const table = isDefault
    ? config.get(key, optional(DEFAULT_REGISTRY_TABLE))
    : config.get(key, optional(REGISTRY_TABLE));
  if (table === null) return null;
  const providerWords = table['credential-provider'];
  return {
    token: secret(table.token),
    provider: providerWords === null ? null : writtenProvider(providerWords),
    secretKey: secret(table['secret-key']),
    secretKeySubject: table['secret-key-subject'],
  };
}

/** Returns the provider that `credential-provider` names. Throws `config` if the list is empty. */
function writtenProvider({ value, definition }: Located<readonly string[]>): WrittenProvider {
  const [name, ...args] = value;
  if (name === undefined) {
    throw new TsregError('invalid length 0, expected at least one element', { code: 'config' });
  }
  return { value: [name, ...args], definition };
}

/** Returns `registry.global-credential-providers`, highest precedence first; null if none are set. */
export function globalCredentialProviders(config: Config): readonly WrittenProvider[] | null {
  const providers = config.list('registry.global-credential-providers') ?? [];
  if (providers.length === 0) return null;
  return providers.toReversed().map(({ value, definition }) => {
    const [name = '', ...args] = value.split(/[ \t\n\f\r]+/).filter((word) => word !== '');
    return { value: [name, ...args], definition };
  });
}

/** Returns the variable that sets the token of the registry `name`. */
export function tokenVariable(name: string): string {
  return `${variablePrefix(name)}TOKEN`;
}

/** The name for an unnamed registry in variables for another cargo. */
const UNNAMED = 'tsreg_unnamed';

/**
 * Returns variables that make another cargo use `token` for all requests to the registry `source`, even for reading.
 */
export function tokenVariables(
  config: Config,
  source: SourceId,
  token: Secret,
): Readonly<Record<string, string>> {
  const isDefault = isCratesIo(source);
  const [name] = isDefault ? [] : namesOfRegistry(config, source);
  const prefix = isDefault ? 'CARGO_REGISTRY_' : variablePrefix(name ?? UNNAMED);
  const isUnnamed = !isDefault && name === undefined;
  return {
    ...(isUnnamed ? { [`${prefix}INDEX`]: formatIndexUrl(source) } : {}),
    [`${prefix}TOKEN`]: token.expose(),
    // To read with a token, cargo needs an explicit provider.
    [`${prefix}CREDENTIAL_PROVIDER`]: TOKEN_PROVIDER,
  };
}

function variablePrefix(name: string): string {
  return `CARGO_REGISTRIES_${name.toUpperCase().replaceAll(/[-.]/g, '_')}_`;
}

/** Returns the key of the registry's table, `registries.NAME`; null if the registry has no name. */
function registryTableKey(config: Config, source: SourceId, report: CredentialReport): string | null {
  const [name, ...otherNames] = namesOfRegistry(config, source);
  if (name === undefined) return null;
  if (otherNames.length > 0) {
    const url = formatSourceUrl(source, { encoded: false });
    const names = [name, ...otherNames];
    const places = names.flatMap((each) => {
      const index = config.string(`registries.${each}.index`);
      return index === null ? [] : [`\`${each}\` is in ${describeDefinition(index.definition)}`];
    });
    throw new TsregError(
      `multiple registries are configured with the same index url '${url}': ${names.join(', ')}`,
      { code: 'config', hint: `keep one of them: ${places.join(', ')}` },
    );
  }
  if (name !== configuredName(source)) {
    report.note(`name of alternative registry \`${formatIndexUrl(source)}\` set to \`${name}\``);
  }
  return `registries.${name}`;
}

function secret(text: Located<string> | null): Located<Secret> | null {
  return text === null ? null : { value: new Secret(text.value), definition: text.definition };
}

/** Returns the actual provider: resolves an alias, and makes a program's path absolute. */
export function resolveProvider(
  config: Config,
  { value, definition }: WrittenProvider,
  report: CredentialReport,
): CredentialProvider {
  const [name, ...args] = value;
  if (args.length === 0 && !name.includes('.')) {
    const key = `credential-alias.${name}`;
    const [program, ...programArgs] = config.get(key, optional(words)) ?? [];
    if (program !== undefined) {
      const aliasDefinition = config.value(key)?.definition ?? { kind: 'default' };
      if (!BUILT_IN_PROVIDERS.includes(name)) {
        return [programPath(config, program, aliasDefinition), ...programArgs];
      }
      report.warning(
        `credential-alias \`${name}\` (defined in \`${describeDefinition(aliasDefinition)}\`) will be ` +
          'ignored because it would shadow a built-in credential-provider',
      );
    }
  }
  return [programPath(config, name, definition), ...args];
}

/** Resolves a name that contains a slash relative to its origin. The system looks up any other name. */
function programPath(config: Config, name: string, definition: Definition): string {
  if (!name.includes('/') && !name.includes('\\')) return name;
  return joinPath(definitionRoot(definition, config.cwd), name);
}
