import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletePermanently } from '../../../src/server/admin/delete-permanently.ts';
import type { MirroredArchive, MirroredIndexFile } from '../../../src/server/store/upstream-records.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await openTestRegistry();
});
afterAll(() => registry[Symbol.asyncDispose]());

const FILE: MirroredIndexFile = {
  ...{ upstream: 'https://registry.invalid/', lowerCaseName: 'abc', body: '{"ü":1}\n', etag: '"1"' },
  ...{ upstreamEtag: 'W/"x"', upstreamModified: null, changedAtMs: 5, checkedAtMs: 6 },
};

const archive = (checksum: string, blobKey: string): MirroredArchive => ({
  ...{ checksum, blobKey, size: 3, mirroredAtMs: 7, usedAtMs: 7 },
});

describe('a cached index file', () => {
  it('is found only by its upstream and exact name, and can be replaced', async () => {
    const { records } = registry.store;
    await records.saveMirroredIndex(FILE);
    expect(await records.findMirroredIndex(FILE)).toEqual(FILE);
    expect(await records.findMirroredIndex({ ...FILE, upstream: 'https://other.invalid/' })).toBeNull();
    expect(await records.findMirroredIndex({ ...FILE, lowerCaseName: 'ab' })).toBeNull();
    await records.touchMirroredIndex(FILE, 60);
    expect(await records.findMirroredIndex(FILE)).toEqual({ ...FILE, checkedAtMs: 60 });
    const gone = { ...FILE, body: null, upstreamEtag: null };
    await records.saveMirroredIndex(gone);
    expect(await records.findMirroredIndex(FILE)).toEqual(gone);
  });
});

describe('a cached archive', () => {
  it('keeps its first blob', async () => {
    const { records } = registry.store;
    expect(await records.findMirroredArchive('aa')).toBeNull();
    expect(await records.saveMirroredArchive(archive('aa', 'first'))).toEqual(archive('aa', 'first'));
    expect(await records.saveMirroredArchive(archive('aa', 'second'))).toEqual(archive('aa', 'first'));
    await records.saveMirroredArchive(archive('bb', 'third'));
    const all: MirroredArchive[] = [];
    for await (const each of records.eachMirroredArchive()) all.push(each);
    expect(all).toEqual([archive('aa', 'first'), archive('bb', 'third')]);
    // The cache has another blob with the same bytes.
    await records.removeMirroredArchive(archive('aa', 'second'));
    expect(await records.findMirroredArchive('aa')).toEqual(archive('aa', 'first'));
    await records.removeMirroredArchive(archive('aa', 'first'));
    expect(await records.findMirroredArchive('aa')).toBeNull();
  });
});

describe('reserved names', () => {
  it('are those of all crates in every spelling, and all added patterns', async () => {
    const { records } = registry.store;
    const owner = await registry.tokenOf(await registry.user('alice'));
    await registry.publish(owner, publishBody({ name: 'own-crate', version: '1.0.0' }).bytes);
    await records.addReservedName({ pattern: 'Acme-*', reason: 'ours', atMs: 5 });
    await records.addReservedName({ pattern: 'single', reason: null, atMs: 6 });
    const own = async (name: string): Promise<readonly boolean[]> => [
      await records.isLocalName(name),
      await records.isReserved(name),
    ];
    expect(await own('OWN_crate')).toEqual([true, false]);
    expect(await own('acme_x')).toEqual([true, true]);
    expect(await own('ACME-')).toEqual([true, true]);
    expect(await own('acme')).toEqual([false, false]);
    expect(await own('Single')).toEqual([true, true]);
    expect(await own('singles')).toEqual([false, false]);
    // `_` in a name is not the wildcard of SQL.
    expect(await own('singl_')).toEqual([false, false]);
  });

  it('are added and removed once, with audit entries', async () => {
    const { records } = registry.store;
    expect(await records.addReservedName({ pattern: 'ACME_*', reason: null, atMs: 9 })).toBe(false);
    expect(await records.listReservedNames()).toEqual([
      { pattern: 'acme_*', reason: 'ours', addedAtMs: 5 },
      { pattern: 'single', reason: null, addedAtMs: 6 },
    ]);
    expect(await records.removeReservedName({ pattern: 'Single', reason: 'no more', atMs: 9 })).toBe(true);
    expect(await records.removeReservedName({ pattern: 'single', reason: null, atMs: 9 })).toBe(false);
    expect(await records.isLocalName('single')).toBe(false);
    const { items } = await records.listAudit({}, { limit: 10, offset: 0 });
    const entries = items.filter(({ action }) => action.endsWith('own-name'));
    expect(entries.map(({ action, crate, detail }) => [action, crate, detail])).toEqual([
      ['remove-own-name', 'single', 'no more'],
      ['add-own-name', 'single', null],
      ['add-own-name', 'acme_*', 'ours'],
    ]);
  });

  it('include a deleted crate until its name is released', async () => {
    const { records } = registry.store;
    const deletion = { crate: 'own-crate', version: null, actor: null, reason: '', mayReuseVersions: true };
    await deletePermanently(registry.context, deletion);
    expect(await records.findCrate('own-crate')).toBeNull();
    expect(await records.isLocalName('own_crate')).toBe(true);
    await records.removeReservedName({ pattern: 'own-crate', reason: null, atMs: 10 });
    expect(await records.isLocalName('own_crate')).toBe(false);
  });
});

describe('lists of the cache', () => {
  it('have index files with content, in order, by the beginning of the name', async () => {
    const { records } = registry.store;
    const upstream = 'https://lists.invalid/';
    const save = (lowerCaseName: string, body: string | null): Promise<void> =>
      records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName, body });
    for (const name of ['ab', 'a-b', 'a_c', 'b']) await save(name, 'x');
    await save('a-gone', null);
    await save('a-evicted', '');
    await records.addReservedName({ pattern: 'a_c*', reason: null, atMs: 1 });
    const list = async (
      prefix: string,
      after = '',
      limit = 10,
    ): Promise<readonly [string, string | null]> => {
      const { items, next } = await records.listMirroredStates(upstream, { prefix, part: '', after, limit });
      return [items.map(({ lowerCaseName }) => lowerCaseName).join(' '), next];
    };
    expect(await list('')).toEqual(['a-b ab b', null]);
    expect(await list('a')).toEqual(['a-b ab', null]);
    expect(await list('', 'a-b')).toEqual(['ab b', null]);
    expect(await list('', '', 2)).toEqual(['a-b ab', 'ab']);
    expect(await records.findMirroredNames(upstream, ['ab', 'a-gone', 'a-evicted', 'no'])).toEqual(
      new Set(['ab']),
    );
    expect(await records.findMirroredNames(upstream, [])).toEqual(new Set());
  });

  it('have index files by a part of the name, with either separator', async () => {
    const { records } = registry.store;
    const upstream = 'https://parts.invalid/';
    for (const lowerCaseName of ['json', 'serde-json', 'serde_json_x', 'simd', 'axb', 'json-own'])
      await records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName, body: 'x' });
    await records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName: 'json-gone', body: null });
    await records.addReservedName({ pattern: 'json_own', reason: null, atMs: 1 });
    const list = async (part: string, more = {}): Promise<readonly [string, string | null]> => {
      const request = { prefix: '', part, after: '', limit: 10, ...more };
      const { items, next } = await records.listMirroredStates(upstream, request);
      return [items.map(({ lowerCaseName }) => lowerCaseName).join(' '), next];
    };
    expect(await list('json')).toEqual(['json serde-json serde_json_x', null]);
    expect(await list('json', { limit: 2 })).toEqual(['json serde-json', 'serde-json']);
    expect(await list('json', { after: 'serde-json' })).toEqual(['serde_json_x', null]);
    expect(await list('json', { prefix: 'serde_' })).toEqual(['serde_json_x', null]);
    expect(await list('e_js')).toEqual(['serde-json serde_json_x', null]);
    expect(await list('a_b')).toEqual(['', null]);
    expect(await list('%')).toEqual(['', null]);
  });

  it('are searched for a part of the name, the beginning first, with a total and pages', async () => {
    const { records } = registry.store;
    const upstream = 'https://found.invalid/';
    for (const lowerCaseName of ['a-json', 'json', 'json-b', 'json_a', 'serde_json', 'simd', 'json-own'])
      await records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName, body: 'x' });
    await records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName: 'json-gone', body: null });
    await records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName: 'json-evicted', body: '' });
    await records.addReservedName({ pattern: 'json_o*', reason: null, atMs: 1 });
    const search = async (part: string, limit = 10, offset = 0): Promise<readonly [string, number]> => {
      const { items, total } = await records.searchMirroredStates(upstream, part, { limit, offset });
      return [items.map(({ lowerCaseName }) => lowerCaseName).join(' '), total];
    };
    expect(await search('json')).toEqual(['json json-b json_a a-json serde_json', 5]);
    expect(await search('json', 2)).toEqual(['json json-b', 5]);
    expect(await search('json', 2, 2)).toEqual(['json_a a-json', 5]);
    expect(await search('json', 2, 4)).toEqual(['serde_json', 5]);
    expect(await search('json', 0, 9)).toEqual(['', 5]);
    expect(await search('json_')).toEqual(['json-b json_a', 2]);
    expect(await search('%')).toEqual(['', 0]);
    const { items } = await records.searchMirroredStates(upstream, 'simd', { limit: 1, offset: 0 });
    expect(items).toEqual([await records.findMirroredState({ upstream, lowerCaseName: 'simd' })]);
  });

  it('continue after a limited number of files that are not listed', async () => {
    const { records } = registry.store;
    const upstream = 'https://many.invalid/';
    const names = Array.from({ length: 41 }, (_, at) => `n${at + 10}`);
    await Promise.all(
      names.map((lowerCaseName) => {
        const body = lowerCaseName === 'n50' ? 'x' : '';
        return records.saveMirroredIndex({ ...FILE, upstream, lowerCaseName, body });
      }),
    );
    const first = await records.listMirroredStates(upstream, { prefix: '', part: '', after: '', limit: 10 });
    expect(first).toEqual({ items: [], next: 'n49' });
    const rest = await records.listMirroredStates(upstream, {
      prefix: '',
      part: '',
      after: 'n49',
      limit: 10,
    });
    expect([rest.items.map(({ lowerCaseName }) => lowerCaseName), rest.next]).toEqual([['n50'], null]);
  });

  it('have archives by checksum, and counts', async () => {
    const { records } = registry.store;
    const before = await records.countMirrored();
    await records.saveMirroredArchive(archive('cc', 'fourth'));
    await records.saveMirroredIndex({ ...FILE, lowerCaseName: 'counted', body: 'x' });
    expect(await records.listMirroredArchives(['cc', 'none'])).toEqual([archive('cc', 'fourth')]);
    expect(await records.listMirroredArchives([])).toEqual([]);
    expect(await records.countMirrored()).toEqual({
      indexFiles: before.indexFiles + 1,
      archives: before.archives + 1,
    });
  });
});
