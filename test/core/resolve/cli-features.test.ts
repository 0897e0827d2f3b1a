import { describe, expect, it } from 'vitest';
import { selectFeatures } from '../../../src/core/resolve/cli-features.ts';
import { parseCliFeatures } from '../../../src/core/resolve/parse-cli-features.ts';
import { formatFeatureValue } from '../../../src/core/summary/feature-value.ts';
import { World } from './registry.ts';

function workspace(): { readonly world: World; readonly members: ReturnType<World['path']>[] } {
  const world = new World();
  world.add('dep 1.0.0', { features: { df: [] } });
  const members = [
    world.path('/a', 'a 0.1.0', {
      deps: { dep: { req: '1', features: ['df'] }, opt: { req: '1', optional: true } },
      features: { x: [], only: [] },
    }),
    world.path('/b', 'b 0.1.0', { features: { x: [], bd: [] } }),
  ];
  return { world, members };
}

function select(
  features: string,
  options: { readonly current?: number; readonly all?: boolean } = {},
): unknown {
  const { members } = workspace();
  const current = options.current === undefined ? null : (members[options.current] ?? null);
  const roots = selectFeatures(
    { features: parseCliFeatures([features]), all: options.all ?? false, default: false },
    { members, current, isForAllMembers: current === null },
  );
  return roots.map(({ summary, requested }) => [
    summary.id.name,
    requested.features.map(formatFeatureValue),
    requested.all,
    requested.default,
  ]);
}

describe('--features', () => {
  it('is split at commas and spaces', () => {
    expect(parseCliFeatures(['b,a', 'a  c/d,']).map(formatFeatureValue)).toEqual(['a', 'b', 'c/d']);
  });

  it.each([
    ['dep:aa', 'feature `dep:aa` is not allowed to use explicit `dep:` syntax'],
    ['aa/b/c', 'multiple slashes in feature `aa/b/c` is not allowed'],
  ])('refuses %s', (text, message) => {
    expect(() => parseCliFeatures([text])).toThrow(message);
  });
});

describe('features for all members', () => {
  it('are enabled on every member that has them', () => {
    expect(select('x,opt,b/bd,dep/df')).toEqual([
      ['a', ['opt', 'x', 'dep/df'], false, false],
      ['b', ['bd', 'x'], false, false],
    ]);
  });

  it.each([
    [
      'zzzzz',
      'none of the selected packages contains this feature: zzzzz\nselected packages: a, b',
      'no selected package has the feature `zzzzz`\nhelp: available features: bd, only, opt, x\nselected packages: a, b',
    ],
    [
      'onlu,b/bx',
      'none of the selected packages contains these features: b/bx, onlu\nselected packages: a, b\nhelp: there are similarly named features: a/opt, a/x, b/bd, b/x, dep/df',
      'no selected package has these features: `b/bx`, `onlu`\nhelp: features with similar names exist: `b/bd`, `b/x`, `only`\nselected packages: a, b',
    ],
  ])('must exist in one of the members: %s', (text, cargoMessage, message) => {
    expect(() => select(text)).toThrow(expect.objectContaining({ message, cargoMessage }));
  });

  it.each([
    ['bdd', 'bd, x', 'help: a feature with a similar name exists: `bd`'],
    ['onlyy', null, 'help: available features: bd, x'],
  ])('are refused with the name of the member if it is the only one: %s', (name, similar, help) => {
    const { members } = workspace();
    const requested = { features: parseCliFeatures([name]), all: false, default: true };
    const selection = { members: members.slice(1), current: null, isForAllMembers: true };
    const cargoHelp = similar === null ? '' : `\nhelp: there are similarly named features: ${similar}`;
    expect(() => selectFeatures(requested, selection)).toThrow(
      expect.objectContaining({
        message: `package \`b\` does not have the feature \`${name}\`\n${help}`,
        cargoMessage: `the package 'b' does not contain this feature: ${name}${cargoHelp}`,
      }),
    );
  });

  it('are refused with the other members that have them', () => {
    const [a, b] = workspace().members;
    const requested = { features: parseCliFeatures(['only']), all: false, default: true };
    const selection = {
      members: b === undefined ? [] : [b],
      others: a === undefined ? [] : [a],
      current: null,
      isForAllMembers: true,
    };
    expect(() => selectFeatures(requested, selection)).toThrow(
      expect.objectContaining({
        message:
          'package `b` does not have the feature `only`\nhelp: select a package that has it with `--package`: a',
        cargoMessage:
          "the package 'b' does not contain this feature: only\nhelp: package with the missing feature: a",
      }),
    );
  });
});

describe('features for packages that are not members', () => {
  it.each([
    [['zzzzzz', 'ab'], '\n\nhelp: a workspace member with a similar name exists: `a`'],
    [['zzzzzz'], ''],
  ])('are refused: %j', (names, hint) => {
    const requested = { features: [], all: true, default: true };
    expect(() =>
      selectFeatures(requested, {
        members: [],
        others: workspace().members,
        names,
        current: null,
        isForAllMembers: true,
      }),
    ).toThrow(
      expect.objectContaining({
        message: `cannot specify features for packages outside of workspace${hint}`,
      }),
    );
  });
});

describe('features for the current member', () => {
  it('leave the default features of other members on', () => {
    expect(select('x,b/bd,dep/df', { current: 0, all: true })).toEqual([
      ['a', ['x', 'dep/df'], true, false],
      ['b', ['bd'], true, true],
    ]);
  });

  it('are checked when the member is resolved', () => {
    const { world, members } = workspace();
    world.add('opt 1.0.0');
    const [current = null] = members;
    const fail = (text: string): unknown => {
      const requested = { features: parseCliFeatures([text]), all: false, default: true };
      const roots = selectFeatures(requested, { members, current, isForAllMembers: false });
      return () => world.resolve(world.problem(members, { roots }));
    };
    expect(fail('onl')).toThrow(
      'package `a v0.1.0 (/a)` does not have the feature `onl`\n\nhelp: a feature with a similar name exists: `only`',
    );
    expect(fail('dep')).toThrow(
      'package `a v0.1.0 (/a)` does not have feature `dep`\n\nhelp: a dependency with that name exists but it is required dependency and only optional dependencies can be used as features.',
    );
    expect(fail('zz/y')).toThrow('package `a v0.1.0 (/a)` does not have a dependency named `zz`');
  });

  it('are refused for a hidden dependency, with the features that enable it', () => {
    const world = new World();
    const member = world.path('/a', 'a 0.1.0', {
      deps: { d: { req: '1', optional: true } },
      features: { f: ['dep:d'], g: ['d/x'], h: ['d?/x'], i: ['dep:d'], j: ['dep:d'] },
    });
    const requested = { features: parseCliFeatures(['d']), all: false, default: true };
    expect(() => world.resolve(world.problem([member], { roots: [{ summary: member, requested }] }))).toThrow(
      'package `a v0.1.0 (/a)` does not have feature `d`\n\nhelp: an optional dependency with that name exists, but the `features` table includes it with the "dep:" syntax so it does not have an implicit feature with that name\nDependency `d` would be enabled by these features:\n\t- `f`\n\t- `g`\n\t- `i`\n\t  ...',
    );
  });
});
