import { describe, expect, it } from 'vitest';
import { packagesToLetGo } from '../../../src/core/resolve/let-go.ts';
import { World } from './registry.ts';

function setting() {
  const world = new World();
  world.add('a 1.0.0', { deps: { b: '1' } });
  world.add('b 1.0.0', { deps: { c: '1' } });
  world.add('c 1.0.0');
  world.path('/d', 'd 0.1.0', { deps: { c: '1' } });
  const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', d: { path: '/d' } } });
  const previous = world.previous(world.resolve(world.problem([member])));
  const letGo = (names: readonly string[] | null, isRecursive = false): readonly string[] => {
    const named = names === null ? null : previous.packages.filter(({ name }) => names.includes(name));
    const keys = packagesToLetGo(previous, { named, isRecursive, members: [member] });
    return previous.packages.filter(({ key }) => keys.has(key)).map(({ name }) => name);
  };
  return { letGo };
}

describe('packages that an update unlocks', () => {
  const { letGo } = setting();

  it('are all packages, the named ones or none', () => {
    expect(letGo(null)).toEqual(['a', 'b', 'c', 'd', 'p']);
    expect(letGo(['b'])).toEqual(['b']);
    expect(letGo([])).toEqual([]);
  });

  it('include all dependencies on request', () => {
    expect(letGo(['a'], true)).toEqual(['a', 'b', 'c']);
  });

  it('exclude named members, but not their dependencies', () => {
    expect(letGo(['p'])).toEqual([]);
    expect(letGo(['p'], true)).toEqual(['a', 'b', 'c', 'd']);
  });
});
