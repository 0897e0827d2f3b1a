import type { Tree, TreeEntry } from '../../helpers/tree.ts';
import { pick } from '../generator/pick.ts';
import { buildTargets } from '../generator/targets.ts';
import { dependenciesOf, type Sibling } from './dependencies.ts';
import type { MemberGene } from './genome.ts';
import type { PackageSubject } from './subjects.ts';

/** A package of a generated tree. */
export interface GeneratedMember {
  /** Files below the package's folder. */
  readonly files: Tree;
  readonly manifest: string;
  readonly marks: readonly PackageSubject[];
}

/** The surroundings of a package. */
export interface MemberSurroundings {
  readonly name: string;
  /** Lines of `publish`; null for none. */
  readonly publish: string | null;
  /** Whether there is a workspace to inherit from. */
  readonly hasWorkspace: boolean;
  /** Members that it may depend on. */
  readonly siblings: readonly Sibling[];
}

interface Offer {
  readonly subject?: PackageSubject;
  readonly files: Tree;
}

const longName = `${'n'.repeat(40)}/${'o'.repeat(45)}/${'p'.repeat(30)}.txt`;

/** Files that a package may have besides its targets. */
const offers: readonly Offer[] = [
  { files: { 'docs/a.md': 'a', 'docs/deep/b.md': 'b\n' } },
  { files: { 'src/util.rs': 'pub fn u() {}\n', 'src/a/mod.rs': '' } },
  { files: { 'data.bin': { base64: 'AAEC/v8=' }, empty: '' } },
  { files: { 'tests/data/x.txt': 'x\n', 'tests/data/y.TXT': 'y' } },
  { subject: 'hidden file', files: { '.hidden': 'h', '.github/ci.yml': 'on: push\n' } },
  { subject: 'hidden file', files: { '.gitattributes': '* text=auto\n', 'docs/.keep': '' } },
  { subject: 'odd file name', files: { 'a b.txt': ' ', 'ä.txt': 'ä', '[x].txt': 'x' } },
  { subject: 'odd file name', files: { '#hash': '1', '!bang': '2', '{a,b}.md': '3', "q'uote": '4' } },
  { files: { 'src-x/a': '', 'src.d/a': '', 'src!': '', src_z: '' } },
  { files: { 'target/inside.txt': 'i', 'sub/target/t.txt': 't', 'Target/u.txt': 'u' } },
  { files: { 'Cargo.toml.bak': '', 'sub/Cargo.lock': 'version = 4\n', 'docs/cargo.toml': '' } },
  { subject: 'executable file', files: { 'run.sh': { text: '#!/bin/sh\n', mode: '755' } } },
  {
    subject: 'executable file',
    files: { 'tool/go': { text: 'go', mode: '711' }, 'tool/no': { text: 'no', mode: '600' } },
  },
  { subject: 'long path', files: { [longName]: 'long' } },
  { subject: 'long path', files: { [`ü${'ü'.repeat(60)}/${'v'.repeat(60)}`]: 'long' } },
  { files: { 'LICENSE-MIT': 'MIT', 'CHANGES.md': '# 1\n', 'docs/README.md': '' } },
  { files: { 'hollow/folder': { dir: true }, 'docs/z/a.txt': '', 'docs/z.txt': '' } },
  { files: { 'src/bin.rs': '', 'src/x.y.rs': '', 'src/.swp': '' } },
];

/** Patterns of `include` and `exclude`. */
const patterns = [
  '*.md',
  '/docs',
  'docs/',
  'docs/**',
  '!docs/deep',
  '**/*.txt',
  'src/**/*',
  '/src',
  '*',
  '/*',
  '!/src',
  '{docs,tests}/**',
  'tests/data/*',
  '[x].txt',
  '\\#hash',
  '#hash',
  '\\!bang',
  '.*',
  '!.hidden',
  'target/**',
  'inner/**',
  'deep',
  '**/deep/**',
  'a b.txt',
  'Cargo.toml',
  'Cargo.lock',
  'README*',
  'src/*.rs',
  'LICENSE*',
  '**',
  '!docs/a.md',
  'docs/[a-z]/*',
  '*.rs',
  '!*.rs',
  'docs//a.md',
  '/src/lib.rs',
  'tool/',
  '**/',
  'sub/**/t.txt',
  '?.txt',
  'build.rs',
  'benches',
  'examples/**',
  '/tests',
  'sub',
  './docs',
  'docs/../src',
  '*.{md,txt}',
  ' docs',
  '!',
];

const links: readonly { readonly subject: PackageSubject; readonly files: Tree }[] = [
  { subject: 'symlink to a file', files: { 'docs/a.md': 'a', 'link.txt': { link: 'docs/a.md' } } },
  { subject: 'symlink to a file', files: { 'src/again.rs': { link: 'lib.rs' } } },
  { subject: 'symlink to a folder', files: { 'docs/a.md': 'a', 'docs/ign.log': '', ld: { link: 'docs' } } },
  { subject: 'symlink to a folder', files: { 'docs/deep/b.md': 'b', 'docs/up': { link: 'deep' } } },
  { subject: 'broken symlink', files: { 'docs/broken': { link: 'nowhere' } } },
  { subject: 'symlink to the outside', files: { 'out.txt': { link: '$U/out.txt' } } },
  { subject: 'symlink to the outside', files: { 'out-folder': { link: '$U' } } },
  { subject: 'broken symlink', files: { self: { link: 'self' } } },
  { subject: 'symlink to a folder', files: { 'loop/here': { link: '..' } } },
];

/** Keys of `[package]`. */
const keys = [
  'authors = ["A <a@b.example>", "é \\"q\\""]',
  'homepage = "https://h.example"',
  'documentation = ""',
  'repository = "r"',
  'keywords = ["a", "b-c"]',
  'categories = ["x"]',
  'links = "native"',
  'rust-version = "1.85"',
  'rust-version = "1.52"',
  'autoexamples = false',
  'autotests = false',
  'autobenches = false',
  'autobins = false',
  'build = false',
  'rust-version = "1.77.1"',
  'metadata = { x = 1.0, "a b" = [] }',
  'autolib = false',
  "description = '''it's \"so\"\n'''",
  'unknown = 1',
];

/** Tables after `[package]`. */
const tables: readonly (readonly [PackageSubject, string])[] = [
  [
    'badges',
    '[badges]\nmaintenance = { status = "passively-maintained" }\ntravis-ci = { repository = "a/b", branch = "x" }',
  ],
  ['badges', '[badges]'],
  [
    'lints',
    '[lints.rust]\nunsafe_code = "forbid"\nunused = { level = "warn", priority = -1 }\nunexpected_cfgs = { level = "warn", check-cfg = ["cfg(a)"] }',
  ],
  ['lints', '[lints.clippy]\nall = "warn"\n[lints.rust]'],
  [
    'lints',
    '[lints.rust]\nunsafe-code = "warn"\nunsafe_code = "deny"\n[lints.clippy]\nneedless-return = "allow"',
  ],
  [
    'profiles',
    '[profile.release]\nopt-level = 3\nlto = "thin"\ndebug = true\nstrip = "none"\npanic = "abort"',
  ],
  [
    'profiles',
    '[profile.dev]\n[profile.dev.package.aa]\nopt-level = "s"\n[profile.dev.build-override]\ndebug = "limited"\n[profile.mine]\ninherits = "dev"\ncodegen-units = 4',
  ],
  ['profiles', '[profile.debug]\nopt-level = 1\n[profile.mine]\ninherits = "debug"'],
  [
    'package.metadata',
    '[package.metadata]\nx = 1.0\ny = 1e16\nz = [0.1, -0.0, 1e-7, inf]\nwhen = 1979-05-27T07:32:00.500Z\nbig = 9223372036854775807\nhex = 0xdead_beef',
  ],
  [
    'package.metadata',
    '[package.metadata.docs.rs]\nall-features = true\nargs = ["--cfg", "docsrs"]\n[[package.metadata.list]]\na = 1\n[[package.metadata.list]]\n[package.metadata."q k"]\nt = "tab\\tand \\\\ and \\"\\nline"\nn = [[1, 2], [], [{ z = 1, a = [] }, {}]]\nc = "\\u0001\\r\\n"',
  ],
];

const inheritable = [
  'version',
  'edition',
  'rust-version',
  'license',
  'readme',
  'license-file',
  'authors',
  'description',
  'keywords',
  'include',
  'exclude',
  'homepage',
  'repository',
  'documentation',
  'categories',
];

const readmes: readonly {
  readonly subject?: PackageSubject;
  readonly line?: string;
  readonly files: Tree;
}[] = [
  { files: {} },
  { subject: 'readme by name', files: { 'README.md': '# r\n' } },
  { subject: 'readme given', line: 'readme = "docs/R.md"', files: { 'docs/R.md': 'R' } },
  { subject: 'readme outside', line: 'readme = "$U/R.md"', files: {} },
  { subject: 'readme by name', files: { README: '', 'README.txt': 'txt' } },
  { subject: 'readme given', line: 'readme = false', files: { 'README.md': 'no\n' } },
  { subject: 'readme given', line: 'readme = true', files: { 'README.md': 'yes\n' } },
  { subject: 'readme outside', line: 'readme = "$U/R.md"', files: { 'R.md': 'another' } },
  { files: { 'Readme.md': '', 'readme.txt': '' } },
  { subject: 'readme given', line: 'readme = "./docs/../R.md"', files: { 'R.md': 'R', 'docs/x': '' } },
];

const licenses: readonly {
  readonly subject?: PackageSubject;
  readonly line?: string;
  readonly files: Tree;
}[] = [
  { files: {} },
  { line: 'license = "MIT"', files: {} },
  { subject: 'license file', line: 'license-file = "LICENSE"', files: { LICENSE: 'L' } },
  { line: 'license = "MIT OR Apache-2.0"', files: { LICENSE: 'L' } },
  { subject: 'license file outside', line: 'license-file = "$U/L.txt"', files: {} },
  { subject: 'license file', line: 'license-file = "docs/L"', files: { 'docs/L': 'l' } },
  { line: 'license = ""', files: {} },
  { subject: 'license file outside', line: 'license-file = "$U/L.txt"', files: { 'L.txt': 'mine' } },
];

/** Faults that prevent packaging, or nearly so. */
const flaws: readonly {
  readonly lines?: readonly string[];
  readonly tables?: readonly string[];
  readonly files?: Tree;
}[] = [
  { files: { 'Cargo.toml.orig': '' } },
  { files: { '.cargo_vcs_info.json': '' } },
  { files: { 'back\\slash': '', 'ok.txt': '' } },
  { files: { 'what?.txt': '' } },
  { files: { 'src/con.rs': '' } },
  { lines: ['readme = "gone.md"'] },
  { lines: ['license-file = "gone"'] },
  { lines: ['include = ["src", "{a"]'] },
  { lines: ['exclude = ["a{b", "[z"]'] },
  { lines: ['build = "gone.rs"'] },
  { tables: ['[lib]\npath = "gone.rs"'] },
  { lines: ['publish = ["nowhere"]'] },
  { files: { 'cargo.toml': '' } },
  { tables: ['[[bin]]\nname = "out"\npath = "../out.rs"'] },
];

/** Builds a package from a gene. `$U` in texts is the path to the folder of outside files. */
export function buildMember(gene: MemberGene, around: MemberSurroundings): GeneratedMember {
  const marks: PackageSubject[] = [];
  const files: Record<string, TreeEntry> = {};
  const take = (one: { readonly subject?: PackageSubject; readonly files: Tree }): void => {
    if (one.subject !== undefined) marks.push(one.subject);
    Object.assign(files, one.files);
  };
  for (const number of gene.files) take(pick(offers, number));
  for (const number of gene.links) take(pick(links, number));

  const lines = [`name = "${around.name}"`];
  const given = new Set<string>(['name']);
  const add = (line: string): void => {
    const key = line.split(' = ')[0] ?? '';
    if (given.has(key)) return;
    given.add(key);
    lines.push(line);
  };
  const flaw = gene.flaw > 0 ? pick(flaws, gene.flaw) : {};
  for (const line of flaw.lines ?? []) add(line);
  if (flaw.files !== undefined) Object.assign(files, flaw.files);
  if (around.hasWorkspace) {
    for (const number of gene.inherit) {
      const key = pick(inheritable, number);
      if (given.has(key)) continue;
      given.add(key);
      lines.push(`${key}.workspace = true`);
      marks.push('inheritance');
    }
  }
  if (gene.rules > 0) {
    const list = JSON.stringify(gene.patterns.map((number) => pick(patterns, number)));
    if (gene.rules % 5 < 2 || gene.rules % 11 === 10) {
      add(`exclude = ${list}`);
      marks.push('exclude');
    }
    if (gene.rules % 5 >= 2 || gene.rules % 11 === 10) {
      // Most lists name the sources, because a package without targets cannot be packaged.
      add(`include = ${gene.rules % 7 === 0 ? list : list.replace('[', '["/src", ')}`);
      marks.push('include');
    }
  }
  const readme = pick(readmes, gene.readme);
  if (!given.has('readme')) {
    take(readme);
    if (readme.line !== undefined) add(readme.line);
  }
  const license = pick(licenses, gene.license);
  if (!given.has('license-file') && !given.has('license')) {
    take(license);
    if (license.line !== undefined) add(license.line);
  }
  if (gene.described % 2 === 0) add('description = "d"');
  if (gene.described % 3 === 0) add('homepage = "h"');
  if (around.publish !== null) add(around.publish);
  for (const number of gene.keys) {
    const text = pick(keys, number);
    if (text.startsWith('links')) {
      // A package with `links` needs a build script.
      if (given.has('build')) continue;
      add('build = "link.rs"');
      files['link.rs'] = 'fn main() {}\n';
    }
    add(text);
  }
  if (!given.has('version')) add(`version = "${versionOf(gene)}"`);
  const edition = pick(['2021', '2024', '2018', '2015', null] as const, gene.edition);
  if (!given.has('edition')) {
    marks.push(edition === null ? 'no edition' : `edition ${edition}`);
    if (edition !== null) add(`edition = "${edition}"`);
  }
  const targets = buildTargets(gene.targets);
  Object.assign(files, targets.files);
  for (const { subject } of targets.marks) if (isShared(subject)) marks.push(subject);
  for (const line of targets.packageLines) add(line);

  const text = [...(flaw.tables ?? [])];
  // A table may occur only once.
  for (const number of new Set(gene.tables.map((one) => one % tables.length))) {
    const [subject, table] = pick(tables, number);
    if (text.some((other) => other.split(']')[0] === table.split(']')[0])) continue;
    if (subject === 'package.metadata' && given.has('metadata')) continue;
    if (text.some((other) => other.startsWith('[lints') && table.startsWith('[lints'))) continue;
    marks.push(subject);
    text.push(table);
  }
  for (const table of targets.tables) {
    if (!(flaw.tables ?? []).some((other) => other.split(']')[0] === table.split(']')[0])) text.push(table);
  }
  const deps = dependenciesOf(gene, around);
  marks.push(...deps.marks);
  text.push(...deps.tables);
  if (gene.nested > 0) {
    marks.push('nested package');
    Object.assign(
      files,
      pick<Tree>(
        [
          { 'inner/Cargo.toml': '[package]\nname = "inner"\nversion = "0.1.0"\n', 'inner/src/lib.rs': '' },
          { 'docs/inner/Cargo.toml': 'not a manifest', 'docs/inner/b.md': '', 'docs/a.md': '' },
          { 'inner/Cargo.toml': { dir: true }, 'inner/x.md': '' },
        ],
        gene.nested,
      ),
    );
  }
  return {
    files: { 'src/lib.rs': '//! lib\n', ...files },
    manifest: `[package]\n${lines.join('\n')}\n${text.map((table) => `\n${table}\n`).join('')}`,
    marks,
  };
}

/** Returns the version of a package that does not inherit one. */
export function versionOf(gene: MemberGene): string {
  return pick(['0.1.0', '1.0.0-rc.1', '2.3.4+meta.5', '0.1.0', '1.2.3'], gene.version);
}

type TargetSubject = Extract<PackageSubject, `target: ${string}`>;

function isShared(subject: string): subject is TargetSubject {
  return subject.startsWith('target: ') && subject !== 'target: lib';
}
