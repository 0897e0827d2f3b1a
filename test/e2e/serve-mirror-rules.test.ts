import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

// An admin changes the rules of a mirror in the browser, while a client has a lock file.

const PASSWORD = 'a long password';
const MIRROR = '/admin/mirror';

const temp = makeTempDir('mirror-rules');
afterAll(() => temp.remove());

async function run(
  args: readonly string[],
  { cwd = temp.path, home = 'home', input = '' } = {},
): Promise<RunResult> {
  const CARGO_HOME = path.join(temp.path, home);
  const env = { PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME, ...(await serveEnv(args)) };
  return runProgram(tsregProgram(), args, { cwd, env, input });
}

/** A browser with one cookie for each name. */
class Browser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor({ url }: ServedRegistry) {
    this.#url = url;
  }

  /** Sends the form of `page` with these fields to `action`. Returns the page to which it leads. */
  async submit(page: string, action: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const csrf = /name="csrf" value="([^"]+)"/.exec(await this.#text(page))?.[1] ?? '';
    const body = new URLSearchParams({ ...fields, csrf });
    const { status, headers } = await this.#ask(action, { method: 'POST', body });
    expect(status).toBe(303);
    return await this.#text(headers.get('location') ?? '');
  }

  async signIn(): Promise<void> {
    await this.submit('/sign-in', '/sign-in', { login: 'root', password: PASSWORD, return: '/admin' });
  }

  async #text(address: string): Promise<string> {
    return await (await this.#ask(address, {})).text();
  }

  async #ask(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { accept: 'text/html', cookie };
    const response = await fetch(`${this.#url}${address}`, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

it('blocks, allows and reserves names of the upstream from the page of admins, also after a restore', {
  timeout: 120_000,
}, async () => {
  await using source = await serveRegistry(path.join(temp.path, 'source'));
  const alice = await source.token('alice');
  for (const version of ['1.0.0', '1.1.0']) await source.publish({ name: 'kettle-lib', version }, alice);
  const data = path.join(temp.path, 'data');
  const flags = ['--upstream', source.index, '--upstream-refresh', '0'];
  await using mirror = await serveRegistry(data, flags);
  const made = await run(['serve', 'user', 'root', '--admin', '--password', '--data', data], {
    input: `${PASSWORD}\n`,
  });
  expect(made.status, made.stderr).toBe(0);
  const admin = new Browser(mirror);
  await admin.signIn();

  const cwd = path.join(temp.path, 'app');
  writeTree(cwd, {
    'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nkettle-lib = "1"\n',
    'src/lib.rs': '',
    '.cargo/config.toml': `[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "${mirror.index}"\n`,
  });
  expect((await run(['generate-lockfile'], { cwd })).status).toBe(0);
  const rule = { name: 'Kettle_lib', version: '1.1.0', reason: 'breaks our builds' };
  expect(await admin.submit(MIRROR, `${MIRROR}/block`, rule)).toContain('Blocked. Clients can no longer');
  const refused = await run(['fetch', '--locked'], { cwd });
  expect([refused.status, refused.stderr]).toEqual([
    101,
    expect.stringContaining('this registry blocks version `1.1.0` of crate `kettle-lib`'),
  ]);
  // New lock files get another version.
  const precise = await run(['update', '--precise', '1.0.0', 'kettle-lib'], { cwd, home: 'other-home' });
  expect(precise.status, precise.stderr).toBe(0);
  expect((await run(['update'], { cwd, home: 'other-home' })).stderr).not.toContain('1.1.0');

  const copy = path.join(temp.path, 'copy');
  expect((await run(['serve', 'backup', copy, '--data', data])).status).toBe(0);
  expect(await admin.submit(MIRROR, `${MIRROR}/allow`, { name: 'kettle-lib' })).toContain('no effect');
  const download = async (from: ServedRegistry): Promise<number> =>
    (await fetch(`${from.url}/api/v1/crates/kettle-lib/1.1.0/download`)).status;
  expect(await download(mirror)).toBe(200);
  expect(await admin.submit(MIRROR, `${MIRROR}/reserve`, { name: 'kettle-*' })).toContain('Name reserved.');
  expect(await download(mirror)).toBe(404);
  const trail = await admin.submit(MIRROR, `${MIRROR}/release`, { name: 'kettle_*' });
  expect(trail).toContain('Name released.');
  expect(await download(mirror)).toBe(200);

  const restored = path.join(temp.path, 'restored');
  expect((await run(['serve', 'restore', copy, '--data', restored])).status).toBe(0);
  await using other = await serveRegistry(restored, flags);
  expect(await download(other)).toBe(403);
});
