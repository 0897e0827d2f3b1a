import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// Fills a registry with the sample crates and uses it as a new user would.

const temp = makeTempDir('serve-demo');
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  temp.remove();
});

const env = { PATH: process.env['PATH'] ?? '', HOME: temp.path, TMPDIR: temp.path, TEMP: temp.path };
const hasCargo = spawnSync('cargo', ['--version']).status === 0;

const serve = (...args: readonly string[]): Promise<RunResult> =>
  runProgram(tsregProgram(), ['serve', '--listen', '127.0.0.1:0', ...args], { cwd: temp.path, env });

interface DemoServer extends AsyncDisposable {
  /** The values of the first lines by their kind, in order. */
  readonly facts: ReadonlyMap<string, string>;
}

/** Starts a demo and reads its first lines. It stops when it is disposed. */
async function startDemo(...flags: readonly string[]): Promise<DemoServer> {
  const [file, ...first] = tsregProgram().command;
  const args = [...first, 'serve', '--listen', '127.0.0.1:0', '--demo', ...flags];
  const child = spawn(file, args, { cwd: temp.path, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  const facts = new Map<string, string>();
  for await (const line of createInterface({ input: child.stdout })) {
    const space = line.indexOf(' ');
    facts.set(line.slice(0, space), line.slice(space + 1));
    if (facts.has('password')) break;
  }
  return {
    facts,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

let demo: DemoServer;
beforeAll(async () => {
  demo = await startDemo();
});

it('prints the login and its password after the usual lines', () => {
  expect([...demo.facts.keys()]).toEqual(['url', 'index', 'data', 'login', 'password']);
  expect(demo.facts.get('login')).toBe('demo');
});

it('shows its crates', async () => {
  const page = await fetch(`${demo.facts.get('url')}/crates/teapot`);
  expect(await page.text()).toContain('Brews tea, from the leaf to the mug');
});

it('lets its admin sign in', async () => {
  const url = demo.facts.get('url') ?? '';
  const form = await fetch(`${url}/sign-in`);
  const cookie = form.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const [login, password] = [demo.facts.get('login') ?? '', demo.facts.get('password') ?? ''];
  const signedIn = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: url },
    body: new URLSearchParams({ csrf, login, password, return: '/admin' }),
  });
  expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/admin']);
});

it.skipIf(!hasCargo)(
  'has crates that cargo downloads and builds (needs cargo)',
  async () => {
    const folder = path.join(temp.path, 'kitchen');
    mkdirSync(path.join(folder, 'src'), { recursive: true });
    const dependency = 'tasting-notes = { version = "0.2", registry = "mine" }';
    const manifest = `[package]\nname = "kitchen"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${dependency}\n`;
    writeFileSync(path.join(folder, 'Cargo.toml'), manifest);
    writeFileSync(path.join(folder, 'src', 'lib.rs'), 'pub use tasting_notes::Notes;\n');
    const run = (program: string, ...args: readonly string[]): Promise<RunResult> =>
      runProgram({ name: program, command: [program], env: {} }, args, {
        cwd: folder,
        env: {
          ...env,
          RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? path.join(homedir(), '.rustup'),
          CARGO_HOME: path.join(temp.path, 'cargo-home'),
          CARGO_REGISTRIES_MINE_INDEX: demo.facts.get('index') ?? '',
        },
      });
    const checked = await run('cargo', 'check');
    expect(checked.status, checked.stderr).toBe(0);
    expect(checked.stderr).not.toContain('warning');
    // It depends on all the others.
    const flags = ['--debug', '--registry', 'mine', '--root', 'installed'];
    const installed = await run('cargo', 'install', 'brew', ...flags);
    expect(installed.status, installed.stderr).toBe(0);
    const brewed = await run(path.join(folder, 'installed', 'bin', 'brew'), 'oolong');
    expect(brewed.stdout).toBe('250 ml of oolong tea, 3 minutes at 90 °C\n');
  },
  240_000,
);

it.skipIf(onWindows)('removes its temporary folder when it stops (Windows has no SIGTERM)', async () => {
  const folder = demo.facts.get('data') ?? '';
  expect(path.dirname(folder)).toBe(temp.path);
  expect(readdirSync(folder)).toContain('registry.db');
  await demo[Symbol.asyncDispose]();
  expect(existsSync(folder)).toBe(false);
});

it('keeps a registry in `--data`, and refuses to fill it again', async () => {
  const folder = path.join(temp.path, 'chosen');
  {
    await using first = await startDemo('--data', folder);
    expect(first.facts.get('data')).toBe(folder);
  }
  const verified = await runProgram(tsregProgram(), ['serve', 'verify', '--data', folder], {
    ...{ cwd: temp.path, env },
  });
  expect([verified.status, verified.stdout]).toEqual([0, '']);
  const { status, stdout, stderr } = await serve('--demo', '--data', folder);
  expect([status, stdout]).toEqual([101, '']);
  expect(stderr).toContain('`--demo` needs a new and empty registry');
});

it('refuses `--upstream`, and a database without `--data`', async () => {
  const before = readdirSync(temp.path);
  const mirror = await serve('--demo', '--upstream', 'crates-io');
  expect([mirror.status, mirror.stderr]).toEqual([
    101,
    expect.stringContaining("cannot be used with '--upstream"),
  ]);
  const half = await serve('--demo', '--database', 'postgres://127.0.0.1:1/none');
  expect([half.status, half.stderr]).toEqual([101, expect.stringContaining('also needs `--data`')]);
  expect(readdirSync(temp.path)).toEqual(before);
});
