import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { info, type InfoOptions, TsregError } from '../../../src/index.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { Sandbox } from '../../helpers/sandbox.ts';
import type { Scenario } from '../../helpers/scenario.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('info');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

const scenario: Scenario = {
  about: 'A workspace with a member, what it depends on, and a registry that has more.',
  files: {
    'ws/Cargo.toml':
      "[package]\nname = 'p'\nversion = '0.1.0'\nedition = '2021'\ndescription = 'mine'\n[features]\ndefault = ['f']\nf = []\n" +
      "[dependencies]\na = { version = '1', registry = 'alt' }\n",
    'ws/src/lib.rs': '',
    'empty/note': '',
  },
  registries: { alt: { kind: 'sparse' } },
  crates: [
    { name: 'a', version: '1.0.0' },
    { name: 'a', version: '1.0.1', yanked: true },
    { name: 'a', version: '2.0.0-rc.1', rust_version: '1.70' },
    { name: 'a-b', version: '0.3.0' },
  ].map((crate) => ({ ...crate, registry: 'alt' })),
  runs: [],
};

let count = 0;

function start(folder: string): {
  readonly box: Sandbox;
  readonly options: Omit<InfoOptions, 'spec'>;
} {
  count += 1;
  const box = new Sandbox(scenario, path.join(temp.path, `case-${count}`), server);
  box.start();
  const { workspace, home } = box.places;
  const cwd = path.join(workspace, folder);
  return { box, options: { cwd, env: { CARGO_HOME: home, PATH: process.env['PATH'] } } };
}

describe('the document of info', () => {
  it('lists the versions of a registry package, newest first and without yanked ones', async () => {
    const { box, options } = start('empty');
    const index = `sparse+${box.places.address}/alt/`;
    const document = await info({ ...options, spec: 'a@1', registry: 'alt' });
    expect(document).toMatchObject({
      version: 1,
      package: { name: 'a', version: '1.0.0', source: index, id: `a 1.0.0 (${index})` },
      registry: { name: 'alt', index },
      relation: null,
      features: [],
    });
    expect(document.versions).toEqual([
      { version: '2.0.0-rc.1', rustVersion: '1.70' },
      { version: '1.0.0', rustVersion: null },
    ]);
  });

  it('states the relation of the package to the workspace', async () => {
    const { box, options } = start('ws');
    const member = await info({ ...options, spec: 'p', packageIdFormat: 'spec' });
    expect(member).toEqual({
      version: 1,
      package: expect.objectContaining({
        description: 'mine',
        source: null,
        id: `path+${pathToFileURL(path.join(box.places.workspace, 'ws')).href}#p@0.1.0`,
        dependencies: [expect.objectContaining({ name: 'a', req: '^1' })],
      }),
      registry: null,
      relation: 'member',
      features: [
        { name: 'default', status: 'chosen', values: ['f'] },
        { name: 'f', status: 'enabled', values: [] },
      ],
      versions: [{ version: '0.1.0', rustVersion: null }],
    });
    // The highest version is a pre-release, but the lock file has 1.0.0.
    const dependency = await info({ ...options, spec: 'a' });
    expect(dependency).toMatchObject({ package: { version: '1.0.0' }, relation: 'dependency' });
    const other = await info({ ...options, spec: 'a@2.0.0-rc.1', registry: 'alt' });
    expect(other).toMatchObject({ package: { version: '2.0.0-rc.1' }, relation: null });
  });

  it('has the real name of a package that the spec spells differently', async () => {
    const { options } = start('empty');
    const warnings: unknown[] = [];
    const report = { warning: (warning: unknown) => warnings.push(warning) };
    const document = await info({ ...options, spec: 'A_b', registry: 'alt', report });
    expect(document.package.name).toBe('a-b');
    expect(warnings).toEqual(['translating `A_b` to `a-b`']);
  });
});

describe('info', () => {
  it.each([
    [{ spec: 'nope', registry: 'alt' }, 'not-found'],
    [{ spec: 'a@9', registry: 'alt' }, 'not-found'],
    [{ spec: 'a@1', registry: 'nope' }, 'config'],
    [{ spec: 'a@1', registry: 'alt', index: 'https://a.example' }, 'usage'],
    [{ spec: 'a@1', registry: 'alt', locked: true }, 'usage'],
    [{ spec: 'a b' }, 'usage'],
  ])('fails for %j with the code %s', async (asked, code) => {
    const { options } = start('empty');
    const outcome = await info({ ...options, ...asked }).catch((error: unknown) => error);
    expect(outcome instanceof TsregError ? outcome.code : outcome).toBe(code);
  });

  it('hints why a version is missing', async () => {
    const { options } = start('empty');
    const hint = async (asked: Partial<InfoOptions> & { readonly spec: string }): Promise<unknown> => {
      const outcome = await info({ ...options, registry: 'alt', ...asked }).catch((error: unknown) => error);
      return outcome instanceof TsregError ? outcome.hint : outcome;
    };
    const usable = 'versions that are not yanked: 2.0.0-rc.1, 1.0.0';
    expect(await hint({ spec: 'a@9' })).toBe(usable);
    expect(await hint({ spec: 'a@1.0.1' })).toBe(`\`a@1.0.1\` is yanked; ${usable}`);
    expect(await hint({ spec: 'b' })).toMatch(/^no crate has this name/);
    await info({ ...options, registry: 'alt', spec: 'a@1' });
    const onDisk = /^only packages that were downloaded before .*without `--offline`$/;
    expect(await hint({ spec: 'a@2.0.0-rc.1', offline: true })).toMatch(onDisk);
    expect(await hint({ spec: 'a-b', offline: true })).toMatch(onDisk);
  });

  it('fails with the code `aborted` if it is aborted during the resolution', async () => {
    const { options } = start('ws');
    const caller = new AbortController();
    const report = { status: () => caller.abort() };
    const { signal } = caller;
    const outcome = await info({ ...options, spec: 'a', signal, report }).catch((error: unknown) => error);
    expect(outcome instanceof TsregError ? outcome.code : outcome).toBe('aborted');
  });
});
