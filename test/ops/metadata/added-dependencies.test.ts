import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DerivedStore } from '../../../src/derived/store.ts';
import { SETTLING_MS } from '../../../src/disk/stamp.ts';
import { metadata, type MetadataOptions, tree } from '../../../src/index.ts';
import { cacheOwner } from '../../../src/ops/version.ts';
import { bytesOf, withText } from '../../helpers/changed-record.ts';
import { buildCrate } from '../../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { SmallWorkspace } from '../../helpers/small-workspace.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('added-dependencies');
let server: RegistryServer;
beforeAll(async () => {
  server = await startRegistryServer();
  const features = { default: ['std'], std: [] };
  const leaves = ['ba', 'bb', 'bc', 'bd', 'be', 'bf', 'bg', 'xa', 'xb'];
  server.mount('alt', {
    crates: [
      ...leaves.map((name) => buildCrate({ name, version: '1.0.0', features }, () => '')),
      buildCrate({ name: 'aa', version: '1.0.0', deps: leaves.slice(0, 7) }, () => ''),
      buildCrate({ name: 'xc', version: '1.0.0', deps: ['xb', 'ba'] }, () => ''),
    ],
  });
});
afterAll(async () => {
  await server.close();
  temp.remove();
});

let count = 0;

/** Eight packages that are locked, and three more that are on disk. */
class Growing extends SmallWorkspace {
  readonly #before: readonly [manifest: string, lock: string];

  static async make(): Promise<Growing> {
    count += 1;
    const base = path.join(temp.path, `${count}`);
    const index = `sparse+${server.url}/alt/`;
    const home = path.join(base, 'home');
    const others = { xa: '1', xb: '1', xc: '1' };
    await new SmallWorkspace(path.join(base, 'others'), index, { dependencies: others, home }).ask('off');
    const ws = new SmallWorkspace(base, index, { dependencies: { aa: '1' }, home });
    await ws.ask();
    return new Growing(ws);
  }

  private constructor(ws: SmallWorkspace) {
    super(path.join(ws.cwd, '..', 'again'), `sparse+${server.url}/alt/`, {
      dependencies: { aa: '1' },
      home: ws.home,
    });
    this.#before = [
      readFileSync(this.manifest, 'utf8'),
      readFileSync(path.join(ws.cwd, 'Cargo.lock'), 'utf8'),
    ];
    this.restore();
  }

  get lock(): string {
    return path.join(this.cwd, 'Cargo.lock');
  }

  restore(): void {
    const [manifest, lock] = this.#before;
    writeFileSync(this.manifest, manifest);
    writeFileSync(this.lock, lock);
  }

  add(name: string): void {
    appendFileSync(this.manifest, `${name} = { version = "1", registry = "alt" }\n`);
  }

  /** The document without network, with the lock file that it left. */
  async offline(cache = 'on', options: Partial<MetadataOptions> = {}): Promise<string> {
    const env = { CARGO_HOME: this.home, TSREG_CACHE: cache, PATH: process.env['PATH'] };
    const question = { cwd: this.cwd, env, report: {}, offline: true, ...options };
    const { bytes } = await metadata(question);
    return `${Buffer.from(bytes).toString()}\n${readFileSync(this.lock, 'utf8')}`;
  }

  async tree(cache = 'on', targets: readonly string[] = []): Promise<unknown> {
    const env = { CARGO_HOME: this.home, TSREG_CACHE: cache, PATH: process.env['PATH'] };
    return tree({ cwd: this.cwd, env, report: {}, offline: true, targets });
  }

  /** As without a cache, from the same lock file. */
  async expectRight(options: Partial<MetadataOptions> = {}): Promise<string> {
    const lock = readFileSync(this.lock);
    const answer = await this.offline('on', options);
    writeFileSync(this.lock, lock);
    expect(answer).toBe(await this.offline('off', options));
    return answer;
  }

  kept(kind: 'dependencies' | 'changes'): Uint8Array | null {
    return bytesOf(new DerivedStore(this.home, cacheOwner({ projectFiles: 'trusted' })).read(kind, this.cwd));
  }

  keep(kind: 'dependencies' | 'changes', record: Uint8Array | null): void {
    new DerivedStore(this.home, cacheOwner({ projectFiles: 'trusted' })).write(
      kind,
      this.cwd,
      record ?? Buffer.of(),
    );
  }
}

/** The next run but one has all that it needs, if nothing was changed just before. */
async function expectToBeKept(ws: Growing): Promise<void> {
  await setTimeout(2 * SETTLING_MS);
  await ws.expectRight();
  const kept = [ws.kept('dependencies'), ws.kept('changes')];
  await ws.expectRight();
  expect([ws.kept('dependencies'), ws.kept('changes')]).toEqual(kept);
}

describe('a run after a dependency was added', () => {
  it('leaves the record of the others as it is, and what was added beside it', async () => {
    const ws = await Growing.make();
    await ws.expectRight();
    const whole = ws.kept('dependencies');
    expect(whole).not.toBeNull();
    ws.add('xa');
    expect(await ws.expectRight()).toContain('"name":"xa"');
    const changes = ws.kept('changes');
    expect(changes).not.toBeNull();
    for (const options of [{}, { noDefaultFeatures: true }, { noDeps: true }, {}, { locked: true }])
      expect(await ws.expectRight(options)).toContain('xa');
    expect(await ws.tree()).toEqual(await ws.tree('off'));
    expect(await ws.tree()).toEqual(await ws.tree('off'));
    expect(ws.kept('changes')).toEqual(changes);
    expect(ws.kept('dependencies')).toEqual(whole);
    ws.keep('changes', withText(changes, '"name":"xa"', '"name":"!!"'));
    expect(await ws.offline(), 'it is not read again').toContain('"name":"!!"');
    ws.keep('changes', changes);
    ws.restore();
    expect(await ws.expectRight()).not.toContain('"name":"xa"');
    expect(ws.kept('changes')).toEqual(changes);
    expect(ws.kept('dependencies')).toEqual(whole);
  });

  it('keeps all of them anew where many have come or gone', async () => {
    const ws = await Growing.make();
    await ws.expectRight();
    const whole = ws.kept('dependencies');
    for (const name of ['xa', 'xc']) {
      ws.add(name);
      await ws.expectRight();
      await ws.expectRight();
    }
    expect(ws.kept('dependencies')).not.toEqual(whole);
    const again = ws.kept('dependencies');
    writeFileSync(ws.manifest, readFileSync(ws.manifest, 'utf8').replace(/^aa .*\n/m, ''));
    await ws.expectRight();
    await ws.expectRight();
    expect(ws.kept('dependencies')).not.toEqual(again);
  });

  it('sees what becomes of packages and of the index', async () => {
    const ws = await Growing.make();
    await ws.expectRight();
    ws.add('xa');
    await ws.expectRight();
    for (const name of ['xa', 'ba']) {
      const folder = path.join(ws.registryFolder('src'), `${name}-1.0.0`);
      rmSync(folder, { recursive: true });
      await ws.expectRight();
      expect(existsSync(folder), name).toBe(true);
      await expectToBeKept(ws);
      rmSync(path.join(folder, '.cargo-ok'));
      await ws.offline();
      expect(existsSync(path.join(folder, '.cargo-ok')), name).toBe(true);
      appendFileSync(path.join(folder, 'Cargo.toml'), '[package.metadata]\nx = 1\n');
      expect(await ws.expectRight()).toContain('"metadata":{"x":1}');
      await expectToBeKept(ws);
      const index = path.join(ws.registryFolder('index'), '.cache', '2', name);
      const text = readFileSync(index, 'latin1');
      expect(text).toContain('"std":[]');
      writeFileSync(index, text.replace('"std":[]', '"sed":[]').replace('"std"', '"sed"'), 'latin1');
      await ws.expectRight();
      await expectToBeKept(ws);
    }
  });

  it('keeps what a run has no use for that reads everything anew', async () => {
    const ws = await Growing.make();
    appendFileSync(ws.manifest, "[target.'cfg(windows)'.dependencies]\n");
    ws.add('xa');
    await ws.expectRight();
    rmSync(path.join(ws.home, 'tsreg', 'derived'), { recursive: true });
    await ws.expectRight();
    expect(Buffer.from(ws.kept('dependencies') ?? []).includes('"name":"xa"')).toBe(true);
    appendFileSync(ws.manifest, '[features]\nmore = []\n');
    for (const target of ['x86_64-unknown-linux-gnu', 'aarch64-apple-darwin']) {
      await ws.tree('on', [target]);
      appendFileSync(ws.manifest, '# And again.\n');
    }
    ws.keep('dependencies', withText(ws.kept('dependencies'), '"name":"xa"', '"name":"!!"'));
    expect(await ws.offline(), 'it is not read again').toContain('"name":"!!"');
  });

  it('takes nothing from a record that was replaced, whichever is the older one', async () => {
    const ws = await Growing.make();
    await ws.expectRight();
    const whole = ws.kept('dependencies');
    ws.add('xa');
    await ws.expectRight();
    const changes = ws.kept('changes');
    ws.restore();
    rmSync(path.join(ws.home, 'tsreg', 'derived'), { recursive: true });
    ws.add('xc');
    await ws.expectRight();
    ws.keep('changes', withText(changes, '"name":"xa"', '"name":"!!"'));
    await ws.expectRight();
    ws.restore();
    ws.add('xa');
    await ws.expectRight();
    ws.keep('changes', changes);
    ws.keep('dependencies', whole);
    await ws.expectRight();
    ws.keep('dependencies', Buffer.of());
    await ws.expectRight();
  });

  it('answers rightly whichever byte of what is kept of it is flipped', { timeout: 120_000 }, async () => {
    const ws = await Growing.make();
    await ws.expectRight();
    ws.add('xa');
    await ws.expectRight();
    const wanted = await ws.expectRight();
    const file = ws.records().find((name) => name.endsWith('.changes')) ?? '';
    const record = readFileSync(file);
    for (let at = 0; at < record.length; at += at < record.length / 2 ? 13 : 211) {
      const damaged = Buffer.from(record);
      damaged[at]! ^= 1 << (at % 8);
      writeFileSync(file, damaged);
      if ((await ws.offline()) !== wanted) expect.fail(`byte ${at}`);
    }
  });
});
