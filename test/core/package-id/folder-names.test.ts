import { expect, test } from 'vitest';
import {
  gitDbName,
  pathHash,
  registryDirName,
  shortHash,
} from '../../../src/core/package-id/folder-names.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { stableHash } from '../../../src/core/package-id/stable-hash.ts';

const table = new SourceTable();

test.each([
  [table.cratesIo(), '25cdd57fae9f0462'],
  [table.cratesIoSparse(), '1949cf8c6b5b557f'],
  [table.forRegistryIndex('https://my-crates.io'), 'b2d65deb64f05373'],
  [table.forRegistryIndex('https://your-crates.io'), '755952de063f5dc4'],
  [table.forRegistryIndex('sparse+https://my-crates.io'), '327cfdbd92dd81e1'],
  [table.forRegistryIndex('sparse+https://your-crates.io'), '64a713b6a6fb7055'],
  [table.forGit('file:///tmp/ws/crate', { kind: 'default' }), '199e591d94239206'],
  [table.forLocalRegistry('/tmp/ws/crate'), '58d73c154f81d09f'],
  [table.forPath('/tmp/ws/crate'), '64bace89c92b101f'],
  [table.forDirectory('/tmp/ws/crate'), '505191d1f3920955'],
])('shortHash of %o is %s', (source, hash) => {
  expect(shortHash(source)).toBe(hash);
});

test('registryDirName joins the host and the hash', () => {
  expect(registryDirName(table.cratesIo())).toBe('github.com-25cdd57fae9f0462');
  expect(registryDirName(table.forRegistryIndex('sparse+http://127.0.0.1:8931/index/'))).toBe(
    '127.0.0.1-e398182006943965',
  );
  expect(registryDirName(table.forLocalRegistry('/tmp/ws/crate'))).toBe('-58d73c154f81d09f');
});

test('gitDbName is the same for every reference and spelling of a repository', () => {
  const name = gitDbName(table.forGit('https://h/x/repo.git', { kind: 'default' }));
  expect(name).toMatch(/^repo-[0-9a-f]{16}$/);
  expect(gitDbName(table.forGit('https://h/x/repo/', { kind: 'tag', name: 't' }))).toBe(name);
  expect(gitDbName(table.forGit('file:///r/.git', { kind: 'default' }))).toMatch(/^_empty-/);
});

test('stableHash differs for every input length', () => {
  const hashes = new Set(Array.from({ length: 20 }, (_, length) => stableHash(new Uint8Array(length))));
  expect(hashes.size).toBe(20);
});

test('pathHash depends on the components of a path, not on its slashes', () => {
  expect(pathHash('/tmp/ws/Cargo.toml')).toBe('8a53f30f3129b16a');
  expect(pathHash('/tmp//ws/./Cargo.toml/')).toBe('8a53f30f3129b16a');
  expect(pathHash('/tmp/ws/ü x/Cargo.toml')).toBe('b3320423ee5013bd');
});
