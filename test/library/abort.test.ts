import { afterAll, beforeAll, expect, it } from 'vitest';
import { builtLibrary } from '../helpers/built-library.ts';
import { WITHOUT_CALL_OPTIONS } from '../helpers/library-functions.ts';
import { type RecordingServer, startRecordingServer } from '../helpers/recording-server.ts';
import { registryUser } from '../helpers/registry-user.ts';

const library = await builtLibrary();
type Options = Parameters<typeof library.metadata>[0];
const mock = { registry: 'mock', token: 'x' };
/** Calls every function that may take long, with options that make it query a registry. */
const CALLS: Readonly<Record<string, (options: Options) => Promise<unknown>>> = {
  metadata: (options) => library.metadata(options),
  tree: (options) => library.tree(options),
  update: (options) => library.update(options),
  generateLockfile: (options) => library.generateLockfile(options),
  fetchPackages: (options) => library.fetchPackages(options),
  vendor: (options) => library.vendor(options),
  info: (options) => library.info({ ...options, spec: 'a', registry: 'mock' }),
  versions: (options) => library.versions('a', { ...options, registry: 'mock' }),
  manifest: (options) => library.manifest('a', { ...options, registry: 'mock' }),
  tarball: (options) => library.tarball('a', { ...options, registry: 'mock' }),
  extract: (options) => library.extract('a', 'out', { ...options, registry: 'mock' }),
  packageCrate: (options) => library.packageCrate({ ...options, noVerify: true }),
  publish: (options) => library.publish({ ...options, ...mock, noVerify: true }),
  planPublish: (options) => library.planPublish({ ...options, ...mock }),
  yank: (options) => library.yank({ ...options, ...mock, crates: ['a@1.0.0'] }),
  owner: (options) => library.owner({ ...options, ...mock, crates: ['a'] }),
  search: (options) => library.search({ ...options, query: 'a', registry: 'mock' }),
  whoami: (options) => library.whoami({ ...options, ...mock }),
  login: (options) => library.login({ ...options, ...mock, check: true }),
};
/** Functions that send no request. */
const QUICK = [...WITHOUT_CALL_OPTIONS, 'logout'];

let server: RecordingServer;
beforeAll(async () => {
  server = await startRecordingServer();
});
afterAll(() => server.close());

it('covers every function of the library', () => {
  const functions = Object.entries(library).flatMap(([name, value]) =>
    typeof value === 'function' && /^[a-z]/.test(name) ? [name] : [],
  );
  expect([...Object.keys(CALLS), ...QUICK].toSorted()).toEqual(functions.toSorted());
});

it.each(Object.keys(CALLS))('ends %s while it waits for a registry that never responds', async (name) => {
  const controller = new AbortController();
  server.restart(() => {
    controller.abort(new Error('enough'));
    return new Promise(() => {});
  });
  using user = registryUser('library-aborted', `sparse+${server.url}/index/`, 'token-of-tests');
  user.write({
    'Cargo.toml':
      '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\nlicense = "MIT"\ndescription = "d"\n' +
      '[dependencies]\na = { version = "1", registry = "mock" }\n',
    'src/lib.rs': '',
  });
  const { folder: cwd, env } = user;
  const outcome = await CALLS[name]?.({ cwd, env, signal: controller.signal }).catch(
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(library.TsregError);
  expect(outcome).toMatchObject({ name: 'AbortError', code: 'aborted', message: 'interrupted' });
  expect(outcome).toMatchObject({ cause: new Error('enough') });
  expect(server.requests.length).toBeGreaterThan(0);
});
