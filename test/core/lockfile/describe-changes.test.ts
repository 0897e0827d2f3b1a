import { expect, it } from 'vitest';
import { describeLockfileChanges } from '../../../src/core/lockfile/describe-changes.ts';
import { parseLockfile, type PathSources } from '../../../src/core/lockfile/parse-lockfile.ts';
import { planLockfileWrite } from '../../../src/core/lockfile/plan-write.ts';
import { TsregError } from '../../../src/core/errors/error.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';

const context = {
  path: '/p/Cargo.lock',
  sources: new SourceTable(),
  pathSources: (): PathSources => new Map(),
};
const SOURCE = 'source = "registry+https://github.com/rust-lang/crates.io-index"\n';

/** Returns a lock file of registry packages, each given as `name version: dependency dependency`. */
function text(...packages: readonly string[]): string {
  const tables = packages.map((each) => {
    const [, name, version, dependencies = ''] = /^(\S+) ([^:]+):?(.*)$/.exec(each) ?? [];
    const list =
      dependencies.trim() === ''
        ? ''
        : `dependencies = [${dependencies
            .trim()
            .split(' ')
            .map((one) => `"${one}"`)
            .join(', ')}]\n`;
    return `[[package]]\nname = "${name}"\nversion = "${version}"\n${SOURCE}${list}`;
  });
  return `version = 4\n\n${tables.join('\n')}`;
}

const lock = (...packages: readonly string[]) => parseLockfile(text(...packages), context);

it.each([
  [['a 1.0.0'], ['a 2.0.0'], 'it has `a v1.0.0` where `a v2.0.0` is needed'],
  [['a 1.0.0'], ['a 1.0.0: b', 'b 1.0.0'], '`b v1.0.0` is missing in it'],
  [['a 1.0.0: b', 'b 1.0.0'], ['a 1.0.0'], '`b v1.0.0` is in it and not needed'],
  [['a 1.0.0', 'b 1.0.0'], ['a 1.0.0: b', 'b 1.0.0'], '`a v1.0.0` depends on `b v1.0.0` now'],
  [['a 1.0.0: b', 'b 1.0.0'], ['a 1.0.0', 'b 1.0.0'], '`a v1.0.0` no longer depends on `b v1.0.0`'],
])('describes the change from %j to %j', (before, after, words) => {
  expect(describeLockfileChanges(lock(...before), lock(...after))).toBe(words);
});

it('names only the first changes, and returns null if there are none', () => {
  const many = lock('a 1.0.0', 'b 1.0.0', 'c 1.0.0', 'd 1.0.0', 'e 1.0.0', 'f 1.0.0');
  expect(describeLockfileChanges(lock(), many)).toMatch(
    /^`a v1\.0\.0` .*; `d v1\.0\.0` is missing in it; and 2 more$/,
  );
  expect(describeLockfileChanges(many, many)).toBe(null);
});

it('provides the hint of the error about a flag that forbids the change', () => {
  const options = {
    ...context,
    original: text('a 1.0.0'),
    defaultVersion: 4,
    lockedFlag: '--locked',
  } as const;
  let hint: string | null = null;
  try {
    planLockfileWrite(lock('a 2.0.0'), options);
  } catch (error) {
    if (error instanceof TsregError) ({ hint } = error);
  }
  expect(hint).toBe('the lock file does not match: it has `a v1.0.0` where `a v2.0.0` is needed');
});
