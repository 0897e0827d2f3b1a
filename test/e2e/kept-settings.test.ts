import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProgram, tsregProgram, type RunResult } from '../helpers/program.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const COMMANDS = [['metadata'], ['metadata', '--no-deps'], ['tree']] as const;

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('kept-settings');
  write('Cargo.toml', '[workspace]\nmembers = ["a"]\n');
  write('a/Cargo.toml', '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n');
  write('a/src/lib.rs', '');
});
afterEach(() => temp.remove());

function write(name: string, text: string): void {
  const file = path.join(temp.path, 'ws', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function run(args: readonly string[], cache = 'on'): Promise<RunResult> {
  const env = {
    CARGO_HOME: path.join(temp.path, 'home'),
    TSREG_CACHE: cache,
    PATH: process.env['PATH'] ?? '',
  };
  return runProgram(tsregProgram(), [...args, '--offline'], { cwd: path.join(temp.path, 'ws'), env });
}

/** Settings that cause messages, each with an additional edit of the manifest. */
const SETTINGS = [
  ['build.build-dir = "{x}"', ''],
  ['build.target-dir = ""', ''],
  ['build.x = 1\nresolver.x = 1\nhttp.x = 1\nnet.x = 1', ''],
  ['build.x = 1\nresolver.x = 1\nhttp.x = 1\nnet.x = 1', 'description = "edited"\n'],
  ['resolver = { x = 1, incompatible-rust-versions = "x" }', ''],
  ['http = { x = 1, timeout = "x" }', ''],
] as const;

for (const [settings, edit] of SETTINGS) {
  test(`reports the same about ${settings.replaceAll('\n', ', ')}${edit} with and without the cache`, async () => {
    for (const command of COMMANDS) {
      write('.cargo/config.toml', '');
      write('a/Cargo.toml', '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n');
      await run(command);
      await run(command);
      write('.cargo/config.toml', settings);
      write('a/Cargo.toml', `[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n${edit}`);
      expect(await run(command), command.join(' ')).toEqual(await run(command, 'off'));
    }
  });
}
