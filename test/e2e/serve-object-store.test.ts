import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { imitateBucket, type ImitatedBucket } from '../helpers/imitated-bucket.ts';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { serveStatic, type StaticServer } from '../helpers/static-server.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('serve-object-store');
const data = path.join(temp.path, 'data');
let bucket: ImitatedBucket;
let files: StaticServer;
let registry: ServedRegistry;
let env: Record<string, string>;

beforeAll(async () => {
  bucket = await imitateBucket();
  files = await serveStatic(bucket);
  env = { TSREG_STORAGE: bucket.url };
  for (const [name, value] of Object.entries(bucket.env)) env[name] = value ?? '';
  registry = await serveRegistry(data, ['--static-url', files.url], tsregProgram(env));
});
afterAll(async () => {
  await registry.stop();
  await files[Symbol.asyncDispose]();
  await bucket[Symbol.asyncDispose]();
  temp.remove();
});

async function serve(args: readonly string[], more: Record<string, string> = {}): Promise<RunResult> {
  return await runProgram(tsregProgram(), ['serve', ...args], {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, ...(await serveEnv(args)), ...env, ...more },
  });
}

async function publish(version: string): Promise<number> {
  const body = new Uint8Array(publishBody({ name: 'elsewhere', version }).bytes);
  const headers = { authorization: await registry.token('alice') };
  return (await fetch(`${registry.url}/api/v1/crates/new`, { method: 'PUT', headers, body })).status;
}

const index = async (): Promise<string> => (await fetch(`${files.url}/index/el/se/elsewhere`)).text();

it('serves crates from a bucket and publishes static files', async () => {
  expect(await publish('1.0.0')).toBe(200);
  // The index must have it at once, because cargo reads the index next.
  expect(await index()).toContain('"vers":"1.0.0"');
  const config = await (await fetch(`${files.url}/index/config.json`)).json();
  expect(config).toEqual({
    dl: `${files.url}/crates/{crate}/{sha256-checksum}.crate`,
    ...{ api: registry.url, 'auth-required': false },
  });
  const answer = await fetch(`${registry.url}/api/v1/crates/elsewhere/1.0.0/download`);
  expect(answer.status).toBe(200);
  expect([...bucket.objects.keys()].filter((key) => key.startsWith('pre/blobs/')).length).toBe(1);
  const { status, stdout, stderr } = await serve(['verify', '--data', data]);
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).toContain('Verified static files of 1 crates');
});

it('updates static files after a command deletes a version', async () => {
  expect(await publish('1.1.0')).toBe(200);
  expect((await serve(['delete', 'elsewhere@1.0.0', '--yes', '--data', data])).status).toBe(0);
  await expect.poll(index, { timeout: 15_000 }).not.toContain('1.0.0');
  expect(await index()).toContain('1.1.0');
}, 20_000);

it('repairs static files that do not match the records', async () => {
  const key = [...bucket.objects.keys()].find((each) => each.endsWith('/elsewhere')) ?? '';
  bucket.objects.set(key, { bytes: Buffer.from('x\n'), headers: {}, changedAtMs: 1 });
  const found = await serve(['verify', '--data', data]);
  expect([found.status, found.stdout]).toEqual([
    ...[101, 'elsewhere: its static index file does not match the records\n'],
  ]);
  const repaired = await serve(['verify', '--repair', '--data', data]);
  expect([repaired.status, repaired.stderr]).toEqual([0, expect.stringContaining('Repaired 1 of them')]);
  expect(await index()).toContain('1.1.0');
});

it('explains storage errors without secrets', async () => {
  const start = ['--listen', '127.0.0.1:0', '--data', path.join(temp.path, 'other')];
  const refused = await serve(start, { AWS_SECRET_ACCESS_KEY: 'geheim', AWS_ACCESS_KEY_ID: 'nobody' });
  expect([refused.status, refused.stderr]).toEqual([101, expect.stringContaining('403 AccessDenied')]);
  expect(refused.stderr).not.toMatch(/geheim|nobody/);
  const none = await serve(start, { AWS_SECRET_ACCESS_KEY: '', AWS_ACCESS_KEY_ID: '' });
  expect([none.status, none.stderr]).toEqual([101, expect.stringContaining('set `AWS_ACCESS_KEY_ID`')]);
  expect(none.stderr).toContain('npm install --global @aws-sdk/credential-providers');
  const open = await serve([...start, '--static-url', files.url, '--auth-required']);
  expect([open.status, open.stderr]).toEqual([101, expect.stringContaining('`--auth-required`')]);
  const folder = await serve([...start, '--download', 'redirect'], { TSREG_STORAGE: '' });
  expect([folder.status, folder.stderr]).toEqual([101, expect.stringContaining('needs an object store')]);
});
