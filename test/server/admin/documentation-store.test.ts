import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupStore, restoreStore } from '../../../src/server/admin/backup-store.ts';
import { deletePermanently } from '../../../src/server/admin/delete-permanently.ts';
import { moveStore } from '../../../src/server/admin/move-store.ts';
import { openStore } from '../../../src/server/admin/open-store.ts';
import { folderLocation } from '../../../src/server/admin/store-location.ts';
import { type StoreProblem, verifyStore } from '../../../src/server/admin/verify-store.ts';
import { keyOfBlobPath } from '../../../src/server/blobs/blob-key.ts';
import { openFolderBlobs } from '../../../src/server/blobs/folder-blobs.ts';
import { openS3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { DocumentationFiles } from '../../../src/server/source/documentation-files.ts';
import type { Blobs } from '../../../src/server/store/blobs.ts';
import { presentOf, rustdocFiles, storedPage, uploadDocs } from '../../helpers/documentation.ts';
import { imitateBucket } from '../../helpers/imitated-bucket.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { ReadOnlyRecords } from '../../../src/server/records/read-only.ts';
import type { Store, StoreParts } from '../../../src/server/store/store.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';
import { blobKeys, changeBlob } from '../../helpers/test-storage.ts';

const FILES = rustdocFiles('mug');

let temp: TempDir;
let registry: TestRegistry;
let store: Store;
let alice: Actor;
let key: string;

beforeEach(async () => {
  temp = makeTempDir('documentation');
  registry = await openTestRegistry();
  store = registry.store;
  alice = await registry.tokenOf(await registry.user('alice'));
  for (const version of ['1.0.0', '1.1.0'])
    await registry.publish(alice, publishBody({ name: 'mug', version }).bytes);
  await uploadDocs(store, { crate: 'mug', version: '1.0.0', actor: alice }, FILES);
  key = (await presentOf(store.records.findDocumentation('mug', '1.0.0'))).blobKey;
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

async function problems(of: StoreParts = store): Promise<readonly StoreProblem[]> {
  const options = { nowMs: Date.now(), removeUnreferenced: false, forgetDamaged: false };
  return (await verifyStore(of, options)).problems;
}

async function openCopy(): Promise<Store> {
  return await openStore(folderLocation(join(temp.path, 'copy')), {});
}

/** Reads a page of the documentation of `mug` 1.0.0. */
async function readPage(parts: StoreParts, path = 'mug/index.html'): Promise<string> {
  const found = await presentOf(parts.records.findDocumentation('mug', '1.0.0'));
  const files = new DocumentationFiles(parts.blobs);
  const file = (await files.index(found)).files.get(path);
  if (file === undefined) throw new Error(`no ${path}`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await files.open(found, file)) chunks.push(chunk);
  return gunzipSync(Buffer.concat(chunks)).toString();
}

describe('documentation in a backup', () => {
  it('is restored, and replaced files are deleted from the backup', async () => {
    const folder = join(temp.path, 'backup');
    expect(await backupStore(store, folder)).toMatchObject({ versions: 2 });
    const blobs = await openFolderBlobs(join(folder, 'crates'));
    expect(await blobKeys(blobs)).toContain(key);
    const copy = await openCopy();
    await restoreStore(copy, folder);
    expect(await readPage(copy)).toBe(storedPage(FILES['mug/index.html']));
    expect(await problems(copy)).toEqual([]);
    await copy.close();
    await store.records.deleteDocumentation({ crate: 'mug', version: '1.0.0', atMs: 1, actor: alice });
    await store.blobs.delete(key);
    await restoreStore(store, folder);
    expect(await readPage(store)).toBe(storedPage(FILES['mug/index.html']));
    await uploadDocs(store, { crate: 'mug', version: '1.0.0', actor: alice }, { 'mug/index.html': 'new' });
    await backupStore(store, folder);
    expect(await blobKeys(blobs)).not.toContain(key);
  });

  it('does not stop a backup if it is removed meanwhile', async () => {
    const blobs: Blobs = {
      ...store.blobs,
      async open(wanted, range) {
        if (wanted === key) {
          await store.records.deleteDocumentation({ crate: 'mug', version: '1.0.0', atMs: 1, actor: alice });
          await store.blobs.delete(key);
        }
        return await store.blobs.open(wanted, range);
      },
    };
    expect(await backupStore({ records: store.records, blobs }, join(temp.path, 'backup'))).toMatchObject({
      versions: 2,
    });
  });

  it('stops a backup with its path and what to do if its file is missing', async () => {
    await store.blobs.delete(key);
    await expect(backupStore(store, join(temp.path, 'backup'))).rejects.toMatchObject({
      message: expect.stringContaining(`mug 1.0.0: its documentation is missing (\`${key.slice(0, 2)}/`),
      hint: expect.stringContaining('remove its documentation'),
    });
  });
});

describe('documentation in a registry that moves', () => {
  it('moves too, and takes no changes meanwhile', async () => {
    const there = await openCopy();
    const done: number[] = [];
    await moveStore(
      { from: store, to: there },
      {
        ...{ movesRecords: true, overwrites: false, signal: new AbortController().signal },
        report: {
          status: () => undefined,
          progress: (bar) => void (bar?.verb === 'Copying' && done.push(bar.done)),
        },
      },
    );
    expect(await readPage(there)).toBe(storedPage(FILES['mug/index.html']));
    expect(Math.max(...done)).toBe(2);
    await expect(uploadDocs(store, { crate: 'mug', version: '1.1.0', actor: alice }, FILES)).rejects.toThrow(
      ReadOnlyRecords,
    );
    await expect(
      store.records.deleteDocumentation({ crate: 'mug', version: '1.0.0', atMs: 1, actor: alice }),
    ).rejects.toThrow(ReadOnlyRecords);
    await there.close();
  });
});

describe('`verify`', () => {
  it('finds documentation that is missing or damaged, and keeps its blob', async () => {
    expect(await problems()).toEqual([]);
    await verifyStore(store, {
      ...{ nowMs: Date.now() + 2 * 86_400_000, removeUnreferenced: true, forgetDamaged: true },
    });
    expect(await blobKeys(store.blobs)).toContain(key);
    await changeBlob(registry.location, key, (bytes) => Buffer.from(bytes.map((byte) => byte ^ 1)));
    expect(await problems()).toEqual([
      { crate: 'mug', version: '1.0.0', message: expect.stringContaining('its documentation is damaged') },
    ]);
    await store.blobs.delete(key);
    expect(await problems()).toMatchObject([{ message: 'its documentation is missing' }]);
  });
});

describe('a deletion', () => {
  const deletion = { crate: 'mug', actor: null, reason: '', mayReuseVersions: false };

  it('of a version deletes its documentation', async () => {
    await deletePermanently(registry.context, { ...deletion, version: '1.0.0' });
    expect(await blobKeys(store.blobs)).not.toContain(key);
    expect(await store.records.listDocumentation('mug')).toEqual([]);
  });

  it('of a crate deletes all of its documentation', async () => {
    await deletePermanently(registry.context, { ...deletion, version: null });
    expect(await blobKeys(store.blobs)).toEqual([]);
    expect(await store.records.findDocumentation('mug', '1.0.0')).toBeNull();
  });
});

describe('the list of documentation', () => {
  it('has the highest version first, and yanked versions last', async () => {
    for (const version of ['1.10.0', '2.0.0-rc.1', '3.0.0']) {
      await registry.publish(alice, publishBody({ name: 'mug', version }).bytes);
      await uploadDocs(store, { crate: 'mug', version, actor: alice }, FILES);
    }
    await store.records.setYanked({
      ...{ crate: 'mug', version: '3.0.0', isYanked: true, reason: null, atMs: 1, actor: alice },
    });
    const list = await store.records.listDocumentation('Mug');
    expect(list.map(({ version }) => version)).toEqual(['2.0.0-rc.1', '1.10.0', '1.0.0', '3.0.0']);
  });
});

describe('the blob of documentation', () => {
  it('has a name that earlier releases do not take for a `.crate`', async () => {
    expect(key).toMatch(/^[0-9a-f]{64}-[0-9a-f]{16}\.docs$/);
    expect(keyOfBlobPath(`ab/cd/${key}`)).toBe(key);
    for (const other of [`${key}.crate`, key.slice(0, -5), `${key}.docs`])
      expect(keyOfBlobPath(other)).toBeNull();
  });

  it('is read in parts from an object store', async () => {
    await using bucket = await imitateBucket();
    const remote = await openS3Blobs(bucket.url, bucket.env);
    const parts = { records: store.records, blobs: remote };
    try {
      await uploadDocs({ ...store, blobs: remote }, { crate: 'mug', version: '1.0.0', actor: alice }, FILES);
      expect(await readPage(parts)).toBe(storedPage(FILES['mug/index.html']));
      expect(await readPage(parts, 'settings.html')).toBe(storedPage(FILES['settings.html']));
      expect((await blobKeys(remote)).map((each) => each.endsWith('.docs'))).toEqual([true]);
    } finally {
      remote.close();
    }
  });

  it('is refused if records of a foreign backup give it another size or index', async () => {
    const found = await presentOf(store.records.findDocumentation('mug', '1.0.0'));
    const files = new DocumentationFiles(store.blobs);
    // An object store reports a range beyond the end itself.
    for (const change of [
      { size: found.size + 1 },
      { indexSize: 0 },
      { indexSize: found.size + 1 },
      { indexSize: found.indexSize - 1 },
      { blobKey: `${'0'.repeat(64)}-${'0'.repeat(16)}.docs` },
    ])
      await expect(files.index({ ...found, ...change })).rejects.toThrow(/not readable|another part/);
    await expect(files.index({ ...found, blobKey: '../../etc/passwd' })).rejects.toThrow('not a valid key');
  });
});
