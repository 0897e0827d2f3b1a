import { describe, expect, it } from 'vitest';
import { packagesToUnlock } from '../../../src/core/resolve/packages-to-unlock.ts';
import { World } from './registry.ts';

function setting() {
  const world = new World();
  world.add('a 1.0.0', { deps: { b: '1' } });
  world.add('b 1.0.0', { deps: { c: '1' } });
  world.add('c 1.0.0');
  world.path('/d', 'd 0.1.0', { deps: { c: '1' } });
  const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', d: { path: '/d' } } });
  const previous = world.previous(world.resolve(world.problem([member])));
  const toUnlock = (names: readonly string[] | null, isRecursive = false): readonly string[] => {
    const named = names === null ? null : previous.packages.filter(({ name }) => names.includes(name));
    const keys = packagesToUnlock(previous, { named, isRecursive, members: [member] });
    return previous.packages.filter(({ key }) => keys.has(key)).map(({ name }) => name);
  };
  return { toUnlock };
}

describe('packages that an update unlocks', () => {
  const { toUnlock } = setting();

  it('are all packages, the named ones or none', () => {
    expect(toUnlock(null)).toEqual(['a', 'b', 'c', 'd', 'p']);
    expect(toUnlock(['b'])).toEqual(['b']);
    expect(toUnlock([])).toEqual([]);
  });

  it('include all dependencies on request', () => {
    expect(toUnlock(['a'], true)).toEqual(['a', 'b', 'c']);
  });

  it('exclude named members, but not their dependencies', () => {
    expect(toUnlock(['p'])).toEqual([]);
    expect(toUnlock(['p'], true)).toEqual(['a', 'b', 'c', 'd']);
  });
});
