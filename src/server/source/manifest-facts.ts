import { asTable } from '../../core/toml/decode.ts';
import { parseToml } from '../../core/toml/parse.ts';
import type { TomlTable, TomlValue } from '../../core/toml/value.ts';

/** Facts of a package that only its `Cargo.toml` states. */
export interface ManifestFacts {
  /** null if not stated, which means 2015. Cargo Book: The Manifest Format, The edition field. */
  readonly edition: string | null;
  /** The library and the programs, such as `lib acme`. Older releases of cargo do not write them into archives. */
  readonly targets: readonly string[];
}

/** Reads the facts of a manifest. Whatever has an unexpected form is missing, as in text that is not TOML. */
export function readManifestFacts(text: string): ManifestFacts {
  const manifest = tomlOf(text);
  const edition = tableIn(manifest, 'package')?.get('edition');
  const library = tableIn(manifest, 'lib');
  const bins = manifest.get('bin');
  const programs = Array.isArray(bins) ? bins.map((bin) => nameIn(asTable(bin))) : [];
  return {
    edition: typeof edition === 'string' ? edition : null,
    targets: [
      ...(library === null ? [] : [libraryIn(library)]),
      ...programs.filter((name) => name !== null).map((name) => `bin ${name}`),
    ],
  };
}

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
