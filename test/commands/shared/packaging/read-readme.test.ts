import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { NodeFiles } from '../../../../src/io/disk/node-files.ts';
import { readReadme } from '../../../../src/commands/shared/packaging/read-readme.ts';
import { makeSourceContext, messagesOf } from '../../../helpers/source-context.ts';
import { onWindows } from '../../../helpers/system.ts';
import { makeTempDir } from '../../../helpers/temp-dir.ts';
import { writeTree } from '../../../helpers/tree.ts';

let root: string;
beforeEach(() => {
  const temp = makeTempDir('read-readme');
  root = temp.path;
  return () => temp.remove();
});

function read(readme: string): string | null | string[] {
  const path = join(root, 'Cargo.toml');
  writeTree(root, {
    'Cargo.toml': `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\nreadme = "${readme}"\n`,
    'src/lib.rs': '',
    'docs/R.md': '# p',
  });
  const { context } = makeSourceContext({ cwd: root, home: join(root, 'home') });
  const manifest = context.load(path, context.sources.forPath(root));
  if (manifest.kind !== 'package') throw new Error('not a package');
  try {
    return readReadme(manifest, new NodeFiles());
  } catch (error) {
    return messagesOf(error);
  }
}

test('returns the text of the file', () => {
  expect(read('docs/R.md')).toBe('# p');
});

test.skipIf(onWindows)(
  'reports an unreadable readme with its package and path (not on Windows: no modes of files)',
  () => {
    const problem = `failed to read \`readme\` file for package \`p v0.1.0 (${root})\``;
    const refused = (path: string, why: string) => [problem, `failed to read \`${root}/${path}\``, why];
    expect(read('gone.md')).toEqual(refused('gone.md', 'No such file or directory (os error 2)'));
    expect(read('docs')).toEqual(refused('docs', 'Is a directory (os error 21)'));
    expect(read('src/lib.rs/R.md')).toEqual(refused('src/lib.rs/R.md', 'Not a directory (os error 20)'));
  },
);
