import path from 'node:path';
import { parseArgs } from 'node:util';
import { addedDependency } from './added-dependency.ts';
import { edited } from './edited.ts';
import { emptyHome } from './empty-home.ts';
import { firstRun, sharedPackages } from './first-run.ts';
import { growth } from './growth.ts';
import { newLockFile } from './new-lock-file.ts';
import { noDeps } from './no-deps.ts';
import { packageSubject } from './package.ts';
import { writePerformancePage } from './performance-page.ts';
import { registryCommands } from './registry-commands.ts';
import { excessOf, type MeasuredRow, type Row } from './row.ts';
import { serveSubject } from './serve.ts';
import type { Subject } from './subject.ts';
import { TABLE_HEAD, tableLine } from './table.ts';
import { treeSubject } from './tree.ts';
import { updateSubject } from './update.ts';
import { wholeDocument } from './whole-document.ts';
import { openWorkbench, type Workbench } from './workbench.ts';

/** The subjects of docs/performance.md, in the order of the page. */
const SHOWN: readonly Subject[] = [
  wholeDocument,
  edited,
  addedDependency,
  sharedPackages,
  firstRun,
  newLockFile,
  emptyHome,
  noDeps,
  packageSubject,
  registryCommands,
];

const SUBJECTS: readonly Subject[] = [...SHOWN, treeSubject, updateSubject, growth, serveSubject];

/** How often `--check` measures a row that is over its limit. */
const ATTEMPTS = 3;

const USAGE = `usage: npm run bench -- [SUBJECT…] [--workspaces FOLDER] [--home FOLDER] [--quick] [--check [--margin SHARE]] [--write]

  SUBJECT        ${SUBJECTS.map(({ name }) => name).join(', ')}; all unless named
  --workspaces   folder with wasmtime, tokio and ripgrep as NAME/ or NAME.tar.gz (default: the variable
                 TSREG_WORKSPACES); growth, serve and registry-commands need none
  --home         a CARGO_HOME that cargo has filled, on the disk of temporary files: its packages are used, and whatever
                 is missing is fetched for this run, as everything is without it
  --quick        a quarter of the rounds
  --check        exit status 1 if a ratio is over its limit; a row that is gets measured up to ${ATTEMPTS} times
  --margin       with --check: only if it is over its limit by more than this share of it in all of them (0.25 for
                 a machine that does other things as well)
  --write        writes the figures to docs/performance.md, README.md and their charts, all of them or those of the SUBJECTs`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      workspaces: { type: 'string' },
      home: { type: 'string' },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      margin: { type: 'string', default: '0' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const unknown = positionals.filter((name) => !SUBJECTS.some((subject) => subject.name === name));
  const subjects = (values.write ? SHOWN : SUBJECTS).filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const given = values.workspaces ?? process.env['TSREG_WORKSPACES'];
  const workspaces = given ?? (subjects.every(({ standsAlone }) => standsAlone === true) ? '.' : undefined);
  const margin = Number(values.margin);
  if (workspaces === undefined || unknown.length > 0 || !(margin >= 0)) {
    console.error(unknown.length > 0 ? `no subject is called ${unknown.join(', ')}\n\n${USAGE}` : USAGE);
    return 2;
  }

  const { bench, dispose } = openWorkbench(path.resolve(workspaces), {
    root: path.dirname(import.meta.dirname),
    quick: values.quick,
    attempts: values.check ? ATTEMPTS : 1,
    fetched: values.home === undefined ? null : path.resolve(values.home),
  });
  try {
    console.log(`Node ${process.version} beside ${bench.cargoDescription}. Medians of interleaved rounds, whole processes, output
read to the end; NODE_EXTRA_CA_CERTS unset. Bare Node: \`node -e 0\`. Read and write: Node that reads the document from a
file and writes it to stdout.\n`);
    console.log(TABLE_HEAD);
    const measured: MeasuredRow[] = [];
    const counts = { over: 0, beyond: 0, failed: 0 };
    for (const subject of subjects) {
      const { over, beyond, failed } = await measure(subject, bench, {
        margin,
        print: (row) => {
          console.log(tableLine(subject, row));
          measured.push({ title: subject.title, row });
        },
      });
      counts.over += over;
      counts.beyond += beyond;
      counts.failed += failed;
    }
    if (values.write) {
      const titles = SHOWN.map(({ title }) => title);
      writePerformancePage(measured, { titles, cargo: bench.cargoDescription });
    }
    if (counts.over > 0) console.log(`\n${counts.over} over the limit${beyondText(counts.beyond, margin)}.`);
    if (counts.failed > 0) console.log(`\n${counts.failed} could not be measured.`);
    return counts.failed > 0 || (values.check && counts.beyond > 0) ? 1 : 0;
  } finally {
    dispose();
  }
}

function beyondText(beyond: number, margin: number): string {
  return margin === 0 ? '' : `, ${beyond} of them by more than ${Math.round(margin * 100)} %`;
}

/**
 * Measures a subject and prints its rows. Counts the rows that are over their limits, and those over by more than
 * `margin`.
 */
async function measure(
  subject: Subject,
  bench: Workbench,
  { margin, print }: { readonly margin: number; readonly print: (row: Row) => void },
): Promise<{ readonly over: number; readonly beyond: number; readonly failed: number }> {
  try {
    const rows = await subject.measure(bench);
    for (const row of rows) print(row);
    const excesses = rows.map(excessOf);
    const count = (limit: number): number => excesses.filter((excess) => excess > limit).length;
    return { over: count(1), beyond: count(1 + margin), failed: 0 };
  } catch (error) {
    console.log(`${subject.title}: ${error instanceof Error ? error.message : String(error)}`);
    return { over: 0, beyond: 0, failed: 1 };
  }
}

process.exitCode = await main();
