/** Finds the packages in a repository, or in a folder of the `paths` configuration. */
import { errnoOf, osError } from '../disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import type { Entry, Files } from '../../core/files/files.ts';
import { joinPath, normalizePath, parentFolder } from '../../core/files/path.ts';
import { type SourceId, sourcePath } from '../../core/package-id/source-id.ts';
import type { Report } from '../../core/report/report.ts';
import { reportSnippets } from '../../core/report/report-snippets.ts';
import type { FoundPackage } from '../../core/resolve/explain.ts';
import { FolderPackages } from './folder-packages.ts';
import type { LoadManifest } from './load-package.ts';

/** How to read folders of packages. */
export interface WalkContext {
  readonly files: Files;
  /** Reads manifests of packages. */
  readonly load: LoadManifest;
  readonly report: Report;
}

/**
 * Finds every package in `root`, in byte order. Skips folders with a leading dot, nested repositories and the `target`
 * of a package, unless a path dependency leads there. Skips manifests that cannot be read and prints their error
 * snippets. Throws the last error if no package is found.
 */
export function findPackages(root: string, source: SourceId, context: WalkContext): FolderPackages {
  const walk = new PackageWalk(source, context);
  walk.visitRoot(root);
  return walk.finish(root);
}

/** Returns the packages in the folder of a path source and below it; empty if they cannot be read. */
export function findPackagesBelow(source: SourceId, context: WalkContext): readonly FoundPackage[] {
  const folder = sourcePath(source);
  if (source.kind !== 'path' || folder === null || context.files.kind(folder) !== 'directory') return [];
  try {
    const packages = findPackages(folder, source, context);
    return packages.names.flatMap((name) =>
      packages.summaries(name).flatMap(({ id }) => {
        const path = packages.manifest(id)?.path;
        return path === undefined ? [] : [{ name, folder: parentFolder(path) }];
      }),
    );
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    reportSnippets(error, context.report);
    return [];
  }
}

/** A search for the packages of one source. */
class PackageWalk {
  readonly #source: SourceId;
  readonly #context: WalkContext;
  readonly #packages: FolderPackages;
  readonly #visited = new Set<string>();
  /** Errors of skipped manifests, in the order of discovery. */
  readonly #failures: unknown[] = [];

  constructor(source: SourceId, context: WalkContext) {
    this.#source = source;
    this.#context = context;
    this.#packages = new FolderPackages(context.report);
  }

  /** Adds the packages in `root` and below it. */
  visitRoot(root: string): void {
    const entries = this.#list(root);
    if (entries !== null) this.#visit(root, entries);
  }

  /** Adds the packages in `folder`, whose listing is `entries`, and below it. */
  #visit(folder: string, entries: readonly Entry[]): void {
    const manifest = entries.find((entry) => entry.name === 'Cargo.toml');
    const isPackage = manifest !== undefined && this.#leadsToFile(folder, manifest);
    if (isPackage) this.#addWithDependencies(folder);
    for (const { name, kind } of entries) {
      if (kind !== 'directory' || name.startsWith('.')) continue;
      if (name === 'target' && isPackage) continue;
      const child = joinPath(folder, name);
      const childEntries = this.#list(child);
      if (childEntries === null || childEntries.some((entry) => entry.name === '.git')) continue;
      this.#visit(child, childEntries);
    }
  }

  /** Prints the snippets of skipped manifests, and returns the packages. Throws the last error if there are none. */
  finish(root: string): FolderPackages {
    const isEmpty = this.#packages.size === 0;
    const last = isEmpty ? this.#failures.pop() : undefined;
    for (const failure of this.#failures) reportSnippets(failure, this.#context.report);
    if (!isEmpty) return this.#packages;
    if (last !== undefined) throw last;
    const hint = this.#context.files.exists(`${root}/cargo.toml`)
      ? '\nhelp: found `cargo.toml`, consider renaming it to `Cargo.toml`'
      : '';
    throw new TsregError(`could not find \`Cargo.toml\` in \`${root}\`${hint}`, { code: 'manifest' });
  }

  /** Returns the entries of a folder; null without permission to read it. */
  #list(folder: string): readonly Entry[] | null {
    let entries: readonly Entry[] | null;
    try {
      entries = this.#context.files.list(folder);
    } catch (error) {
      if (errnoOf(error) === 'EACCES') return null;
      throw new TsregError(`failed to read directory \`${folder}\``, { cause: osError(error) });
    }
    if (entries !== null) return entries;
    const cause = new TsregError(describeErrno('ENOENT'), { code: 'not-found' });
    throw new TsregError(`failed to read directory \`${folder}\``, { cause });
  }

  /** Returns false for a link with a missing target. */
  #leadsToFile(folder: string, { name, kind }: Entry): boolean {
    return kind !== 'symlink' || this.#context.files.exists(`${folder}/${name}`);
  }

  /** Adds the package in `folder` and, transitively, its path dependencies. */
  #addWithDependencies(folder: string): void {
    // One iterator for each dependency that leads to the current one. A chain can be too long for recursion.
    const trail = [this.#add(folder).values()];
    for (let last = trail.at(-1); last !== undefined; last = trail.at(-1)) {
      const next = last.next();
      if (next.done === true) {
        trail.pop();
        continue;
      }
      const dependency = next.value;
      if (this.#visited.has(dependency)) continue;
      if (this.#context.files.exists(`${dependency}/Cargo.toml`)) trail.push(this.#add(dependency).values());
      else this.#skipMissing(dependency);
    }
  }

  /** Adds one package. Returns the folders of its path dependencies. */
  #add(folder: string): readonly string[] {
    if (this.#visited.has(folder)) return [];
    this.#visited.add(folder);
    let manifest;
    try {
      manifest = this.#context.load(joinPath(folder, 'Cargo.toml'), this.#source);
    } catch (error) {
      this.#failures.push(error);
      return [];
    }
    if (manifest.kind === 'virtual') return [];
    this.#packages.add(manifest);
    return manifest.dependencyPaths.map((path) => normalizePath(joinPath(folder, path)));
  }

  /** Notes a path dependency without a manifest. Throws the error unless the packages are in a repository. */
  #skipMissing(folder: string): void {
    const error = new TsregError(`Could not find \`Cargo.toml\` in \`${folder}\``, { code: 'manifest' });
    if (this.#source.kind !== 'git') throw error;
    this.#failures.push(error);
  }
}
