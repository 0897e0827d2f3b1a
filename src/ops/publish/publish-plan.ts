/** In which order packages that need each other are published. Cargo Book: cargo publish. */
import { comparePackageIds, type PackageId } from '../../package-id/package-id.ts';

/** A package in a plan. */
export interface Planned {
  readonly id: PackageId;
}

/**
 * Which packages can go next: those whose needs have all been seen in the registry. A package is handed out once. Where
 * packages need each other in a circle, none of them is ever ready.
 */
export class PublishPlan<T extends Planned> {
  readonly #waiting: Map<T, Set<T>>;

  /** `needs` has every package that is to be published, and which others of them it needs itself. */
  constructor(needs: ReadonlyMap<T, readonly T[]>) {
    this.#waiting = new Map(Array.from(needs, ([each, needed]) => [each, new Set(needed)]));
  }

  /** Packages that have not been handed out, by name, version and source. */
  get remaining(): readonly T[] {
    return sorted(this.#waiting.keys());
  }

  /** Hands out the packages that need nothing any more, by name, version and source. */
  takeReady(): readonly T[] {
    const ready = sorted(this.#waiting.keys()).filter((each) => this.#waiting.get(each)?.size === 0);
    for (const each of ready) this.#waiting.delete(each);
    return ready;
  }

  /** The packages can be had from the registry now. */
  confirm(published: Iterable<T>): void {
    for (const each of published) for (const needed of this.#waiting.values()) needed.delete(each);
  }
}

/** Rounds in which the packages go if each round is waited for; what is in a circle is left out. */
export function publishRounds<T extends Planned>(
  needs: ReadonlyMap<T, readonly T[]>,
): readonly (readonly T[])[] {
  const plan = new PublishPlan(needs);
  const rounds: (readonly T[])[] = [];
  for (let round = plan.takeReady(); round.length > 0; round = plan.takeReady()) {
    rounds.push(round);
    plan.confirm(round);
  }
  return rounds;
}

/** Packages that are in no round: those of a circle, and those that need one of them. */
export function circularPackages<T extends Planned>(needs: ReadonlyMap<T, readonly T[]>): readonly T[] {
  const placed = new Set(publishRounds(needs).flat());
  return sorted(needs.keys()).filter((each) => !placed.has(each));
}

function sorted<T extends Planned>(packages: Iterable<T>): readonly T[] {
  return Array.from(packages).sort((a, b) => comparePackageIds(a.id, b.id));
}
