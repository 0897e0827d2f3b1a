import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtLibrary } from '../helpers/built-library.ts';
import { WITHOUT_CALL_OPTIONS } from '../helpers/library-functions.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const library = await builtLibrary();
const here = { cwd: '/', env: {} };

/** The arguments before the options. */
const FIRST_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  extract: ['a', 'dir'],
  manifest: ['a'],
  tarball: ['a'],
  versions: ['a'],
};

/** Calls a function with unchecked options. Returns its error, or null. */
async function failureOf(name: string, options: unknown): Promise<unknown> {
  const called: unknown = Reflect.get(library, name);
  if (typeof called !== 'function') throw new Error(`${name} is no function`);
  return await Promise.resolve(called(...(FIRST_ARGUMENTS[name] ?? []), options)).then(
    () => null,
    (error: unknown) => error,
  );
}

const FUNCTIONS = Object.entries(library).flatMap(([name, value]) =>
  typeof value === 'function' && /^[a-z]/.test(name) && !WITHOUT_CALL_OPTIONS.has(name) ? [name] : [],
);

describe.each(FUNCTIONS)('%s', (name) => {
  it.each<[unknown, string]>([
    [null, 'options must be an object'],
    [{ cwd: new URL('file:///'), env: {} }, '`cwd` must be a string, not this object'],
    [{ cwd: '/', env: { A: 1 } }, '`env` must be an object of strings, not this object'],
    [{ ...here, config: 'a=1' }, '`config` must be a list of strings, not this string'],
    [{ ...here, locked: 'yes' }, '`locked` must be true or false, not this string'],
    [{ ...here, signal: null }, '`signal` must be an `AbortSignal`, not null'],
    [{ ...here, report: console.log }, '`report` must be an object, not this function'],
  ])('refuses %j', async (options, message) => {
    expect(await failureOf(name, options)).toMatchObject({ name: 'TsregError', code: 'usage', message });
  });
});

it.each<[string, object, string]>([
  ['planPublish', { exclude: 'internal' }, '`exclude` must be a list of strings, not this string'],
  ['publish', { packages: ['a', 1] }, '`packages` must be a list of strings, not this list'],
  ['publish', { dryRun: 'client' }, '`dryRun` must be true or false or `server`, not this string'],
  [
    'publish',
    { file: 'a.crate', noDefaultFeatures: true },
    '`noDefaultFeatures` does not apply to an archive',
  ],
  ['search', {}, '`query` is missing, a string'],
  ['search', { query: 'a', page: 'last' }, '`page` must be a number or `all`, not this string'],
  ['info', {}, '`spec` is missing, a string'],
  ['info', { spec: 'log@x' }, 'invalid package ID specification: `log@x`'],
  ['yank', { registry: 5 }, '`registry` must be a string, not this number'],
  ['yank', { crates: ['a@1.x.y'] }, 'invalid version `1.x.y`'],
  ['yank', { crates: ['a'], version: '^x' }, 'invalid version range `^x`'],
  ['yank', { crates: ['a@1.0.0'], index: 'nope' }, 'invalid url `nope`'],
  ['metadata', { packageIdFormat: 'Spec' }, '`packageIdFormat` must be `legacy` or `spec`, not this string'],
  ['tree', { kinds: ['Normal'] }, '`kinds` must be a list of `normal`, `build`, `dev`, not this list'],
  ['tree', { depth: 'x' }, '`depth` must be a number or `workspace`, not this string'],
  ['tree', { depth: -1 }, '`depth` must be a whole number of levels, not `-1`'],
  ['tree', { depth: 1.5 }, '`depth` must be a whole number of levels, not `1.5`'],
  ['tree', { depth: Number.NaN }, '`depth` must be a whole number of levels, not `NaN`'],
])('%s refuses %j', async (name, more, message) => {
  expect(await failureOf(name, { ...here, ...more })).toMatchObject({
    name: 'TsregError',
    code: 'usage',
    message: expect.stringContaining(message),
  });
});

it.each<[string, object]>([
  ['metadata', { token: 5 }],
  ['update', { features: 5, allFeatures: 5, noDefaultFeatures: 5 }],
  ['generateLockfile', { features: 5 }],
  ['fetchPackages', { features: 5 }],
  ['vendor', { features: 5 }],
])('%s accepts options of other functions and undefined options', async (name, others) => {
  const options = { ...here, ...others, locked: undefined, cwd: '/nowhere' };
  expect(await failureOf(name, options)).toMatchObject({ code: 'not-found' });
});

it.each([
  ['parseManifest', '[package]\nname = "a"\n'],
  ['readCrate', 'a.crate'],
])('%s refuses options of null', (name, input) => {
  const called: unknown = Reflect.get(library, name);
  if (typeof called !== 'function') throw new Error(`${name} is no function`);
  const call = async (): Promise<unknown> => called(input, null);
  return expect(call()).rejects.toMatchObject({ code: 'usage', message: 'options must be an object' });
});

it('rejects with `usage` if a method of `report` throws', async () => {
  using temp = makeTempDir('library-report');
  writeTree(temp.path, {
    // Without `resolver`, a workspace of this edition gets a warning.
    'Cargo.toml': '[workspace]\nmembers = ["one"]\n',
    'one/Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n',
    'one/src/lib.rs': '',
  });
  const report = {
    warning() {
      throw new Error('no report');
    },
  };
  const options = { cwd: temp.path, env: { CARGO_HOME: path.join(temp.path, 'home') }, report };
  for (const name of ['metadata', 'fetchPackages']) {
    expect(await failureOf(name, options)).toMatchObject({
      code: 'usage',
      message: '`report.warning` failed',
      cause: { message: 'no report' },
    });
  }
});

it('ignores TSREG_COMPAT', async () => {
  using temp = makeTempDir('library-compat');
  writeTree(temp.path, {
    'Cargo.toml': '[package]\nname = "one"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': '',
  });
  const options = { cwd: temp.path, targets: ['none'] };
  const home = { CARGO_HOME: path.join(temp.path, 'home') };
  const failure = await failureOf('tree', { ...options, env: home });
  expect(failure).toMatchObject({ message: expect.stringContaining('unknown target `none`') });
  expect(await failureOf('tree', { ...options, env: { ...home, TSREG_COMPAT: 'cargo' } })).toEqual(failure);
});
