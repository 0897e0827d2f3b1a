import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AUTHORITY } from '../test/http/certificates.ts';
import { besideAll } from './beside-all.ts';
import { askDocument, neededFromNothing } from './floor.ts';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

/** How long every answer of the mirror takes, as one does that comes from another town. */
const LATENCY_MS = 20;

/** From an empty CARGO_HOME over the network, which decides what comes out: index, downloads, unpacking, document. */
export const emptyHome: Subject = {
  name: 'empty-home',
  title: 'metadata, empty home, crates.io',
  measure: (bench) => compareEmpty(bench, null),
};

/** As `emptyHome`, from a mirror on this machine that answers after `LATENCY_MS`, over TLS and HTTP/2. */
export const emptyHomeMirror: Subject = {
  name: 'empty-home-mirror',
  title: `metadata, empty home, mirror ${LATENCY_MS} ms away`,
  async measure(bench) {
    bench.workspace('wasmtime');
    const server = spawn(
      process.execPath,
      ['scripts/run-ts.mjs', 'bench/mirror-server.ts', bench.home, String(LATENCY_MS)],
      { cwd: path.dirname(import.meta.dirname), stdio: ['pipe', 'pipe', 'inherit'] },
    );
    try {
      const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
      return await compareEmpty(bench, String(line));
    } finally {
      server.stdin.end();
    }
  },
};

async function compareEmpty(bench: Workbench, mirror: string | null): Promise<readonly Row[]> {
  const home = path.join(bench.folder, 'empty-home');
  const authority = path.join(bench.folder, 'authority.pem');
  writeFileSync(authority, AUTHORITY);
  const config =
    mirror === null
      ? ''
      : `source.crates-io.replace-with = "mirror"
source.mirror.registry = "sparse+${mirror}/index/"
http.cainfo = ${JSON.stringify(authority)}
`;
  const workspace = 'wasmtime';
  const cwd = bench.workspace(workspace);
  const place = {
    ...{ cwd, home, network: mirror === null },
    before: () => {
      rmSync(home, { recursive: true, force: true });
      mkdirSync(home);
      writeFileSync(path.join(home, 'config.toml'), config);
    },
  };
  const document = askDocument(bench.cargo(ARGS, { cwd, home: bench.home }));
  const beside = besideAll(bench, {
    ...{ args: ARGS, place, needed: neededFromNothing(document, bench.home) },
    limits: mirror === null ? {} : { cargo: 0.7 },
  });
  const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, memory: { limit: null } };
  return [await compareRuns({ ...comparison, rounds: bench.rounds(9) }, bench)];
}
