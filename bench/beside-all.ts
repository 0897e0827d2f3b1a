import { floor, type Needed } from './floor.ts';
import type { Beside } from './measure.ts';
import type { Place, Workbench } from './workbench.ts';

/** Limits of what is held against cargo and against the bare start of Node; none unless given. */
export interface Limits {
  readonly cargo?: number;
  readonly bareStart?: number;
}

/** What a run of `metadata` is held against: cargo with the same arguments, the bare start of Node, and the floor. */
export function besideAll(
  bench: Workbench,
  {
    args,
    place,
    needed,
    limits,
  }: {
    readonly args: readonly string[];
    readonly place: Place;
    readonly needed: Needed;
    readonly limits: Limits;
  },
): readonly Beside[] {
  const { before: _preparation, ...quietPlace } = place;
  return [
    { name: 'cargo', command: bench.cargo(args, place), limit: limits.cargo ?? null },
    { name: 'bare start', command: bench.node(['-e', '0'], quietPlace), limit: limits.bareStart ?? null },
    { name: 'floor', command: floor(bench, needed, quietPlace), limit: null },
  ];
}
