import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closure } from '../../src/resolve/closure.ts';
import { isSettled } from '../../src/resolve/is-settled.ts';
import { Search, solve } from '../../src/resolve/solve.ts';
import type { Summary } from '../../src/summary/summary.ts';
import { show, World, type Dep, type Pkg } from './registry.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
const VERSIONS = ['0.1.0', '0.1.1', '1.0.0', '1.0.1', '1.1.0', '2.0.0', '2.0.0-rc.1'] as const;
const FEATURES = ['f', 'g', 'default'] as const;

const dependency: fc.Arbitrary<Dep> = fc.record({
  req: fc.constantFrom('*', '0.1', '1', '1.0', '=1.0.0', '2', '>=1', '2.0.0-rc.1'),
  kind: fc.constantFrom('normal', 'normal', 'build', 'dev'),
  default: fc.boolean(),
  features: fc.uniqueArray(fc.constantFrom('f', 'g'), { maxLength: 1 }),
});

/** A package that depends on some of `targets`, the last of them optionally. */
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

const world = fc
  .tuple(
    ...NAMES.map((name, index) =>
      fc.uniqueArray(fc.constantFrom(...VERSIONS), { minLength: 1, maxLength: 3 }).chain((versions) =>
        fc.tuple(
          ...versions.map((version) =>
            // Mostly downwards, so that few graphs have a cycle.
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
      /** The same without features, and with a dependency that may be another version of one that it has. */
      plain: made.path('/q', 'q 0.1.0', { deps: { ...deps, z: { package: 'c', req: '*' } } }),
    };
  });

describe('closure', () => {
  it('answers what solve answers, and always where a lock file is complete', () => {
    let solved = 0;
    fc.assert(
      fc.property(world, ({ world: { table }, world: made, member }) => {
        const fresh = made.problem([member]);
        const first = solve(fresh, table);
        const quick = closure(fresh, table);
        if (first.kind !== 'done') {
          expect(quick).toBeNull();
          return;
        }
        solved++;
        if (quick !== null) expect(show(quick)).toEqual(show(first.resolution));
        const locked = { ...fresh, locks: made.locks(first.resolution, [member]) };
        const second = solve(locked, table);
        const again = closure(locked, table);
        if (second.kind !== 'done') {
          expect(again).toBeNull();
          return;
        }
        // A requirement that two locked versions match is held to the lower one, whichever it had.
        expect(again === null ? null : show(again)).toEqual(show(second.resolution));
      }),
      { numRuns: 300 },
    );
    expect(solved).toBeGreaterThan(30);
  });

  it('answers what a lock file holds, where nothing else is asked for', () => {
    const counts = { settled: 0, others: 0 };
    fc.assert(
      fc.property(world, fc.boolean(), ({ world: made, plain }, isDefault) => {
        const first = solve(made.problem([plain]), made.table);
        if (first.kind !== 'done') return;
        const { resolution } = first;
        const requested = { features: [], all: false, default: isDefault };
        const locks = made.locks(resolution, [plain]);
        const problem = made.problem([plain], { roots: [{ summary: plain, requested }], locks });
        if (!isSettled(problem, [plain], resolution)) {
          counts.others++;
          return;
        }
        counts.settled++;
        expect(closure(problem, made.table)).toEqual(resolution);
      }),
      { numRuns: 300 },
    );
    expect(counts.settled).toBeGreaterThan(30);
    expect(counts.others).toBeGreaterThan(0);
  });

  it('is resolved anew for a member with features, for several roots and for two versions of one name', () => {
    const made = new World();
    made.add('a 1.0.0');
    made.add('a 2.0.0');
    const member = (pkg: Pkg): Summary => made.path('/p', 'p 0.1.0', pkg);
    const asks = (summary: Summary, roots = [summary]): boolean => {
      const resolution = made.resolve(made.problem([summary]));
      return isSettled(made.problem(roots), [summary], resolution);
    };
    const plain = member({ deps: { a: '1' } });
    expect(asks(plain)).toBe(true);
    expect(asks(plain, [plain, plain])).toBe(false);
    expect(asks(member({ deps: { a: '1' }, features: { f: [] } }))).toBe(false);
    expect(asks(member({ deps: { a: '1', b: { package: 'a', req: '>=1' } } }))).toBe(false);
  });

  it('is null where a dependency is new, a version is gone or two packages link to one library', () => {
    const made = new World();
    made.add('a 1.0.0');
    const member = made.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const before = solve(made.problem([member]), made.table);
    if (before.kind !== 'done') throw new Error('not solved');
    const locks = made.locks(before.resolution, [member]);
    expect(closure(made.problem([member], { locks }), made.table)).not.toBeNull();
    made.add('b 1.0.0');
    const changed = made.path('/p', 'p 0.1.0', { deps: { a: '1', b: '1' } });
    expect(closure(made.problem([changed], { locks }), made.table)).toBeNull();
    made.remove('a 1.0.0');
    expect(closure(made.problem([member], { locks }), made.table)).toBeNull();
  });
});

describe('a search that knows little', () => {
  it('names everything that it needs, and ends as one that knows all from the beginning', () => {
    fc.assert(
      fc.property(world, ({ world: made, member }) => {
        const problem = made.problem([member]);
        made.loaded = null;
        const complete = solve(problem, made.table);
        const loaded = new Set<string>();
        made.loaded = loaded;
        const search = new Search(problem, made.table, null);
        let outcome = search.run();
        for (; outcome.kind === 'needs'; outcome = search.run()) {
          expect(outcome.wants).not.toEqual([]);
          for (const { name, requiredBy } of outcome.wants) {
            expect(loaded).not.toContain(name);
            expect(requiredBy).toContain('package `p v0.1.0 (/p)`');
            loaded.add(name);
          }
        }
        expect(outcome.kind).toBe(complete.kind);
        if (outcome.kind === 'done' && complete.kind === 'done') {
          expect(show(outcome.resolution)).toEqual(show(complete.resolution));
        }
      }),
      { numRuns: 100 },
    );
  });
});
