/** Generated registries of a few packages that conflict now and then. */
import fc from 'fast-check';
import { World, type Dep, type Pkg } from './registry.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
const VERSIONS = ['0.1.0', '0.1.1', '1.0.0', '1.0.1', '1.1.0', '2.0.0', '2.0.0-rc.1'] as const;
const FEATURES = ['f', 'g', 'default'] as const;

const dependency: fc.Arbitrary<Dep> = fc.record({
  req: fc.constantFrom('*', '0.1', '1', '1.0', '=1.0.0', '2', '>=1', '2.0.0-rc.1'),
  kind: fc.constantFrom('normal', 'normal', 'build', 'dev'),
  default: fc.boolean(),
  features: fc.uniqueArray(fc.constantFrom('f', 'g'), { maxLength: 1 }),
});

/** Generates a package that depends on some of `targets`, on one of them optionally. */
function packageOf(targets: readonly string[]): fc.Arbitrary<Pkg> {
  return fc
    .record({
      deps: fc.array(fc.tuple(fc.constantFrom(...targets, 'a'), dependency), { maxLength: 3 }),
      optional: fc.option(fc.constantFrom(...targets, 'a'), { nil: null }),
      value: fc.constantFrom('g', 'dep:o', 'o?/f', 'o/f'),
      links: fc.constantFrom(null, null, null, null, null, 'x'),
    })
    .map(({ deps, optional, value, links }) => {
      const o: Dep = { package: optional ?? 'a', req: '*', optional: true };
      const used = value === 'g' || optional === null;
      return {
        deps: { ...Object.fromEntries(deps), ...(used ? {} : { o }) },
        features: { f: used ? ['g'] : [value], g: [], default: [...FEATURES].slice(0, 1) },
        ...(links === null ? {} : { links }),
      };
    });
}

/**
 * Generates a registry and two members. `plain` has the dependencies of `member`, but no features, and depends on `c`
 * under two more names.
 */
export const world = fc
  .tuple(
    ...NAMES.map((name, index) =>
      fc.uniqueArray(fc.constantFrom(...VERSIONS), { minLength: 1, maxLength: 3 }).chain((versions) =>
        fc.tuple(
          ...versions.map((version) =>
            // Most dependencies lead to a later name, so that few graphs have a cycle.
            (index + 1 < NAMES.length ? packageOf(NAMES.slice(index + 1)) : fc.constant({})).map(
              (pkg: Pkg) => [`${name} ${version}`, pkg] as const,
            ),
          ),
        ),
      ),
    ),
    packageOf(NAMES),
  )
  .map((generated) => {
    const made = new World();
    const member = generated.at(-1) as Pkg;
    for (const versions of generated.slice(0, -1) as (readonly (readonly [string, Pkg])[])[]) {
      for (const [name, pkg] of versions) made.add(name, pkg);
    }
    const { o: _, ...deps } = member.deps ?? {};
    return {
      world: made,
      member: made.path('/p', 'p 0.1.0', member),
      plain: made.path('/q', 'q 0.1.0', {
        deps: { ...deps, y: { package: 'c', req: '<2' }, z: { package: 'c', req: '*' } },
      }),
    };
  });
