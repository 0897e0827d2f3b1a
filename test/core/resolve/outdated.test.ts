import { describe, expect, it } from 'vitest';
import { findOutdated } from '../../../src/core/resolve/outdated.ts';
import type { Resolution } from '../../../src/core/resolve/resolution.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { World } from './registry.ts';

/** Resolves with the versions that the world has now. */
function resolve(world: World, members: readonly Summary[]): Resolution {
  return world.resolve(world.problem(members));
}

/** Returns `name current compatible latest <- dependents`; `-` for no version. */
function outdated(
  world: World,
  { current, updated }: { readonly current: Resolution; readonly updated: Resolution },
  names: readonly string[],
): readonly string[] {
  const dependents = current.packages.flatMap(({ id }, index) => (names.includes(id.name) ? index : []));
  const { packages, missingSummaries } = findOutdated(dependents, { current, updated, table: world.table });
  expect(missingSummaries).toEqual([]);
  return packages.map(({ id, compatible, latest, dependents: uses }) => {
    const versions = [id.version, compatible, latest].map((version) => version?.text ?? '-').join(' ');
    return `${id.name} ${versions} <- ${uses.map((use) => use.id.name).join(', ')}`;
  });
}

describe('findOutdated', () => {
  it('returns the versions after an update and the latest ones', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'b 1.0.0', 'c 1.0.0']) world.add(known);
    const p = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '1', c: '1', q: { path: '/q' } } });
    const q = world.path('/q', 'q 0.1.0', { deps: { a: '1' } });
    const current = resolve(world, [p, q]);
    for (const known of ['a 1.1.0', 'a 2.0.0', 'b 2.0.0']) world.add(known);
    const updated = resolve(world, [p, q]);
    expect(outdated(world, { current, updated }, ['p', 'q'])).toEqual([
      'a 1.0.0 1.1.0 2.0.0 <- p, q',
      'b 1.0.0 1.0.0 2.0.0 <- p',
    ]);
    expect(outdated(world, { current, updated }, ['q'])).toEqual(['a 1.0.0 1.1.0 2.0.0 <- q']);
    expect(outdated(world, { current: updated, updated }, ['q'])).toEqual(['a 1.1.0 1.1.0 2.0.0 <- q']);
  });

  it('ignores yanked versions and pre-releases, unless the current version is a pre-release', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'a 1.1.0-rc.1', 'b 1.0.0-rc.1', 'b 1.0.0-rc.2']) world.add(known);
    world.add('a 1.2.0', { yanked: true });
    const p = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '=1.0.0-rc.1' } });
    const current = resolve(world, [p]);
    expect(outdated(world, { current, updated: current }, ['p'])).toEqual([
      'b 1.0.0-rc.1 1.0.0-rc.1 1.0.0-rc.2 <- p',
    ]);
  });

  it('follows each requirement to its own version', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'a 2.0.0']) world.add(known);
    const p = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: { package: 'a', req: '2' } } });
    const current = resolve(world, [p]);
    for (const known of ['a 1.1.0', 'a 2.1.0']) world.add(known);
    expect(outdated(world, { current, updated: resolve(world, [p]) }, ['p'])).toEqual([
      'a 1.0.0 1.1.0 2.1.0 <- p',
      'a 2.0.0 2.1.0 2.1.0 <- p',
    ]);
  });

  it('finds the dependencies of packages that the update replaces or removes', () => {
    const world = new World();
    for (const known of ['b 1.0.0', 'c 1.0.0']) world.add(known);
    world.add('a 1.0.0', { deps: { b: '1', c: '1' } });
    const p = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const current = resolve(world, [p]);
    for (const known of ['b 1.1.0', 'c 1.1.0']) world.add(known);
    world.add('a 1.1.0', { deps: { b: '1.1' } });
    expect(outdated(world, { current, updated: resolve(world, [p]) }, ['p', 'a'])).toEqual([
      'a 1.0.0 1.1.0 1.1.0 <- p',
      'b 1.0.0 1.1.0 1.1.0 <- a',
      'c 1.0.0 - 1.1.0 <- a',
    ]);
  });

  it('follows updated dependents whose requirements have changed', () => {
    const world = new World();
    for (const known of ['b 1.0.0', 'b 2.0.0']) world.add(known);
    world.add('a 1.0.0', { deps: { b: '~1.0' } });
    const p = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const current = resolve(world, [p]);
    world.add('b 1.1.0');
    world.add('a 1.1.0', { deps: { b: '~1.1' } });
    expect(outdated(world, { current, updated: resolve(world, [p]) }, ['a'])).toEqual([
      'b 1.0.0 1.1.0 2.0.0 <- a',
    ]);
  });

  it('tells compatible versions of a package apart after the update of its dependents', () => {
    const world = new World();
    for (const known of ['b 1.0.0', 'b 2.0.0', 'c 1.0.0', 'c 2.0.0']) world.add(known);
    world.add('a 1.0.0', { deps: { b: '=1.0.0', c: '1' } });
    world.add('a 2.0.0', { deps: { b: '=2.0.0', c: '2' } });
    const deps = { a: '1', a2: { package: 'a', req: '2' } };
    const p = world.path('/p', 'p 0.1.0', { deps });
    const current = resolve(world, [p]);
    for (const known of ['b 1.1.0', 'b 2.1.0']) world.add(known);
    world.add('a 1.1.0', { deps: { b: '=1.1.0', c: '1' } });
    world.add('a 2.1.0', { deps: { b: '=2.1.0' } });
    expect(outdated(world, { current, updated: resolve(world, [p]) }, ['a'])).toEqual([
      'b 1.0.0 1.1.0 2.1.0 <- a',
      'b 2.0.0 2.1.0 2.1.0 <- a',
      'c 1.0.0 1.0.0 2.0.0 <- a',
    ]);
  });

  it('returns no lower version for a package that the update removes', () => {
    const world = new World();
    for (const known of ['b 1.0.0', 'b 2.0.0']) world.add(known);
    world.add('a 1.0.0', { deps: { b: '1' } });
    world.add('a 2.0.0', { deps: { b: '2' } });
    const deps = { a: '1', a2: { package: 'a', req: '2' } };
    const p = world.path('/p', 'p 0.1.0', { deps });
    const current = resolve(world, [p]);
    world.add('b 3.0.0');
    world.add('a 2.1.0');
    expect(outdated(world, { current, updated: resolve(world, [p]) }, ['a'])).toEqual([
      'b 1.0.0 1.0.0 3.0.0 <- a',
      'b 2.0.0 - 3.0.0 <- a',
    ]);
  });

  it('returns the packages to load', () => {
    const world = new World();
    world.add('a 1.0.0');
    const p = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const current = resolve(world, [p]);
    world.loaded = new Set();
    const found = findOutdated([...current.packages.keys()], {
      current,
      updated: current,
      table: world.table,
    });
    expect(found.missingSummaries.map(({ name }) => name)).toEqual(['a']);
    expect(found.packages).toEqual([]);
  });
});
