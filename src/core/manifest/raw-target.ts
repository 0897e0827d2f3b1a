/** Target tables as written. Cargo Book: Cargo Targets. */
import { array, boolean, string, strings } from '../toml/decode.ts';
import type { Decoded } from '../toml/decode.ts';
import { struct } from '../toml/decode-struct.ts';

/** Kinds of target that are written as arrays (`[[bin]]`): a package can have many of them. */
export type TargetArrayKind = 'bin' | 'example' | 'test' | 'bench';

/** Names of kinds of target in messages. */
export const KIND_NAMES = {
  lib: 'library',
  bin: 'binary',
  example: 'example',
  test: 'test',
  bench: 'benchmark',
} as const;

const FIELDS = {
  name: string,
  'crate-type': strings,
  crate_type: strings,
  path: string,
  filename: string,
  test: boolean,
  doctest: boolean,
  bench: boolean,
  doc: boolean,
  'doc-scrape-examples': boolean,
  'proc-macro': boolean,
  proc_macro: boolean,
  harness: boolean,
  'required-features': strings,
  edition: string,
};

/** Reads `[lib]` or one `[[bin]]`, `[[example]]`, `[[test]]`, `[[bench]]`. */
export const rawTarget = struct('TomlTarget', FIELDS, { copy: (fields) => ({ ...fields }) });

/** Reads `[[bin]]` and similar arrays. */
export const rawTargets = array(rawTarget);

/** A target table. */
export type RawTarget = Decoded<typeof rawTarget>;

/** Returns the crate types of a target, in either spelling; null if none are written. */
export function crateTypesOf(target: RawTarget): readonly string[] | null {
  return target['crate-type'] ?? target.crate_type ?? null;
}

/** Returns whether a target is a procedural macro, from either spelling or the crate type; null if not written. */
export function procMacroOf(target: RawTarget): boolean | null {
  const written = target['proc-macro'] ?? target.proc_macro;
  if (written !== undefined) return written;
  return crateTypesOf(target)?.includes('proc-macro') === true ? true : null;
}
