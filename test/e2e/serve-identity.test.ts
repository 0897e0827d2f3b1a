import { writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('serve-identity');

afterAll(() => temp.remove());

it('shows the name, logo, colour and welcome text that its flags choose', async () => {
  const [logo, welcome] = [`${temp.path}/logo`, `${temp.path}/welcome.md`];
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(welcome, 'Ask in **#rust**.');
  await using registry = await serveRegistry(`${temp.path}/data`, [
    ...['--name', 'Acme crates', '--registry-name', 'acme', '--accent', '#0f766e'],
    ...['--logo', logo, '--welcome', welcome],
  ]);
  const page = await (await fetch(`${registry.url}/`, { headers: { accept: 'text/html' } })).text();
  expect(page).toContain('<title>Acme crates</title>');
  expect(page).toContain('[registries.acme]');
  expect(page).toContain('<p>Ask in <strong>#rust</strong>.</p>');
  const [, image = ''] = /<img src="([^"]+\.svg)"/.exec(page) ?? [];
  expect(await (await fetch(registry.url + image)).text()).toContain('<svg');
  const [, sheet = ''] = /href="([^"]+\.css)"/.exec(page) ?? [];
  expect(await (await fetch(registry.url + sheet)).text()).toContain('--accent: #0f766e;');
});

it.each([
  ['--name', ' ', 'expected 1 to 60 visible characters'],
  ['--registry-name', 'crates-io', 'expected a name for `[registries.NAME]`'],
  ['--accent', 'teal', 'expected a colour such as `#3451b2`'],
  ['--logo', '/dev/null', 'expected a file with an SVG, PNG, WebP or JPEG image'],
  ['--welcome', `${temp.path}/absent.md`, 'failed to read'],
])('refuses `%s %s` before it creates a registry', async (flag, value, problem) => {
  const args = ['serve', '--listen', '127.0.0.1:0', '--data', `${temp.path}/none`, flag, value];
  const { status, stdout, stderr } = await runProgram(tsregProgram(), args, {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path },
  });
  expect(status).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(problem);
});
