import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeatureOptions, resolveFeatures } from '../../../src/core/resolve/feature-resolver.ts';
import type { RequestedFeatures } from '../../../src/core/resolve/problem.ts';
import type { Resolution } from '../../../src/core/resolve/resolution.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { type Dep, type Pkg, World } from './registry.ts';

const DEFAULT: RequestedFeatures = { features: [], all: false, default: true };

/** Returns the features of every package, for the target and for the host. */
function features(
  world: World,
  members: readonly Summary[],
  options: Partial<FeatureOptions> & { readonly macros?: readonly string[] } = {},
): Readonly<Record<string, string>> {
  const resolution = world.resolve(world.problem(members));
  const { macros = [] } = options;
  const isMacro = (index: number): boolean => macros.includes(resolution.packages[index]?.id.name ?? '');
  const found = resolveFeatures(resolution, {
    roots: rootsOf(resolution, members),
    separatesHost: true,
    ignoresDev: false,
    isUsed: () => true,
    isProcMacro: isMacro,
    isProcMacroLibrary: isMacro,
    ...options,
  });
  const shown: Record<string, string> = {};
  for (const [index, { id }] of resolution.packages.entries()) {
    for (const builtFor of ['target', 'host'] as const) {
      const on = found.featuresOf(index, builtFor).join(',');
      if (on !== '') shown[`${id.name} for the ${builtFor}`] = on;
    }
  }
  return shown;
}

function rootsOf(resolution: Resolution, members: readonly Summary[]): FeatureOptions['roots'] {
  return resolution.packages.flatMap(({ summary }, index) =>
    members.includes(summary) ? { package: index, requested: DEFAULT } : [],
  );
}

function oneDependency(deps: Pkg['deps']): { readonly world: World; readonly root: Summary } {
  const world = new World();
  world.add('a 1.0.0', { features: { x: [], y: [], z: [] } });
  world.add('macro 1.0.0', { deps: { a: { features: ['z'] } } });
  const root = world.path('/root', 'root 0.1.0', { ...(deps === undefined ? {} : { deps }) });
  return { world, root };
}

describe('features of one package', () => {
  const deps: Pkg['deps'] = {
    a: [{ features: ['x'] }, { features: ['y'], kind: 'build' }],
    macro: {},
  };

  it('are kept apart for host and target', () => {
    const { world, root } = oneDependency(deps);
    expect(features(world, [root], { macros: ['macro'] })).toEqual({
      'a for the target': 'x',
      'a for the host': 'y,z',
    });
  });

  it('are the same for both with resolver 1', () => {
    const { world, root } = oneDependency(deps);
    expect(features(world, [root], { macros: ['macro'], separatesHost: false })).toEqual({
      'a for the target': 'x,y,z',
      'a for the host': 'x,y,z',
    });
  });

  it('exclude those of dev-dependencies that are not built', () => {
    const { world, root } = oneDependency({ a: [{ features: ['x'] }, { features: ['y'], kind: 'dev' }] });
    expect(features(world, [root])).toEqual({ 'a for the target': 'x,y' });
    expect(features(world, [root], { ignoresDev: true })).toEqual({ 'a for the target': 'x' });
  });

  it('exclude those of platforms that are not built', () => {
    const { world, root } = oneDependency({
      a: [
        { features: ['x'] },
        { features: ['y'], target: 'cfg(windows)' },
        { features: ['z'], target: 'cfg(windows)', kind: 'build' },
      ],
    });
    const isUsed: FeatureOptions['isUsed'] = ({ platform }, builtFor) =>
      platform === null || builtFor === 'host';
    expect(features(world, [root], { isUsed })).toEqual({ 'a for the target': 'x', 'a for the host': 'z' });
  });

  it('apply to host and target for a member that is a procedural macro', () => {
    const { world, root } = oneDependency({ a: { features: ['x'] } });
    expect(features(world, [root], { macros: ['root'] })).toEqual({
      'a for the target': 'x',
      'a for the host': 'x',
    });
  });
});

describe('weak and strong features', () => {
  const build = (enabled: readonly string[]): Readonly<Record<string, string>> => {
    const world = new World();
    world.add('a 1.0.0', { features: { x: [] } });
    const root = world.path('/root', 'root 0.1.0', {
      deps: { a: { optional: true } },
      features: { default: enabled, weak: ['a?/x'], on: ['dep:a'], strong: ['a/x'] },
    });
    return features(world, [root]);
  };

  it('of a dependency apply once something else activates it, before or after', () => {
    expect(build(['weak'])).toEqual({ 'root for the target': 'default,weak' });
    expect(build(['weak', 'on'])['a for the target']).toBe('x');
    expect(build(['on', 'weak'])['a for the target']).toBe('x');
  });

  it('do not activate an implicit feature that `dep:` hides', () => {
    expect(build(['strong'])).toEqual({ 'root for the target': 'default,strong', 'a for the target': 'x' });
  });
});

// Without weak features, which version selection treats as strong ones.
it('resolver 1 activates the same features as version selection', () => {
  const index = fc.nat(20);
  const names = ['p0', 'p1', 'p2', 'p3', 'p4'];
  const dependency = fc.record({
    to: index,
    kind: fc.constantFrom('normal', 'build'),
    optional: fc.boolean(),
    default: fc.boolean(),
    feature: index,
  });
  const value = fc.record({ kind: fc.nat(3), a: index, b: index });
  const gene = fc.record({
    deps: fc.array(dependency, { maxLength: 4 }),
    values: fc.array(fc.array(value, { maxLength: 3 }), { minLength: 2, maxLength: 3 }),
  });
  type Gene = typeof gene extends fc.Arbitrary<infer T> ? T : never;
  const makePackage = ({ deps, values }: Gene, at: number): Pkg => {
    const below = names.slice(at + 1);
    const declared: Record<string, Dep> = {};
    for (const each of deps) {
      const name = below[each.to % Math.max(1, below.length)];
      if (name === undefined) continue;
      const { kind, optional } = each;
      declared[name] = { kind, optional, default: each.default, features: [`f${each.feature % 2}`] };
    }
    const all = Object.keys(declared);
    const optional = all.filter((name) => declared[name]?.optional === true);
    const features: Record<string, string[]> = {};
    for (const [number, list] of values.entries()) {
      const own = number === 2 ? 'default' : `f${number}`;
      features[own] = list.flatMap(({ kind, a, b }) => {
        const any = all[a % Math.max(1, all.length)];
        const one = optional[a % Math.max(1, optional.length)];
        if (kind === 0) return own === 'f0' ? [] : ['f0'];
        if (kind === 1) return one === undefined ? [] : [one];
        return any === undefined ? [] : [`${any}/f${b % 2}`];
      });
    }
    return { deps: declared, features };
  };
  fc.assert(
    fc.property(fc.array(gene, { minLength: 5, maxLength: 5 }), (genes) => {
      const world = new World();
      for (const [at, name] of names.entries()) {
        const each = genes[at];
        if (each !== undefined && at > 0) world.add(`${name} 1.0.0`, makePackage(each, at));
      }
      const first = genes[0];
      if (first === undefined) return;
      const root = world.path('/p0', 'p0 1.0.0', makePackage(first, 0));
      const roots = [{ summary: root, requested: DEFAULT }];
      const resolution = world.resolve(world.problem([root], { roots }));
      const found = resolveFeatures(resolution, {
        roots: rootsOf(resolution, [root]),
        separatesHost: false,
        ignoresDev: false,
        isUsed: () => true,
        isProcMacro: () => false,
        isProcMacroLibrary: () => false,
      });
      for (const [at, each] of resolution.packages.entries()) {
        expect(found.featuresOf(at, 'target')).toEqual(each.features);
      }
    }),
    { numRuns: 300 },
  );
});
