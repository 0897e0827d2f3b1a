import path from 'node:path';
import { parseArgs } from 'node:util';
import { emptyHome, emptyHomeMirror } from './empty-home.ts';
import { newLockFile } from './new-lock-file.ts';
import { noDeps } from './no-deps.ts';
import { packageSubject } from './package.ts';
import { serveSubject } from './serve.ts';
import type { Row, Subject } from './subject.ts';
import { treeSubject } from './tree.ts';
import { updateSubject } from './update.ts';
import { wholeDocument } from './whole-document.ts';
import { openWorkbench } from './workbench.ts';

const SUBJECTS: readonly Subject[] = [
  wholeDocument,
  noDeps,
  newLockFile,
  emptyHome,
  emptyHomeMirror,
  packageSubject,
  treeSubject,
  updateSubject,
  serveSubject,
];

const USAGE = `usage: npm run bench -- [SUBJECT…] [--workspaces FOLDER] [--quick] [--check]

  SUBJECT        ${SUBJECTS.map(({ name }) => name).join(', ')}; all unless named
  --workspaces   folder with wasmtime and tokio as NAME/ or NAME.tar.gz (default: the variable TSREG_WORKSPACES);
                 serve needs none
  --quick        a quarter of the pairs
  --check        exit status 1 if a ratio is over its limit`;

const UNITS: Readonly<Record<Row['measure'], readonly [unit: string, digits: number]>> = {
  time: ['ms', 1],
  memory: ['MB', 0],
  rate: ['/s', 0],
};

function formatRow(row: Row, subject: Subject): string {
  const [unit, digits] = UNITS[row.measure];
  const figure = (value: number | null): string =>
    (value === null ? '' : `${value.toFixed(digits)} ${unit}`).padStart(11);
  const ratio = (value: number | null): string => (value?.toFixed(2) ?? '').padStart(6);
  return [
    subject.title.padEnd(40),
    row.workspace.padEnd(9),
    figure(row.ours),
    figure(row.theirs),
    subject.beside.padEnd(9),
    ratio(row.ratio),
    ratio(row.limit),
    isOver(row) ? 'OVER' : 'ok',
  ].join('  ');
}

function isOver({ ratio, limit }: Row): boolean {
  return ratio !== null && limit !== null && ratio > limit;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      workspaces: { type: 'string' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.filter((name) => !SUBJECTS.some((subject) => subject.name === name));
  const subjects = SUBJECTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const given = values.workspaces ?? process.env['TSREG_WORKSPACES'];
  const workspaces = given ?? (subjects.every(({ standsAlone }) => standsAlone === true) ? '.' : undefined);
  if (workspaces === undefined || unknown.length > 0) {
    console.error(unknown.length > 0 ? `no subject is called ${unknown.join(', ')}\n\n${USAGE}` : USAGE);
    return 2;
  }

  const root = path.dirname(import.meta.dirname);
  const { bench, dispose } = openWorkbench(path.resolve(workspaces), { root, quick: values.quick });
  let over = 0;
  let failed = 0;
  try {
    console.log(`Node ${process.version} beside ${bench.cargoDescription}. Medians of interleaved pairs.\n`);
    console.log(
      `${'subject'.padEnd(40)}  workspace        tsreg  ${'beside'.padStart(11)}             ratio   limit`,
    );
    for (const subject of subjects) {
      try {
        for (const row of await subject.measure(bench)) {
          console.log(formatRow(row, subject));
          if (isOver(row)) over += 1;
        }
      } catch (error) {
        console.log(`${subject.title}: ${error instanceof Error ? error.message : String(error)}`);
        failed += 1;
      }
    }
  } finally {
    dispose();
  }
  if (over > 0) console.log(`\n${over} over the limit.`);
  if (failed > 0) console.log(`\n${failed} could not be measured.`);
  return failed > 0 || (values.check && over > 0) ? 1 : 0;
}

process.exitCode = await main();
