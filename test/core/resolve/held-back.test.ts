import { describe, expect, it } from 'vitest';
import { findHeldBack, type HeldBackContext } from '../../../src/core/resolve/held-back.ts';
import type { Problem } from '../../../src/core/resolve/problem.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { parseRustVersion } from '../../../src/core/version/partial-version.ts';
import { World } from './registry.ts';

function heldBack(
  world: World,
  member: Summary,
  rest: Partial<Problem> = {},
  more: Partial<HeldBackContext> = {},
): readonly string[] {
  const problem = world.problem([member], rest);
  const { packages, missingSummaries } = findHeldBack(world.resolve(problem), {
    problem,
    table: world.table,
    toUnlock: null,
    before: new Set(),
    ...more,
  });
  expect(missingSummaries).toEqual([]);
  return packages.flatMap(({ id, newer }) =>
    newer.map(({ summary, reasons }) => {
      const texts = reasons.map((reason) => {
        if (reason.kind === 'requirement') return `${reason.of.name} wants ${reason.requirement}`;
        return reason.kind === 'rust-version' ? `Rust ${reason.supported.text}` : reason.kind;
      });
      return `${id.name} ${id.version.text} < ${summary.id.version.text}: ${texts.join(', ')}`;
    }),
  );
}

describe('findHeldBack', () => {
  it('names dependents that refuse newer versions, with the newest version for each kind of reason', () => {
    const world = new World();
    for (const known of ['a 1.0.0', 'a 2.0.0', 'a 3.0.0', 'a 3.1.0-rc.1', 'b 1.0.0', 'b 1.1.0-rc.1']) {
      world.add(known);
    }
    world.add('a 3.0.1', { yanked: true });
    world.add('a 1.0.1', { yanked: true });
    world.add('c 1.0.0', { deps: { a: '^1.0' } });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '1', c: '1' } });
    expect(heldBack(world, member)).toEqual([
      'a 1.0.0 < 3.1.0-rc.1: c wants ^1.0, p wants ^1, pre-release',
      'a 1.0.0 < 3.0.1: c wants ^1.0, p wants ^1, yanked',
      'a 1.0.0 < 3.0.0: c wants ^1.0, p wants ^1',
      'a 1.0.0 < 1.0.1: yanked',
      'b 1.0.0 < 1.1.0-rc.1: pre-release',
    ]);
  });

  it('names the Rust version of the members as the reason', () => {
    const world = new World();
    world.add('a 1.0.0');
    world.add('a 1.1.0', { rust: '1.80' });
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' }, rust: '1.60' });
    const rustVersions = [parseRustVersion('1.60')];
    expect(heldBack(world, member, { rustVersions })).toEqual(['a 1.0.0 < 1.1.0: Rust 1.60']);
    expect(heldBack(world, member)).toEqual([]);
  });

  it('names the lock file, offline mode or a precise version as the reason', () => {
    const world = new World();
    const a = world.add('a 1.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const locks = world.locks(world.resolve(world.problem([member])), [member]);
    const newer = world.add('a 1.1.0');
    const before = new Set([a.id.key]);
    const locked = ['a 1.0.0 < 1.1.0: lockfile'];
    expect(heldBack(world, member, { locks }, { before, toUnlock: new Set() })).toEqual(locked);
    world.notDownloaded.add('a 1.1.0');
    expect(heldBack(world, member, { offline: true })).toEqual(['a 1.0.0 < 1.1.0: offline']);
    const { source, name, version } = a.id;
    const precise = [{ source, name, from: newer.id.version, to: version, onYanked: () => {} }];
    expect(heldBack(world, member, { precise })).toEqual(['a 1.0.0 < 1.1.0: precise']);
  });

  it('names a conflict with other packages as the reason', () => {
    const world = new World();
    world.add('a 1.0.0');
    world.add('a 1.1.0', { deps: { b: '=1.0.0' } });
    for (const known of ['b 1.0.0', 'b 1.1.0']) world.add(known);
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: '=1.1.0' } });
    expect(heldBack(world, member)).toEqual(['a 1.0.0 < 1.1.0: conflict']);
  });

  it('requests versions that are not loaded', () => {
    const world = new World();
    world.add('a 1.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1' } });
    const problem = world.problem([member]);
    const resolution = world.resolve(problem);
    world.loaded = new Set();
    const context = { problem, table: world.table, toUnlock: null, before: new Set<string>() };
    expect(findHeldBack(resolution, context).missingSummaries).toEqual([
      { source: world.registry, name: 'a' },
    ]);
  });
});

describe('a precise version', () => {
  it('is selected even if it is yanked, and has no alternative', () => {
    const world = new World();
    const a = world.add('a 1.2.0');
    const old = world.add('a 1.0.0+x', { yanked: true });
    world.add('a 1.1.0');
    world.add('a 2.0.0');
    const member = world.path('/p', 'p 0.1.0', { deps: { a: '1', b: { package: 'a', req: '2' } } });
    const yanked: string[] = [];
    const { source, name, version } = a.id;
    const to = old.id.version;
    const precise = [{ source, name, from: version, to, onYanked: () => yanked.push('told') }];
    const { packages } = world.resolve(world.problem([member], { precise }));
    expect(packages.map(({ id }) => `${id.name} ${id.version.text}`)).toEqual([
      'a 1.0.0+x',
      'a 2.0.0',
      'p 0.1.0',
    ]);
    expect(yanked.length).toBeGreaterThan(0);
    const withoutBuild = [
      { source, name, from: version, to: { ...to, build: '', text: '1.0.0' }, onYanked: () => {} },
    ];
    expect(() => world.resolve(world.problem([member], { precise: withoutBuild }))).toThrow(
      'version 1.0.0+x is yanked',
    );
    const absent = [{ source, name, from: version, to: { ...to, patch: 9 }, onYanked: () => {} }];
    expect(() => world.resolve(world.problem([member], { precise: absent }))).toThrow(
      'no matching package named `a` found',
    );
  });
});
