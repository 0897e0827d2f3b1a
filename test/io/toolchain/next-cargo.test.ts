import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstCargo, isShim, nextCargo, OWN_MARK, SHIM_MARK } from '../../../src/io/toolchain/next-cargo.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('next-cargo');
});
afterEach(() => temp.remove());

function write(name: string, text: string, mode = 0o755): string {
  const file = path.join(temp.path, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function link(name: string, target: string): string {
  const file = path.join(temp.path, name);
  mkdirSync(path.dirname(file), { recursive: true });
  symlinkSync(target, file);
  return file;
}

function pathOf(...folders: readonly string[]): string {
  return folders.map((folder) => path.join(temp.path, folder)).join(':');
}

describe.skipIf(onWindows)('nextCargo (not on Windows: it needs symbolic links)', () => {
  it('skips this program, links to it and scripts that start it', () => {
    const own = write('own/program.js', '#!/usr/bin/env node\n');
    const shim = write('shim/cargo', `#!/bin/sh\n${SHIM_MARK} x\n`);
    link('a/cargo', own);
    link('b/cargo', shim);
    write('c/cargo', `#!/usr/bin/env node\n// x\nrequire('../${OWN_MARK}');\n`);
    const real = write('real/cargo', '\x7fELF\n');
    expect(nextCargo(pathOf('a', 'shim', 'b', 'c'), own)).toBeNull();
    expect(nextCargo(pathOf('a', 'shim', 'b', 'c', 'real'), own)).toBe(real);
    expect(firstCargo(pathOf('a', 'real'))).toBe(path.join(temp.path, 'a/cargo'));
    expect([isShim(shim), isShim(real)]).toEqual([true, false]);
  });

  it('skips folders, files that are not executable, dangling links and relative folders', () => {
    mkdirSync(path.join(temp.path, 'folder/cargo'), { recursive: true });
    write('plain/cargo', 'x', 0o644);
    link('dangling/cargo', path.join(temp.path, 'nowhere'));
    const own = write('own/program.js', '');
    expect(nextCargo(`:.:${pathOf('folder', 'plain', 'dangling', 'missing')}`, own)).toBeNull();
    expect(firstCargo('')).toBeNull();
  });

  it('finds cargo even if this program no longer exists', () => {
    const real = write('real/cargo', 'x');
    expect(nextCargo(pathOf('real'), path.join(temp.path, 'gone'))).toBe(real);
  });
});
