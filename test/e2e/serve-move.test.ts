import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunResult, runProgram, tsregProgram } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { testLocation } from '../helpers/test-location.ts';

let temp: TempDir;
let data: string;
let folder: string;
let registry: ServedRegistry;
let token: string;
/** The location of the test registry as values of `--from` or `--to`. */
let here: readonly string[];
let env: Record<string, string>;

beforeEach(async () => {
  temp = makeTempDir('serve-move');
  data = path.join(temp.path, 'data');
  folder = path.join(temp.path, 'folder');
  const { location, ...place } = await testLocation(data);
  here = [
    location.database === null ? '' : 'env:TSREG_DATABASE',
    location.storage === null ? '' : 'env:TSREG_STORAGE',
    location.database === null || location.storage === null ? data : '',
  ].filter((each) => each !== '');
  env = {
    PATH: process.env['PATH'] ?? '',
    HOME: temp.path,
    ...place.env,
    ...(await serveEnv(['--data', data])),
  };
  registry = await serveRegistry(data);
  token = await registry.token('alice');
  for (const version of ['1.0.0', '1.1.0']) expect(await publish(registry, version)).toBe(200);
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

const serve = (...args: readonly string[]): Promise<RunResult> =>
  runProgram(tsregProgram(), ['serve', ...args], { cwd: temp.path, env });

const sides = (from: readonly string[], to: readonly string[]): readonly string[] => [
  ...from.flatMap((place) => ['--from', place]),
  ...to.flatMap((place) => ['--to', place]),
];

async function publish({ url }: { readonly url: string }, version: string, size = 10): Promise<number> {
  const files = { 'src/lib.rs': Array.from({ length: size }, () => Math.random()).join('') };
  const body = new Uint8Array(publishBody({ name: 'mover', version, files }).bytes);
  const request = { method: 'PUT', headers: { authorization: token }, body };
  return (await fetch(`${url}/api/v1/crates/new`, request)).status;
}

/** Runs `tsreg serve` on the registry in `folder`, without the environment of the tests. */
const serveFolder = (...args: readonly string[]): Promise<RunResult> =>
  runProgram(tsregProgram(), ['serve', ...args, '--data', folder], {
    cwd: temp.path,
    env: { PATH: env['PATH'] ?? '', HOME: temp.path },
  });

it('moves a served registry and moves it back', async () => {
  const there = await serve('move', ...sides(here, [folder]));
  expect([there.status, there.stdout]).toEqual([0, '']);
  expect(there.stderr).toMatch(/Moved 2 versions, \d+ bytes, to `.*folder`/);
  expect(there.stderr).toContain(`serve --data '${folder}'`);
  expect(there.stderr).toContain('serve move --undo');
  expect(there.stderr).not.toContain(env['AWS_SECRET_ACCESS_KEY'] ?? 'no secret');
  // The old server still serves reads, but accepts no changes.
  expect(await publish(registry, '1.2.0')).toBe(503);
  expect((await fetch(`${registry.url}/api/v1/crates/mover/1.0.0/download`)).status).toBe(200);
  expect((await serveFolder('verify')).status).toBe(0);
  expect((await serveFolder('user', 'bob')).status).toBe(0);

  const refused = await serve('move', ...sides(here, [folder]));
  expect([refused.status, refused.stderr]).toEqual([101, expect.stringContaining('has changes since')]);
  expect((await serve('move', ...sides([folder], here))).status).toBe(0);
  expect(await publish(registry, '1.2.0')).toBe(200);
  const late = await serveFolder('user', 'carol');
  expect([late.status, late.stderr]).toEqual([101, expect.stringContaining('is read-only here')]);
  expect((await serve('move', '--undo', '--from', folder)).stderr).toContain('accepts changes again');
  expect((await serveFolder('user', 'carol')).status).toBe(0);
});

it('completes a move that was killed', async () => {
  for (let patch = 0; patch < 24; patch += 1)
    expect(await publish(registry, `2.0.${patch}`, 20_000)).toBe(200);
  const [file, ...first] = tsregProgram().command;
  const child = spawn(file, [...first, 'serve', 'move', ...sides(here, [folder])], {
    cwd: temp.path,
    env,
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const copied = (): number =>
    existsSync(path.join(folder, 'crates'))
      ? readdirSync(path.join(folder, 'crates'), { recursive: true }).filter((each) =>
          String(each).endsWith('.crate'),
        ).length
      : 0;
  while (copied() === 0 && child.exitCode === null) await sleep(1);
  child.kill('SIGKILL');
  await exited;
  expect(child.signalCode).toBe('SIGKILL');
  expect(copied()).toBeGreaterThan(0);
  const again = await serve('move', ...sides(here, [folder]));
  expect([again.status, again.stdout]).toEqual([0, '']);
  expect(again.stderr).toContain('Moved 26 versions');
  expect((await serveFolder('verify')).status).toBe(0);
});

const REFUSED: readonly (readonly [flags: readonly string[], message: string])[] = [
  [['--from', 'a', '--to', 'a'], 'are the same'],
  [['--from', 'a'], 'invalid value for `--to`'],
  [['--from', 'a', '--to', 'b', '--to', 'c'], 'two places of one kind'],
  [['--from', 'a', '--to', 'postgres://u:geheim@h/d'], 'lacks a place for the .crate files'],
  [['--from', 'a', '--to', 's3://b'], 'lacks a place for the records'],
  [['--from', 'a', '--to', 'mysql://u:geheim@h/d'], 'expected a folder'],
  [['--from', 'a', '--to', 'env:NOT_SET'], 'the variable `NOT_SET` is not set'],
  [['--from', 'a', '--to', 'b', '--to', 'postgres://u:geheim@h/d', '--to', 's3://b'], 'need no folder'],
  [['--from', 'nowhere', '--to', 'b'], 'there is no registry'],
];

it('refuses invalid places and creates nothing', async () => {
  for (const [flags, message] of REFUSED) {
    const { status, stdout, stderr } = await serve('move', ...flags);
    expect([status, stdout, stderr]).toEqual([101, '', expect.stringContaining(message)]);
    expect(stderr).not.toContain('geheim');
  }
  expect(readdirSync(temp.path).filter((name) => /^[abc]$/.test(name))).toEqual([]);
});
