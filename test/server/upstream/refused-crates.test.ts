import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { buildCrate, type BuiltCrate } from '../../helpers/crate.ts';
import { type Mirror, NO_GATES, openMirror } from '../../helpers/mirror.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { openTestRegistry, TEST_CHECKS, type TestRegistry } from '../../helpers/test-registry.ts';
import { publish } from '../../../src/server/publish/publish.ts';
import type { PublishResult } from '../../../src/server/publish/publish-result.ts';
import type { GateSettings } from '../../../src/server/store/mirror-status.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const FILE = '/index/fo/o-/foo-x';
const MIN_AGE = { minAgeMs: 3 * DAY_MS };

let server: RegistryServer;
let registry: TestRegistry;
let mirror: Mirror;

beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  registry = await openTestRegistry();
  server.requests.length = 0;
});
afterEach(async () => {
  await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
});

/** Serves versions that were published some days ago. */
function mount(
  versions: Readonly<Record<string, { readonly days: number; readonly isYanked?: boolean }>>,
): void {
  const crates = Object.entries(versions).map(([version, { days, isYanked = false }]): BuiltCrate => {
    const pubtime = new Date(registry.nowMs - days * DAY_MS).toISOString().replace(/\.\d+/, '');
    return buildCrate(
      { name: 'Foo-x', version, yanked: isYanked, index: { pubtime } },
      () => 'sparse+https://elsewhere.invalid/index/',
    );
  });
  server.mount('up', { crates, config: { dl: `${server.url}/up/dl` } });
}

function open(gates: Partial<GateSettings>): void {
  mirror = openMirror(registry, `sparse+${server.url}/up/`, { gates: { ...NO_GATES, ...gates } });
}

async function ask(headers: Readonly<Record<string, string>> = {}): Promise<readonly [number, string]> {
  const response = await mirror.ask(FILE, { headers });
  return [response.status, await response.text()];
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const timeAfter = (days: number): string =>
  new Date(registry.nowMs + days * DAY_MS).toISOString().slice(0, 16).replace('T', ' ');
const blocks = (name: string): string =>
  `this registry blocks crate \`${name}\`; an admin of this registry can serve it with \`--allow ${name}\`, or on the page \`/admin/mirror\`\n`;
const serves = (time: string): string =>
  `this registry serves no version of crate \`Foo-x\` before ${time} UTC, because they are too new; an admin of this registry can serve it with \`--allow Foo-x\`, or on the page \`/admin/mirror\`\n`;

it('refuses the index file of a blocked crate with a text that cargo prints', async () => {
  mount({ '1.0.0': { days: 9 } });
  open({ blocked: ['foo_x'] });
  const response = await mirror.ask(FILE);
  expect([response.status, await response.text()]).toEqual([403, blocks('foo-x')]);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(server.requests).toEqual([]);
});

it('has no index file of a blocked crate whose name is used or reserved here', async () => {
  open({ blocked: ['foo-x', 'bar'] });
  const alice = await registry.tokenOf(await registry.user('alice'));
  await registry.publish(alice, publishBody({ name: 'foo_x', version: '1.0.0' }).bytes);
  expect((await ask())[0]).toBe(404);
  expect((await mirror.ask('/index/fo/o_/foo_x')).status).toBe(200);
  await registry.store.records.addReservedName({ pattern: 'bar', reason: null, atMs: 1 });
  expect((await mirror.ask('/index/3/b/bar')).status).toBe(404);
});

it('refuses the index file while all versions are too new, and says until when', async () => {
  mount({ '1.0.0': { days: 2 }, '1.1.0': { days: 1 } });
  open(MIN_AGE);
  const start = registry.nowMs;
  expect(await ask()).toEqual([403, serves(timeAfter(1))]);
  registry.nowMs = start + DAY_MS - 1;
  expect((await ask())[0]).toBe(403);
  registry.nowMs = start + DAY_MS;
  const [status, text] = await ask();
  expect([status, text.match(/"yanked":\w+/g)]).toEqual([200, ['"yanked":false', '"yanked":true']]);
});

it('refuses the index file if each version is blocked or too new', async () => {
  mount({ '1.0.0': { days: 9 }, '1.1.0': { days: 1 } });
  open({ ...MIN_AGE, blocked: ['foo-x@1.0.0'] });
  expect(await ask()).toEqual([403, serves(timeAfter(2))]);
  await mirror.upstream.close();
  open({ blocked: ['foo-x@1.0.0', 'foo-x@1.1.0'] });
  expect(await ask()).toEqual([403, blocks('Foo-x')]);
});

it('counts yanked versions: projects that have one in their lock file need the index file', async () => {
  mount({ '1.0.0': { days: 9, isYanked: true }, '1.1.0': { days: 1 } });
  open(MIN_AGE);
  const [status, text] = await ask();
  expect([status, text.match(/"yanked":\w+/g)]).toEqual([200, ['"yanked":true', '"yanked":true']]);
  await mirror.upstream.close();
  open({ ...MIN_AGE, blocked: ['foo-x@1.0.0'] });
  expect((await ask())[0]).toBe(403);
});

it('does not return 304 to a client that has the file from before, and serves it again after that', async () => {
  mount({ '1.0.0': { days: 1 } });
  open({});
  const etag = (await mirror.ask(FILE)).headers.get('etag') ?? '';
  await mirror.upstream.close();
  open(MIN_AGE);
  expect((await ask({ 'if-none-match': etag }))[0]).toBe(403);
  await mirror.upstream.close();
  open({ ...MIN_AGE, allowed: ['foo-x@1.0.0'] });
  expect((await ask({ 'if-none-match': etag }))[0]).toBe(304);
});

it('refuses new versions in a strict registry that depend on a blocked crate, but not on a new one', async () => {
  mount({ '1.0.0': { days: 1 } });
  const alice = await registry.tokenOf(await registry.user('alice'));
  const publishDependent = (version: string): Promise<PublishResult> => {
    const more = { description: 'd', license: 'MIT' };
    const { bytes } = publishBody({ name: 'bar', version, deps: ['Foo-x 1'] }, more);
    const context = { ...mirror.context, settings: { ...mirror.context.settings, strict: true } };
    return publish(context, { body: oneChunk(bytes), actor: alice, isDryRun: false, checks: TEST_CHECKS });
  };
  open(MIN_AGE);
  expect(await publishDependent('1.0.0')).toMatchObject({ kind: 'published' });
  await mirror.upstream.close();
  open({ blocked: ['foo-x'] });
  await expect(publishDependent('1.1.0')).rejects.toThrow(blocks('foo-x').trim());
});

it('passes on the refusal of an upstream that is another tsreg, without a retry', async () => {
  const refusal = blocks('foo-x').trim();
  const refuse = (body: string): void =>
    server.mount('up', {
      crates: [],
      faults: [{ kind: 'status', path: 'foo-x', status: 403, body, times: 9 }],
    });
  refuse(`${refusal}\n`);
  open({});
  expect(await ask()).toEqual([403, `the upstream \`${server.url}/up/\` responds: ${refusal}\n`]);
  expect(mirror.upstream.status()).toMatchObject({ state: 'ok', failures: 0, lastFailure: null });
  expect((await mirror.ask('/api/v1/crates/foo-x/1.0.0/download')).status).toBe(403);
  await expect(mirror.upstream.findSameName('foo-x')).rejects.toThrow(refusal);
  const passedOn = `the upstream \`https://a.example/index/\` responds: ${refusal}\n`;
  refuse(passedOn);
  expect(await ask()).toEqual([403, `the upstream \`${server.url}/up/\` responds: ${passedOn}`]);
  for (const other of [
    `${refusal}\u001b[2J\n`,
    `${refusal}\n${refusal}\n`,
    `${refusal}${'x'.repeat(1000)}\n`,
  ]) {
    refuse(other);
    expect((await ask())[0]).toBe(502);
  }
  refuse('Forbidden\n');
  expect((await ask())[0]).toBe(502);
  expect(mirror.upstream.status().lastFailure?.reason).toContain('it requires a token');
});
