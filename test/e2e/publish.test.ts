import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PublishDocument } from '../../src/commands/publish/result.ts';
import type { PublishPlan } from '../../src/commands/publish/plan.ts';
import { startIssuer } from '../helpers/issuer.ts';
import { listen } from '../helpers/listen.ts';
import { isStandalone, runProgram, tsregProgram } from '../helpers/program.ts';
import { Publisher } from '../helpers/publishing.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../io/http/certificates.ts';

// The built program publishes to the registry that the built program serves.

const temp = makeTempDir('publish');
let registry: ServedRegistry;
let token = '';
let made = 0;

beforeAll(async () => {
  registry = await serveRegistry(path.join(temp.path, 'data'));
  token = await registry.token('alice');
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

function publisher(env: Readonly<Record<string, string>> = {}, index = registry.index): Publisher {
  made += 1;
  const base = path.join(temp.path, String(made));
  return new Publisher(base, index, { CARGO_REGISTRIES_OWN_TOKEN: token, ...env });
}

function documentOf(text: string): PublishDocument {
  const document: PublishDocument = JSON.parse(text);
  return document;
}

/** A dev-dependency on `ring-a`, as the end of the table `package`. */
const DEV_DEPENDENCY =
  '[dev-dependencies]\nring-a = { path = "../ring-a", version = "0.1.0", registry = "own" }';

function statesOf(text: string): Record<string, string> {
  return Object.fromEntries(documentOf(text).packages.map(({ name, state }) => [name, state]));
}

describe('publish', () => {
  it('uploads packages in the order of their dependencies and waits for each', async () => {
    const user = publisher();
    user.write([
      { name: 'order-c', needs: ['order-b'] },
      { name: 'order-b', needs: ['order-a'] },
      { name: 'order-a' },
      { name: 'order-private', more: 'publish = false' },
    ]);
    const { status, stdout, stderr } = await user.publish(['--workspace', '--json']);
    expect(stderr).toContain('Published order-c v0.1.0 at registry `own`');
    const at = (text: string): number => stderr.indexOf(text);
    const order = ['Published order-a', 'Uploading order-b', 'Published order-b', 'Uploading order-c'];
    expect(order.map(at)).toEqual(order.map(at).toSorted((a, b) => a - b));
    expect(at(order[0] ?? '')).toBeGreaterThan(0);
    expect(status).toBe(0);
    expect(documentOf(stdout)).toEqual({
      version: 1,
      registry: { name: 'own', index: registry.index, api: registry.url },
      dry_run: false,
      packages: ['order-a', 'order-b', 'order-c'].map((name) => ({
        name,
        version: '0.1.0',
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        verified: false,
        state: 'published',
      })),
      unpublishable: [{ name: 'order-private', version: '0.1.0' }],
      error: null,
    });
    // Output outside a terminal has no control characters.
    expect(stderr).not.toMatch(/[\0-\x09\x0b-\x1f\x7f]/);
  });

  it('skips published packages with --skip-published', async () => {
    const user = publisher();
    user.write([{ name: 'again-a' }]);
    expect((await user.publish(['-p', 'again-a'])).status).toBe(0);
    user.write([{ name: 'again-a' }, { name: 'again-b', needs: ['again-a'] }]);
    const refused = await user.publish(['--workspace']);
    expect([refused.status, refused.stderr]).toEqual([
      101,
      expect.stringContaining('crate again-a@0.1.0 already exists on `own` index'),
    ]);
    expect(refused.stderr).toContain('help: a version can be published only once: change `version`');
    const { status, stdout, stderr } = await user.publish(['--workspace', '--skip-published', '--json']);
    expect(status, stderr).toBe(0);
    expect(statesOf(stdout)).toEqual({ 'again-a': 'skipped', 'again-b': 'published' });
    expect(stderr).toContain('Skipping again-a v0.1.0, which is on `own` index with the same checksum');
    const third = await user.publish(['--workspace', '--skip-published', '--json']);
    expect(statesOf(third.stdout)).toEqual({ 'again-a': 'skipped', 'again-b': 'skipped' });
  });

  it('refuses to skip a published version with other contents', async () => {
    const user = publisher();
    user.write([{ name: 'other' }, { name: 'other-user', needs: ['other'] }]);
    await user.publish(['-p', 'other']);
    user.write([
      { name: 'other', source: '// changed\n' },
      { name: 'other-user', needs: ['other'] },
    ]);
    const { status, stdout, stderr } = await user.publish(['--workspace', '--skip-published']);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toMatch(
      /already exists on `own` index, and is not the same package\npublished: [0-9a-f]{64}\nhere: {6}[0-9a-f]{64}\n/,
    );
    expect(stderr).not.toContain('Uploading');
  });

  it('skips a published package with the same files in another compression', async () => {
    const user = publisher();
    user.write([{ name: 'packed' }]);
    await user.run(['package', '--no-verify', '-p', 'packed']);
    const file = path.join(user.workspace, 'target', 'package', 'packed-0.1.0.crate');
    writeFileSync(file, gzipSync(gunzipSync(readFileSync(file)), { level: 1 }));
    const sent = await user.publish(['target/package/packed-0.1.0.crate']);
    expect(sent.status, sent.stderr).toBe(0);
    const { status, stdout, stderr } = await user.publish(['--workspace', '--skip-published', '--json']);
    expect(status, stderr).toBe(0);
    expect(statesOf(stdout)).toEqual({ packed: 'skipped' });
    expect(stderr).toContain('with the same files, compressed by another program');
  });

  it('uploads nothing if packages depend on each other in a cycle', async () => {
    const user = publisher();
    user.write([{ name: 'circle-a' }]);
    expect((await user.publish(['-p', 'circle-a'])).status).toBe(0);
    const needsB = `[dev-dependencies]\ncircle-b = { path = "../circle-b", version = "0.1.0", registry = "own" }\n`;
    user.write([
      { name: 'circle-a', version: '0.1.1', more: needsB },
      { name: 'circle-b' },
      { name: 'circle-c' },
      { name: 'circle-d', needs: ['circle-b'] },
    ]);
    const inB = path.join(user.workspace, 'circle-b', 'Cargo.toml');
    const onA = `circle-a = { path = "../circle-a", version = "0.1.0", registry = "own" }\n`;
    writeFileSync(inB, readFileSync(inB, 'utf8') + onA);
    for (const flags of [[], ['--dry-run']]) {
      const { status, stdout, stderr } = await user.publish(['--workspace', ...flags]);
      expect([status, stdout]).toEqual([101, '']);
      expect(stderr).toContain('Packaged');
      expect(stderr).not.toContain('Uploading');
      expect(stderr).toMatch(
        /error: circular dependency detected while publishing circle-a v0\.1\.1, circle-b v0\.1\.0, and circle-d v0\.1\.0\nhelp: to break a cycle between dev-dependencies and other dependencies, remove the version field on the dev-dependency so it will be implicitly stripped on publish\n/,
      );
    }
  });

  it('refuses an existing version even if it is yanked, and skips it with --skip-published', async () => {
    const user = publisher();
    user.write([{ name: 'pulled' }]);
    expect((await user.publish(['-p', 'pulled'])).status).toBe(0);
    expect((await user.run(['yank', 'pulled@0.1.0', '--registry', 'own'])).status).toBe(0);
    const words = 'crate pulled@0.1.0 already exists on `own` index\n';
    const { status, stderr } = await user.publish(['-p', 'pulled']);
    expect([status, stderr]).toEqual([101, expect.stringContaining(`error: ${words}`)]);
    expect(stderr).not.toContain('Packaging');
    const dry = await user.publish(['-p', 'pulled', '--dry-run']);
    expect([dry.status, dry.stderr]).toEqual([0, expect.stringContaining(`warning: ${words}`)]);
    const skipped = await user.publish(['-p', 'pulled', '--skip-published']);
    expect([skipped.status, skipped.stderr]).toEqual([
      0,
      expect.stringContaining('Skipping pulled v0.1.0, which is on `own` index with the same checksum'),
    ]);
    const line = await (await fetch(`${registry.url}/index/pu/ll/pulled`)).text();
    expect(JSON.parse(line)).toMatchObject({ vers: '0.1.0', yanked: true });
  });

  it('publishes an archive unchanged', async () => {
    const user = publisher();
    user.write([{ name: 'boxed', more: 'readme = "R.md"\nkeywords = ["k"]' }]);
    writeFileSync(path.join(user.workspace, 'boxed', 'R.md'), '# Boxed é\n');
    await user.run(['package', '--no-verify', '-p', 'boxed']);
    const { status, stdout, stderr } = await user.publish(['target/package/boxed-0.1.0.crate', '--json']);
    expect(status, stderr).toBe(0);
    const line = await (await fetch(`${registry.url}/index/bo/xe/boxed`)).text();
    expect(JSON.parse(line)).toMatchObject({ cksum: documentOf(stdout).packages[0]?.checksum });
    expect(await (await fetch(`${registry.url}/crates/boxed`)).text()).toContain('Boxed é');
  });

  it('names the registry of an archive even if its manifest has only the index URL', async () => {
    const user = publisher();
    user.write([{ name: 'named', needs: ['named-base'] }, { name: 'named-base' }]);
    expect((await user.publish(['-p', 'named-base'])).status).toBe(0);
    await user.run(['package', '--no-verify', '-p', 'named']);
    const { status, stdout, stderr } = await user.publish(['target/package/named-0.1.0.crate', '--json']);
    expect(status, stderr).toBe(0);
    expect(documentOf(stdout).registry?.name).toBe('own');
    expect(stderr).toContain('Uploaded named v0.1.0 to registry `own`');
  });

  it.each([
    ['missing.crate', [], 'there is no file'],
    ['broken.crate', [], 'failed to read the archive'],
    ['.', [], 'Is a directory (os error 21)'],
    // Node cannot read a file of this size at once, but the runtime of the standalone executable can.
    [
      'large.crate',
      [],
      isStandalone ? 'invalid gzip header' : 'File size (2147483648) is greater than 2 GiB',
    ],
    ['broken.crate', ['-p', 'a'], '`--package` does not apply to an archive'],
    ['private.crate', [], '`private` cannot be published'],
  ])('refuses %s with %j', async (file, flags, message) => {
    const user = publisher();
    user.write([{ name: 'private', more: 'publish = false' }]);
    // A sparse file.
    writeFileSync(path.join(user.workspace, 'large.crate'), '');
    truncateSync(path.join(user.workspace, 'large.crate'), 2 ** 31);
    writeFileSync(path.join(user.workspace, 'broken.crate'), 'no archive');
    await user.run(['package', '--no-verify', '-p', 'private']);
    const packed = path.join(user.workspace, 'target', 'package', 'private-0.1.0.crate');
    writeFileSync(path.join(user.workspace, 'private.crate'), readFileSync(packed));
    const { status, stdout, stderr } = await user.publish([file, ...flags]);
    expect([status, stdout, stderr]).toEqual([101, '', expect.stringContaining(message)]);
  });

  it('lets the registry check a package without storing it', async () => {
    const user = publisher();
    user.write([{ name: 'checked' }]);
    const { status, stdout, stderr } = await user.publish([
      '-p',
      'checked',
      '--dry-run',
      '--server',
      '--json',
    ]);
    expect(status, stderr).toBe(0);
    expect(statesOf(stdout)).toEqual({ checked: 'checked' });
    expect((await fetch(`${registry.url}/index/ch/ec/checked`)).status).toBe(404);
    user.write([{ name: 'checked', more: 'keywords = ["#not a keyword#"]' }]);
    const refused = await user.publish(['-p', 'checked', '--dry-run', '--server']);
    expect([refused.status, refused.stderr]).toEqual([
      101,
      expect.stringContaining('failed to publish checked v0.1.0'),
    ]);
    const without = await user.publish(['-p', 'checked', '--server']);
    expect([without.status, without.stderr]).toEqual([101, expect.stringContaining('only for `--dry-run`')]);
  });

  it('plans without a token', async () => {
    const user = publisher({ CARGO_REGISTRIES_OWN_TOKEN: '' });
    user.write([{ name: 'planned-a' }]);
    await user.publish(['-p', 'planned-a'], { CARGO_REGISTRIES_OWN_TOKEN: token });
    user.write([
      { name: 'planned-a', version: '0.2.0' },
      { name: 'planned-b', needs: ['planned-a'] },
      { name: 'planned-c', more: 'publish = false' },
    ]);
    const text = await user.publish(['--workspace', '--plan']);
    expect([text.status, text.stdout]).toEqual([
      0,
      `to own (${registry.url})\n` +
        '  1. planned-a v0.2.0: new version, latest is 0.1.0\n' +
        '  2. planned-b v0.1.0: new crate; needs planned-a\n' +
        '     planned-c v0.1.0: not published (`publish = false`)\n' +
        'the packages under 2 follow when those under 1 are in the index\n',
    ]);
    const { stdout } = await user.publish(['--workspace', '--plan', '--json']);
    const plan: PublishPlan = JSON.parse(stdout);
    expect(plan).toEqual({
      version: 1,
      registry: { name: 'own', index: registry.index, api: registry.url },
      rounds: [
        [
          {
            name: 'planned-a',
            version: '0.2.0',
            manifest_path: path.join(user.workspace, 'planned-a', 'Cargo.toml'),
            kind: 'new-version',
            latest: '0.1.0',
            needs: [],
            missing: [],
          },
        ],
        [
          expect.objectContaining({
            name: 'planned-b',
            kind: 'new-crate',
            latest: null,
            needs: ['planned-a'],
          }),
        ],
      ],
      published: [],
      circular: [],
      unpublishable: [{ name: 'planned-c', version: '0.1.0' }],
      limits: null,
      minimum_seconds: null,
    });
    expect((await fetch(`${registry.url}/index/pl/an/planned-b`)).status).toBe(404);
  });

  it('plans what the registry lacks, and fails for a circle like `publish`', async () => {
    const user = publisher();
    user.write([{ name: 'blocked-a' }, { name: 'blocked-b', needs: ['blocked-a'] }]);
    const blocked = await user.publish(['-p', 'blocked-b', '--plan']);
    expect([blocked.status, blocked.stdout, blocked.stderr]).toEqual([
      0,
      `to own (${registry.url})\n  1. blocked-b v0.1.0: new crate; needs blocked-a in the registry\n`,
      '    Updating `own` index\n',
    ]);
    expect((await user.publish(['-p', 'blocked-b'])).status).toBe(101);
    await user.publish(['-p', 'blocked-a']);
    const ready = await user.publish(['-p', 'blocked-b', '--plan']);
    expect(ready.stdout).not.toContain('in the registry');
    user.write([
      { name: 'ring-a', needs: ['ring-b'] },
      { name: 'ring-b', more: DEV_DEPENDENCY },
    ]);
    const circular = await user.publish(['--workspace', '--plan']);
    expect([circular.status, circular.stdout, circular.stderr]).toEqual([
      101,
      expect.stringContaining('ring-b v0.1.0: cannot be published, since it depends in a circle on ring-a'),
      expect.stringContaining(
        'circular dependency detected while publishing ring-a v0.1.0 and ring-b v0.1.0',
      ),
    ]);
  });

  it('names the place of a `registry.default` that a package does not allow', async () => {
    const user = publisher({ CARGO_REGISTRY_DEFAULT: 'other' });
    user.write([{ name: 'elsewhere', more: 'publish = ["own"]' }]);
    for (const args of [['package'], ['publish', '--plan']]) {
      const { status, stderr } = await user.run([...args, '--registry', 'other']);
      expect([status, stderr]).toEqual([101, expect.not.stringContaining('help:')]);
      expect((await user.run(args)).stderr).toMatch(
        /^The registry `other` is not listed .*\n\nhelp: `other` is `registry\.default` in environment variable `CARGO_REGISTRY_DEFAULT`: pass `--registry own`$/m,
      );
    }
    expect((await user.run(['search', 'x'])).stderr).toContain(
      'help: `other` is `registry.default` in environment variable `CARGO_REGISTRY_DEFAULT`; ',
    );
  });

  it('prints an error as a GitHub Actions annotation', async () => {
    const user = publisher({ GITHUB_ACTIONS: 'true', CARGO_REGISTRIES_OWN_TOKEN: 'no-good-token' });
    user.write([{ name: 'annotated' }]);
    const { status, stderr } = await user.publish(['-p', 'annotated']);
    expect(status).toBe(101);
    expect(stderr).toMatch(/^::error title=publish::failed to publish annotated v0\.1\.0 .*%0A/m);
    expect(stderr).not.toContain('no-good-token');
    const cargo = await user.publish(['-p', 'annotated'], { TSREG_COMPAT: 'cargo' });
    expect(cargo.stderr).not.toContain('::error');
  });
});

describe('publish to a registry that requires a token for every request', () => {
  it('sends the token over TLS with a private CA and through a proxy', async () => {
    const folder = path.join(temp.path, 'tls');
    mkdirSync(folder);
    const files = { 'cert.pem': SERVER_CERTIFICATE, 'key.pem': SERVER_KEY, 'ca.pem': AUTHORITY };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const flags = ['--tls-cert', path.join(folder, 'cert.pem'), '--tls-key', path.join(folder, 'key.pem')];
    await using secure = await serveRegistry(path.join(folder, 'data'), ['--auth-required', ...flags]);
    const connected: string[] = [];
    const proxy = await startProxy(connected);
    try {
      const address = proxy.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const user = publisher(
        {
          CARGO_REGISTRIES_OWN_TOKEN: await secure.token('bob'),
          CARGO_HTTP_CAINFO: path.join(folder, 'ca.pem'),
          CARGO_HTTP_PROXY: `http://127.0.0.1:${port}`,
          CARGO_REGISTRY_GLOBAL_CREDENTIAL_PROVIDERS: 'cargo:token',
        },
        secure.index,
      );
      user.write([{ name: 'secure-a' }, { name: 'secure-b', needs: ['secure-a'] }]);
      const { status, stdout, stderr } = await user.publish(['--workspace', '--json']);
      expect(status, stderr).toBe(0);
      expect(statesOf(stdout)).toEqual({ 'secure-a': 'published', 'secure-b': 'published' });
      expect(new Set(connected)).toEqual(new Set([new URL(secure.url).host]));
    } finally {
      proxy.close();
    }
  });
});

describe('publish --trusted-publishing', () => {
  it('exchanges the identity of a job for a token and revokes it', async () => {
    await using issuer = await startIssuer();
    const serve = async (args: readonly string[]) =>
      runProgram(tsregProgram(), ['serve', ...args], {
        cwd: '/',
        env: { HOME: temp.path, ...(await serveEnv(args)) },
      });
    await serve(['user', 'robot', '--data', registry.data]);
    const added = await serve(
      ['publisher', 'add', '--data', registry.data, '--issuer', issuer.url, '--crate', 'trusted-*'].concat([
        '--claim',
        'sub=job',
        '--user',
        'robot',
      ]),
    );
    expect(added.status, added.stderr).toBe(0);
    const now = Math.floor(Date.now() / 1000);
    const jwt = (sub: string): string =>
      issuer.sign({ sub, aud: new URL(registry.url).host, iat: now, exp: now + 300, jti: `${sub}-${now}` });
    const user = publisher({ CARGO_REGISTRIES_OWN_TOKEN: '' });
    user.write([{ name: 'trusted-a' }]);
    const flags = ['--trusted-publishing', '-p', 'trusted-a', '-v'];
    const refused = await user.publish(flags, { CARGO_REGISTRY_ID_TOKEN: jwt('stranger') });
    expect([refused.status, refused.stderr]).toEqual([
      101,
      expect.stringContaining('the registry did not accept the identity of this job'),
    ]);
    const identity = jwt('job');
    const { status, stderr } = await user.publish(flags, { CARGO_REGISTRY_ID_TOKEN: identity });
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('Exchanged the identity of this job for a token of registry `own`');
    expect(stderr).toContain('Revoked the token of this job');
    expect(refused.stderr + stderr).not.toContain(identity);
  });

  it.each([
    [{ GITHUB_ACTIONS: 'true' }, 'give the job the permission `id-token: write`'],
    [{ GITLAB_CI: 'true' }, 'id_tokens: { CARGO_REGISTRY_ID_TOKEN: { aud: 127.0.0.1:'],
    [{}, 'this is neither GitHub Actions'],
  ])('explains what is missing with %j', async (env, advice) => {
    const user = publisher({ CARGO_REGISTRIES_OWN_TOKEN: '' });
    user.write([{ name: 'trusted-b' }]);
    const { status, stderr } = await user.publish(['--trusted-publishing', '-p', 'trusted-b'], { ...env });
    expect([status, stderr]).toEqual([101, expect.stringContaining(advice)]);
    expect(stderr).toContain('this CI job has no identity');
  });
});

/** Starts a proxy that records the hosts of its CONNECT requests. */
async function startProxy(connected: string[]): Promise<Server> {
  const proxy = createServer((_request, response) => response.writeHead(502).end());
  proxy.on('connect', (request, socket) => {
    connected.push(request.url ?? '');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const each of [socket, onward]) each.on('error', () => each.destroy());
  });
  await listen(proxy);
  return proxy;
}
