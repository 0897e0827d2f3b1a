import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RecordStore } from '../../../src/derived/store.ts';
import { NodeFiles } from '../../../src/disk/node-files.ts';
import { call, OF_CALLS } from '../../../src/library/call.ts';
import { type OpenedRun, openRun } from '../../../src/ops/graph/open-run.ts';
import { recordEarly, rememberWorkspace } from '../../../src/ops/graph/remember-workspace.ts';
import { PackagesOnDisk } from '../../../src/ops/graph/packages-on-disk.ts';
import { startRun } from '../../../src/ops/workspace/workspace-run.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('remember-workspace');
afterAll(() => temp.remove());

function packageAt(folder: string): string {
  const root = path.join(temp.path, folder);
  mkdirSync(path.join(root, 'src'), { recursive: true });
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  const manifest = path.join(root, 'Cargo.toml');
  writeFileSync(manifest, `[package]\nname = "${folder}"\nversion = "1.0.0"\nedition = "2021"\n`);
  return manifest;
}

async function opened(manifestPath: string): Promise<OpenedRun> {
  const env = { CARGO_HOME: path.join(temp.path, 'home') };
  return call({ cwd: temp.path, env }, OF_CALLS, async (shared, context) =>
    openRun(
      startRun(
        { ...shared, lockfilePath: null },
        { context, files: new NodeFiles(), manifestPath, onDisk: new PackagesOnDisk() },
      ),
    ),
  );
}

/** What is kept of a workspace. */
function kept(body: (store: RecordStore) => void): Uint8Array | undefined {
  let written: Uint8Array | undefined;
  body({ read: () => null, has: () => false, write: (_kind, _key, bytes) => void (written = bytes) });
  return written;
}

test('an early record is kept as long as nothing more is read', async () => {
  const { loaded } = await opened(packageAt('alone'));
  const early = recordEarly(loaded());
  const written = kept((store) => {
    expect(rememberWorkspace(loaded(), store, early)).toBe(early.record?.identities);
  });
  expect(written).toBe(early.record?.file);
});

test('what was read after an early record is in the one that is kept', async () => {
  const other = packageAt('other');
  const { loaded, opened: run } = await opened(packageAt('first'));
  const early = recordEarly(loaded());
  run.workspace.manifests.load(other);
  const written = kept((store) => void rememberWorkspace(loaded(), store, early));
  expect(Buffer.from(early.record?.file ?? []).includes(other)).toBe(false);
  expect(Buffer.from(written ?? []).includes(other)).toBe(true);
});

test('nothing is kept where something that cannot be compared was read after an early record', async () => {
  const { loaded, opened: run } = await opened(packageAt('later'));
  const early = recordEarly(loaded());
  mkdirSync(path.join(temp.path, 'folder', 'Cargo.toml'), { recursive: true });
  expect(() => run.workspace.manifests.load(path.join(temp.path, 'folder', 'Cargo.toml'))).toThrow();
  expect(kept((store) => expect(rememberWorkspace(loaded(), store, early)).toBe(null))).toBe(undefined);
});
