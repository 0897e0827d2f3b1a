import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { packageCrate, update } from '../../../src/index.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('spec-options');
afterAll(() => temp.remove());

it.skipIf(onWindows).each([
  ['update', (cwd: string) => update({ cwd, env: { CARGO_HOME: temp.path }, specs: ['../x'] })],
  ['package', (cwd: string) => packageCrate({ cwd, env: { CARGO_HOME: temp.path }, packages: ['../x'] })],
])(
  '%s names the path in place of a specification as cargo does, with `..` (not on Windows: other paths)',
  async (_, call) => {
    const cwd = path.join(temp.path, 'p');
    mkdirSync(path.join(cwd, 'src'), { recursive: true });
    mkdirSync(path.join(temp.path, 'x'), { recursive: true });
    writeFileSync(path.join(cwd, 'src/lib.rs'), '');
    writeFileSync(
      path.join(cwd, 'Cargo.toml'),
      "[package]\nname = 'p'\nversion = '0.1.0'\nedition = '2021'\n",
    );
    writeFileSync(
      path.join(cwd, 'Cargo.lock'),
      'version = 4\n\n[[package]]\nname = "p"\nversion = "0.1.0"\n',
    );
    const failure = await call(cwd).catch((error: unknown) => error);
    const { cause, message } = failure instanceof Error ? failure : new Error('it did not fail');
    const last = cause instanceof Error ? cause.message : message;
    expect(last).toContain(`maybe try ${pathToFileURL(cwd).href}/../x`);
  },
);
