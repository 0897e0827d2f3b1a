import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { askDocument, type Beside, compareRuns, run } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

const CASES = [
  { workspace: 'thousand', limit: 0.12, memory: 0.35 },
  { workspace: 'wasmtime', limit: 0.17, memory: 0.5 },
  { workspace: 'ripgrep', limit: null, memory: null },
];

/** The maximum ratio to the time of a program that only reads the document and writes it. */
const COPY_LIMIT = 1.8;
const COPY = `process.stdout.write(require('node:fs').readFileSync(process.argv[1]))`;

/** The document with all dependencies, run without changes, as editors request it repeatedly. */
export const wholeDocument: Subject = {
  name: 'whole-document',
  title: 'metadata, warm',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const { workspace, limit, memory } of CASES) {
      const place = { cwd: bench.workspace(workspace), home: bench.home };
      const ours = bench.tsreg(ARGS, place);
      const cargo = bench.cargo(ARGS, place);
      const [found, wanted] = [askDocument(ours).packages.length, askDocument(cargo).packages.length];
      if (found !== wanted) throw new Error(`${workspace}: ${found} packages, where cargo has ${wanted}`);
      const file = path.join(bench.folder, `${workspace}.json`);
      writeFileSync(file, run(ours).stdout);
      const beside: Beside[] = [
        { name: 'cargo', command: cargo, limit },
        { name: 'read and write', command: bench.node(['-e', COPY, file], place), limit: COPY_LIMIT },
      ];
      const comparison = { workspace, ours, beside, memory: { limit: memory } };
      rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(21) }, bench));
    }
    return rows;
  },
};
