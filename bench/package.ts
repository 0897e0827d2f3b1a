import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['package', '--no-verify', '--allow-dirty'];

/** Archives of packages without dependencies: selects, packs and compresses files. */
export const packageSubject: Subject = {
  name: 'package',
  title: 'package --no-verify --allow-dirty',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const words = randomWords();
    const inputs = [
      ['10 crates', writeWorkspace(path.join(bench.folder, 'ten-packages'), words)],
      ['5000 files', writeLargePackage(path.join(bench.folder, 'many-files'), words)],
    ] as const;
    const rows: Row[] = [];
    for (const [workspace, cwd] of inputs) {
      const before = (): void => rmSync(path.join(cwd, 'target'), { recursive: true, force: true });
      const place = { cwd, home: bench.home, before };
      const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit: 1 }];
      const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, rounds: bench.rounds(15) };
      rows.push(await compareRuns(comparison, bench));
    }
    return rows;
  },
};

/** Writes a workspace of ten packages of typical size: 80 files with 400 kB of text each. */
function writeWorkspace(root: string, words: () => string): string {
  const names = Array.from({ length: 10 }, (_, index) => `member-${index}`);
  mkdirSync(root, { recursive: true });
  writeFileSync(path.join(root, 'Cargo.toml'), `[workspace]\nresolver = "3"\nmembers = ["member-*"]\n`);
  for (const name of names) writePackage(path.join(root, name), { name, files: 80, words });
  return root;
}

function writeLargePackage(root: string, words: () => string): string {
  writePackage(root, { name: 'many-files', files: 5000, words });
  return root;
}

function writePackage(
  root: string,
  { name, files, words }: { readonly name: string; readonly files: number; readonly words: () => string },
): void {
  mkdirSync(path.join(root, 'src'), { recursive: true });
  const fields = ['name', name, 'version', '0.1.0', 'edition', '2024', 'license', 'MIT', 'description', 'x'];
  const lines = fields.flatMap((field, at) =>
    at % 2 === 0 ? [`${field} = ${JSON.stringify(fields[at + 1])}`] : [],
  );
  writeFileSync(
    path.join(root, 'Cargo.toml'),
    ['[package]', ...lines, 'repository = "https://example.org"', ''].join('\n'),
  );
  writeFileSync(path.join(root, 'src', 'lib.rs'), '');
  for (let file = 0; file < files; file += 1) {
    const folder = path.join(root, 'src', `part_${file % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `file_${file}.rs`), sourceText(words));
  }
}

/** Returns about 5 kB of text that compresses as source code does. */
function sourceText(words: () => string): string {
  const functions = Array.from({ length: 25 }, () => {
    const [name, type, value, other] = [words(), words(), words(), words()];
    return [
      `/// Makes ${other} of ${value} and ${words()}, unless ${words()} is ${words()}.`,
      `pub fn ${name}_${value}(${other}: &${type}) -> Result<${type}, Error> {`,
      `    let ${value} = ${other}.${words()}(${words()})?;`,
      `    Ok(${type}::${words()}(${value}))`,
      '}\n',
    ].join('\n');
  });
  return functions.join('\n');
}

/** Returns a generator of words, which are the same in every run. */
function randomWords(): () => string {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const syllables = ['al', 'be', 'cor', 'da', 'en', 'fi', 'gra', 'ho', 'in', 'jo', 'ka', 'lo', 'mi', 'nu'];
  const word = (): string =>
    Array.from({ length: 2 + random(3) }, () => syllables[random(syllables.length)] ?? '').join('');
  const vocabulary = Array.from({ length: 600 }, word);
  return () => vocabulary[random(vocabulary.length)] ?? '';
}
