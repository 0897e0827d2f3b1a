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

/** npm is a script with an extension of its own on Windows, which only a shell finds. */
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

/** A folder for temporary files of its own, to see that nothing is left there. */
function startIn(temporary: string): Outcome {
  return spawnSync('npm', ['--prefix', projectRoot, 'start'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary },
    shell,
  });
}

describe('npm start', { timeout: 120_000 }, () => {
  it('publishes to a registry of its own, finds it there, uses it, yanks it and undoes that', () => {
    using temp = makeTempDir('start');
    const { status, stdout } = startIn(temp.path);
    const parts = [
      '$ tsreg serve --listen 127.0.0.1:0 --data data &\nurl http://127.0.0.1:',
      '       Login token for `demo` saved',
      'kitchen $ tsreg publish --workspace --no-verify --registry demo',
      '   Published kettle v1.0.0 at registry `demo`',
      '   Published lantern v0.2.0 at registry `demo`',
      '$ tsreg search kettle --registry demo\nkettle = "1.0.0"     # Boils water',
      '$ tsreg info kettle --registry demo',
      'kettle #water #tea',
      'house $ tsreg metadata --format-version 1 > metadata.json',
      '  Downloaded lantern v0.2.0 (registry `demo`)',
      '3 packages in ',
      '  house 0.1.0    of this workspace  needs lantern',
      '  kettle 1.0.0   of the registry    needs nothing, with default warm',
      '  lantern 0.2.0  of the registry    needs kettle',
      '        Yank kettle@1.0.0',
      'error: could not find `kettle` in registry ',
      'house $ tsreg metadata --format-version 1 --locked > metadata.json\n(',
      '      Unyank kettle@1.0.0',
      'kettle = "1.0.0"     # Boils water',
      'The registry is stopped and its folder removed. 11 commands in ',
    ];
    let rest = stdout;
    for (const part of parts) {
      expect(rest).toContain(part);
      rest = rest.slice(rest.indexOf(part) + part.length);
    }
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toMatch(/tsreg_\w{20}|tsreg-demo-/);
    expect(status).toBe(0);
    // From Node 22 on npm keeps there what V8 makes of its own text.
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

  it('with arguments is tsreg: its stdout alone, its exit status, the folder of the caller', () => {
    using home = makeTempDir('start');
    const workspace = path.join(projectRoot, 'fixtures', 'demo');
    const { status, stdout } = npmStartMetadata(workspace, home.path);
    const document: { workspace_root: string } = JSON.parse(stdout);
    expect(document.workspace_root).toBe(workspace);
    expect(status).toBe(0);
  });

  it('passes a failure on', () => {
    using temp = makeTempDir('start');
    const { status, stdout, stderr } = npmStartMetadata(temp.path, temp.path);
    expect(stderr).toContain('error: could not find `Cargo.toml` in');
    expect(stdout).toBe('');
    expect(status).toBe(101);
  });
});
