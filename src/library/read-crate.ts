/** A `.crate` as plain data. Cargo Book: cargo package. */
import { resolve } from 'node:path';
import type { CrateDescription, CrateFiles, PackedFile } from '../commands/shared/packaging/crate-content.ts';
import { present } from '../core/errors/assert.ts';
import { TsregError, withContext } from '../core/errors/error.ts';
import { boolean, decodeJson, field, object, orElse, string } from '../core/json/decode.ts';
import type { SourceId } from '../core/package-id/source-id.ts';
import { SourceTable } from '../core/package-id/source-table.ts';
import type { CargoManifest } from './cargo-manifest.ts';
import { checkOptions, optional, required, TEXT } from './option-checks.ts';
import { parseManifest } from './parse-manifest.ts';
import { type SurroundingsOptions, surroundingsOf } from './surroundings.ts';

/** Options of `readCrate`. */
export type ReadCrateOptions = Pick<SurroundingsOptions, 'cwd'>;

/** A `.crate`. */
export interface Crate {
  readonly name: string;
  readonly version: string;
  readonly manifest: CargoManifest;
  /** In the order of the archive. */
  readonly files: readonly CrateFile[];
  /** The commit that the `.crate` was made from, according to `.cargo_vcs_info.json`; null if that is missing. */
  readonly vcs: CrateVcs | null;
  /** SHA-256 of the `.crate`, in hexadecimal. */
  readonly checksum: string;
}

/** A file of a `.crate`. */
export interface CrateFile {
  /** Relative to the folder of the package, with `/`. */
  readonly path: string;
  readonly content: Uint8Array;
  readonly isExecutable: boolean;
}

/** The commit that a `.crate` was made from. */
export interface CrateVcs {
  /** The commit of the git repository, in hexadecimal. */
  readonly commit: string;
  /** True if there were uncommitted changes. */
  readonly isDirty: boolean;
  /** The folder of the package in the repository; empty at the top. */
  readonly path: string;
}

const CRATE = optional(
  'a path or a `Uint8Array`',
  (value) => typeof value === 'string' || value instanceof Uint8Array,
);

const HINT = '`packageCrate` makes the `.crate` of a package';

/** Stands for the path of an archive that has none. */
const NO_PATH = '/crate';

/** Decodes `.cargo_vcs_info.json`. Old releases of cargo write no path. */
const decodeVcs = object<CrateVcs>({
  commit: field('git', field('sha1', string)),
  isDirty: field('git', field('dirty', orElse(boolean, false))),
  path: field('path_in_vcs', orElse(string, '')),
});

/**
 * Reads a `.crate`: a file, whose path is absolute or relative to `cwd`, or its bytes. All files are in memory at once.
 * Rejects with a `TsregError`, with the code `not-found` or `io` if the file cannot be read, `archive` if it is damaged,
 * too large, or has anything but files and folders, and with the codes of `parseManifest`.
 */
export async function readCrate(crate: string | Uint8Array, options: ReadCrateOptions = {}): Promise<Crate> {
  checkOptions({ crate }, { crate: required(CRATE) });
  checkOptions(options, { cwd: TEXT });
  const content = await import('../commands/shared/packaging/crate-content.ts');
  const describe = (bytes: Uint8Array, path: string): Crate => {
    const sources = new SourceTable();
    // The result does not contain the sources of dependencies, so the configuration is not needed.
    const registry = (): SourceId => sources.cratesIo();
    const archive = content.readArchive(bytes);
    return crateOf({ ...archive.content, ...content.readDescription(archive, path, { sources, registry }) });
  };
  if (typeof crate !== 'string') {
    return withContext('failed to read the archive', () => describe(crate, NO_PATH));
  }
  const path = resolve(surroundingsOf(options).cwd, crate);
  const bytes = content.readCrateFile(path, { hint: HINT });
  return withContext(`failed to read the archive \`${path}\``, () => describe(bytes, path));
}

function crateOf({ manifest, files, checksum }: CrateFiles & CrateDescription): Crate {
  const { name, version } = manifest.summary.id;
  return {
    name,
    version: version.text,
    manifest: parseManifest(textOf(present(files.get('Cargo.toml'), 'the manifest of a crate'))),
    files: Array.from(files, ([path, { data, isExecutable }]) => ({ path, content: data, isExecutable })),
    vcs: vcsOf(files.get('.cargo_vcs_info.json')),
    checksum,
  };
}

function textOf({ data }: PackedFile): string {
  return Buffer.from(data).toString();
}

/** Returns null for a missing file, and for one that cargo did not write. */
function vcsOf(file: PackedFile | undefined): CrateVcs | null {
  if (file === undefined) return null;
  try {
    return decodeJson(decodeVcs, file.data, { subject: 'VCS info' });
  } catch (error) {
    if (error instanceof TsregError && error.code === 'source') return null;
    throw error;
  }
}
