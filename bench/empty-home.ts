import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AUTHORITY } from '../test/http/certificates.ts';
import { comparePairs } from './measure.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const WORKSPACES = ['tokio', 'wasmtime'];

/** How long every answer of the mirror takes, as one does that comes from another town. */
const LATENCY_MS = 20;

/** From an empty CARGO_HOME over the network: index, downloads, unpacking and the document. */
export const emptyHome: Subject = {
  name: 'empty-home',
  title: 'metadata from an empty CARGO_HOME',
  beside: 'cargo',
  measure: (bench) => Promise.resolve(compareEmpty(bench, null)),
};

/** The same from a mirror on this machine that answers after `LATENCY_MS`, over TLS and HTTP/2. */
export const emptyHomeMirror: Subject = {
  name: 'empty-home-mirror',
  title: `the same, from a mirror ${LATENCY_MS} ms away`,
  beside: 'cargo',
  async measure(bench) {
    for (const workspace of WORKSPACES) bench.workspace(workspace);
    const server = spawn(
      process.execPath,
      ['scripts/run-ts.mjs', 'bench/mirror-server.ts', bench.home, String(LATENCY_MS)],
      { cwd: path.dirname(import.meta.dirname), stdio: ['pipe', 'pipe', 'inherit'] },
    );
    try {
      const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
      return compareEmpty(bench, String(line));
    } finally {
      server.stdin.end();
    }
  },
};

function compareEmpty(bench: Workbench, mirror: string | null): readonly Row[] {
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
  return WORKSPACES.map((workspace) => {
    const place = {
      cwd: bench.workspace(workspace),
      home,
      network: mirror === null,
      before: () => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
        writeFileSync(path.join(home, 'config.toml'), config);
      },
    };
    const args = ['metadata', '--format-version', '1'];
    const [ours, theirs] = [bench.tsreg(args, place), bench.cargo(args, place)];
    return comparePairs({ workspace, ours, theirs, limit: 1, pairs: bench.pairs(5) });
  });
}
