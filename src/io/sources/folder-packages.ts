/** Collects the packages of a source that is a folder of manifests. */
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { Report } from '../../core/report/report.ts';
import type { Summary } from '../../core/summary/summary.ts';

/** The packages of a folder, by name and id. */
export class FolderPackages {
  /** By key of the id. Of several packages with one id, the first one found is first. */
  readonly #byId = new Map<string, PackageManifest[]>();
  readonly #byName = new Map<string, string[]>();
  readonly #report: Report;
  readonly #warned = new Set<string>();

  /** `report` receives a warning for a duplicate package, at its first use. */
  constructor(report: Report) {
    this.#report = report;
  }

  /** Number of different packages. */
  get size(): number {
    return this.#byId.size;
  }

  /** Names of all packages. */
  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Adds a package. If there is one with its id, that one counts. */
  add(manifest: PackageManifest): void {
    const { id } = manifest.summary;
    const sameId = this.#byId.get(id.key);
    if (sameId !== undefined) {
      sameId.push(manifest);
      return;
    }
    this.#byId.set(id.key, [manifest]);
    const keys = this.#byName.get(id.name);
    if (keys === undefined) this.#byName.set(id.name, [id.key]);
    else keys.push(id.key);
  }

  /** Adds a package and removes others with the same id. */
  replace(manifest: PackageManifest): void {
    this.#byId.get(manifest.summary.id.key)?.splice(0);
    this.add(manifest);
  }

  /** Returns every version of `name`. */
  summaries(name: string): readonly Summary[] {
    const summaries: Summary[] = [];
    for (const key of this.#byName.get(name) ?? []) {
      const manifest = this.#first(key);
      if (manifest !== null) summaries.push(manifest.summary);
    }
    return summaries;
  }

  /** Returns the manifest of a package, or null if it does not exist. */
  manifest(id: PackageId): PackageManifest | null {
    return this.#first(id.key);
  }

  /** Returns the package that counts for an id; null if there is none. Warns about the others at the first call. */
  #first(key: string): PackageManifest | null {
    const [first, ...duplicates] = this.#byId.get(key) ?? [];
    if (first === undefined) return null;
    if (duplicates.length === 0 || this.#warned.has(key)) return first;
    this.#warned.add(key);
    // A package with a `publish` setting is not meant to be found: do not warn about it.
    const ignoredPackages = duplicates.filter((duplicate) => duplicate.publish === null);
    if (ignoredPackages.length === 0) return first;
    const plural = ignoredPackages.length === 1 ? '' : 's';
    const lines = [`skipping duplicate package${plural} \`${describePackage(first.summary.id)}\`:`];
    for (const { path } of ignoredPackages) lines.push(`  ${path}`);
    lines.push(`in favor of ${first.path}`, '');
    this.#report.warning(lines.join('\n'));
    return first;
  }
}
