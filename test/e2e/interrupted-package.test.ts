import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const ARGS = ['package', '--no-verify', '--no-metadata'];
const CONTENT = randomBytes(48_000_000);
const program = tsregProgram();

let temp: TempDir;
let root: string;
/** The folder of unfinished archives. `archive` is the finished one. */
let scratch: string;
let archive: string;
let env: Record<string, string>;
beforeEach(() => {
  temp = makeTempDir('interrupted');
  root = path.join(temp.path, 'package');
  scratch = path.join(root, 'target', 'package', 'tmp-crate');
  archive = path.join(root, 'target', 'package', 'large-1.0.0.crate');
  env = { PATH: process.env['PATH'] ?? '', HOME: temp.path, CARGO_HOME: path.join(temp.path, 'home') };
  mkdirSync(path.join(root, 'src'), { recursive: true });
  mkdirSync(path.dirname(archive), { recursive: true });
  writeFileSync(
    path.join(root, 'Cargo.toml'),
    '[package]\nname = "large"\nversion = "1.0.0"\nedition = "2021"\n',
  );
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  writeFileSync(path.join(root, 'content'), CONTENT);
  writeFileSync(archive, 'older');
});
afterEach(() => temp.remove());

/** Sends the signal during packing. Returns the signal that ended the program. */
async function interrupt(signal: NodeJS.Signals): Promise<NodeJS.Signals | null> {
  const [file, ...first] = program.command;
  const child = spawn(file, [...first, ...ARGS], { cwd: root, env, stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.on('exit', (_, by) => resolve(by));
  });
  while (unfinished().length === 0 && child.exitCode === null) await sleep(1);
  child.kill(signal);
  return await ended;
}

function unfinished(): readonly string[] {
  return existsSync(scratch) ? readdirSync(scratch).filter((name) => name.endsWith('.tmp')) : [];
}

describe.skipIf(onWindows)('an interruption of packing (not on Windows, which has no signals)', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s leaves no unfinished archive and keeps the older one',
    async (signal) => {
      expect(await interrupt(signal)).toBe(signal);
      expect(unfinished()).toEqual([]);
      expect(readFileSync(archive, 'utf8')).toBe('older');
    },
  );

  test('by SIGKILL keeps the older archive, and the next run succeeds', async () => {
    expect(await interrupt('SIGKILL')).toBe('SIGKILL');
    expect(readFileSync(archive, 'utf8')).toBe('older');
    expect((await runProgram(program, ARGS, { cwd: root, env })).status).toBe(0);
    expect(gunzipSync(readFileSync(archive)).includes(CONTENT.subarray(0, 4096))).toBe(true);
  });
});
