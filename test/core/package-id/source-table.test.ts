import { describe, expect, test } from 'vitest';
import {
  describeIndex,
  describePackage,
  describeSource,
  displaySource,
} from '../../../src/core/package-id/describe.ts';
import {
  comparePackageIds,
  formatPackageId,
  makePackageId,
} from '../../../src/core/package-id/package-id.ts';
import {
  compareSources,
  isCratesIo,
  isRegistry,
  isSameSource,
  sourcePath,
  type SourceId,
} from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { formatSourceUrl, parseSourceUrl } from '../../../src/core/package-id/source-url.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';

describe('SourceTable', () => {
  test('returns one object for equal sources', () => {
    const table = new SourceTable();
    const first = table.forGit('https://github.com/Foo/bar.git', { kind: 'default' });
    expect(table.forGit('git://github.com/foo/Bar/', { kind: 'default' })).toBe(first);
    expect(first.url).toBe('https://github.com/Foo/bar.git');
    expect(table.forGit('https://github.com/foo/bar', { kind: 'branch', name: 'default' })).not.toBe(first);
    expect(table.forPath('/a')).not.toBe(table.forDirectory('/a'));
    expect(table.forPath('/a/')).toBe(table.forPath('/a'));
    expect(table.at(first.ix)).toBe(first);
    expect(table.size).toBe(4);
  });

  test('returns another object for a pinned source, which counts as the same source', () => {
    const table = new SourceTable();
    const loose = table.forGit('https://h/r', { kind: 'branch', name: 'b' });
    const pinned = table.withPrecise(loose, SHA);
    expect(pinned).not.toBe(loose);
    expect(pinned.key).not.toBe(loose.key);
    expect(pinned.precise).toBe(SHA);
    expect(isSameSource(pinned, loose)).toBe(true);
    expect(compareSources(pinned, loose)).toBe(0);
    expect(table.withPrecise(pinned, null)).toBe(loose);
    const registry = table.forRegistryIndex('https://h/i');
    expect(table.withPrecise(registry, SHA)).toBe(registry);
  });

  test('keeps the first name of a registry', () => {
    const table = new SourceTable();
    const source = table.forRegistryIndex('sparse+https://h/i/');
    expect(describeIndex(source)).toBe('`sparse+https://h/i/` index');
    expect(table.forRegistryIndex('sparse+https://h/i/', 'alt')).toBe(source);
    table.forRegistryIndex('sparse+https://h/i', 'other');
    table.forRegistryIndex('sparse+https://h/i', null);
    expect(describeIndex(source)).toBe('`alt` index');
  });

  test('gives no name to a registry that was first requested by its URL', () => {
    const table = new SourceTable();
    table.forRegistryIndex('sparse+https://h/i/', null);
    expect(describeIndex(table.forRegistryIndex('sparse+https://h/i/', 'alt'))).toBe(
      '`sparse+https://h/i/` index',
    );
    const [ofLockFile, other] = [
      table.forRegistryIndex('https://h/j'),
      table.forRegistryIndex('https://h/k'),
    ];
    table.leaveUnnamed(ofLockFile);
    expect(table.forRegistryIndex('https://h/j', 'alt').registryName).toBeNull();
    expect(table.forRegistryIndex('https://h/k', 'alt')).toBe(other);
    expect(other.registryName).toBe('alt');
  });

  test('reports whether a name was decided after the manifests were read', () => {
    const table = new SourceTable();
    table.forRegistryIndex('https://h/i', 'alt');
    table.forRegistryIndex('https://h/j');
    table.markManifestsRead();
    table.forRegistryIndex('https://h/i', null);
    table.cratesIo();
    expect(table.decidedNamesLate).toBe(false);
    table.forRegistryIndex('https://h/j', 'other');
    expect(table.decidedNamesLate).toBe(true);
  });

  test('recognizes crates.io by either index', () => {
    const table = new SourceTable();
    expect(parseSourceUrl(formatSourceUrl(table.cratesIo(), { encoded: true }), table)).toBe(
      table.cratesIo(),
    );
    for (const source of [table.cratesIo(), table.cratesIoSparse()]) {
      expect(isCratesIo(source)).toBe(true);
      expect(source.registryName).toBe('crates-io');
      expect(describeSource(source)).toBe('crates.io index');
    }
    expect(isCratesIo(table.forRegistryIndex('https://h/i'))).toBe(false);
  });

  test('does not take the registry of `[source.crates-io]` for crates.io, whose token is secret', () => {
    const table = new SourceTable();
    const registry = table.forConfiguredSource('sparse+https://h/i/', 'crates-io');
    expect(isCratesIo(registry)).toBe(false);
    expect(describeIndex(registry)).toBe('`crates-io` index');
    expect(isCratesIo(table.forRegistryIndex('sparse+https://substitute/', 'crates-io'))).toBe(true);
  });

  test('has a path only for local sources', () => {
    const table = new SourceTable();
    expect(sourcePath(table.forPath('/a b'))).toBe('/a b');
    expect(sourcePath(table.forLocalRegistry('/l'))).toBe('/l');
    expect(sourcePath(table.forGit('file:///r', { kind: 'default' }))).toBeNull();
    expect(isRegistry(table.forLocalRegistry('/l'))).toBe(true);
    expect(isRegistry(table.forDirectory('/l'))).toBe(false);
  });
});

test('compareSources orders by kind before URL', () => {
  const table = new SourceTable();
  const ordered: SourceId[] = [
    table.forPath('/z'),
    table.forRegistryIndex('https://z/i'),
    table.forRegistryIndex('sparse+https://y/i'),
    table.forLocalRegistry('/x'),
    table.forDirectory('/a'),
    table.forDirectory('/b'),
    table.forGit('https://z/r', { kind: 'tag', name: 'a' }),
    table.forGit('https://a/r', { kind: 'tag', name: 'b' }),
    table.forGit('https://b/r', { kind: 'tag', name: 'b' }),
    table.forGit('https://a/r', { kind: 'branch', name: 'a' }),
    table.forGit('https://a/r', { kind: 'rev', name: 'a' }),
    table.forGit('https://a/r', { kind: 'default' }),
  ];
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) {
      expect([i, j, Math.sign(compareSources(a, b))]).toEqual([i, j, Math.sign(i - j)]);
    }
  }
});

test('comparePackageIds orders by name, version and source', () => {
  const table = new SourceTable();
  const path = table.forPath('/p');
  const registry = table.forRegistryIndex('https://h/i');
  const ordered = [
    makePackageId('Z', parseVersion('1.0.0'), path),
    makePackageId('a', parseVersion('9.0.0-rc.1'), path),
    makePackageId('a', parseVersion('9.0.0'), path),
    makePackageId('a', parseVersion('9.0.0'), registry),
    makePackageId('a', parseVersion('10.0.0'), path),
    makePackageId('é', parseVersion('1.0.0'), path),
  ];
  expect(ordered.toReversed().toSorted(comparePackageIds)).toEqual(ordered);
  expect(new Set(ordered.map((id) => id.key)).size).toBe(ordered.length);
});

test('the key of a package does not depend on the pinned commit', () => {
  const table = new SourceTable();
  const loose = table.forGit('https://h/r', { kind: 'default' });
  const version = parseVersion('1.0.0');
  expect(makePackageId('a', version, loose).key).toBe(
    makePackageId('a', version, table.withPrecise(loose, SHA)).key,
  );
});

describe('texts of sources and packages', () => {
  const table = new SourceTable();
  const branch = 'feat/x y+é';
  const git = table.forGit('file:///r/gitrepo', { kind: 'branch', name: branch }, SHA);

  test.each([
    [table.forPath('/abs/p-q'), 'path+file:///abs/p-q'],
    [table.cratesIo(), 'registry+https://github.com/rust-lang/crates.io-index'],
    [table.forRegistryIndex('file:///idx/'), 'registry+file:///idx/'],
    [table.forRegistryIndex('sparse+http://h/index/'), 'sparse+http://h/index/'],
    [table.forDirectory('/v'), 'directory+file:///v'],
    [table.forLocalRegistry('/v'), 'local-registry+file:///v'],
    [git, `git+file:///r/gitrepo?branch=${branch}#${SHA}`],
  ])('formatSourceUrl prints %o', (source, text) => {
    expect(formatSourceUrl(source, { encoded: false })).toBe(text);
  });

  test('parseSourceUrl restores an encoded reference', () => {
    const name = '*-._+20%30 Z/z#foo=bar&zap[]?to\\()\'"';
    const source = table.forGit('https://host/path', { kind: 'branch', name });
    const text = formatSourceUrl(source, { encoded: true });
    expect(text).toBe(
      'git+https://host/path?branch=*-._%2B20%2530+Z%2Fz%23foo%3Dbar%26zap%5B%5D%3Fto%5C%28%29%27%22',
    );
    expect(parseSourceUrl(text, table)).toBe(source);
    expect(parseSourceUrl(formatSourceUrl(git, { encoded: true }), table)).toBe(git);
  });

  test('parseSourceUrl reads the references of old lock files', () => {
    expect(parseSourceUrl('git+https://h/r?ref=x#abc', table)).toMatchObject({
      url: 'https://h/r',
      reference: { kind: 'branch', name: 'x' },
      precise: 'abc',
    });
    expect(parseSourceUrl('git+https://h/r?tag=v1&other=2', table)).toMatchObject({
      reference: { kind: 'tag', name: 'v1' },
      precise: null,
    });
  });

  test.each([
    ['nonsense', 'invalid source `nonsense`'],
    ['svn+https://h/r', 'unsupported source protocol: svn'],
    ['git+x', 'invalid url `x`: relative URL without a base'],
  ])('parseSourceUrl refuses %s', (text, message) => {
    expect(() => parseSourceUrl(text, table)).toThrow(expect.objectContaining({ message }));
  });

  test('formatPackageId prints both formats of package IDs', () => {
    const version = parseVersion('0.1.0');
    const forms = (name: string, source: SourceId): string[] => {
      const id = makePackageId(name, version, source);
      return [formatPackageId(id, 'legacy'), formatPackageId(id, 'spec')];
    };
    expect(forms('p-q', table.forPath('/abs/p-q'))).toEqual([
      'p-q 0.1.0 (path+file:///abs/p-q)',
      'path+file:///abs/p-q#0.1.0',
    ]);
    expect(forms('p', table.forPath('/abs/é'))).toEqual([
      'p 0.1.0 (path+file:///abs/%C3%A9)',
      'path+file:///abs/%C3%A9#p@0.1.0',
    ]);
    expect(forms('aa', table.forRegistryIndex('sparse+http://h/index/'))).toEqual([
      'aa 0.1.0 (sparse+http://h/index/)',
      'sparse+http://h/index/#aa@0.1.0',
    ]);
    const feature = table.forGit('file:///r/gitrepo', { kind: 'branch', name: 'feat/x+y' }, SHA);
    expect(forms('groot', feature)).toEqual([
      `groot 0.1.0 (git+file:///r/gitrepo?branch=feat/x+y#${SHA})`,
      'git+file:///r/gitrepo?branch=feat%2Fx%2By#groot@0.1.0',
    ]);
    expect(forms('gitrepo', feature)[1]).toBe('git+file:///r/gitrepo?branch=feat%2Fx%2By#0.1.0');
  });

  test('describePackage and describeSource name packages and sources for messages', () => {
    const version = parseVersion('1.2.0');
    const text = (source: SourceId): string[] => [
      describePackage(makePackageId('aa', version, source)),
      describeSource(source),
    ];
    expect(text(table.cratesIo())).toEqual(['aa v1.2.0', 'crates.io index']);
    expect(text(table.forRegistryIndex('https://h/named', 'alt'))).toEqual([
      'aa v1.2.0 (registry `alt`)',
      '`alt` index',
    ]);
    expect(text(table.forRegistryIndex('file:///i dx'))).toEqual([
      'aa v1.2.0 (registry `/i dx`)',
      '`/i dx` index',
    ]);
    expect(text(table.forPath('/a b'))).toEqual(['aa v1.2.0 (/a b)', '/a b']);
    expect(text(table.forDirectory('/v'))).toEqual(['aa v1.2.0 (dir /v)', 'directory source `/v`']);
    expect(text(table.forLocalRegistry('/l'))).toEqual(['aa v1.2.0 (registry `/l`)', '`/l` index']);
    expect(text(table.forGit('https://h/r.git', { kind: 'tag', name: 'a b' }, SHA))).toEqual([
      'aa v1.2.0 (https://h/r.git?tag=a+b#01234567)',
      'Git repository https://h/r.git?tag=a+b#01234567',
    ]);
    expect(displaySource(table.forGit('file:///r', { kind: 'default' }))).toBe('file:///r');
  });
});
