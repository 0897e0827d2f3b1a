/** Tokens and what provides them, as configured. Cargo Book: Registry Authentication. */
import type { Report } from '../report/report.ts';
import { TsregError } from '../errors/error.ts';
import { displaySource } from '../package-id/describe.ts';
import { isCratesIo, type SourceId } from '../package-id/source-id.ts';
import { canonicalizeUrl, parseUrl } from '../package-id/url.ts';
import type { Config } from './config.ts';
import { type ConfigTable, mergeConfig } from './config-value.ts';
import { optional, words } from './decoder.ts';
import { definitionRoot, describeDefinition, type Located } from './definition.ts';
import { findNamedFile } from './discover-files.ts';
import { joinPath } from '../files/path.ts';
import { readConfigFile } from './read-file.ts';
import { Secret } from './secret.ts';

/** As much of a report as is needed here. */
export type CredentialReport = Pick<Report, 'warning' | 'note'>;

/** The provider that reads tokens from configuration and credentials file. */
export const TOKEN_PROVIDER = 'cargo:token';

/** Names that an alias cannot take. */
const BUILT_IN = [
  TOKEN_PROVIDER,
  'cargo:paseto',
  'cargo:token-from-stdout',
  'cargo:wincred',
  'cargo:macos-keychain',
  'cargo:libsecret',
];

/** A program or built-in provider, and its arguments. */
export type CredentialProvider = readonly [name: string, ...args: string[]];

/** What is configured for one registry. */
export interface RegistryCredentialConfig {
  readonly token: Located<Secret> | null;
  readonly provider: CredentialProvider | null;
}

/** Lays the credentials file under cargo's home over the configuration. To be called once. */
export function loadCredentials(config: Config, report: Report): void {
  const path = findNamedFile(config.home, 'credentials', { files: config.files, report });
  if (path === null) return;
  const read = readConfigFile(path, 'file', config);
  if (read.type !== 'table') return;
  const tables = new Map(read.value);
  // Very old releases kept the token of crates.io outside of any table.
  const token = tables.get('token');
  tables.delete('token');
  if (token !== undefined && !tables.has('registry')) {
    tables.set('registry', {
      type: 'table',
      value: new Map([['token', token]]),
      definition: read.definition,
    });
  }
  const base: ConfigTable = config.values();
  for (const [key, value] of tables) {
    const below = base.get(key);
    if (below !== undefined) tables.set(key, mergeConfig(below, value, { force: true }));
  }
  config.addCredentials(tables);
}

/** What is configured for `source`. Its name is looked up by its index, in variables first. Throws where that is ambiguous. */
export function registryCredentials(
  config: Config,
  source: SourceId,
  report: CredentialReport,
): RegistryCredentialConfig {
  const table = isCratesIo(source) ? 'registry' : tableOf(config, source, report);
  if (table === null) return { token: null, provider: null };
  const token = config.string(`${table}.token`);
  return {
    token: token === null ? null : { value: new Secret(token.value), definition: token.definition },
    provider: providerAt(config, `${table}.credential-provider`, report),
  };
}

/**
 * The providers to ask for `source`, in order. Null if none was configured at all and the default, which is
 * `cargo:token`, would be asked: not enough for a registry that needs a token for reading.
 */
export function credentialProviders(
  config: Config,
  source: SourceId,
  report: CredentialReport,
): readonly CredentialProvider[] | null {
  const { token, provider } = registryCredentials(config, source, report);
  const ignored = (why: string): void => {
    if (token === null) return;
    const place = describeDefinition(token.definition);
    report.warning(
      `${displaySource(source)} has a token configured in ${place} that will be ignored because ${why}`,
    );
  };
  if (provider !== null) {
    if (provider[0] !== TOKEN_PROVIDER) {
      ignored(`this registry is configured to use credential-provider \`${provider[0]}\``);
    }
    return [provider];
  }
  const listed = config.list('registry.global-credential-providers') ?? [];
  if (listed.length === 0) return null;
  // The last one has the highest precedence.
  const providers = listed.toReversed().flatMap(({ value, definition }) => {
    const [name, ...args] = value.split(/\s+/).filter((word) => word !== '');
    return name === undefined
      ? []
      : [resolveProvider(config, { value: [name, ...args], definition }, report)];
  });
  if (!providers.some(([name]) => name === TOKEN_PROVIDER)) {
    ignored('the `cargo:token` credential provider is not listed in `registry.global-credential-providers`');
  }
  return providers;
}

/** The variable that would set the token of the registry `name`. */
export function tokenVariable(name: string): string {
  return `CARGO_REGISTRIES_${name.toUpperCase().replaceAll(/[-.]/g, '_')}_TOKEN`;
}

function tableOf(config: Config, source: SourceId, report: CredentialReport): string | null {
  const fromVariables = namesInVariables(config, source);
  const names = fromVariables.length > 0 ? fromVariables : namesInTables(config, source);
  const [name, ...others] = names.toSorted();
  if (name === undefined) return null;
  const url = source.kind === 'sparse-registry' ? `sparse+${source.url}` : source.url;
  if (others.length > 0) {
    throw new TsregError(
      `multiple registries are configured with the same index url '${url}': ${[name, ...others].join(', ')}`,
      { code: 'config' },
    );
  }
  if (name !== source.registryName) report.note(`name of alternative registry \`${url}\` set to \`${name}\``);
  return `registries.${name}`;
}

function namesInVariables({ env }: Config, source: SourceId): readonly string[] {
  return Object.entries(env).flatMap(([variable, value]) => {
    const name = /^CARGO_REGISTRIES_(.*)_INDEX$/.exec(variable)?.[1];
    return name !== undefined && value !== undefined && isIndexOf(value, source) ? [name.toLowerCase()] : [];
  });
}

function namesInTables(config: Config, source: SourceId): readonly string[] {
  const names: string[] = [];
  for (const [name, registry] of config.table('registries') ?? []) {
    const index = registry.type === 'table' ? registry.value.get('index') : undefined;
    if (index?.type === 'string' && isIndexOf(index.value, source)) names.push(name);
  }
  return names;
}

function isIndexOf(text: string, source: SourceId): boolean {
  try {
    return canonicalizeUrl(parseUrl(text)) === source.canonicalUrl;
  } catch {
    return false;
  }
}

function providerAt(config: Config, key: string, report: CredentialReport): CredentialProvider | null {
  const [name, ...args] = config.get(key, optional(words)) ?? [];
  if (name === undefined) return null;
  const definition = config.value(key)?.definition ?? { kind: 'default' };
  return resolveProvider(config, { value: [name, ...args], definition }, report);
}

/** Replaces an alias, and makes the path of a program absolute. */
function resolveProvider(
  config: Config,
  { value, definition }: Located<CredentialProvider>,
  report: CredentialReport,
): CredentialProvider {
  const [name, ...args] = value;
  if (args.length === 0 && !name.includes('.')) {
    const key = `credential-alias.${name}`;
    const [program, ...rest] = config.get(key, optional(words)) ?? [];
    if (program !== undefined) {
      const aliasDefinition = config.value(key)?.definition ?? { kind: 'default' };
      if (!BUILT_IN.includes(name)) return [programPath(config, program, aliasDefinition), ...rest];
      report.warning(
        `credential-alias \`${name}\` (defined in \`${describeDefinition(aliasDefinition)}\`) will be ` +
          'ignored because it would shadow a built-in credential-provider',
      );
    }
  }
  return [programPath(config, name, definition), ...args];
}

/** A name with a slash is a path from where it was written down; any other is found by the system. */
function programPath(config: Config, name: string, definition: Located<unknown>['definition']): string {
  if (!name.includes('/') && !name.includes('\\')) return name;
  return joinPath(definitionRoot(definition, config.cwd), name);
}
