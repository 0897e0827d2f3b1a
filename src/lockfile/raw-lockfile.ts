/** The tables of a lock file as they are written, before anything is resolved. */
import { parseToml, parseTomlWithSpans } from '../toml/parse.ts';
import { array, DecodeContext, integer, map, string, strings, struct } from '../toml/decode.ts';
import { renderTomlError, TomlSyntaxError } from '../toml/syntax-error.ts';
import { locateTypeError, TomlTypeError } from '../toml/type-error.ts';
import { TsregError } from '../errors/error.ts';

/** One `[[package]]`. */
export interface RawPackage {
  readonly name: string;
  readonly version: string;
  readonly source: string | null;
  readonly checksum: string | null;
  /** null where the key is absent. */
  readonly dependencies: readonly string[] | null;
  readonly replace: string | null;
}

/** The whole file. */
export interface RawLockfile {
  readonly version: number | null;
  readonly root: RawPackage | null;
  readonly packages: readonly RawPackage[];
  readonly unusedPatches: readonly RawPackage[];
  readonly metadata: ReadonlyMap<string, string>;
}

const decodePackage = struct(
  'TomlLockfileDependency',
  { name: string, version: string, source: string, checksum: string, dependencies: strings, replace: string },
  { required: ['name', 'version'] },
);

const decodeFile = struct('TomlLockfile', {
  version: integer('u32', 0n, 0xffff_ffffn),
  package: array(decodePackage),
  root: decodePackage,
  metadata: map(string),
  patch: struct('TomlLockfilePatch', { unused: array(decodePackage) }, { required: ['unused'] }),
});

/** Reads any lock file. Throws what is wrong with it as TOML, or with the types of its values. */
export function decodeRawLockfile(text: string): RawLockfile {
  try {
    const file = decodeFile(parseToml(text), new DecodeContext());
    return {
      version: file.version === undefined ? null : Number(file.version),
      root: file.root === undefined ? null : toRawPackage(file.root),
      packages: (file.package ?? []).map(toRawPackage),
      unusedPatches: (file.patch?.unused ?? []).map(toRawPackage),
      metadata: file.metadata ?? new Map<string, string>(),
    };
  } catch (error) {
    if (error instanceof TomlSyntaxError) throw tomlError(text, error);
    if (error instanceof TomlTypeError)
      throw tomlError(text, locateTypeError(parseTomlWithSpans(text), error));
    throw error;
  }
}

function toRawPackage(table: ReturnType<typeof decodePackage>): RawPackage {
  const { name = '', version = '', source, checksum, dependencies, replace } = table;
  return {
    name,
    version,
    source: source ?? null,
    checksum: checksum ?? null,
    dependencies: dependencies ?? null,
    replace: replace ?? null,
  };
}

function tomlError(text: string, error: TomlSyntaxError): TsregError {
  return new TsregError(renderTomlError(text, error), { code: 'lockfile' });
}
