import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { isReadVariable, resultKey } from '../../src/cache/result-key.ts';
import { projectRoot } from '../helpers/project-root.ts';

const RUN = { request: ['metadata'], cwd: '/ws', env: { CARGO_HOME: '/home' } };

test('resultKey covers the request, folder, Node.js and the variables that are read, and no others', () => {
  const key = resultKey(RUN);
  expect(resultKey({ ...RUN })).toEqual(key);
  for (const other of [
    { ...RUN, request: ['tree'] },
    { ...RUN, cwd: '/other' },
    { ...RUN, env: { ...RUN.env, CARGO_HOME: '/other' } },
    { ...RUN, env: { ...RUN.env, CARGO_NET_OFFLINE: 'true' } },
    { ...RUN, env: { ...RUN.env, PATH: '/bin' } },
  ])
    expect(resultKey(other)?.text).not.toBe(key?.text);
  vi.spyOn(process, 'execPath', 'get').mockReturnValue('/other/node');
  expect(resultKey(RUN)?.text).not.toBe(key?.text);
  vi.restoreAllMocks();
  for (const more of [{ SHLVL: '1' }, { OLDPWD: '1' }, { TERM_SESSION_ID: '1' }, { TSREG_CACHE: 'verify' }])
    expect(resultKey({ ...RUN, env: { ...RUN.env, ...more } })).toEqual(key);
});

test('resultKey returns null without a home folder or with the cache off', () => {
  expect(resultKey({ ...RUN, env: {} })).toBeNull();
  expect(resultKey({ ...RUN, env: { CARGO_HOME: '' } })).toBeNull();
  expect(resultKey({ ...RUN, env: { ...RUN.env, TSREG_CACHE: 'off' } })).toBeNull();
  expect(resultKey({ ...RUN, env: { ...RUN.env, TSREG_CACHE: 'typo' } })).toBeNull();
  expect(resultKey({ ...RUN, env: { HOME: '/me' } })?.path).toContain('/me/.cargo/tsreg/cache/results/');
  expect(resultKey({ ...RUN, env: { CARGO_HOME: 'here' } })?.path).toContain('/ws/here/tsreg/');
});

test('resultKey covers every variable that the source reads', () => {
  const src = path.join(projectRoot, 'src');
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('server'),
  );
  const read = new Set<string>();
  for (const file of files)
    for (const [, dotted, quoted] of readFileSync(path.join(src, file), 'utf8').matchAll(
      /\benv(?:\.([A-Z]\w+)|\[['"](\w+)['"]\])/g,
    ))
      read.add(dotted ?? quoted ?? '');
  expect(read.size).toBeGreaterThan(30);
  // Only the server reads the variables of PostgreSQL.
  expect([...read].filter((name) => !isReadVariable(name) && !name.startsWith('PG'))).toEqual([]);
});

test.each([
  ['CARGO_REGISTRY_TOKEN', 'cargo-secret'],
  ['GITHUB_TOKEN', 'github-secret'],
  ['CARGO_REGISTRIES_MINE_SECRET_KEY', 'k3.secret.value'],
  ['HTTPS_PROXY', 'http://user:secret@proxy:8080'],
])('resultKey distinguishes values of %s, but does not contain them', (name, value) => {
  const keyOf = (text: string): string | undefined =>
    resultKey({ ...RUN, env: { ...RUN.env, [name]: text } })?.text;
  expect(keyOf(value)).not.toContain(value);
  expect(keyOf(value)).not.toBe(keyOf(`${value}0`));
});
