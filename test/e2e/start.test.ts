import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { projectRoot } from '../helpers/project-root.ts';

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function npmStart(cwd: string, ...args: readonly string[]): Outcome {
  const given = args.length === 0 ? [] : ['--', ...args];
  return spawnSync('npm', ['--prefix', projectRoot, 'start', ...given], { cwd, encoding: 'utf8' });
}

describe('npm start', () => {
  it('runs metadata on the demonstration workspace and says what came out', () => {
    const { status, stdout } = npmStart(projectRoot);
    expect(stdout).toContain('tsreg metadata --format-version 1');
    expect(stdout).toContain('Locking 4 packages');
    expect(stdout).toContain('6 packages, 2 workspace members');
    expect(stdout).toMatch(/lantern 1\.1\.0 +registry +needs kettle, with default json warm/);
    expect(stdout).toMatch(/tide 2\.0\.3 +registry +needs kettle/);
    expect(status).toBe(0);
    const demo = path.join(projectRoot, '.tmp', 'demo');
    const document: { packages: { name: string; version: string }[] } = JSON.parse(
      readFileSync(path.join(demo, 'metadata.json'), 'utf8'),
    );
    // 0.4.1 is yanked.
    expect(document.packages.filter(({ name }) => name === 'kettle').map(({ version }) => version)).toEqual([
      '0.3.2',
      '0.4.0',
    ]);
  });

  it('leaves the fixture as it is', () => {
    npmStart(projectRoot);
    const git = ['status', '--porcelain', '--ignored', '--', 'fixtures/demo'];
    expect(execFileSync('git', git, { cwd: projectRoot, encoding: 'utf8' })).toBe('');
  });

  it('with arguments is tsreg: its stdout alone, its exit status, the folder of the caller', () => {
    const workspace = path.join(projectRoot, 'fixtures', 'demo');
    const { status, stdout } = npmStart(workspace, 'metadata', '--no-deps', '--format-version', '1');
    const document: { workspace_root: string } = JSON.parse(stdout);
    expect(document.workspace_root).toBe(workspace);
    expect(status).toBe(0);
  });

  it('passes a failure on', () => {
    using temp = makeTempDir('start');
    const { status, stdout, stderr } = npmStart(temp.path, 'metadata', '--no-deps', '--format-version', '1');
    expect(stderr).toContain('error: could not find `Cargo.toml` in');
    expect(stdout).toBe('');
    expect(status).toBe(101);
  });
});
