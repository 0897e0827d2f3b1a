import { readFileSync, writeFileSync } from 'node:fs';
import { askDocument, compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

const CASES = [
  { workspace: 'thousand', limit: 0.35 },
  { workspace: 'wasmtime', limit: 0.5 },
];

/** `metadata` directly after a manifest of the workspace was edited. It is edited before each run. */
export const edited: Subject = {
  name: 'edited',
  title: 'metadata, a manifest edited',
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (const { workspace, limit } of CASES) {
      const home = bench.home;
      const cwd = bench.workspace(workspace, 'edited');
      const { packages } = askDocument(bench.cargo(ARGS, { cwd, home }));
      const manifest = packages.find(({ source }) => source === null)?.manifest_path ?? '';
      const place = { cwd, home, before: editsOf(manifest) };
      const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit }];
      const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, memory: { limit: 0.6 } };
      rows.push(await compareRuns({ ...comparison, rounds: bench.rounds(15) }, bench));
    }
    return rows;
  },
};

/** Returns a function that edits the manifest. Each call gives a different manifest and so a different document. */
function editsOf(manifest: string): () => void {
  const text = readFileSync(manifest, 'utf8');
  let edits = 0;
  return () => {
    edits += 1;
    writeFileSync(manifest, `${text}\n[package.metadata.bench]\nedits = ${edits}\n`);
  };
}
