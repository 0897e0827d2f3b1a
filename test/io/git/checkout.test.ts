import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { checkOut, isFreshCheckout } from '../../../src/io/git/checkout.ts';
import { updateDatabase, type GitCacheContext, type Revision } from '../../../src/io/git/database.ts';
import { SpuriousError } from '../../../src/io/git/fetch-error.ts';
import { absoluteSubmoduleUrl, checkSubmoduleUrl, sshUrl } from '../../../src/io/git/submodules.ts';
import { commitToRepo } from '../../helpers/git-repo.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

let root: string;
beforeEach(() => {
  const temp = makeTempDir('git-checkout');
  root = temp.path;
  return () => temp.remove();
});

function makeContext(changes: Partial<GitCacheContext> = {}) {
  const { context: operation, lines } = recordingContext();
  const context: GitCacheContext = {
    ...operation,
    env: process.env,
    fetchWithCli: false,
    verbosity: 'normal',
    offlineFlag: null,
    retry: (attempt) => attempt(),
    databasePath: (url) => join(root, 'db', createHash('md5').update(url).digest('hex')),
    ...changes,
  };
  return { context, lines };
}

const head = (dir: string, name = 'main') =>
  execFileSync('git', ['-C', dir, 'rev-parse', name], { encoding: 'utf8' }).trim();

test('fetches and checks out the default branch, a tag, a branch and a revision', async () => {
  const origin = join(root, 'origin');
  commitToRepo(origin, [
    { files: { 'a.txt': 'one\n' }, tag: 'v1' },
    { files: { 'a.txt': 'two\n' } },
    { files: { 'a.txt': 'three\n' }, branch: 'feat/x+y' },
  ]);
  const url = pathToFileURL(origin).href;
  const { context, lines } = makeContext();
  const cases: [Revision, string, string][] = [
    [{ reference: { kind: 'default' } }, 'main', 'two\n'],
    [{ reference: { kind: 'tag', name: 'v1' } }, 'v1', 'one\n'],
    [{ reference: { kind: 'branch', name: 'feat/x+y' } }, 'feat/x+y', 'three\n'],
    [{ reference: { kind: 'rev', name: head(origin, 'v1').slice(0, 8) } }, 'v1', 'one\n'],
  ];
  for (const [revision, name, text] of cases) {
    const database = await updateDatabase({ url, revision }, context, { isSubmodule: false });
    expect(database.commit).toBe(head(origin, name));
    const path = join(root, 'checkouts', database.commit.slice(0, 7));
    await checkOut(database, path, context);
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe(text);
    expect(isFreshCheckout(path, database.commit)).toBe(true);
    expect(execFileSync('git', ['-C', path, 'status', '--porcelain'], { encoding: 'utf8' })).toBe(
      '?? .cargo-ok\n',
    );
  }
  expect(lines).toEqual(cases.map(() => `Updating git repository \`${url}\``));
});

test('finds a fetched commit without the network, and fails offline for a missing one', async () => {
  const origin = join(root, 'origin');
  commitToRepo(origin, [{ files: { a: '1' } }]);
  const url = pathToFileURL(origin).href;
  const commit = head(origin);
  await updateDatabase({ url, revision: { locked: commit } }, makeContext().context, { isSubmodule: false });
  rmSync(origin, { recursive: true });
  const { context, lines } = makeContext({ offlineFlag: '--offline' });
  const found = await updateDatabase({ url, revision: { locked: commit } }, context, { isSubmodule: false });
  expect(found.commit).toBe(commit);
  expect(lines).toEqual([]);
  await expect(
    updateDatabase({ url, revision: { locked: '1'.repeat(40) } }, context, { isSubmodule: false }),
  ).rejects.toThrow(`can't checkout from '${url}': you are in the offline mode (--offline)`);
});

test('replaces an unfinished checkout, with nested submodules', async () => {
  const urlOf = (name: string) => pathToFileURL(join(root, name)).href;
  commitToRepo(join(root, 'inner'), [{ files: { deep: 'deep' } }]);
  commitToRepo(join(root, 'outer'), [
    { files: { file: 'x' }, submodules: { in: { url: '../inner', commit: head(join(root, 'inner')) } } },
  ]);
  commitToRepo(join(root, 'top'), [
    { submodules: { 'libs/out': { url: urlOf('outer'), commit: head(join(root, 'outer')) } } },
  ]);
  const { context, lines } = makeContext();
  const url = urlOf('top');
  const revision: Revision = { reference: { kind: 'default' } };
  const database = await updateDatabase({ url, revision }, context, { isSubmodule: false });
  const path = join(root, 'checkout');
  await checkOut(database, path, context);
  expect(readFileSync(join(path, 'libs/out/in/deep'), 'utf8')).toBe('deep');
  expect(lines).toEqual([
    `Updating git repository \`${url}\``,
    `Updating git submodule \`${urlOf('outer')}\``,
    `Updating git submodule \`${urlOf('inner')}\``,
  ]);
  rmSync(join(path, '.cargo-ok'));
  writeFileSync(join(path, 'left-over'), '');
  expect(isFreshCheckout(path, database.commit)).toBe(false);
  await checkOut(database, path, context);
  expect(existsSync(join(path, 'left-over'))).toBe(false);
  expect(readFileSync(join(path, 'libs/out/in/deep'), 'utf8')).toBe('deep');
  expect(lines).toHaveLength(3);
});

test.each([
  ['packs that are gone', (packs: string) => rmSync(packs, { recursive: true })],
  ['a pack that is gone', (packs: string) => rmSync(packFile(packs, '.pack'))],
  ['a pack without anything', (packs: string) => emptyFile(packFile(packs, '.pack'))],
  ['an index that is gone', (packs: string) => rmSync(packFile(packs, '.idx'))],
  ['an index without anything', (packs: string) => emptyFile(packFile(packs, '.idx'))],
])('fetches a damaged database again: %s', async (name, damage) => {
  const origin = join(root, name);
  commitToRepo(origin, [{ files: { a: '1' } }]);
  const url = pathToFileURL(origin).href;
  const { context } = makeContext();
  const path = context.databasePath(url);
  const revisions: Revision[] = [{ reference: { kind: 'default' } }, { locked: head(origin) }];
  for (const revision of revisions) {
    await updateDatabase({ url, revision }, context, { isSubmodule: false });
    damage(join(path, 'objects/pack'));
    const database = await updateDatabase({ url, revision }, context, { isSubmodule: false });
    expect(database.repository.objects.read(head(origin))).not.toBeNull();
  }
});

function packFile(packs: string, ending: string): string {
  return join(packs, readdirSync(packs).find((name) => name.endsWith(ending)) ?? '');
}

function emptyFile(file: string): void {
  rmSync(file);
  writeFileSync(file, '');
}

test('retries a missing origin and names it in the error', async () => {
  const missing = join(root, 'missing');
  let attempts = 0;
  const { context } = makeContext({
    retry: async (attempt) => {
      for (;;)
        try {
          return await attempt();
        } catch (error) {
          if (!(error instanceof SpuriousError) || ++attempts === 3) throw error;
        }
    },
  });
  const url = pathToFileURL(missing).href;
  const failure = updateDatabase({ url, revision: { reference: { kind: 'default' } } }, context, {
    isSubmodule: false,
  });
  await expect(failure).rejects.toMatchObject({
    message: `failed to clone into: ${context.databasePath(url)}`,
    cause: { message: `failed to resolve path '${missing}': No such file or directory; class=Os (2)` },
  });
  expect(attempts).toBe(3);
});

test('fails to update a submodule whose URL is invalid', async () => {
  const origin = join(root, 'origin');
  commitToRepo(origin, [{ submodules: { sub: { url: '/somewhere', commit: '1'.repeat(40) } } }]);
  const url = pathToFileURL(origin).href;
  const { context } = makeContext();
  const { databasePath } = context;
  const strict: GitCacheContext = {
    ...context,
    databasePath: (each) => {
      if (each === '/somewhere') throw new Error('no URL');
      return databasePath(each);
    },
  };
  const revision: Revision = { reference: { kind: 'default' } };
  const database = await updateDatabase({ url, revision }, strict, { isSubmodule: false });
  await expect(checkOut(database, join(root, 'checkout'), strict)).rejects.toMatchObject({
    message: 'failed to update submodule `sub`',
    cause: { message: 'no URL' },
  });
});

test.each(['not a url', '', '.', 'a/b'])('refuses the URL %j', (url) => {
  expect(() => {
    checkSubmoduleUrl(url);
  }).toThrow('invalid format for submodule URL; class=Submodule (17)');
});

test.each(['./a', '../a', '/a', 'https://example.org/a', 'git@host:a'])('accepts the URL %j', (url) => {
  expect(() => {
    checkSubmoduleUrl(url);
  }).not.toThrow();
});

test('absoluteSubmoduleUrl resolves relative URLs against that of the repository', () => {
  expect(
    absoluteSubmoduleUrl('ssh://git@gitub.com/rust-lang/cargo', 'git@github.com:rust-lang/cargo.git'),
  ).toBe('git@github.com:rust-lang/cargo.git');
  expect(absoluteSubmoduleUrl('ssh://git@gitub.com/rust-lang/cargo', './')).toBe(
    'ssh://git@gitub.com/rust-lang/cargo/',
  );
  expect(absoluteSubmoduleUrl('ssh://git@gitub.com/rust-lang/cargo', '../')).toBe(
    'ssh://git@gitub.com/rust-lang/',
  );
  expect(absoluteSubmoduleUrl('git@github.com:rust-lang/cargo.git', '../')).toBe(
    'git@github.com:rust-lang/cargo.git/../',
  );
});

test.each([
  ['git@host:a/b.git', 'ssh://git@host/a/b.git'],
  ['host.example:/a b', 'ssh://host.example/a b'],
  ['-oProxyCommand=x@host:a', null],
  ['git@-oProxyCommand=x:a', null],
  ['--upload-pack=x:y', null],
  ['a/b:c', null],
  ['host:', null],
])('sshUrl turns the short form %s into %s', (location, url) => {
  expect(sshUrl(location)).toBe(url);
});

test('names the folder of a database that cannot be created', async () => {
  writeFileSync(join(root, 'file'), '');
  const folder = join(root, 'file', 'db');
  const { context } = makeContext({ databasePath: () => folder });
  const revision = { reference: { kind: 'default' } } as const;
  const update = updateDatabase({ url: 'file:///x', revision }, context, { isSubmodule: false });
  await expect(update).rejects.toThrow(`failed to create directory \`${folder}\``);
});

test('shows no part of a password in the hint', async () => {
  const { context } = makeContext();
  const revision = { reference: { kind: 'default' } } as const;
  const update = updateDatabase({ url: 'http://me:a@b@127.0.0.1:1/x', revision }, context, {
    isSubmodule: false,
  });
  await expect(update).rejects.toMatchObject({
    hint: expect.stringContaining('`git ls-remote http://127.0.0.1:1/x`'),
  });
});
