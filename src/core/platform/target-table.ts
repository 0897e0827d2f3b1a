/**
 * The output of `rustc --print cfg` of rustc 1.97 for every built-in target, written by `npm run targets`. The table is
 * large: import this file only if a target was named.
 */
import { present } from '../errors/assert.ts';
import type { CfgSet } from './platform.ts';
import table from './target-cfg.json' with { type: 'json' };

/** Returns the configuration values of a built-in target; null if there is no such target. */
export function targetCfgs(triple: string): CfgSet | null {
  // `s` has the texts of all values. `t` has the indexes of each target's values in `s`.
  const rows: Readonly<Record<string, readonly number[]>> = table.t;
  const row = Object.hasOwn(rows, triple) ? rows[triple] : undefined;
  if (row === undefined) return null;
  const lines: readonly string[] = table.s;
  return new Set(row.map((index) => present(lines[index], 'a configuration value')));
}

/** Returns every built-in target, as listed by `rustc --print target-list`. */
export function targetTriples(): readonly string[] {
  return Object.keys(table.t);
}
