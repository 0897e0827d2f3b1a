import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommitTree, openRepository, shortId, type Repository } from '../../../src/io/git/repository.ts';
import { resolveReference } from '../../../src/io/git/revision.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('git-repository');
afterAll(() => temp.remove());
const work = join(temp.path, 'work');

function git(...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: work,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();
}

function open(): Repository {
  const repository = openRepository(work);
  if (repository === null) throw new Error('no repository');
  return repository;
}

/** Returns a large text that differs little between rounds, so that git stores deltas. */
function largeText(round: number): string {
  return Array.from(
    { length: 4000 },
    (_, i) => `line ${(i * 7919) % 10007} ${i % 400 === round ? round : ''}`,
  ).join('\n');
}

beforeAll(() => {
  mkdirSync(join(work, 'se/rd'), { recursive: true });
  git('init', '--quiet', '--initial-branch', 'main');
  for (let round = 0; round < 8; round++) {
    writeFileSync(join(work, 'se/rd/serde'), largeText(round));
    writeFileSync(join(work, 'empty'), '');
    git('add', '.');
    git('commit', '--quiet', '-m', `round ${round}`);
  }
  git('tag', '-a', 'v1', '-m', 'annotated');
  git('tag', 'light');
});

function allObjects(): string[] {
  return git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
}

describe.each(['loose', 'packed', 'packed with references to bases'])('%s objects', (form) => {
  beforeAll(() => {
    if (form === 'loose') return;
    const byOffset = String(form === 'packed');
    git('-c', `repack.useDeltaBaseOffset=${byOffset}`, 'repack', '-a', '-d', '-f', '--depth=50', '--quiet');
    git('pack-refs', '--all');
    git('prune-packed');
  });

  test('are read as git reads them', () => {
    const { objects } = open();
    for (const oid of allObjects()) {
      const read = objects.read(oid);
      expect(read?.kind).toBe(git('cat-file', '-t', oid));
      const expected = execFileSync('git', ['cat-file', read?.kind ?? '', oid], { cwd: work });
      expect(read?.data.equals(expected)).toBe(true);
    }
  });

  test('are found by id, which is shortened as git shortens it', () => {
    const repository = open();
    for (const oid of allObjects()) {
      expect(repository.objects.withPrefix(oid)).toEqual([oid]);
      expect(oid.startsWith(shortId(repository, oid))).toBe(true);
      expect(shortId(repository, oid)).toBe(git('rev-parse', '--short=7', oid));
    }
    expect(repository.objects.has('0'.repeat(40))).toBe(false);
    expect(repository.objects.read('f'.repeat(40))).toBeNull();
  });

  test.each(['v1', 'light', 'refs/tags/v1', 'refs/heads/main', 'HEAD', 'v1-3-gHEX', 'HEX', 'SHORT'])(
    'are found by the revision %s as git finds them',
    (revision) => {
      const head = git('rev-parse', 'HEAD');
      const name = revision.replace('HEX', head).replace('SHORT', head.slice(0, 9));
      expect(resolveReference(open(), { kind: 'rev', name })).toBe(head);
    },
  );

  test('are found by path in the tree of a commit', () => {
    const head = git('rev-parse', 'HEAD');
    const tree = new CommitTree(open(), head);
    expect(tree.find('se/rd/serde')).toEqual({
      oid: git('rev-parse', 'HEAD:se/rd/serde'),
      kind: 'file',
    });
    expect(tree.find('se/rd')?.kind).toBe('folder');
    expect(tree.find('se/rd/serde/x')).toBeNull();
    expect(tree.find('se/r')).toBeNull();
  });
});

test("resolveReference reports missing references in cargo's words", () => {
  const repository = open();
  const failure = (kind: 'branch' | 'tag' | 'rev', name: string): string[] => {
    try {
      resolveReference(repository, { kind, name });
      return [];
    } catch (error) {
      const messages: string[] = [];
      for (let e = error; e instanceof Error; e = e.cause) messages.push(e.message);
      return messages;
    }
  };
  expect(failure('branch', 'nope')).toEqual([
    'failed to find branch `nope`',
    "cannot locate remote-tracking branch 'origin/nope'; class=Reference (4); code=NotFound (-3)",
  ]);
  expect(failure('tag', 'nope')).toEqual([
    'failed to find tag `nope`',
    "reference 'refs/remotes/origin/tags/nope' not found; class=Reference (4); code=NotFound (-3)",
  ]);
  expect(failure('rev', 'nope')).toEqual([
    "revspec 'nope' not found; class=Reference (4); code=NotFound (-3)",
  ]);
  expect(failure('rev', 'config')).toEqual([
    "revspec 'config' not found; class=Reference (4); code=NotFound (-3)",
  ]);
});
