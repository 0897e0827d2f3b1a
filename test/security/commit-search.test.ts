import { execFileSync } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { openRepository } from '../../src/io/git/repository.ts';
import { resolveReference } from '../../src/io/git/revision.ts';
import { runGit } from '../helpers/git-repo.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('commit-search');
afterAll(() => temp.remove());

// The author of a dependency controls both the expression (`rev = ":/(a+)+$"`) and the commit messages.
it('stops a search of commit messages that takes too long', () => {
  runGit(temp.path, ['init', '--quiet']);
  for (const message of ['the first', `${'a'.repeat(60)}b`])
    runGit(temp.path, ['commit', '--quiet', '--allow-empty', '-m', message]);
  const repository = openRepository(temp.path);
  if (repository === null) throw new Error('no repository');
  const resolve = (name: string): string => resolveReference(repository, { kind: 'rev', name });
  const first = execFileSync('git', ['rev-parse', 'HEAD~1'], { cwd: temp.path, encoding: 'utf8' }).trim();
  expect(resolve(':/the f.rst$')).toBe(first);
  const startedAt = performance.now();
  expect(() => resolve(':/(a+)+$')).toThrow(
    'matching `(a+)+$` against the messages of commits takes too long',
  );
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
