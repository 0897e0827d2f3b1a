/** The warning about `paths` overrides. Cargo Book: Overriding Dependencies, `paths` overrides. */
import type { Dependency } from '../summary/summary.ts';
import { type ComparedDependency, dependencyKey } from './dependency-key.ts';

/** The end of cargo's warnings about `paths` overrides. */
const ADVICE = `This is currently allowed but is known to produce buggy behavior with spurious
recompiles and changes to the crate graph. Path overrides unfortunately were
never intended to support this feature, so for now this message is just a
warning. In the future, however, this message will become a hard error.

To change the dependency graph via an override it's recommended to use the
\`[patch]\` feature of Cargo instead of the path override feature. This is
documented online at the url below for more information.

https://doc.rust-lang.org/cargo/reference/overriding-dependencies.html
`;

/**
 * Returns the warning for a `paths` override of package `name` whose dependencies differ from those of the overridden
 * package; null if they are the same.
 */
export function overrideWarning(
  name: string,
  overriding: readonly Dependency[],
  overridden: readonly ComparedDependency[],
): string | null {
  /** The dependencies of the overridden package that the override does not have, by key. */
  const remaining = new Map<string, ComparedDependency[]>();
  for (const dependency of overridden) {
    const key = dependencyKey(dependency);
    const equal = remaining.get(key);
    if (equal === undefined) remaining.set(key, [dependency]);
    else equal.push(dependency);
  }
  for (const declared of overriding) {
    const equal = remaining.get(dependencyKey({ declared, locked: null }));
    // Each dependency of the overridden package has at most one equal one.
    if (equal?.pop() !== undefined) continue;
    return `path override for crate \`${name}\` has altered the original list of
dependencies; the dependency on \`${declared.name}\` was either added or
modified to not match the previously resolved version

${ADVICE}`;
  }
  const removed = overridden.find((dependency) =>
    remaining.get(dependencyKey(dependency))?.includes(dependency),
  );
  if (removed === undefined) return null;
  return `path override for crate \`${name}\` has altered the original list of
dependencies; the dependency on \`${removed.declared.name}\` was removed

${ADVICE}`;
}
