import type { CrateDecl } from '../test/helpers/crate.ts';

/** Versions of each package: an index file has all of them. */
const VERSIONS = 8;

/**
 * Packages `p0`, `p1` and so on that depend on one another as published ones do: each is needed by an earlier one, and
 * needs three or four more; a few are for one platform, optional or for tests. Whoever depends on `p0` needs all of
 * them. The same number gives the same packages.
 */
export function generateCrates(count: number): readonly CrateDecl[] {
  const random = randomNumbers();
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const first = index * 3 + 1;
    const needed = [first, first + 1, first + 2].filter((each) => each < count);
    const wanted = Array.from({ length: 3 }, () => index + 1 + random(count)).filter((each) => each < count);
    const optional = index + 1 + random(count);
    const deps = [
      ...Array.from(new Set([...needed, ...wanted]), (each) => ({
        name: nameOf(each),
        req: '1.2',
        features: each % 5 === 0 ? ['extra'] : [],
      })),
      ...(optional < count && !needed.includes(optional) && !wanted.includes(optional)
        ? [{ name: nameOf(optional), req: '1', optional: true, target: 'cfg(windows)' }]
        : []),
    ];
    const hasOptional = deps.some((dep) => 'optional' in dep);
    return Array.from({ length: VERSIONS }, (_version, minor) => ({
      ...{ name: nameOf(index), version: `1.${minor}.0`, deps, rust_version: '1.60' },
      features: {
        default: ['std'],
        std: [],
        extra: hasOptional ? [`dep:${nameOf(optional)}`] : [],
      },
      extra: `description = "The package ${index}, made to be measured"\nlicense = "MIT OR Apache-2.0"`,
      files: { 'src/lib.rs': '', 'README.md': 'x\n', 'examples/one.rs': 'fn main() {}\n' },
    }));
  });
}

function nameOf(index: number): string {
  return `p${index}`;
}

/** Numbers below the one that is given, the same in every run. */
function randomNumbers(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
