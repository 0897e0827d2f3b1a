import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { AUTHORITY } from '../test/io/http/certificates.ts';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const ARGS = ['metadata', '--format-version', '1'];

/** The latency of every response of the mirror, as of a server in another town. */
const LATENCY_MS = 20;

/** `metadata` with an empty CARGO_HOME and a local mirror that responds after `LATENCY_MS`, over TLS and HTTP/2. */
export const emptyHome: Subject = {
  name: 'empty-home',
  title: `metadata, empty home, mirror ${LATENCY_MS} ms away`,
  async measure(bench: Workbench): Promise<readonly Row[]> {
    const workspace = 'wasmtime';
    const cwd = bench.workspace(workspace);
    const server = spawn(
      process.execPath,
      ['scripts/run-ts.mjs', 'bench/mirror-server.ts', bench.home, String(LATENCY_MS)],
      { cwd: path.dirname(import.meta.dirname), stdio: ['pipe', 'pipe', 'inherit'] },
    );
    try {
      const { value: mirror } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
      const authority = path.join(bench.folder, 'authority.pem');
      writeFileSync(authority, AUTHORITY);
      const home = path.join(bench.folder, 'empty-home');
      const before = (): void => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
        const config = `source.crates-io.replace-with = "mirror"
source.mirror.registry = "sparse+${mirror}/index/"
http.cainfo = ${JSON.stringify(authority)}
`;
        writeFileSync(path.join(home, 'config.toml'), config);
      };
      const place = { cwd, home, before };
      const beside = [{ name: 'cargo', command: bench.cargo(ARGS, place), limit: 0.8 }];
      const comparison = { workspace, ours: bench.tsreg(ARGS, place), beside, rounds: bench.rounds(9) };
      return [await compareRuns(comparison, bench)];
    } finally {
      server.stdin.end();
    }
  },
};
