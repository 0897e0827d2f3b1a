import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BadgeSites, startBadgeSites } from '../helpers/badge-sites.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const FLAGS = ['--badge-proxy', '--badge-host', 'token.example'];

const temp = makeTempDir('serve-badges');
let sites: BadgeSites;

beforeAll(async () => {
  sites = await startBadgeSites();
  sites.server.restart(() => ({ headers: [['Content-Type', 'image/svg+xml']], body: SVG }));
});

afterAll(async () => {
  await sites[Symbol.asyncDispose]();
  temp.remove();
});

/** Serves a registry with a crate. Returns the badge in its readme, and the exit status of the server. */
async function badgeWith(flags: readonly string[]): Promise<readonly [string | null, number | string]> {
  const { http } = sites;
  const env = { CARGO_HTTP_PROXY: sites.server.url, CARGO_HTTP_CAINFO: http.caFile ?? '' };
  const program = tsregProgram();
  const folder = `${temp.path}/${flags.length}`;
  await using registry = await serveRegistry(folder, flags, { ...program, env: { ...program.env, ...env } });
  const readme = '![Build](https://token.example/build.svg)';
  await registry.publish({ name: 'mug', version: '1.0.0' }, await registry.token('alice'), { readme });
  const page = await (await fetch(`${registry.url}/crates/mug`)).text();
  const [, path] = /<img src="(\/badges\/[^"]+)" alt="Build"/.exec(page) ?? [];
  const badge = path === undefined ? null : await (await fetch(registry.url + path)).text();
  return [badge, await registry.stop()];
}

it('shows badges of the sites that its flags choose, and none offline or by default', async () => {
  expect(await badgeWith(FLAGS)).toEqual([SVG, 0]);
  expect(sites.server.requests.map(({ target }) => target)).toEqual(['https://token.example/build.svg']);
  expect(await badgeWith([...FLAGS, '--offline'])).toEqual([null, 0]);
  expect(await badgeWith([])).toEqual([null, 0]);
}, 120_000);

it('refuses the address of a network as a site before it creates a registry', async () => {
  const args = ['serve', '--data', `${temp.path}/none`, '--badge-proxy', '--badge-host', '127.0.0.1'];
  const { status, stderr } = await runProgram(tsregProgram(), args, {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path },
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain('invalid value `127.0.0.1` for `--badge-host`');
});
