import type { CrateDecl } from '../test/helpers/crate.ts';

/** The number of versions of each package, which are all in its index file. */
const VERSIONS = 8;

/**
 * Returns packages `p0`, `p1` and so on with dependencies like those of published packages. Each depends on up to six
 * later packages and, only for Windows, on an optional one. `p0` depends on all others, directly or indirectly. The
 * same `count` gives the same packages.
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

/** Returns a generator of numbers from 0 to `below` - 1, which are the same in every run. */
function randomNumbers(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
