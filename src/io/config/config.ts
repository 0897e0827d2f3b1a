/** Cargo's configuration: files, environment and `--config` merged. Cargo Book: Configuration. */
import { NodeFiles } from '../disk/node-files.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import type { Report } from '../../core/report/report.ts';
import { cargoHome } from './cargo-home.ts';
import { readConfigArguments } from './command-line.ts';
import { expectedContainer } from './config-error.ts';
import { type ConfigKey, configKey, formatKey } from './config-key.ts';
import { type ConfigTable, type ConfigValue, mergeTables, type TableValue } from './config-value.ts';
import { boolean, type Decoder, integer, list, located, optional, string, stringItem } from './decoder.ts';
import { describeDefinition, type Located, resolveLocatedPath } from './definition.ts';
import { discoverConfigFiles } from './discover-files.ts';
import { ConfigVariables, type Environment } from './environment.ts';
import { joinPath } from '../../core/files/path.ts';
import type { DecoderSource } from './place.ts';
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

/** Inputs for a configuration. */
export interface ConfigOptions {
  /** Absolute, as the operating system reports it. */
  readonly cwd: string;
  readonly env: Environment;
  readonly files: Files;
  /** Receives warnings about files, variables and unknown keys. */
  readonly report: Report;
  /** Names of enabled unstable features. */
  readonly unstable?: ReadonlySet<string>;
  /** `--target-dir`, absolute; null or undefined if not given. */
  readonly targetDirectory?: string | null;
}

/** Tables that are decoded once, on the first request. */
interface Tables {
  build: BuildTable;
  http: HttpTable;
  net: NetTable;
  resolver: ResolverTable;
}

/**
 * Configuration values by key. Files are read on the first request. If they are invalid, it and every later one throws.
 */
export class Config {
  /** The working directory, absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** `CARGO_HOME`, absolute. */
  readonly home: string;
  readonly files: Files;
  /** Names of enabled unstable features. */
  readonly unstable: ReadonlySet<string>;
  /** The target directory from the command line, which overrides all settings; absolute. null if not given. */
  readonly targetDirectory: string | null;
  readonly #report: Report;
  readonly #source: DecoderSource;
  readonly #read: () => ConfigTable;
  /** The result of `#read`; null before its first call, or if it failed with `#failure`. */
  #values: ConfigTable | null = null;
  #failure: unknown = null;
  /** Tables of the credentials file, which take precedence. */
  #credentials: ConfigTable | null = null;
  #tables: Partial<Tables> = {};

  /** `read` returns all values of files and `--config`; by default, it reads the files. It is called at most once. */
  constructor(options: ConfigOptions & { readonly variables?: ConfigVariables }, read?: () => ConfigTable) {
    this.cwd = options.cwd;
    this.env = options.env;
    this.files = options.files;
    this.home = cargoHome(options.cwd, options.env);
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
   * Returns this configuration with unstable features and `--config` arguments, which take precedence. Reads the
   * arguments, then the files, if there are arguments.
   */
  withArguments(args: readonly string[], unstable: ReadonlySet<string> = this.unstable): Config {
    const options = { ...this.#options(), unstable };
    if (args.length === 0) return new Config(options, () => this.values());
    const fromArguments = readConfigArguments(args, { files: this.files, cwd: this.cwd });
    const base: TableValue = { type: 'table', value: this.values(), definition: { kind: 'default' } };
    const merged = mergeTables(base, fromArguments, { force: true });
    return new Config(options, () => merged.value);
  }

  /** How far the project's files are trusted. Throws `config` if the environment variable for it is invalid. */
  get projectFiles(): ProjectFileTrust {
    return projectFileTrust(this.env);
  }

  /** Returns this configuration with another target directory; `path` is as on the command line. */
  withTargetDirectory(path: string): Config {
    const targetDirectory = joinPath(this.cwd, path);
    return new Config({ ...this.#options(), targetDirectory }, () => this.values());
  }

  /** Returns this configuration without a top-level key in files and `--config`. Reads the files. */
  withoutKey(key: string): Config {
    const values = new Map(this.values());
    values.delete(key);
    return new Config(this.#options(), () => values);
  }

  /**
   * Adds the tables of a credentials file. They replace the tables of the same keys, so `tables` must already contain
   * those of other files and `--config`. A configuration that is made from this one does not have them.
   */
  addCredentials(tables: ConfigTable): void {
    this.#credentials = tables;
  }

  /** Returns all values of files and `--config`, without the environment. */
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

  /**
   * Returns the value at `key` from files, `--config` and environment, decoded by `decoder`. Throws `config` if it is
   * invalid, like all methods below that take a key.
   */
  get<T>(key: string, decoder: Decoder<T>): T {
    return decoder({ source: this.#source, key: configKey(key), ownsPrefix: true });
  }

  /** Returns the string at `key`; null if not set. */
  string(key: string): Located<string> | null {
    return this.get(key, optional(located(string)));
  }

  /** Returns the boolean at `key`; null if not set. */
  boolean(key: string): Located<boolean> | null {
    return this.get(key, optional(located(boolean)));
  }

  /** Returns the integer at `key`; null if not set. */
  integer(key: string): Located<number> | null {
    return this.get(key, optional(located(integer('u32'))));
  }

  /** Returns the path at `key`, made absolute according to its origin; null if not set. */
  path(key: string): string | null {
    const path = this.string(key);
    return path === null ? null : resolveLocatedPath(path, this.cwd);
  }

  /** Returns the strings of the list at `key`, lowest precedence first; null if not set. */
  list(key: string): readonly Located<string>[] | null {
    return this.get(key, optional(list(stringItem)));
  }

  /** Returns the table at `key`, without the environment; null if not set. */
  table(key: string): ConfigTable | null {
    const parsed = configKey(key);
    const value = this.#lookUp(parsed);
    if (value === null) return null;
    if (value.type !== 'table') throw expectedContainer(parsed, 'table', value);
    return value.value;
  }

  /** Returns the value at `key`, without the environment; null if not set. */
  value(key: string): ConfigValue | null {
    return this.#lookUp(configKey(key));
  }

  /** Returns `[build]`. Throws `config` if it is invalid, like the other tables. */
  build(): BuildTable {
    return (this.#tables.build ??= this.get('build', BUILD_TABLE));
  }

  /** Returns `[http]`. */
  http(): HttpTable {
    return (this.#tables.http ??= this.get('http', HTTP_TABLE));
  }

  /** Returns `[net]`. */
  net(): NetTable {
    return (this.#tables.net ??= this.get('net', NET_TABLE));
  }

  /** Returns `[resolver]`. */
  resolver(): ResolverTable {
    return (this.#tables.resolver ??= this.get('resolver', RESOLVER_TABLE));
  }

  #options(): ConfigOptions & { readonly variables: ConfigVariables } {
    const { cwd, env, files, unstable, targetDirectory } = this;
    const { variables } = this.#source;
    return { cwd, env, files, report: this.#report, unstable, targetDirectory, variables };
  }

  /** Reads and merges the configuration files, the nearest first: later ones have lower precedence. */
  #readFiles(): ConfigTable {
    return withContext('could not load Cargo configuration', () => {
      let merged: TableValue = { type: 'table', value: new Map(), definition: { kind: 'default' } };
      const { cwd, home, files } = this;
      const trust = this.projectFiles;
      const discovery = { cwd, home, files, report: this.#report };
      for (const { path, isOfProject } of discoverConfigFiles(discovery, { readsProject: trust !== 'off' })) {
        const isData = isOfProject && trust === 'data';
        // The file may be a link to one with secrets, and other people may see errors.
        const file = readConfigFile(path, 'file', { files, cwd, hidesValues: isData });
        const trusted = isData ? this.#allowedPart(file, path) : file;
        merged = withContext(`failed to merge configuration at \`${path}\``, () =>
          mergeTables(merged, trusted, { force: false }),
        );
      }
      return merged.value;
    });
  }

  /** Returns the part of a project's file that `TSREG_PROJECT_CONFIG=data` allows. Warns about ignored keys. */
  #allowedPart(file: TableValue, path: string): TableValue {
    const { allowed, ignored } = withDataKeysOnly(file);
    if (ignored.length > 0) {
      const keys = ignored.map((key) => `\`${key}\``).join(', ');
      this.#report.warning(
        `ignoring ${keys} in the project's file \`${path}\`, because of \`TSREG_PROJECT_CONFIG=data\``,
      );
    }
    return allowed;
  }

  #lookUp(key: ConfigKey): ConfigValue | null {
    const fromCredentials = this.#credentials === null ? null : valueAt(this.#credentials, key);
    return fromCredentials ?? valueAt(this.values(), key);
  }
}

/** Returns the configuration of a working directory, from the real file system by default. Does not read files yet. */
export function loadConfig(options: Omit<ConfigOptions, 'files'> & { readonly files?: Files }): Config {
  return new Config({ ...options, files: options.files ?? new NodeFiles() });
}

/** Returns the value at `key`; null if not set. Throws `config` if a part of `key` names a value that is no table. */
function valueAt(values: ConfigTable, key: ConfigKey): ConfigValue | null {
  let table = values;
  let value: ConfigValue | null = null;
  for (const [depth, part] of key.parts.entries()) {
    if (value !== null) {
      if (value.type !== 'table') {
        throw new TsregError(
          `expected table for configuration key \`${formatKey(key.parts.slice(0, depth))}\`, ` +
            `but found ${value.type} in ${describeDefinition(value.definition)}`,
          { code: 'config' },
        );
      }
      table = value.value;
    }
    value = table.get(part) ?? null;
    if (value === null) return null;
  }
  return value;
}
