/** `diff`: compares two packages. */
import { failureText } from '../../io/disk/failure-text.ts';
import { archiveError } from '../../io/archive/archive-error.ts';
import type { Config } from '../../io/config/config.ts';
import { registryIndex } from '../../io/config/registry-index.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { joinPath, toNativeSeparators } from '../../core/files/path.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { SourceTable } from '../../core/package-id/source-table.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { compareFiles, type FileChange } from './compare-files.ts';
import {
  changedDependencies,
  changedFeatures,
  type DependencyChange,
  type FeatureChange,
} from './compare-manifests.ts';
import {
  type CrateDescription,
  type CrateFiles,
  readArchive,
  readCrateFile,
  readDescription,
} from '../shared/packaging/crate-content.ts';
import { parseSides, type Side } from './sides.ts';
import {
  readVerifiedCrate,
  RegistryCrates,
  type RegistryCratesOptions,
} from '../shared/registry/registry-crates.ts';
import { type RegistryName, registryNameOf } from '../shared/registry/registry-document.ts';

/** The command-line options of `diff`. */
export interface DiffOptions extends RegistryCratesOptions {
  /** Two packages, each `name`, `name@version` or the path of a `.crate`; or a name and two versions. */
  readonly words: readonly string[];
}

/** The differences between two packages. */
export interface PackageDiff {
  readonly old: ComparedCrate;
  readonly new: ComparedCrate;
  /** null if a manifest is invalid. */
  readonly dependencies: readonly DependencyChange[] | null;
  /** null if a manifest is invalid. */
  readonly features: readonly FeatureChange[] | null;
  readonly files: readonly FileChange[];
}

/** A package and where it is from. */
export interface ComparedCrate extends CrateFiles {
  readonly name: string;
  readonly version: string;
  /** null if the manifest is invalid. */
  readonly description: CrateDescription | null;
  /** null for a `.crate` file. */
  readonly registry: RegistryName | null;
  /** Absolute path of a `.crate` file; null for a crate of a registry. */
  readonly path: string | null;
}

/**
 * Compares two packages. Downloads those that are not in the package cache. Warns about an invalid manifest, and then
 * compares only the files.
 */
export async function diff(options: DiffOptions, context: OperationContext): Promise<PackageDiff> {
  const sides = parseSides(options.words);
  const archives = await readArchives(sides, options, context);
  const [old, fresh] = sides.map((side) =>
    readCrate(present(archives.get(side), 'a read archive'), options, context),
  );
  return comparePackages(present(old, 'the old package'), present(fresh, 'the new package'));
}

/** The bytes of a `.crate`. */
interface Archive extends Pick<ComparedCrate, 'registry' | 'path'> {
  readonly bytes: Uint8Array;
  /** Absolute path of the file that they are from. */
  readonly file: string;
}

/** Reads the files of both sides, then fetches the crates. */
async function readArchives(
  sides: readonly Side[],
  options: DiffOptions,
  context: OperationContext,
): Promise<ReadonlyMap<Side, Archive>> {
  const archives = new Map<Side, Archive>();
  for (const side of sides)
    if (side.kind === 'file') archives.set(side, readUserFile(side.path, options.config));
  const published = sides.filter((side) => side.kind === 'crate');
  if (published.length === 0) return archives;
  const registry = new RegistryCrates(options, context);
  const versions = await registry.choose(published.map(({ spec }) => spec));
  const cached = await registry.fetch(versions);
  for (const [index, side] of published.entries()) {
    const crate = present(cached[index], 'a fetched crate');
    const origin = { registry: registryNameOf(registry.source), path: null, file: crate.path };
    archives.set(side, { ...origin, bytes: readVerifiedCrate(crate) });
  }
  return archives;
}

/** Reads a `.crate` file of the user. Throws `not-found` if it does not exist. */
function readUserFile(name: string, { cwd }: Config): Archive {
  const path = toNativeSeparators(joinPath(cwd, name));
  const hint =
    '`diff` compares `.crate` files and crates of a registry; `tsreg package` makes the `.crate` file of a package';
  return { registry: null, path, file: path, bytes: readCrateFile(path, { hint }) };
}

function readCrate(
  { bytes, file, ...origin }: Archive,
  { config }: DiffOptions,
  { report }: OperationContext,
): ComparedCrate {
  const sources = new SourceTable();
  const registry = (name: string): SourceId => registryIndex(config, name, sources);
  return withContext(`failed to read the archive \`${file}\``, () => {
    const archive = readArchive(bytes);
    const { content } = archive;
    let description: CrateDescription | null = null;
    try {
      description = readDescription(archive, file, { sources, registry });
    } catch (error) {
      if (!isInvalidManifest(error)) throw error;
      report.warning(
        `the manifest of \`${content.folder}\` is invalid, so only files are compared: ${failureText(error)}`,
      );
    }
    return { ...content, ...origin, ...nameAndVersion(content.folder), description };
  });
}

function isInvalidManifest(error: unknown): boolean {
  return error instanceof TsregError && (error.code === 'toml' || error.code === 'manifest');
}

/** Splits `NAME-VERSION`. Names have no dots, so the version begins with the first number and dot. */
function nameAndVersion(folder: string): Pick<ComparedCrate, 'name' | 'version'> {
  const [, name, version] = /^([^.]+)-(\d+\..*)$/.exec(folder) ?? [];
  if (name !== undefined && version !== undefined) return { name, version };
  throw archiveError(`its folder \`${folder}\` is not \`NAME-VERSION\``);
}

function comparePackages(old: ComparedCrate, fresh: ComparedCrate): PackageDiff {
  const [before, after] = [old.description, fresh.description];
  const areKnown = before !== null && after !== null;
  return {
    old,
    new: fresh,
    dependencies: areKnown
      ? changedDependencies(before.manifest.summary.dependencies, after.manifest.summary.dependencies)
      : null,
    features: areKnown ? changedFeatures(before.features, after.features) : null,
    files: compareFiles(old.files, fresh.files),
  };
}
