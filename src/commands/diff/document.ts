/** The document of `diff --json`. */
import type { FileChange } from './compare-files.ts';
import type { DependencyChange, FeatureChange } from './compare-manifests.ts';
import type { PackedFile } from '../shared/packaging/crate-content.ts';
import type { ComparedCrate, PackageDiff } from './run.ts';
import type { RegistryName } from '../shared/registry/registry-document.ts';

/** The document of `diff --json`. */
export interface DiffDocument {
  /** Version of this format. */
  readonly version: 1;
  readonly old: ComparedPackage;
  readonly new: ComparedPackage;
  /** null if a manifest is invalid. */
  readonly dependencies: readonly DependencyChange[] | null;
  /** null if a manifest is invalid. */
  readonly features: readonly FeatureChange[] | null;
  /** The changed files by path. */
  readonly files: readonly FileEntry[];
}

/** Facts of one of the two packages. */
export interface ComparedPackage {
  readonly name: string;
  readonly version: string;
  /** null for a `.crate` file. */
  readonly registry: RegistryName | null;
  /** Absolute path of a `.crate` file; null for a crate of a registry. */
  readonly path: string | null;
  /** SHA-256 of the `.crate`, in hexadecimal. */
  readonly checksum: string;
  /** Bytes of the `.crate`. */
  readonly size: number;
  /** Bytes of all files. */
  readonly unpacked_size: number;
  readonly file_count: number;
  /** null if the manifest is invalid; so are the next fields. */
  readonly edition: string | null;
  readonly rust_version: string | null;
  readonly license: string | null;
  /** Path of the license in the package. */
  readonly license_file: string | null;
}

/** A changed file. */
export interface FileEntry {
  readonly path: string;
  readonly status: 'added' | 'deleted' | 'changed';
  /** null if the package does not have the file. */
  readonly old: FileState | null;
  readonly new: FileState | null;
  /** Numbers of lines; null if the lines were not compared. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Why the lines were not compared; null if they were. */
  readonly omitted: 'binary' | 'too-large' | 'limit' | null;
  /** The hunks of a unified diff; null with `--stat`, or if the lines were not compared. */
  readonly diff: string | null;
}

/** A file of a package. */
export interface FileState {
  readonly size: number;
  readonly executable: boolean;
}

/** Returns the document. `withLines` is false for `--stat`. */
export function diffDocument(
  { old, new: fresh, dependencies, features, files }: PackageDiff,
  { withLines }: { readonly withLines: boolean },
): DiffDocument {
  return {
    version: 1,
    old: packageFacts(old),
    new: packageFacts(fresh),
    dependencies,
    features,
    files: files.map((file) => fileEntry(file, withLines)),
  };
}

/** Returns whether a file is new, gone or different. */
export function statusOf({ old, new: fresh }: Pick<FileChange, 'old' | 'new'>): FileEntry['status'] {
  if (old === null) return 'added';
  return fresh === null ? 'deleted' : 'changed';
}

function packageFacts(crate: ComparedCrate): ComparedPackage {
  const { name, version, description, registry, path, checksum, size, unpackedSize, files } = crate;
  const manifest = description?.manifest ?? null;
  return {
    name,
    version,
    registry,
    path,
    checksum,
    size,
    unpacked_size: unpackedSize,
    file_count: files.size,
    edition: manifest?.edition ?? null,
    rust_version: manifest?.rustVersion ?? null,
    license: manifest?.license ?? null,
    license_file: manifest?.licenseFile ?? null,
  };
}

function fileEntry({ path, old, new: fresh, lines }: FileChange, withLines: boolean): FileEntry {
  const isCompared = typeof lines !== 'string';
  return {
    path,
    status: statusOf({ old, new: fresh }),
    old: fileState(old),
    new: fileState(fresh),
    added: isCompared ? lines.added : null,
    removed: isCompared ? lines.removed : null,
    omitted: isCompared ? null : lines,
    diff: isCompared && withLines ? lines.hunks : null,
  };
}

function fileState(file: PackedFile | null): FileState | null {
  return file === null ? null : { size: file.data.length, executable: file.isExecutable };
}
