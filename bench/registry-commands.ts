import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
      ['whoami', '--token', token],
    ];
    const rows: Row[] = [];
    for (const args of commands) {
      const [workspace = ''] = args;
      const ours = bench.tsreg([...args, '--index', registry.index], { cwd: bench.folder, home });
      const beside = [{ name: 'bare Node', command: bench.bareNode, limit: 3 }];
      rows.push(await compareRuns({ workspace, ours, beside, rounds: bench.rounds(21) }, bench));
    }
    const cwd = path.join(bench.folder, 'four-crates');
    let run = 0;
    const before = (): void => writeCrates(cwd, `0.1.${run++}`, registry.index);
    const args = ['publish', '--workspace', '--no-verify', '--registry', 'local', '--token', token];
    const ours = bench.tsreg(args, { cwd, home, before });
    const beside = [{ name: 'bare Node', command: bench.bareNode, limit: null }];
    rows.push(
      await compareRuns({ workspace: 'publish, 4 crates', ours, beside, rounds: bench.rounds(9) }, bench),
    );
    return rows;
  },
};

/** Writes a workspace of four packages with this version, each of which depends on the one before. */
function writeCrates(root: string, version: string, index: string): void {
  rmSync(root, { recursive: true, force: true });
  const names = ['saucer', 'cup', 'spoon', 'tray'];
  for (const [position, name] of names.entries()) {
    const folder = path.join(root, name);
    mkdirSync(path.join(folder, 'src'), { recursive: true });
    writeFileSync(path.join(folder, 'src', 'lib.rs'), '');
    const before = names[position - 1];
    const fields = `{ path = "../${before}", version = "${version}", registry = "local" }`;
    const dependencies = before === undefined ? '' : `[dependencies]\n${before} = ${fields}\n`;
    const fixed = 'edition = "2021"\nlicense = "MIT"\ndescription = "A crate."\n';
    writeFileSync(
      path.join(folder, 'Cargo.toml'),
      `[package]\nname = "${name}"\nversion = "${version}"\n${fixed}${dependencies}`,
    );
  }
  writeFileSync(
    path.join(root, 'Cargo.toml'),
    '[workspace]\nmembers = ["*"]\nexclude = [".cargo"]\nresolver = "2"\n',
  );
  mkdirSync(path.join(root, '.cargo'));
  writeFileSync(path.join(root, '.cargo', 'config.toml'), `[registries.local]\nindex = "${index}"\n`);
}
