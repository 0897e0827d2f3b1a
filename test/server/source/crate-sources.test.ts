import { describe, expect, it, vi } from 'vitest';
import { CrateSources, type SourceRequest } from '../../../src/server/source/crate-sources.ts';
import type { BlobContent, Blobs } from '../../../src/server/store/blobs.ts';
import type { DownloadableVersion } from '../../../src/server/store/values.ts';
import { present } from '../../../src/core/errors/assert.ts';
import { makePagesSite, type PagesSite } from '../../helpers/pages-site.ts';
import { packFiles } from '../../helpers/source-crates.ts';

/** Returns a version of a crate in a new site. */
async function published(site: PagesSite, archive: Uint8Array): Promise<DownloadableVersion> {
  await site.publish(await site.addUser('mira'), { name: 'a', version: '1.0.0' }, archive);
  return present(await site.store.records.findVersion('a', '1.0.0'), 'the version');
}

function request(signal = new AbortController().signal): SourceRequest {
  return { signal, owner: 'someone' };
}

/** Returns `blobs` that count how often they are opened, and call `onOpen` before. */
function countedBlobs(
  blobs: Blobs,
  onOpen = (): void => undefined,
): { readonly blobs: Blobs; readonly opened: () => number } {
  let opened = 0;
  const open: Blobs['open'] = (key, range) => {
    opened += 1;
    onOpen();
    return blobs.open(key, range);
  };
  return {
    blobs: new Proxy(blobs, { get: (target, key) => (key === 'open' ? open : Reflect.get(target, key)) }),
    opened: () => opened,
  };
}

/** Returns a blob that stalls after its first byte, and whether it was cancelled. */
function stalledBlob(size: number): { readonly blob: BlobContent; readonly isCancelled: () => boolean } {
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Uint8Array.of(0)),
    pull: () => new Promise(() => undefined),
    cancel: () => {
      isCancelled = true;
    },
  });
  return { blob: { size, stream }, isCancelled: () => isCancelled };
}

describe('CrateSources', () => {
  it('reads an archive once for concurrent requests, and not again for its list of files', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', { x: 'x' }));
    const { blobs, opened } = countedBlobs(site.store.blobs);
    const sources = new CrateSources({ ...site.context, blobs });
    const lists = await Promise.all([sources.list(version, request()), sources.list(version, request())]);
    expect(lists[0]).toEqual(lists[1]);
    await sources.list(version, request());
    expect(opened()).toBe(1);
    expect(await sources.read(version, 'x', request())).toEqual(Uint8Array.of(120));
    expect(opened()).toBe(2);
  });

  it('stops reading when the client goes away', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', { x: 'x' }));
    const client = new AbortController();
    const { blobs } = countedBlobs(site.store.blobs, () => queueMicrotask(() => client.abort()));
    const sources = new CrateSources({ ...site.context, blobs });
    await expect(sources.list(version, request(client.signal))).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('reports a blob that is missing or has another size', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', {}));
    const sources = new CrateSources(site.context);
    await expect(sources.list({ ...version, size: version.size + 1 }, request())).rejects.toMatchObject({
      kind: 'missing',
    });
    await site.store.blobs.delete(version.blobKey);
    await expect(sources.list(version, request())).rejects.toMatchObject({ kind: 'missing' });
    expect(site.logged.map(({ event }) => event)).toEqual(['blob-missing', 'blob-missing']);
  });

  it('does not read an archive of more than 128 MiB', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', {}));
    const { blobs, opened } = countedBlobs(site.store.blobs);
    const sources = new CrateSources({ ...site.context, blobs });
    const large = { ...version, size: 128 * 1024 * 1024 + 1 };
    await expect(sources.list(large, request())).rejects.toMatchObject({ kind: 'too-large' });
    expect(opened()).toBe(0);
  });

  it('reports an archive that is too large and one that is none', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', { x: 'x'.repeat(10_000) }));
    const limits = { ...site.context.settings.limits, maxUnpackedBytes: 5000 };
    const settings = { ...site.context.settings, limits };
    const small = new CrateSources({ ...site.context, settings });
    await expect(small.list(version, request())).rejects.toMatchObject({ kind: 'too-large' });
    const other = { ...version, crate: 'b' };
    await expect(new CrateSources(site.context).list(other, request())).rejects.toMatchObject({
      kind: 'unreadable',
    });
  });

  it('cancels a stalled stream when the client goes away', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', {}));
    const { blob, isCancelled } = stalledBlob(version.size);
    vi.spyOn(site.store.blobs, 'open').mockResolvedValue(blob);
    const sources = new CrateSources(site.context);
    const list = sources.list(version, request(AbortSignal.timeout(20)));
    await expect(list).rejects.toMatchObject({ name: 'AbortError' });
    expect(isCancelled()).toBe(true);
  });
});

describe('CrateSources.facts', () => {
  it('reads one archive at a time, and refuses requests beyond a short queue at once', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', { 'src/lib.rs': '' }));
    const { blob } = stalledBlob(version.size);
    const open = vi.spyOn(site.store.blobs, 'open').mockResolvedValueOnce(blob);
    const sources = new CrateSources(site.context);
    const client = new AbortController();
    const settled: number[] = [];
    const all = Array.from({ length: 10 }, async (_, index) => {
      const facts = await sources.facts(version, { signal: client.signal, owner: String(index) });
      settled.push(index);
      return facts;
    });
    await Promise.all(all.slice(5));
    expect(settled).toEqual([5, 6, 7, 8, 9]);
    expect(open).toHaveBeenCalledTimes(1);
    expect(await sources.list(version, request())).toHaveLength(2);
    client.abort();
    expect(await Promise.all(all)).toEqual(Array.from({ length: 10 }, () => null));
    expect(site.logged).toEqual([]);
  });

  it('gives null for every error, and logs an unexpected one once', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', {}));
    vi.spyOn(site.store.blobs, 'open').mockRejectedValue(new Error('EIO: i/o error, open'));
    const sources = new CrateSources(site.context);
    expect(await sources.facts(version, request())).toBeNull();
    expect(await sources.facts(version, request())).toBeNull();
    const values = { crate: 'a', version: '1.0.0', reason: expect.stringContaining('EIO') };
    expect(site.logged).toEqual([{ event: 'facts-failed', values }]);
  });

  it('finds the facts of an archive that was missing before, which it logs once', async () => {
    await using site = await makePagesSite();
    const version = await published(site, packFiles('a-1.0.0', { 'src/lib.rs': '' }));
    vi.spyOn(site.store.blobs, 'open').mockResolvedValueOnce(null).mockResolvedValueOnce(null);
    const sources = new CrateSources(site.context);
    expect(await sources.facts(version, request())).toBeNull();
    expect(await sources.facts(version, request())).toBeNull();
    expect(await sources.facts(version, request())).toMatchObject({ hasLibrary: true });
    expect(site.logged.map(({ event }) => event)).toEqual(['blob-missing']);
  });

  it('does not read an unreadable archive again', async () => {
    await using site = await makePagesSite();
    const version = await published(site, Uint8Array.of(1));
    const { blobs, opened } = countedBlobs(site.store.blobs);
    const sources = new CrateSources({ ...site.context, blobs });
    expect(await sources.facts(version, request())).toBeNull();
    expect(await sources.facts(version, request())).toBeNull();
    expect(opened()).toBe(1);
  });
});
