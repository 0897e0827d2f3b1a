import { describe, expect, it } from 'vitest';
import { outdatedText } from '../../../src/commands/outdated/print.ts';
import { findOutdated, type OutdatedPackage } from '../../../src/core/resolve/outdated.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';
import { World } from '../../core/resolve/registry.ts';

const NAMES = Array.from({ length: 9 }, (_, index) => `member-${index + 1}`);

/** Returns a package on which all members depend, and the last one also for its tests. */
function outdatedPackages(): readonly OutdatedPackage[] {
  const world = new World();
  for (const known of ['zstd 1.0.0+zstd.1.5.6', 'zstd 2.0.0+zstd.1.5.7']) world.add(known);
  const members = NAMES.map((name, index) =>
    world.path(`/${name}`, `${name} 0.1.0`, {
      deps: { zstd: index < 8 ? '1' : [{ req: '1' }, { req: '1', kind: 'dev' }] },
    }),
  );
  const resolution = world.resolve(world.problem(members));
  const indexes = [...resolution.packages.keys()];
  const context = { current: resolution, updated: resolution, table: world.table };
  return findOutdated(indexes, context).packages;
}

describe('outdatedText', () => {
  it('prints one row for each package and kind, without build metadata', () => {
    const text = stripStyles(
      outdatedText(outdatedPackages(), { width: null, noCompatible: '-', dependents: 'Member' }),
    );
    expect(text).toBe(
      'Package  Current  Compatible  Latest  Kind         Member\n' +
        `zstd     1.0.0    1.0.0       2.0.0   normal       ${NAMES.slice(0, 8).join(', ')}\n` +
        'zstd     1.0.0    1.0.0       2.0.0   normal, dev  member-9\n',
    );
  });

  it('prints build metadata if versions differ only in that', () => {
    const world = new World();
    world.add('zstd 1.0.0+zstd.1.5.6');
    const p = world.path('/p', 'p 0.1.0', { deps: { zstd: '1' } });
    const resolution = world.resolve(world.problem([p]));
    world.add('zstd 1.0.0+zstd.1.5.7');
    const context = { current: resolution, updated: resolution, table: world.table };
    const { packages } = findOutdated([...resolution.packages.keys()], context);
    expect(
      stripStyles(outdatedText(packages, { width: null, noCompatible: '-', dependents: 'Member' })).split(
        '\n',
      )[1],
    ).toBe('zstd     1.0.0+zstd.1.5.6  1.0.0+zstd.1.5.6  1.0.0+zstd.1.5.7  normal  p');
  });

  it.each([40, 61, 70, 80, 120])('shortens the list of members to %d columns', (width) => {
    const text = stripStyles(
      outdatedText(outdatedPackages(), { width, noCompatible: '-', dependents: 'Member' }),
    );
    const [, row = ''] = text.split('\n');
    const [, shown = ''] = /normal +(.*)/.exec(row) ?? [];
    const names = shown.replace(/ \+\d+$/, '').split(', ');
    const others = Number(/ \+(\d+)$/.exec(shown)?.[1] ?? 0);
    expect(names).toEqual(NAMES.slice(0, 8 - others));
    if (names.length > 1) expect(row.length).toBeLessThanOrEqual(width);
    expect(row.length + ', member-9'.length + (others === 0 ? width : 0)).toBeGreaterThan(width);
  });
});
