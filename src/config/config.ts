/** Cargo's configuration: files, environment and `--config` put together. Cargo Book: Configuration. */
import { userInfo } from 'node:os';
import { NodeFiles } from '../disk/node-files.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { Wording } from '../errors/wording.ts';
import type { Files } from '../files/files.ts';
import type { Report } from '../report/report.ts';
import { readConfigArguments } from './command-line.ts';
import { expectedContainer } from './config-error.ts';
import { type ConfigKey, configKey, formatKey } from './config-key.ts';
import { type ConfigTable, type ConfigValue, mergeConfig } from './config-value.ts';
import {
  boolean,
  type Decoder,
  type DecoderSource,
  integer,
  list,
  located,
  optional,
  string,
  stringItem,
} from './decoder.ts';
import { describeDefinition, type Located, resolveLocatedPath } from './definition.ts';
import { discoverConfigFiles } from './discover-files.ts';
import { ConfigVariables, type Environment } from './environment.ts';
import { joinPath, normalizePath } from '../files/path.ts';
import { type ProjectFileTrust, projectFileTrust, withDataKeysOnly } from './project-files.ts';
import { readConfigFile } from './read-file.ts';
import {
  BUILD_TABLE,
  type BuildTable,
  HTTP_TABLE,
  type HttpTable,
  NET_TABLE,
  type NetTable,
  RESOLVER_TABLE,
  type ResolverTable,
} from './tables.ts';

/** What a configuration is made from. */
export interface ConfigOptions {
  /** Absolute, as the operating system says it. */
  readonly cwd: string;
  readonly env: Environment;
  readonly files: Files;
  /** Receives warnings about files, variables and unknown keys. */
  readonly report: Report;
  /** Names of the unstable features that are switched on. */
  readonly unstable?: ReadonlySet<string>;
  /** `--target-dir`, absolute; null or left out if it was not given. */
  readonly targetDirectory?: string | null;
}

/** Tables that are read once. */
interface Tables {
  build: BuildTable;
  http: HttpTable;
  net: NetTable;
  resolver: ResolverTable;
}

/**
 * Values by key. Files are read at the first question; what is wrong with them fails that question and
 * every later one.
 */
export class Config {
  /** The working folder, absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** `CARGO_HOME`, absolute. */
  readonly home: string;
  readonly files: Files;
  /** Names of the unstable features that are switched on. */
  readonly unstable: ReadonlySet<string>;
  /** The target directory that the command line names, above all settings; absolute. null if it names none. */
  readonly targetDirectory: string | null;
  readonly #report: Report;
  readonly #source: DecoderSource;
  readonly #read: () => ConfigTable;
  #values: ConfigTable | null = null;
  #failure: unknown = null;
  /** Tables of the credentials file, laid over the rest. */
  #credentials: ConfigTable | null = null;
  #tables: Partial<Tables> = {};

  constructor(options: ConfigOptions & { readonly variables?: ConfigVariables }, read?: () => ConfigTable) {
    this.cwd = options.cwd;
    this.env = options.env;
    this.files = options.files;
    this.home = cargoHome(options);
    this.unstable = options.unstable ?? new Set();
    this.targetDirectory = options.targetDirectory ?? null;
    this.#report = options.report;
    this.#read = read ?? (() => this.#readFiles());
    this.#source = {
      variables: options.variables ?? new ConfigVariables(options.env),
      lookUp: (key) => this.#lookUp(key),
      warn: (text) => this.#report.warning(text),
    };
  }

  /**
   * This configuration with `--config` arguments over it, which reads them and then the files, and unstable features.
   */
  withArguments(args: readonly string[], unstable: ReadonlySet<string> = this.unstable): Config {
    const options = { ...this.#options(), unstable };
    if (args.length === 0) return new Config(options, () => this.values());
    const over = readConfigArguments(args, this);
    const base: ConfigValue = { type: 'table', value: this.values(), definition: { kind: 'default' } };
    const merged = mergeConfig(base, over, { force: true });
    const values = merged.type === 'table' ? merged.value : new Map<string, ConfigValue>();
    return new Config(options, () => values);
  }

  /** How far files of the project are trusted. Throws where the environment does not say it right. */
  get projectFiles(): ProjectFileTrust {
    return projectFileTrust(this.env);
  }

  /** This configuration with another target directory; `path` as on the command line. */
  withTargetDirectory(path: string): Config {
    const targetDirectory = joinPath(this.cwd, path);
    return new Config({ ...this.#options(), targetDirectory }, () => this.values());
  }

  /** This configuration without what files, which are read, and `--config` say under a key of the top. */
  withoutKey(key: string): Config {
    const values = new Map(this.values());
    values.delete(key);
    return new Config(this.#options(), () => values);
  }

  /** Puts the tables of a credentials file over the values: keys that it has are asked there first. */
  addCredentials(tables: ConfigTable): void {
    this.#credentials = tables;
  }

  /** Every value of files and `--config`, environment aside. */
  values(): ConfigTable {
    if (this.#values !== null) return this.#values;
    if (this.#failure !== null) throw this.#failure;
    try {
      this.#values = this.#read();
      return this.#values;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  /** The value at `key` as `decoder` reads it, from files and environment. */
  get<T>(key: string, decoder: Decoder<T>): T {
    return decoder({ source: this.#source, key: configKey(key), ownsPrefix: true });
  }

  /** The string at `key`, null if nothing is set. */
  string(key: string): Located<string> | null {
    return this.get(key, optional(located(string)));
  }

  /** The boolean at `key`, null if nothing is set. */
  boolean(key: string): Located<boolean> | null {
    return this.get(key, optional(located(boolean)));
  }

  /** The integer at `key`, null if nothing is set. */
  integer(key: string): Located<number> | null {
    return this.get(key, optional(located(integer('u32'))));
  }

  /** The path at `key`, made absolute from where it was written down; null if nothing is set. */
  path(key: string): string | null {
    const found = this.string(key);
    return found === null ? null : resolveLocatedPath(found, this.cwd);
  }

  /** The strings of the list at `key`, lowest precedence first; null if nothing is set. */
  list(key: string): readonly Located<string>[] | null {
    return this.get(key, optional(list(stringItem)));
  }

  /** The table at `key`, environment aside; null if there is none. */
  table(key: string): ConfigTable | null {
    const path = configKey(key);
    const found = this.#lookUp(path);
    if (found === null) return null;
    if (found.type !== 'table') throw expectedContainer(path, 'table', found);
    return found.value;
  }

  /** The value at `key`, environment aside; null if there is none. */
  value(key: string): ConfigValue | null {
    return this.#lookUp(configKey(key));
  }

  /** The `[build]` table. */
  build(): BuildTable {
    return (this.#tables.build ??= this.get('build', BUILD_TABLE));
  }

  /** The `[http]` table. */
  http(): HttpTable {
    return (this.#tables.http ??= this.get('http', HTTP_TABLE));
  }

  /** The `[net]` table. */
  net(): NetTable {
    return (this.#tables.net ??= this.get('net', NET_TABLE));
  }

  /** The `[resolver]` table. */
  resolver(): ResolverTable {
    return (this.#tables.resolver ??= this.get('resolver', RESOLVER_TABLE));
  }

  #options(): ConfigOptions & { readonly variables: ConfigVariables } {
    const { cwd, env, files, unstable, targetDirectory } = this;
    const { variables } = this.#source;
    return { cwd, env, files, report: this.#report, unstable, targetDirectory, variables };
  }

  #readFiles(): ConfigTable {
    return withContext('could not load Cargo configuration', () => {
      let merged: ConfigValue = { type: 'table', value: new Map(), definition: { kind: 'default' } };
      const { cwd, home, files } = this;
      const trust = this.projectFiles;
      const discovery = { cwd, home, files, report: this.#report };
      for (const found of discoverConfigFiles(discovery, { readsProject: trust !== 'off' })) {
        const { path } = found;
        const isData = found.isOfProject && trust === 'data';
        // It may be a link to a file with secrets, and errors are for others to read as well.
        const read = readConfigFile(path, 'file', { files, cwd, hidesValues: isData });
        const value = isData ? this.#dataOf(read, path) : read;
        merged = withContext(`failed to merge configuration at \`${path}\``, () =>
          mergeConfig(merged, value, { force: false }),
        );
      }
      return merged.type === 'table' ? merged.value : new Map<string, ConfigValue>();
    });
  }

  #dataOf(file: ConfigValue, path: string): ConfigValue {
    const { kept, ignored } = withDataKeysOnly(file);
    if (ignored.length > 0) {
      const keys = ignored.map((key) => `\`${key}\``).join(', ');
      this.#report.warning(
        `ignoring ${keys} in the project's file \`${path}\`, because of \`TSREG_PROJECT_CONFIG=data\``,
      );
    }
    return kept;
  }

  #lookUp(key: ConfigKey): ConfigValue | null {
    const fromCredentials = this.#credentials === null ? null : follow(this.#credentials, key);
    return fromCredentials ?? follow(this.values(), key);
  }
}

/** Makes the configuration that applies in a working folder, of the real files unless others are given. Nothing is read yet. */
export function loadConfig(options: Omit<ConfigOptions, 'files'> & { readonly files?: Files }): Config {
  return new Config({ ...options, files: options.files ?? new NodeFiles() });
}

function follow(values: ConfigTable, key: ConfigKey): ConfigValue | null {
  let table = values;
  let found: ConfigValue | null = null;
  for (const [depth, part] of key.parts.entries()) {
    if (found !== null) {
      if (found.type !== 'table') {
        throw new TsregError(
          `expected table for configuration key \`${formatKey(key.parts.slice(0, depth))}\`, ` +
            `but found ${found.type} in ${describeDefinition(found.definition)}`,
          { code: 'config' },
        );
      }
      table = found.value;
    }
    found = table.get(part) ?? null;
    if (found === null) return null;
  }
  return found;
}

/** `CARGO_HOME`, or `.cargo` in the user's home folder. Cargo Book: Cargo Home. */
function cargoHome(options: ConfigOptions): string {
  const configured = options.env.CARGO_HOME;
  if (configured !== undefined && configured !== '') return normalizePath(joinPath(options.cwd, configured));
  const home = options.env.HOME;
  return normalizePath(joinPath(home !== undefined && home !== '' ? home : folderOfUser(), '.cargo'));
}

/** The user's home folder as the system knows it, whatever the environment of this process says. */
function folderOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    const message = new Wording(
      'cannot find your home directory',
      "Cargo couldn't find your home directory. This probably means that $HOME was not set.",
    );
    throw new TsregError(message, {
      code: 'config',
      hint: 'set the environment variable `HOME` or `CARGO_HOME`',
    });
  }
}
