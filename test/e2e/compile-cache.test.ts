import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const hasCompileCache = Number.parseInt(process.versions.node, 10) >= 22;
const onWindows = process.platform === 'win32';

describe('the compiled program', () => {
  let temp: TempDir;
  let cache: string;
  let compiled: string;

  beforeEach(() => {
    temp = makeTempDir('compile-cache');
    writeFileSync(path.join(temp.path, 'Cargo.toml'), '[package]\nname = "demo"\nedition = "2021"\n');
    mkdirSync(path.join(temp.path, 'src'));
    writeFileSync(path.join(temp.path, 'src', 'lib.rs'), '');
    cache = path.join(temp.path, 'home', 'tsreg', 'cache');
    compiled = path.join(cache, 'node');
  });
  afterEach(() => temp.remove());

  function run(args: readonly string[], more: Readonly<Record<string, string>> = {}): unknown {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(projectRoot, 'bin', 'tsreg.js'), ...args],
      {
        cwd: temp.path,
        env: { PATH: process.env['PATH'] ?? '', CARGO_HOME: path.join(temp.path, 'home'), ...more },
        encoding: 'utf8',
      },
    );
    return { status, stderr };
  }

  const METADATA = ['metadata', '--format-version', '1', '--offline'];
  const SUCCESS = { status: 0, stderr: '' };

  it.runIf(hasCompileCache)('is stored beside the results if a cache folder exists (from Node 22 on)', () => {
    mkdirSync(cache, { recursive: true });
    expect(run(METADATA)).toEqual(SUCCESS);
    expect(readdirSync(compiled)).toHaveLength(1);
  });

  it('is not stored without a cache folder or with `TSREG_CACHE=off`', () => {
    expect(run(['--version'])).toEqual(SUCCESS);
    expect(existsSync(path.join(temp.path, 'home'))).toBe(false);
    mkdirSync(cache, { recursive: true });
    expect(run(METADATA, { TSREG_CACHE: 'off' })).toEqual(SUCCESS);
    expect(existsSync(compiled)).toBe(false);
  });

  it.skipIf(onWindows)(
    'is not stored in a folder that other users can write to (not on Windows: no modes)',
    () => {
      mkdirSync(cache, { recursive: true });
      chmodSync(cache, 0o777);
      expect(run(METADATA)).toEqual(SUCCESS);
      expect(existsSync(compiled)).toBe(false);
      chmodSync(cache, 0o755);
      mkdirSync(compiled);
      chmodSync(compiled, 0o777);
      expect(run(METADATA)).toEqual(SUCCESS);
      expect(readdirSync(compiled)).toEqual([]);
    },
  );

  it('runs even if it cannot be stored', () => {
    mkdirSync(cache, { recursive: true });
    writeFileSync(compiled, 'a file, where Node wants a folder');
    expect(run(METADATA)).toEqual(SUCCESS);
    rmSync(compiled);
    chmodSync(cache, 0o500);
    expect(run(METADATA)).toEqual(SUCCESS);
    chmodSync(cache, 0o700);
  });
});
