import type { CommitDecl } from '../../helpers/git-repo.ts';
import type { Tree, TreeEntry } from '../../helpers/tree.ts';
import { pick } from '../generator/pick.ts';
import type { RepositoryGene } from './genome.ts';
import type { PackageSubject } from './subjects.ts';

/** The files and git commands that turn a tree into a working copy. */
export interface GeneratedRepository {
  /** Files before the first commit. */
  readonly files: Tree;
  readonly commands: readonly (readonly string[])[];
  /** Changes afterwards, before the first run. */
  readonly change: {
    readonly write: Tree;
    readonly remove: readonly string[];
    readonly git_commands: readonly (readonly string[])[];
  };
  readonly marks: readonly PackageSubject[];
}

/** Repositories that trees use as submodules or dependencies. */
export const repositories: Readonly<Record<string, readonly CommitDecl[]>> = {
  gg: [
    {
      files: {
        'Cargo.toml': '[package]\nname = "gg"\nversion = "0.1.0"\nedition = "2021"\n',
        'src/lib.rs': '',
      },
    },
  ],
  sm: [{ files: { 'in-module.md': 'm\n', 'deep/x.txt': 'x\n', '.gitignore': '*.log\n' } }],
};

const ignoreLines = [
  '*.md',
  '/docs',
  '!docs/a.md',
  '.hidden',
  'target',
  'Cargo.lock',
  '*.txt',
  'data.bin',
  'sub/',
  'src/util.rs',
  'a b.txt',
  '# comment',
  '*.log',
  'Cargo.toml',
  '/target',
  '**/deep',
  'docs/*',
  '!/docs/deep',
  'build.rs',
  'README.md',
  '\\#hash',
  'ld',
  'LICENSE',
  'examples/',
  'm/',
  'trailing ',
  '[a-z].txt',
  '/src/*.rs',
];

/**
 * Builds the repository of a gene. `folder` is that of a package, `base` that of the whole tree; both are empty or end
 * in a slash.
 */
export function buildRepository(
  gene: RepositoryGene,
  tree: { readonly files: Tree; readonly folder: string; readonly base: string },
): GeneratedRepository {
  const kind = pick(
    [
      'committed',
      'none',
      'committed',
      'committed',
      'none',
      'unborn',
      'committed',
      'added',
      'committed',
    ] as const,
    gene.kind,
  );
  const write: Record<string, TreeEntry> = {};
  const remove: string[] = [];
  const after: string[][] = [];
  if (kind === 'none') {
    const files: Tree = gene.ignore.length === 0 ? {} : { [`${tree.folder}.gitignore`]: '*.md\n' };
    return { files, commands: [], change: { write, remove, git_commands: after }, marks: ['no repository'] };
  }
  const marks: PackageSubject[] = [tree.folder === '' ? 'repository at the root' : 'repository above'];
  const commands: string[][] = [['init', '-q', '-b', 'main']];
  const files: Record<string, string> = {};
  if (gene.ignore.length > 0) {
    const text = gene.ignore.map((number) => `${pick(ignoreLines, number)}\n`).join('');
    const place = pick(
      ['package', 'root', 'package', '.git/info/exclude', 'docs', 'configured', '.git/info/exclude'] as const,
      gene.ignoreFile,
    );
    if (place === 'configured') {
      files['.git/ignored'] = text;
      commands.push(['config', 'core.excludesFile', '$D/.git/ignored']);
    } else {
      const file = {
        package: `${tree.folder}.gitignore`,
        root: '.gitignore',
        docs: `${tree.folder}docs/.gitignore`,
      };
      files[place === '.git/info/exclude' ? place : file[place]] = text;
      marks.push(place === '.git/info/exclude' ? place : '.gitignore');
    }
  }
  if (kind !== 'unborn') commands.push(['add', '-A']);
  if (kind === 'committed') commands.push(['commit', '-q', '-m', 'one']);
  else marks.push('no commit yet');

  const named = Object.keys(tree.files).filter((name) => !name.startsWith('../') && !name.endsWith('folder'));
  const used = new Set<string>();
  for (const [at, { what, file: number }] of gene.changes.entries()) {
    const change = pick(kind === 'unborn' ? (['modify', 'new'] as const) : changes, what);
    // Names are literal, because some of them would be patterns.
    const git = (...args: string[]): void => void after.push(['--literal-pathspecs', ...args]);
    if (change === 'new' || change === 'new staged' || change === 'forced') {
      const name = `${tree.folder}${pick(['', 'src/', 'docs/'], number)}new-${at}.${change === 'forced' ? 'log' : 'txt'}`;
      write[name] = `new ${number}`;
      if (change === 'new') marks.push('untracked file');
      else {
        git('add', '-f', '--', name);
        marks.push(change === 'forced' ? 'ignored file committed' : 'staged file');
        if (change === 'forced' && kind === 'committed') git('commit', '-q', '-m', 'forced', '--', name);
      }
      continue;
    }
    const file = pick(named, number);
    if (used.has(file)) continue;
    used.add(file);
    const before = tree.files[file];
    const text = typeof before === 'string' ? before : 'another';
    switch (change) {
      case 'modify':
        write[file] = `${text}\n`;
        marks.push('modified file');
        break;
      case 'stage':
        write[file] = `${text}\n`;
        git('add', '-f', '--', file);
        marks.push('staged file');
        break;
      case 'delete':
        remove.push(file);
        marks.push('deleted file');
        break;
      case 'untrack':
        git('rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', file);
        marks.push('taken from the index');
        break;
      case 'mode':
        write[file] = { text, mode: '755' };
        marks.push('mode changed');
        break;
      case 'rename':
        git('rm', '-r', '-q', '--cached', '--ignore-unmatch', '--', file);
        write[`${tree.folder}moved-${at}.txt`] = text;
        git('add', '-f', '--', `${tree.folder}moved-${at}.txt`);
        marks.push('staged file', 'taken from the index');
        break;
    }
  }
  if (gene.extra > 0 && kind === 'committed') {
    const folder = `${tree.folder}vendor`;
    switch (gene.extra % 5) {
      case 0:
        after.push(['init', '-q', '-b', 'main', `${tree.folder}own`]);
        write[`${tree.folder}own/a.txt`] = 'a';
        write[`${tree.folder}own/.gitignore`] = '*.md\n';
        write[`${tree.folder}own/b.md`] = 'b';
        marks.push('nested repository');
        break;
      case 1:
        after.push(['init', '-q', '-b', 'main', `${tree.folder}own`]);
        write[`${tree.folder}own/a.txt`] = 'a';
        after.push(
          ['-C', `${tree.folder}own`, 'add', '-A'],
          ['-C', `${tree.folder}own`, 'commit', '-q', '-m', 'own'],
        );
        marks.push('nested repository');
        break;
      default:
        after.push(
          ['submodule', '--quiet', 'add', '-f', 'file://$G/sm', folder],
          ['commit', '-q', '-m', 'module', '--', '.gitmodules', folder],
        );
        if (gene.extra % 5 === 2) after.push(['submodule', '--quiet', 'deinit', '-f', folder]);
        if (gene.extra % 5 === 3) after.push(['-C', folder, 'rm', '-q', '--cached', 'in-module.md']);
        marks.push('submodule');
    }
  }
  if (kind === 'committed' && gene.changes.length === 0 && gene.extra === 0) marks.push('clean');
  return { files, commands, change: { write, remove, git_commands: after }, marks };
}

const changes = [
  'modify',
  'stage',
  'new',
  'delete',
  'untrack',
  'mode',
  'new staged',
  'rename',
  'forced',
  'delete',
  'mode',
  'forced',
] as const;
