/** The order in which packages are published: dependencies first. Cargo Book: cargo publish. */
import { comparePackageIds } from '../../core/package-id/package-id.ts';
import { TsregError } from '../../core/errors/error.ts';
import { listNames, type CrateToPublish, type HasPackageId } from './release.ts';

/**
 * Tracks which packages can be published next: those whose dependencies are all in the registry. `takeReady` returns
 * each package once. Packages in a dependency cycle are never ready.
 */
export class PublishQueue<T extends HasPackageId> {
  /** The remaining packages, each with those of its dependencies that the registry does not have yet. */
  readonly #waiting: Map<T, Set<T>>;

  /** `dependencies` maps every package to publish to its direct dependencies among them. */
  constructor(dependencies: ReadonlyMap<T, readonly T[]>) {
    this.#waiting = new Map(Array.from(dependencies, ([crate, missing]) => [crate, new Set(missing)]));
  }

  /** Packages that `takeReady` has not returned yet, by name, version and source. */
  get remaining(): readonly T[] {
    return sorted(this.#waiting.keys());
  }

  /** Returns the packages without missing dependencies, and removes them. Sorted by name, version and source. */
  takeReady(): readonly T[] {
    const ready = sorted(this.#waiting.keys()).filter((crate) => this.#waiting.get(crate)?.size === 0);
    for (const crate of ready) this.#waiting.delete(crate);
    return ready;
  }

  /** Marks packages as available from the registry. */
  confirm(published: Iterable<T>): void {
    for (const crate of published) for (const missing of this.#waiting.values()) missing.delete(crate);
  }
}

/** Returns the packages in the order of publishing, in rounds. Omits those in a cycle and their dependents. */
export function publishRounds<T extends HasPackageId>(
  dependencies: ReadonlyMap<T, readonly T[]>,
): readonly (readonly T[])[] {
  const queue = new PublishQueue(dependencies);
  const rounds: (readonly T[])[] = [];
  for (let round = queue.takeReady(); round.length > 0; round = queue.takeReady()) {
    rounds.push(round);
    queue.confirm(round);
  }
  return rounds;
}

/** Returns the packages that are in no round: those in a cycle, and their dependents. */
export function circularPackages<T extends HasPackageId>(
  dependencies: ReadonlyMap<T, readonly T[]>,
): readonly T[] {
  const inRounds = new Set(publishRounds(dependencies).flat());
  return sorted(dependencies.keys()).filter((crate) => !inRounds.has(crate));
}

/** Throws `manifest` if packages depend on each other in a cycle. */
export function checkCircular(dependencies: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>): void {
  const circular = circularPackages(dependencies);
  if (circular.length > 0) throw circularError(listNames(circular, 'and'));
}

/** Returns the error for packages that depend on each other in a cycle. */
export function circularError(names: string): TsregError {
  return new TsregError(
    `circular dependency detected while publishing ${names}\n` +
      'help: to break a cycle between dev-dependencies and other dependencies, remove the version field on the ' +
      'dev-dependency so it will be implicitly stripped on publish',
    { code: 'manifest' },
  );
}

function sorted<T extends HasPackageId>(packages: Iterable<T>): readonly T[] {
  return Array.from(packages).sort((a, b) => comparePackageIds(a.id, b.id));
}
