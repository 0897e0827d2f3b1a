/** The publish order of packages that depend on each other. Cargo Book: cargo publish. */
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';

/** A package in a plan. */
export interface Planned {
  readonly id: PackageId;
}

/**
 * Tracks which packages can be published next: those whose dependencies are all in the registry. `takeReady` returns
 * each package once. Packages in a dependency cycle are never ready.
 */
export class PublishQueue<T extends Planned> {
  readonly #waiting: Map<T, Set<T>>;

  /** `needs` maps every package to publish to its direct dependencies among them. */
  constructor(needs: ReadonlyMap<T, readonly T[]>) {
    this.#waiting = new Map(Array.from(needs, ([each, needed]) => [each, new Set(needed)]));
  }

  /** Packages that `takeReady` has not returned yet, by name, version and source. */
  get remaining(): readonly T[] {
    return sorted(this.#waiting.keys());
  }

  /** Returns the packages without missing dependencies, and removes them. Sorted by name, version and source. */
  takeReady(): readonly T[] {
    const ready = sorted(this.#waiting.keys()).filter((each) => this.#waiting.get(each)?.size === 0);
    for (const each of ready) this.#waiting.delete(each);
    return ready;
  }

  /** Marks packages as available from the registry. */
  confirm(published: Iterable<T>): void {
    for (const each of published) for (const needed of this.#waiting.values()) needed.delete(each);
  }
}

/** Returns the packages in the order of publishing, in rounds. Omits those in a cycle and their dependents. */
export function publishRounds<T extends Planned>(
  needs: ReadonlyMap<T, readonly T[]>,
): readonly (readonly T[])[] {
  const plan = new PublishQueue(needs);
  const rounds: (readonly T[])[] = [];
  for (let round = plan.takeReady(); round.length > 0; round = plan.takeReady()) {
    rounds.push(round);
    plan.confirm(round);
  }
  return rounds;
}

/** Returns the packages that are in no round: those in a cycle, and their dependents. */
export function circularPackages<T extends Planned>(needs: ReadonlyMap<T, readonly T[]>): readonly T[] {
  const placed = new Set(publishRounds(needs).flat());
  return sorted(needs.keys()).filter((each) => !placed.has(each));
}

function sorted<T extends Planned>(packages: Iterable<T>): readonly T[] {
  return Array.from(packages).sort((a, b) => comparePackageIds(a.id, b.id));
}
