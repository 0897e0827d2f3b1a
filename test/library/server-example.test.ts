import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readPages } from '../helpers/code-blocks.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { writeTree } from '../helpers/tree.ts';

const [example = ''] = readPages()
  .filter(({ name }) => name === 'docs/library.md')
  .flatMap(({ blocks }) => blocks.map(({ lines }) => lines.join('\n')))
  .filter((code) => code.includes("from 'node:test'"));

const MANIFEST =
  '[package]\nname = "demo"\nversion = "1.0.0"\nedition = "2021"\ndescription = "d"\nlicense = "MIT"\n';

it('docs/library.md has a test with a registry that passes', () => {
  // The package can be imported by name only inside its own folder.
  const base = path.join(projectRoot, '.tmp');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(path.join(base, 'server-example-'));
  try {
    const files = { 'demo/Cargo.toml': MANIFEST, 'demo/src/lib.rs': '', 'example.mjs': example };
    writeTree(folder, files, (text) => text);
    const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('pass 1');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
