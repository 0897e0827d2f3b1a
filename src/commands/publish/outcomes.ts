/** Tracks the known state of packages while they are published. */
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { Report } from '../../core/report/report.ts';
import type { Planned } from './queue.ts';

/**
 * The state of a package:
 * - `not-published`: it was not sent;
 * - `unknown`: it was sent, but it is unknown whether the registry has it;
 * - `refused`: the registry refused it;
 * - `uploaded`: the registry accepted it, but the index does not show it yet;
 * - `published`: the index shows it;
 * - `skipped`: it was already published;
 * - `checked`: a dry run has completed.
 */
export type PublishState =
  | 'not-published'
  | 'unknown'
  | 'refused'
  | 'uploaded'
  | 'published'
  | 'skipped'
  | 'checked';

const LINES: readonly (readonly [PublishState, string])[] = [
  ['skipped', 'already there'],
  ['published', 'published'],
  ['uploaded', 'uploaded, but not in the index yet'],
  ['unknown', 'sent, but the outcome is unknown'],
  ['refused', 'refused by the registry'],
  ['not-published', 'not published'],
];

/** The states of all packages in a run. */
export class PublishOutcomes<T extends Planned> {
  readonly #states = new Map<T, PublishState>();

  constructor(packages: Iterable<T>) {
    for (const each of packages) this.#states.set(each, 'not-published');
  }

  mark(each: T, state: PublishState): void {
    this.#states.set(each, state);
  }

  stateOf(each: T): PublishState {
    return this.#states.get(each) ?? 'not-published';
  }

  /** Returns the packages in the given state, in their original order. */
  in(state: PublishState): readonly T[] {
    return Array.from(this.#states)
      .filter(([, each]) => each === state)
      .map(([each]) => each);
  }

  /** Reports the state of every package. */
  summarize(report: Report): void {
    const lines = LINES.flatMap(([state, words]) => {
      const packages = this.in(state);
      return packages.length === 0 ? [] : [`${words}: ${packages.map(shortName).join(', ')}`];
    });
    report.note(lines.join('\n'));
  }
}

/** Returns a package as `a v0.1.0`. */
export function shortName({ id }: Planned): string {
  return `${id.name} v${id.version.text}`;
}

/** Returns the packages as `a v1, b v1, or c v1`, sorted. */
export function listNames(packages: Iterable<Planned>, conjunction: 'and' | 'or'): string {
  const names = Array.from(packages, shortName).sort(compareBytes);
  const last = names.pop() ?? '';
  if (names.length === 0) return last;
  return names.length === 1
    ? `${names.join('')} ${conjunction} ${last}`
    : `${names.join(', ')}, ${conjunction} ${last}`;
}
