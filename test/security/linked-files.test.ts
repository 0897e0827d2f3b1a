import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const SECRET = 'a-secret-of-the-job';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('linked-files');
  writeTree(temp.path, {
    'ws/Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    'ws/src/lib.rs': '',
    'ws/.cargo/.keep': '',
    // The format of `/proc/self/environ`.
    environ: `USER=me\0PATH=/bin\0CARGO_REGISTRY_TOKEN=${SECRET}\0`,
    netrc: `machine example.com login me password ${SECRET}\n`,
  });
});
afterEach(() => temp.remove());

function link(name: string, target: string): void {
  const at = path.join(temp.path, 'ws', name);
  rmSync(at, { force: true });
  symlinkSync(path.resolve(temp.path, target), at);
}

function metadata(more: Readonly<Record<string, string>> = {}): Promise<RunResult> {
  const env = { PATH: process.env['PATH'] ?? '', CARGO_HOME: path.join(temp.path, 'home'), ...more };
  return runProgram(tsregProgram(), ['metadata', '--format-version', '1'], {
    cwd: path.join(temp.path, 'ws'),
    env,
  });
}

describe.skipIf(onWindows)(
  'an error about a symlink in a repository (not on Windows: it needs symbolic links)',
  () => {
    it.each(['Cargo.toml', 'Cargo.lock', '.cargo/config.toml'])(
      'shows no environment variable if the symlink is %s',
      async (name) => {
        link(name, 'environ');
        const { status, stderr } = await metadata();
        expect(status).toBe(101);
        expect(stderr).toContain('expected');
        expect(stderr).toContain(name);
        expect(stderr).not.toContain(SECRET);
      },
    );

    it('is reported if the symlink leads to an endless device', async () => {
      link('Cargo.toml', '/dev/zero');
      const { status, stderr } = await metadata();
      expect(status).toBe(101);
      expect(stderr).toContain('Cargo.toml` is not a regular file, and returns more than 16777216 bytes');
    });

    it('shows no values of untrusted configuration', async () => {
      link('.cargo/config.toml', 'netrc');
      const { status, stderr } = await metadata({ TSREG_PROJECT_CONFIG: 'data' });
      expect(status).toBe(101);
      expect(stderr).toContain('TOML parse error at line 1');
      expect(stderr).not.toContain(SECRET);
    });
  },
);
