import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** Much longer than a run that does not wait for the compiler. */
const TIMEOUT_MS = 20_000;

describe.skipIf(onWindows)('a compiler that does not respond (not on Windows: it is a script)', () => {
  const temp = makeTempDir('silent-compiler');
  const compiler = path.join(temp.path, 'rustc');
  const write = (file: string, text: string): void => {
    const target = path.join(temp.path, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  beforeAll(() => {
    write('rustc', '#!/bin/sh\nexec sleep 600\n');
    chmodSync(compiler, 0o755);
    for (const [folder, version] of [
      ['wrong', '2'],
      ['unlocked', '1'],
    ]) {
      const dependency = `[dependencies]\nbelow = { path = "below", version = "${version}" }\n`;
      write(`${folder}/Cargo.toml`, `[package]\nname = "above"\nversion = "1.0.0"\n${dependency}`);
      write(`${folder}/src/lib.rs`, '');
      write(`${folder}/below/Cargo.toml`, '[package]\nname = "below"\nversion = "1.0.0"\n');
      write(`${folder}/below/src/lib.rs`, '');
    }
  });
  afterAll(() => temp.remove());

  it.for([
    ['wrong', 'metadata', '--format-version=1'],
    ['wrong', 'update'],
    ['wrong', 'generate-lockfile'],
    ['unlocked', 'metadata', '--format-version=1', '--locked'],
  ] as const)(
    'does not block a run that fails before it needs the compiler: %s',
    async ([folder, ...args]) => {
      const env = {
        RUSTC: compiler,
        CARGO_HOME: path.join(temp.path, 'home'),
        PATH: process.env['PATH'] ?? '',
      };
      const { status, stderr } = await runProgram(tsregProgram(), [...args], {
        ...{ cwd: path.join(temp.path, folder), env, timeoutMs: TIMEOUT_MS },
      });
      expect(stderr).toMatch(/^error: /m);
      expect(status).toBe(101);
    },
  );
});
