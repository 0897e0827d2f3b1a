import { asTable } from '../../core/toml/decode.ts';
import { parseToml } from '../../core/toml/parse.ts';
import type { TomlTable, TomlValue } from '../../core/toml/value.ts';

/** Facts of a package that only its `Cargo.toml` states. */
export interface ManifestFacts {
  /** null if not stated, which means 2015. Cargo Book: The Manifest Format, The edition field. */
  readonly edition: string | null;
  /** The SPDX expression, else the path of the license file; null if neither is stated. */
  readonly license: string | null;
  /** The library and the programs, such as `lib acme`. Older releases of cargo do not write them into archives. */
  readonly targets: readonly string[];
  /** null if not stated. */
  readonly description: string | null;
}

/** Longer values are not shown. */
const MAX_CHARS = 2000;

/** Reads the facts of a manifest. Whatever has an unexpected form is missing, as in text that is not TOML. */
export function readManifestFacts(text: string): ManifestFacts {
  const manifest = tomlOf(text);
  const packageTable = tableIn(manifest, 'package');
  const edition = packageTable?.get('edition');
  const description = packageTable?.get('description');
  const licenses = [packageTable?.get('license'), packageTable?.get('license-file')].filter(
    (value) => typeof value === 'string',
  );
  const library = tableIn(manifest, 'lib');
  const bins = manifest.get('bin');
  const programs = Array.isArray(bins) ? bins.map((bin) => nameIn(asTable(bin))) : [];
  return {
    edition: typeof edition === 'string' ? edition : null,
    license: licenses.find(({ length }) => length <= MAX_CHARS) ?? null,
    targets: [
      ...(library === null ? [] : [libraryIn(library)]),
      ...programs.filter((name) => name !== null).map((name) => `bin ${name}`),
    ],
    description:
      typeof description === 'string' && description.length <= MAX_CHARS ? description.trim() : null,
  };
}

/** What a package is for. */
export interface PackageKind {
  readonly hasLibrary: boolean;
  readonly hasPrograms: boolean;
}

/**
 * Reads what a package is for from its manifest and the paths of its files: targets that the manifest does not list can
 * exist by their paths, unless it says otherwise. Cargo Book: Cargo Targets, Target auto-discovery.
 */
export function readPackageKind(text: string, paths: readonly string[]): PackageKind {
  const manifest = tomlOf(text);
  const settings = tableIn(manifest, 'package');
  const isFound = (setting: string, file: RegExp): boolean =>
    settings?.get(setting) !== false && paths.some((path) => file.test(path));
  return {
    hasLibrary: tableIn(manifest, 'lib') !== null || isFound('autolib', LIBRARY_FILE),
    hasPrograms: Array.isArray(manifest.get('bin')) || isFound('autobins', PROGRAM_FILE),
  };
}

const LIBRARY_FILE = /^src\/lib\.rs$/;
const PROGRAM_FILE = /^src\/(?:main\.rs|bin\/[^/]+(?:\.rs|\/main\.rs))$/;

function tomlOf(text: string): TomlTable {
  try {
    return parseToml(text);
  } catch {
    return new Map();
  }
}

function libraryIn(table: TomlTable): string {
  const kind = table.get('proc-macro') === true ? 'proc-macro' : 'lib';
  const name = nameIn(table);
  return name === null ? kind : `${kind} ${name}`;
}

function tableIn(table: TomlTable, key: string): TomlTable | null {
  const value: TomlValue | undefined = table.get(key);
  return value === undefined ? null : asTable(value);
}

function nameIn(table: TomlTable | null): string | null {
  const name = table?.get('name');
  return typeof name === 'string' ? name : null;
}
