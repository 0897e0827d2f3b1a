import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { projectRoot } from '../helpers/project-root.ts';

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** On Windows, npm is a script that only a shell finds. */
const shell = onWindows;

const METADATA = ['metadata', '--no-deps', '--format-version', '1'];

function npmStartMetadata(cwd: string, home: string): Outcome {
  return spawnSync('npm', ['--prefix', projectRoot, 'start', '--', ...METADATA], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CARGO_HOME: home },
    shell,
  });
}

/** Runs `npm start` with its own folder for temporary files, so that the test sees what it leaves there. */
function startIn(temporary: string): Outcome {
  return spawnSync('npm', ['--prefix', projectRoot, 'start'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
    shell,
  });
}

describe('npm start', { timeout: 120_000 }, () => {
  it('shows publish to unyank in 40 lines of 80 columns, and three commands to try next', () => {
    using temp = makeTempDir('start');
    const { status, stdout } = startIn(temp.path);
    const parts = [
      '$ tsreg serve --listen 127.0.0.1:0 --data data &\nurl http://127.0.0.1:',
      '       Login token for `demo` saved',
      'kitchen $ tsreg publish --workspace --no-verify --registry demo',
      '   Published kettle v1.0.0 at registry `demo`',
      '   Published lantern v0.2.0 at registry `demo`',
      '$ tsreg search kettle --registry demo\nkettle = "1.0.0"     # Boils water',
      'house $ tsreg tree\nhouse v0.1.0 (…/house)',
      '    └── kettle v1.0.0 (registry `demo`)',
      '        Yank kettle@1.0.0',
      'house $ tsreg metadata --format-version 1 --locked > metadata.json\n(3 packages in ',
      '      Unyank kettle@1.0.0',
      '8 commands in ',
    ];
    let rest = stdout;
    for (const part of parts) {
      expect(rest).toContain(part);
      rest = rest.slice(rest.indexOf(part) + part.length);
    }
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.slice(-4).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'Try next:',
      'npm start -- tree --manifest-path PATH/Cargo.toml',
      'npm start -- serve',
      'npm start -- --help',
    ]);
    // `Cargo.lock` and `Cargo.toml` are files; no line names the program cargo.
    expect(stdout).not.toMatch(/cargo/);
    expect(stdout).not.toMatch(/tsreg_\w{20}|tsreg-demo-/);
    expect(status).toBe(0);
    // From Node 22 on, npm stores the compile cache of V8 there.
    expect(readdirSync(temp.path).filter((name) => name !== 'node-compile-cache')).toEqual([]);
    const git = ['status', '--porcelain', '--ignored', '--', 'fixtures/demo-round'];
    expect(execFileSync('git', git, { cwd: projectRoot, encoding: 'utf8' })).toBe('');
  });

  it.skipIf(onWindows)(
    'leaves nothing behind when it is interrupted (not on Windows, which has no SIGINT to send)',
    async () => {
      using temp = makeTempDir('start');
      const child = spawn(process.execPath, ['scripts/start.mjs'], {
        cwd: projectRoot,
        env: { ...process.env, TMPDIR: temp.path, TEMP: temp.path },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const end = once(child, 'close');
      let url = '';
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith('url ')) url = line.slice(4);
        if (line.startsWith('data ')) break;
      }
      expect((await fetch(`${url}/index/config.json`)).status).toBe(200);
      child.kill('SIGINT');
      expect(await end).toEqual([130, null]);
      expect(readdirSync(temp.path)).toEqual([]);
      await expect(fetch(`${url}/index/config.json`)).rejects.toThrow();
    },
  );

  it('runs tsreg with arguments in the folder of the caller and prints only its stdout', () => {
    using home = makeTempDir('start');
    const workspace = path.join(projectRoot, 'fixtures', 'demo');
    const { status, stdout } = npmStartMetadata(workspace, home.path);
    const document: { workspace_root: string } = JSON.parse(stdout);
    expect(document.workspace_root).toBe(workspace);
    expect(status).toBe(0);
  });

  it('passes on the error and the exit status of a failure', () => {
    using temp = makeTempDir('start');
    const { status, stdout, stderr } = npmStartMetadata(temp.path, temp.path);
    expect(stderr).toContain('error: could not find `Cargo.toml` in');
    expect(stdout).toBe('');
    expect(status).toBe(101);
  });
});
