import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStandalone, type Program, runProgram, tsregProgram } from '../helpers/program.ts';

// From release 22 on Node can keep compiled programs itself.
const canNodeKeep = Number.parseInt(process.versions.node, 10) >= 22;
// The standalone executable has it inside.
const isKept = process.getuid !== undefined && !isStandalone;

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'compiled-'));
  folder = path.join(root, 'home/tsreg/compiled');
  mkdirSync(path.join(root, 'ws/src'), { recursive: true });
  writeFileSync(
    path.join(root, 'ws/Cargo.toml'),
    '[package]\nname = "a"\nversion = "1.0.0"\nedition = "2021"\n',
  );
  writeFileSync(path.join(root, 'ws/src/lib.rs'), '');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** By default the program is kept where it is for users who name no folder for it. */
async function answer(
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = ['metadata', '--format-version', '1', '--offline'],
): Promise<string> {
  const program = tsregProgram({ NODE_COMPILE_CACHE: '' });
  const result = await runProgram(program, args, {
    cwd: path.join(root, 'ws'),
    env: { CARGO_HOME: path.join(root, 'home'), ...env },
    timeoutMs: 60_000,
  });
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
  return result.stdout;
}

function kept(): readonly string[] {
  return readdirSync(folder).map((name) => path.join(folder, name));
}

describe.runIf(isKept)('the compiled program (not on Windows, and not in the executable)', () => {
  it('is kept by two runs, and taken by the next', async () => {
    const first = await answer();
    expect(await answer()).toBe(first);
    expect(
      kept().map((file) =>
        path
          .basename(file)
          .split('-v')[0]
          ?.replace(/-[0-9a-f]*$/, ''),
      ),
    ).toEqual(['load-metadata', 'main', 'metadata', 'read-manifests']);
    const before = kept().map((file) => statSync(file).ino);
    expect(await answer()).toBe(first);
    expect(kept().map((file) => statSync(file).ino)).toEqual(before);
  });

  it('may be damaged anywhere', async () => {
    const first = await answer();
    await answer();
    for (let round = 0; round < 8; round += 1) {
      for (const file of kept()) {
        const bytes = readFileSync(file);
        const at = Math.floor((bytes.length * (round + 0.5)) / 8);
        bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
        writeFileSync(file, bytes);
      }
      expect(await answer()).toBe(first);
    }
  });

  it('is not kept where the user wants nothing kept', async () => {
    await answer();
    rmSync(folder, { recursive: true });
    await answer({ TSREG_CACHE: 'off' });
    expect(existsSync(folder)).toBe(false);
  });

  it('is not kept where Node shall keep no program', async () => {
    await answer();
    rmSync(folder, { recursive: true });
    await answer({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(existsSync(folder)).toBe(false);
  });

  it('is kept where Node shall keep programs', async () => {
    const named = path.join(root, 'a/b');
    const first = await answer({ NODE_COMPILE_CACHE: named });
    expect(await answer({ NODE_COMPILE_CACHE: named })).toBe(first);
    expect(existsSync(folder)).toBe(false);
    folder = path.join(named, 'tsreg/compiled');
    const before = kept().map((file) => statSync(file).ino);
    expect(before).toHaveLength(4);
    expect(await answer({ NODE_COMPILE_CACHE: named })).toBe(first);
    expect(kept().map((file) => statSync(file).ino)).toEqual(before);
  });

  // Later releases do not even start there.
  it.skipIf(canNodeKeep)('is done without where no folder can be made (only with Node 20)', async () => {
    const first = await answer();
    expect(await answer({ NODE_COMPILE_CACHE: '/proc/none/of/these' })).toBe(first);
  });

  it('is done without where the working folder is gone, and with it the home', async () => {
    const { command } = tsregProgram();
    const removed: Program = {
      name: 'sh',
      command: ['/bin/sh', '-c', 'rm -r "$PWD"; exec "$@"', 'sh', ...command],
      env: {},
    };
    const { status, stdout, stderr } = await runProgram(removed, ['metadata', '--format-version', '1'], {
      cwd: mkdtempSync(path.join(root, 'gone-')),
      env: { PATH: process.env['PATH'] ?? '', CARGO_HOME: 'home' },
    });
    expect(stdout).toBe('');
    expect(stderr).toContain("error: couldn't get the current directory of the process");
    expect(status).toBe(101);
  });
});

describe.runIf(isKept && canNodeKeep)('what Node keeps of other files (from release 22 on)', () => {
  const folderOfNode = (): string => path.join(root, 'temporary', 'node-compile-cache');
  const keptByNode = (): readonly string[] =>
    readdirSync(folderOfNode(), { recursive: true, encoding: 'utf8' });
  const tree = (env: Readonly<Record<string, string>> = {}): Promise<string> =>
    answer({ TMPDIR: path.join(root, 'temporary'), ...env }, ['tree', '--offline']);

  beforeEach(() => {
    mkdirSync(path.join(root, 'temporary'));
  });

  it('is in the folder for temporary files', async () => {
    await tree();
    expect(keptByNode().length).toBeGreaterThan(1);
    await tree();
    expect(kept().map((file) => path.basename(file).split('-')[0])).toContain('main');
  });

  it('is one folder, whichever command asks', async () => {
    await tree();
    await answer({ TMPDIR: path.join(root, 'temporary') }, [
      'package',
      '--quiet',
      '--list',
      '--allow-dirty',
      '--offline',
    ]);
    expect(readdirSync(folderOfNode())).toHaveLength(1);
  });

  it('is nothing where nobody can tell who may write', async () => {
    const first = await tree();
    expect(await tree({ TMPDIR: `/${'x'.repeat(5000)}` })).toBe(first);
  });

  it('is nothing where others may write', async () => {
    mkdirSync(folderOfNode());
    chmodSync(folderOfNode(), 0o777);
    await tree();
    expect(keptByNode()).toEqual([]);
  });

  it('is nothing where nothing is to be kept', async () => {
    await tree({ TSREG_CACHE: 'off' });
    expect(existsSync(folderOfNode())).toBe(false);
  });

  it('is nothing in runs of metadata, which need no other files', async () => {
    await answer({ TMPDIR: path.join(root, 'temporary') });
    expect(existsSync(folderOfNode())).toBe(false);
  });
});
