/** The tables of a lock file as written, without resolution. */
import { TsregError } from '../errors/error.ts';
import { parseToml, parseTomlWithSpans } from '../toml/parse.ts';
import {
  array,
  checkedString,
  decodeDocument,
  type Decoder,
  integer,
  map,
  string,
  strings,
} from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';
import { renderTomlError, TomlSyntaxError } from '../toml/syntax-error.ts';
import { locateTypeError, TomlTypeError } from '../toml/type-error.ts';

/** One `[[package]]`. A value is null if the key is absent. */
export interface RawPackage {
  readonly name: string;
  readonly version: string;
  readonly source: string | null;
  readonly checksum: string | null;
  readonly dependencies: readonly string[] | null;
  readonly replace: string | null;
}

/** The whole file. A value is null if the key is absent. */
export interface RawLockfile {
  readonly version: number | null;
  /** `[root]`, the package of the workspace root in the oldest files. */
  readonly root: RawPackage | null;
  readonly packages: readonly RawPackage[];
  readonly unusedPatches: readonly RawPackage[];
  readonly metadata: ReadonlyMap<string, string>;
}

/** Checks a text in a lock file. Returns its problem; null if there is none. */
export type TextCheck = (text: string) => string | null;

/** Checks for the texts in lock files that have a separate syntax. */
export interface TextChecks {
  readonly source: TextCheck;
  /** `name`, `name version` or `name version (source)`. */
  readonly reference: TextCheck;
}

/** Returns a decoder for one `[[package]]`. `TomlLockfileDependency` is cargo's name for it in messages. */
function packageDecoder({ source, reference }: TextChecks) {
  return struct(
    'TomlLockfileDependency',
    {
      name: string,
      version: string,
      source: checkedString(source),
      checksum: string,
      dependencies: checkedStrings(reference),
      replace: checkedString(reference),
    },
    { required: ['name', 'version'] },
  );
}

/** Returns a decoder for strings without a problem. A problem is reported for the whole array. */
function checkedStrings(check: TextCheck): Decoder<readonly string[]> {
  return (value, context) => {
    const texts = strings(value, context);
    for (const text of texts) {
      const problem = check(text);
      if (problem !== null) throw context.error(problem);
    }
    return texts;
  };
}

const NO_CHECKS: TextChecks = { source: () => null, reference: () => null };

/**
 * Decodes a lock file of any version. Throws `lockfile` if it is not TOML, or if a value is invalid. Without `checks`,
 * sources and references can be any text.
 */
export function decodeRawLockfile(text: string, checks = NO_CHECKS): RawLockfile {
  const decodePackage = packageDecoder(checks);
  const decodeFile = struct('TomlLockfile', {
    version: integer('u32', 0n, 0xffff_ffffn),
    package: array(decodePackage),
    root: decodePackage,
    metadata: map(string),
    patch: struct('TomlLockfilePatch', { unused: array(decodePackage) }, { required: ['unused'] }),
  });
  try {
    const { value: file } = decodeDocument(decodeFile, parseToml(text));
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

function toRawPackage(table: ReturnType<ReturnType<typeof packageDecoder>>): RawPackage {
  const { name, version, source, checksum, dependencies, replace } = table;
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
