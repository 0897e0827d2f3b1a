/** The versions of Rust that packages should support. Cargo Book: Rust Version. */
import { comparePartialVersions, parseRustVersion, type PartialVersion } from '../version/partial-version.ts';
import type { Root } from './problem.ts';
import type { Resolution } from './resolution.ts';

/**
 * Returns, for every package, the lowest version of Rust promised by a member that depends on it; null if there is
 * none. A member without `rust-version` counts as `rustc`.
 */
export function requiredRustVersions(
  { packages }: Resolution,
  roots: readonly Root[],
  rustc: PartialVersion | null,
): readonly (PartialVersion | null)[] {
  const required = new Array<PartialVersion | null>(packages.length).fill(null);
  const indexes = new Map(packages.map(({ id }, index) => [id.key, index]));
  const queue: { readonly index: number; readonly version: PartialVersion }[] = [];
  for (const { summary } of roots) {
    const index = indexes.get(summary.id.key);
    const version = summary.rustVersion === null ? rustc : parseRustVersion(summary.rustVersion);
    if (index !== undefined && version !== null) queue.push({ index, version });
  }
  // The loop body appends to the queue.
  for (const { index, version } of queue) {
    const known = required[index] ?? null;
    if (known !== null && comparePartialVersions(known, version) <= 0) continue;
    required[index] = version;
    for (const { to } of packages[index]?.edges ?? []) {
      queue.push({ index: packages[to]?.replacement ?? to, version });
    }
  }
  return required;
}
