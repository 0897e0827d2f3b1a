import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { serveRegistry } from '../test/helpers/served-registry.ts';
import { compareRuns } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

/** The title of this case. */
export const LOCAL_REGISTRY = 'against a local registry';

/** Commands that query a registry on this machine, compared with Node that does nothing. */
export const registryCommands: Subject = {
  name: 'registry-commands',
  title: LOCAL_REGISTRY,
  standsAlone: true,
  async measure(bench: Workbench): Promise<readonly Row[]> {
    await using registry = await serveRegistry(path.join(bench.folder, 'local-registry'));
    const token = await registry.token('bench');
    for (const name of ['kettle', 'kettle-lid']) await registry.publish({ name, version: '1.0.0' }, token);
    const home = path.join(bench.folder, 'local-home');
    mkdirSync(home, { recursive: true });
    const commands = [
      ['search', 'kettle'],
      ['info', 'kettle'],
      ['owner', '--list', 'kettle', '--token', token],
    ];
    const rows: Row[] = [];
    for (const args of commands) {
      const [workspace = ''] = args;
      const ours = bench.tsreg([...args, '--index', registry.index], { cwd: bench.folder, home });
      const beside = [{ name: 'bare Node', command: bench.bareNode, limit: 3 }];
      rows.push(await compareRuns({ workspace, ours, beside, rounds: bench.rounds(21) }, bench));
    }
    return rows;
  },
};
