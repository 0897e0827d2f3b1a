import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fetchPackages,
  generateLockfile,
  type LockfileOptions,
  TsregError,
  update,
} from '../../../src/index.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { Sandbox } from '../../helpers/sandbox.ts';
import type { Scenario } from '../../helpers/scenario.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('update');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

const scenario: Scenario = {
  about: 'A package and what it depends on, before and after there is more of it.',
  files: {
    'Cargo.toml':
      "[package]\nname = 'p'\nversion = '0.1.0'\nedition = '2021'\n[dependencies]\na = '1'\nb = '1'\n" +
      "[target.'cfg(windows)'.dependencies]\nw = '1'\n",
    'src/lib.rs': '',
  },
  registries: { 'crates-io': { kind: 'sparse' } },
  crates: ['a 1.0.0', 'b 1.0.0', 'w 1.0.0'].map((text) => {
    const [name = '', version = ''] = text.split(' ');
    return { name, version };
  }),
  runs: [],
};

let count = 0;

function start(): { readonly box: Sandbox; readonly options: LockfileOptions } {
  count += 1;
  const box = new Sandbox(scenario, path.join(temp.path, `case-${count}`), server);
  box.start();
  const { workspace, home } = box.places;
  return { box, options: { cwd: workspace, env: { CARGO_HOME: home, PATH: process.env['PATH'] } } };
}

const published = {
  name: 'new',
  publish: [
    { name: 'a', version: '1.1.0' },
    { name: 'a', version: '2.0.0' },
    { name: 'b', version: '1.1.0' },
    { name: 'b', version: '1.2.0', yanked: true },
  ],
};

const registry = 'registry+https://github.com/rust-lang/crates.io-index';

describe('the document of update', () => {
  it('lists the old and new versions of changed packages, and what holds back the others', async () => {
    const { box, options } = start();
    const lockfile = path.join(box.places.workspace, 'Cargo.lock');
    const made = await generateLockfile(options);
    expect(made).toMatchObject({ version: 1, lockfile, written: true, heldBack: [] });
    expect(made.changes.map(({ kind, name, source }) => [kind, name, source])).toEqual([
      ['added', 'a', registry],
      ['added', 'b', registry],
      ['added', 'p', null],
      ['added', 'w', registry],
    ]);
    box.apply(published);
    const before = readFileSync(lockfile, 'utf8');
    const dry = await update({ ...options, specs: ['a'], dryRun: true });
    expect(readFileSync(lockfile, 'utf8')).toBe(before);
    expect(dry).toEqual({
      version: 1,
      lockfile,
      written: false,
      changes: [
        {
          kind: 'upgraded',
          name: 'a',
          source: registry,
          from: { version: '1.0.0', commit: null },
          to: { version: '1.1.0', commit: null },
        },
      ],
      heldBack: [
        {
          name: 'a',
          version: '1.1.0',
          source: registry,
          newer: [
            {
              version: '2.0.0',
              rustVersion: null,
              reasons: [{ kind: 'requirement', name: 'p', version: '0.1.0', requirement: '^1' }],
            },
          ],
        },
        {
          name: 'b',
          version: '1.0.0',
          source: registry,
          newer: [
            { version: '1.2.0', rustVersion: null, reasons: [{ kind: 'yanked' }] },
            { version: '1.1.0', rustVersion: null, reasons: [{ kind: 'lockfile' }] },
          ],
        },
      ],
    });
    const done = await update(options);
    expect(done.written).toBe(true);
    expect(done.changes.map(({ name, to }) => `${name} ${to?.version ?? ''}`)).toEqual([
      'a 1.1.0',
      'b 1.1.0',
    ]);
    expect(readFileSync(lockfile, 'utf8')).not.toBe(before);
    const again = await update(options);
    expect([again.written, again.changes]).toEqual([false, []]);
    box.remove();
  });

  it('is replaced by an error for invalid options, and nothing is written', async () => {
    const { box, options } = start();
    const wrong = update({ ...options, specs: ['a'], precise: '9.0.0' });
    await expect(wrong).rejects.toThrow('no matching package named `a` found');
    expect(box.lockFile()).toBeNull();
    await expect(update({ ...options, precise: '1.0.0' })).rejects.toMatchObject({ code: 'usage' });
    const ambiguous = update({ ...options, specs: ['nope'], precise: '1.0.0' });
    await expect(ambiguous).rejects.toBeInstanceOf(TsregError);
    box.remove();
  });
});

describe('fetchPackages', () => {
  it('fetches the packages of the given targets, or all packages', async () => {
    const { box, options } = start();
    const names = async (targets: readonly string[]): Promise<readonly string[]> => {
      const fetched = await fetchPackages({ ...options, targets });
      for (const { root } of fetched) expect(existsSync(path.join(root, 'Cargo.toml'))).toBe(true);
      return fetched.map(({ name }) => name);
    };
    expect(await names(['x86_64-unknown-linux-gnu'])).toEqual(['a', 'b', 'p']);
    expect(server.requests.some((request) => request.path.includes('/dl/w/'))).toBe(false);
    expect(await names([])).toEqual(['a', 'b', 'p', 'w']);
    box.remove();
  });
});
