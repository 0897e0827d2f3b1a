import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCargo } from '../../../src/io/toolchain/find-cargo.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const REAL = 'echo "cargo 1.90.0 (x)"; echo "release: 1.90.0"; echo "libgit2: 1.9.0 (vendored)"';
const OTHER = 'echo "cargo 1.95.0 (x)"; echo "release: 1.95.0"; echo "host: a-b-c"; echo "libgit2: none"';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('find-cargo');
});
afterEach(() => temp.remove());

function script(name: string, text: string): string {
  const file = path.join(temp.path, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function find(
  folders: readonly string[],
  options: { readonly rustc?: string; readonly toolchain?: string } = {},
): Promise<string | null> {
  const found = await findCargo(
    {
      env: { PATH: [...folders.map((folder) => path.join(temp.path, folder)), '/usr/bin', '/bin'].join(':') },
      cargoHome: path.join(temp.path, 'home'),
      rustc: options.rustc ?? 'no-such-rustc',
      toolchain: options.toolchain ?? null,
      cwd: temp.path,
    },
    new AbortController().signal,
  );
  return found === null ? null : `${found.path} ${found.release}`;
}

describe.skipIf(onWindows)('findCargo (not on Windows: the programs are shell scripts)', () => {
  it('takes the first cargo in PATH', async () => {
    const first = script('a/cargo', `[ "$*" = "--version --verbose" ] && { ${REAL}; }`);
    script('b/cargo', REAL);
    expect(await find(['a', 'b'])).toBe(`${first} 1.90.0`);
  });

  it('skips links and scripts named cargo that start another program', async () => {
    const own = script('own/tsreg', OTHER);
    script('script/cargo', `exec ${own} "$@"`);
    mkdirSync(path.join(temp.path, 'link'));
    symlinkSync(own, path.join(temp.path, 'link', 'cargo'));
    expect(await find(['link', 'script'])).toBeNull();
    const real = script('real/cargo', REAL);
    expect(await find(['link', 'script', 'real'])).toBe(`${real} 1.90.0`);
  });

  it('skips a proxy without a toolchain, a folder and a file that is not executable', async () => {
    script('proxy/cargo', 'echo "error: rustup could not choose a version of cargo to run" >&2; exit 1');
    mkdirSync(path.join(temp.path, 'folder', 'cargo'), { recursive: true });
    chmodSync(script('text/cargo', REAL), 0o644);
    expect(await find(['proxy', 'folder', 'text'])).toBeNull();
  });

  it("looks in cargo's home and beside the compiler, also through links", async () => {
    const inHome = script('home/bin/cargo', REAL);
    expect(await find([])).toBe(`${inHome} 1.90.0`);
    script('home/bin/cargo', OTHER);
    const beside = script('toolchain/bin/cargo', REAL);
    const rustc = script('toolchain/bin/rustc', 'exit 0');
    expect(await find([], { rustc })).toBe(`${beside} 1.90.0`);
    mkdirSync(path.join(temp.path, 'links'));
    symlinkSync(rustc, path.join(temp.path, 'links', 'rustc'));
    expect(await find(['links'], { rustc: 'rustc' })).toBe(`${beside} 1.90.0`);
  });

  it('passes the toolchain to a proxy', async () => {
    const proxy = script('a/cargo', `[ "$RUSTUP_TOOLCHAIN" = mine ] || exit 1; ${REAL}`);
    expect(await find(['a'])).toBeNull();
    expect(await find(['a'], { toolchain: 'mine' })).toBe(`${proxy} 1.90.0`);
  });
});
