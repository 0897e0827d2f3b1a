import { describe, expect, it } from 'vitest';
import { findHeldBack } from '../../../src/core/resolve/held-back.ts';
import { PublishAge } from '../../../src/core/resolve/publish-age.ts';
import { World } from './registry.ts';

const NOW_MS = Date.parse('2026-01-10T00:00:00Z');
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const minimum = (ms: number): PublishAge => {
  const age = { ms, text: 'configured' };
  return new PublishAge({ minimumOf: () => age, common: age, isEnforced: true }, NOW_MS);
};
const WEEK = minimum(7 * DAY_MS);

/** Creates a registry in which `a` has a version that is a month old, and one that is two days old. */
function worldOfTwo(): World {
  const world = new World();
  world.add('a 1.0.0', { published: '2025-12-10T00:00:00Z' });
  world.add('a 1.1.0', { published: '2026-01-08T00:00:00Z' });
  return world;
}

describe('PublishAge', () => {
  const world = new World();
  it.each([
    ['2026-01-03T00:00:00Z', null],
    ['2026-01-03T00:00:01Z', '7 days ago'],
    ['2026-01-11T00:00:00Z', 'moments ago'],
  ])('compares the publish time with the minimum age: %s', (published, expected) => {
    const summary = world.add('b 1.0.0', { published });
    expect(WEEK.tooNew(summary)?.published ?? null).toBe(expected);
  });

  it('accepts a version without a publish time', () => {
    expect(WEEK.tooNew(world.add('c 1.0.0'))).toBeNull();
  });

  it('accepts every version if the minimum age is off', () => {
    const off = new PublishAge({ minimumOf: () => 'off', common: null, isEnforced: true }, NOW_MS);
    expect(off.tooNew(world.add('d 1.0.0', { published: '2026-01-11T00:00:00Z' }))).toBeNull();
    expect(off.asOf).toBe('min-publish-age');
  });

  it.each([
    [0, 'moments ago'],
    [SECOND_MS, '1 second ago'],
    [59 * SECOND_MS, '59 seconds ago'],
    [90 * SECOND_MS, '2 minutes ago'],
    [HOUR_MS - SECOND_MS, '60 minutes ago'],
    [HOUR_MS, '1 hour ago'],
    [DAY_MS, '24 hours ago'],
    [60 * HOUR_MS, '3 days ago'],
    [2_629_746 * SECOND_MS, '30 days ago'],
  ])('describes an age of %d ms in words', (ms, text) => {
    expect(minimum(ms).asOf).toBe(text);
  });
});

describe('a resolution with a minimum age', () => {
  it('selects the newest version that is old enough, and reports the newer one as held back', () => {
    const world = worldOfTwo();
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const problem = world.problem([member], { publishAge: WEEK });
    const resolution = world.resolve(problem);
    expect(resolution.packages.map(({ id }) => `${id.name} ${id.version.text}`)).toContain('a 1.0.0');
    const context = { problem, table: world.table, toUnlock: null, before: new Set<string>() };
    expect(findHeldBack(resolution, context).packages).toMatchObject([
      { newer: [{ reasons: [{ kind: 'publish-age', minimum: 'configured' }] }] },
    ]);
  });

  it('keeps a version that is too new if the lock file has it', () => {
    const world = worldOfTwo();
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const previous = world.previous(world.resolve(world.problem([member])));
    const locks = world.locksOf(previous, [member]);
    for (const preferredOnly of [false, true]) {
      const kept = preferredOnly ? { ...locks, pinned: new Map() } : locks;
      const { packages } = world.resolve(world.problem([member], { publishAge: WEEK, locks: kept }));
      expect(packages.map(({ id }) => `${id.name} ${id.version.text}`)).toContain('a 1.1.0');
    }
  });

  it.each([
    ['refuses', false],
    ['accepts, if it is yanked,', true],
  ])('%s --precise for a version that is too new', (_, yanked) => {
    const world = new World();
    const { id } = world.add('a 1.0.0');
    world.add('a 1.1.0', { published: '2026-01-08T00:00:00Z', yanked });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const to = { ...id.version, minor: 1, text: '1.1.0' };
    const precise = [{ source: id.source, name: 'a', from: id.version, to, onYanked: () => {} }];
    const resolve = () => world.resolve(world.problem([member], { publishAge: WEEK, precise }));
    if (yanked) expect(resolve().packages.map((each) => each.id.version.text)).toContain('1.1.0');
    else expect(resolve).toThrow('version 1.1.0 is too new (published 2 days ago, minimum age configured)');
  });
});
