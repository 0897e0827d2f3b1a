import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { peelToCommit } from '../../../src/io/git/peel.ts';
import { openRepository, type Repository } from '../../../src/io/git/repository.ts';
import { resolveReference } from '../../../src/io/git/revision.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('git-revision');
afterAll(() => temp.remove());
const work = join(temp.path, 'work');
let seconds = 1_600_000_000;

function git(...args: string[]): string {
  const date = `${seconds} +0000`;
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: work,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  }).trim();
}

function commit(file: string, message: string): void {
  seconds += 60;
  writeFileSync(join(work, file), message);
  git('add', '.');
  git('commit', '--quiet', '-m', message);
}

function open(): Repository {
  const repository = openRepository(work);
  if (repository === null) throw new Error('no repository');
  return repository;
}

function resolve(name: string): string {
  return resolveReference(open(), { kind: 'rev', name });
}

/** Returns the message of the error that `action` throws, or its result if it does not throw. */
function failureOf(action: () => string): string {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const invalid = (text: string): string =>
  `failed to parse revision specifier - Invalid pattern '${text}'; class=Invalid (3); code=InvalidSpec (-12)`;
const missing = (name: string): string =>
  `revspec '${name}' not found; class=Reference (4); code=NotFound (-3)`;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The id of the newest commit, which replaces `HEX` in the cases. */
let head = '';

beforeAll(() => {
  mkdirSync(join(work, 'src/deep'), { recursive: true });
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(work, 'src/deep/file'), '');
  commit('a', 'one: begin');
  git('tag', 'light');
  commit('a', 'two\n\nbody of two');
  git('tag', '-a', 'annotated', '-m', 'annotated');
  git('tag', '-a', 'nested', 'annotated', '-m', 'nested');
  git('tag', '-a', 'nested-twice', 'nested', '-m', 'nested');
  git('checkout', '--quiet', '-b', 'side');
  commit('s', 'side (fix)');
  git('checkout', '--quiet', '-b', 'third', 'light');
  commit('t', 'third fix');
  git('checkout', '--quiet', 'main');
  commit('a', 'three');
  seconds += 60;
  git('merge', '--quiet', 'side', 'third', '-m', 'octopus');
  git('tag', '-a', 'octopus', '-m', 'octopus');
  writeFileSync(join(work, 'text'), 'text\n\nneedle\n');
  commit('a', 'last');
  git('tag', 'text', 'HEAD:text');
  git('tag', 'file', 'HEAD:a');
  git('tag', '-a', 'annotated-file', 'HEAD:a', '-m', 'file');
  git('tag', '-a', 'nested-file', 'annotated-file', '-m', 'file');
  git('tag', 'folder', 'HEAD^{tree}');
  git('tag', 'dead', 'light');
  git('tag', 'x@y', 'light');
  git('tag', 'a./b', 'light');
  git('update-ref', 'refs/remotes/origin/HEAD', 'side');
  git('update-ref', 'refs/remotes/origin/other', 'third');
  git('update-ref', 'OTHER_HEAD', 'third');
  head = git('rev-parse', 'HEAD');
});

describe.each(['loose', 'packed'])('resolveReference with everything %s', (form) => {
  beforeAll(() => {
    if (form === 'loose') return;
    git('pack-refs', '--all');
    git('gc', '--quiet');
    // The packed reference of this tag is outdated, the loose one is current.
    git('tag', '--force', 'dead', 'annotated^{}');
  });

  test.each([
    ...words(`
      light annotated^{} octopus~ octopus~1 octopus~~ octopus~2 octopus~0 octopus~0~1 octopus^ octopus^0
      octopus^1 octopus^2 octopus^3 octopus^2^ octopus^3~1 octopus^^ nested-twice~1 nested^1
      nested-twice^{} nested^{commit} light^{commit} octopus^{}~1 octopus^{}^{commit}^2 x@y x@y~0 a./b
      a./b^0 main~1 heads/main~1 refs/tags/light^0 refs/heads/side~1 @ HEAD~1 OTHER_HEAD OTHER_HEAD^0
      origin origin~1 origin/other remotes/origin/other~1 dead HEX HEX~1 SHORT SHORT^{} light-3-gSHORT
      light-3-gSHORT~1 main@{0} @{0} light^{tree} light^{tree}^{tree} file^{blob} folder^{tree}
      annotated-file^{} annotated-file^{blob} octopus: octopus:src octopus:src/deep/file
      octopus^{tree}:src/deep folder:a :/fix :/one :/two :/t.o :/one|two HEAD^{/fix} octopus^{/s.de}
      nested^{/t} HEAD^{/three}^
    `),
  ])('finds %s as git does', (revision) => {
    const name = revision.replace('HEX', head).replace('SHORT', head.slice(0, 9));
    expect(resolve(name)).toBe(git('rev-parse', '--verify', name));
  });

  test('follows a tag once at the end, as cargo does', () => {
    expect(resolve('annotated')).toBe(git('rev-parse', 'annotated^{}'));
    expect(resolve('nested')).toBe(git('rev-parse', 'annotated'));
    expect(resolve('nested-twice^{tag}')).toBe(git('rev-parse', 'nested'));
    expect(resolve(git('rev-parse', 'annotated').toUpperCase())).toBe(git('rev-parse', 'annotated^{}'));
  });

  test('ends a commit message before its last line break', () => {
    expect(resolve(':/body of two$')).toBe(git('rev-parse', 'annotated^{}'));
    expect(resolve('HEAD^{/begin$}')).toBe(git('rev-parse', 'light'));
  });

  test('adds up a run of ~', () => {
    expect(resolve('octopus~~2')).toBe(git('rev-parse', 'octopus~3'));
    expect(failureOf(() => resolve('nope~9~99999999999'))).toBe(invalid('nope~9~99999999999'));
  });

  test.each([
    '',
    ' light',
    'light ',
    'li\tght',
    ...words(`
      ^ ~ ~1 ^1 ^{} octopus~1x octopus^x octopus~-1 light^{ light^{commit light^{}{ light^{x}
      light^{object} light^{Commit} light^{tag} light^{blob} file~1 file^ folder~ file^{commit}
      file^{tree} file:a light~2147483648 light^2147483648 light^0@ light@{x} light@{ light@{0 light@{-1}
      @{-0} light@{0}x light@{0}@{0} light^0@{0} light@{u} main@{upstream} a..b light..main li* li? li[g]
      li\\g light.lock a.lock/b .light a/.b . light/ /light li//ght :/ light^{/} :/( light^{/(} file^{/x}
    `),
  ])('refuses the invalid pattern %j', (revision) => {
    expect(failureOf(() => resolve(revision))).toBe(invalid(revision));
  });

  test.each([
    ['nope~1', missing('nope')],
    ['nope^{', missing('nope')],
    ['nope:x', missing('nope')],
    ['config', missing('config')],
    ['x@', missing('x@')],
    ['@@', missing('@@')],
    ['light.', missing('light.')],
    ['l\u007fx', missing('l\u007fx')],
    ['é~1', missing('é')],
    ['{', missing('{')],
    ['1234567', missing('1234567')],
    ['light-gSHORT', missing('light-gSHORT')],
    ['-3-gSHORT', missing('-3-gSHORT')],
    ['a-gx-3-gSHORT', missing('a-gx-3-gSHORT')],
    ['light-3-gSHORTx', missing('light-3-gSHORTx')],
    ['HEX0', missing('HEX0')],
    ['123', 'ambiguous lookup - OID prefix is too short; class=Object (11); code=Ambiguous (-5)'],
    ['a~1', 'ambiguous lookup - OID prefix is too short; class=Object (11); code=Ambiguous (-5)'],
    ['x-3-gab', 'ambiguous lookup - OID prefix is too short; class=Object (11); code=Ambiguous (-5)'],
    ['light~1', 'parent 0 does not exist; class=Invalid (3); code=NotFound (-3)'],
    ['light~2147483647', 'parent 0 does not exist; class=Invalid (3); code=NotFound (-3)'],
    ['light^!', 'parent 0 does not exist; class=Invalid (3); code=NotFound (-3)'],
    ['octopus^4', 'parent 3 does not exist; class=Invalid (3); code=NotFound (-3)'],
    ['octopus:nope', "the path 'nope' does not exist in the given tree; class=Tree (14); code=NotFound (-3)"],
    [
      'octopus:src~1',
      "the path 'src~1' does not exist in the given tree; class=Tree (14); code=NotFound (-3)",
    ],
    ['octopus:a/x', "the path 'a' exists but is not a tree; class=Tree (14); code=NotFound (-3)"],
    ['octopus:src//x', 'invalid tree path given; class=Tree (14); code=NotFound (-3)'],
    [':src', 'unimplemented; class=Invalid (3)'],
    [':/nope', 'no error; code=NotFound (-3)'],
    [':/needle', 'no error; code=NotFound (-3)'],
    [':/fix~1', 'no error; code=NotFound (-3)'],
    ['light^{/two}', 'no error; code=NotFound (-3)'],
    ['annotated-file^{/x}', 'object is not a committish; class=Invalid (3); code=Peel (-19)'],
    ['@{-1}', 'no error; code=NotFound (-3)'],
    ['nope@{0}', "no reference found for shorthand 'nope'; class=Reference (4); code=NotFound (-3)"],
    ['nope@{u}', "no reference found for shorthand 'nope'; class=Reference (4); code=NotFound (-3)"],
    [
      'light@{1}',
      "reflog for 'refs/tags/light' has only 0 entries, asked for 1; class=Reference (4); code=NotFound (-3)",
    ],
    [
      'HEAD@{2}',
      "reflog for 'HEAD' has only 0 entries, asked for 2; class=Reference (4); code=NotFound (-3)",
    ],
  ])("fails for %s with cargo's message", (revision, message) => {
    const fill = (text: string): string => text.replace('HEX', head).replace('SHORT', head.slice(0, 9));
    expect(failureOf(() => resolve(fill(revision)))).toBe(fill(message));
  });

  test.each(['commit', 'tree'])('does not peel a tag of a file into a %s', (kind) => {
    const oid = git('rev-parse', 'annotated-file');
    const number = kind === 'commit' ? 1 : 2;
    const message = `the git_object of id '${oid}' can not be successfully peeled into a ${kind} (git_object_t=${number}).; class=Object (11); code=Peel (-19)`;
    expect(failureOf(() => resolve(`annotated-file^{${kind}}`))).toBe(message);
  });

  test('may find objects that peelToCommit refuses', () => {
    const refusal = (id: string, code: string): string =>
      `the git_object of id '${id}' can not be successfully peeled into a commit (git_object_t=1).; class=Object (11); code=${code}`;
    const file = git('rev-parse', 'file');
    const annotated = git('rev-parse', 'annotated-file');
    expect(failureOf(() => peelToCommit(open(), resolve('file')))).toBe(refusal(file, 'InvalidSpec (-12)'));
    expect(failureOf(() => peelToCommit(open(), resolve('nested-file')))).toBe(
      refusal(annotated, 'Peel (-19)'),
    );
    expect(peelToCommit(open(), resolve('nested'))).toBe(git('rev-parse', 'annotated^{}'));
  });
});
