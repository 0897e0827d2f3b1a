import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, linkSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { oracleFile, STABLE_CHANNEL } from '../test/conformance/oracle.ts';
import type { Command } from './measure.ts';

/** The folders of the benchmarks, and the commands that run the programs. */
export interface Workbench {
  /** Temporary folder of this run. */
  readonly folder: string;
  /** The version of the measured cargo, and how it was found. */
  readonly cargoDescription: string;
  readonly isQuick: boolean;
  /** Returns the number of rounds for `wanted`: fewer in a quick run. */
  rounds(wanted: number): number;
  /** How often a row is measured until it is within its limits. */
  readonly attempts: number;
  /**
   * Returns the root of an unpacked copy of a workspace, with a lock file, whose packages are in `home`. Each `variant`
   * is a separate copy, for benchmarks that change it.
   */
  workspace(name: string, variant?: string): string;
  /** As `workspace`, but without a lock file; `home` also has the packages of a new one. */
  workspaceWithoutLock(name: string): string;
  /** The CARGO_HOME that both programs use when warm. cargo filled it. */
  readonly home: string;
  tsreg(args: readonly string[], place: Place): Command;
  cargo(args: readonly string[], place: Place): Command;
  node(args: readonly string[], place: Place): Command;
  /** Node that does nothing. */
  readonly bareNode: Command;
}

/** The folders of a command, and a preparation that runs before it. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  readonly before?: () => void;
  /** True if the command uses the network over TLS, which may need the certificates of NODE_EXTRA_CA_CERTS. */
  readonly network?: boolean;
}

/** A cargo, and the toolchain that it runs with. */
interface Cargo {
  readonly file: string;
  /** Folder of the toolchain, which comes first on the PATH; null to leave the PATH unchanged. */
  readonly toolchain: string | null;
  readonly description: string;
}

/**
 * Returns the reference that `npm run oracle` has built, or else the cargo of the default toolchain. `cargo` and
 * `rustc` on the PATH are usually rustup's proxies. Each proxy adds some milliseconds to every start, which are not
 * cargo's.
 */
function findCargo(): Cargo {
  const neutral = { cwd: tmpdir(), encoding: 'utf8' } as const;
  let file = 'cargo';
  let how = 'as found on the PATH';
  let toolchain: string | null = null;
  try {
    file = execFileSync('rustup', ['which', 'cargo'], neutral).trim();
    how = "called directly, without rustup's proxy";
    toolchain = path.dirname(file);
  } catch {
    // Without rustup, the cargo on the PATH is cargo itself.
  }
  if (existsSync(oracleFile)) [file, how] = [oracleFile, 'built from its crate'];
  return { file, toolchain, description: `${execFileSync(file, ['--version'], neutral).trim()}, ${how}` };
}

function unpack(workspaces: string, name: string, target: string): void {
  const folder = path.join(workspaces, name);
  if (existsSync(folder)) {
    cpSync(folder, target, { recursive: true });
    return;
  }
  const archive = `${folder}.tar.gz`;
  if (!existsSync(archive)) throw new Error(`neither ${folder} nor ${archive} exists`);
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', target]);
}

/** The settings of a benchmark run. */
export interface WorkbenchOptions {
  /** Root of this project. */
  readonly root: string;
  readonly quick: boolean;
  readonly attempts: number;
  /** A CARGO_HOME whose packages are used instead of fetching them; null to start without any. */
  readonly fetched: string | null;
}

/** Creates a workbench; `dispose` removes its folder. `workspaces` contains `NAME/` or `NAME.tar.gz`. */
export function openWorkbench(
  workspaces: string,
  options: WorkbenchOptions,
): { readonly bench: Workbench; readonly dispose: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tsreg-bench-'));
  const home = path.join(folder, 'home');
  mkdirSync(home);
  if (options.fetched !== null)
    linkFolder(path.join(options.fetched, 'registry'), path.join(home, 'registry'));
  const cargo = findCargo();
  const { NODE_EXTRA_CA_CERTS: _certificates, ...quietEnv } = process.env;

  function env(place: Place): NodeJS.ProcessEnv {
    const base = place.network === true ? process.env : quietEnv;
    const toolchain = cargo.toolchain === null ? '' : `${cargo.toolchain}${path.delimiter}`;
    return {
      ...base,
      ...STABLE_CHANNEL,
      CARGO_HOME: place.home,
      PATH: `${toolchain}${base['PATH'] ?? ''}`,
    };
  }

  function command(file: string, args: readonly string[], place: Place): Command {
    const { cwd, before } = place;
    return { file, args, cwd, env: env(place), ...(before === undefined ? {} : { before }) };
  }

  function prepare(name: string, variant: string, drop: (root: string) => void): string {
    const root = path.join(folder, variant, name);
    if (existsSync(root)) return root;
    console.error(`Preparing ${name} (${variant}) …`);
    const own = path.join(options.root, 'bench', 'workspaces');
    unpack(existsSync(path.join(own, name)) ? own : workspaces, name, root);
    drop(root);
    try {
      askCargo(root, ['--offline']);
    } catch {
      // Some packages are not cached, so cargo must fetch them.
      askCargo(root, []);
    }
    return root;
  }

  function askCargo(root: string, args: readonly string[]): void {
    execFileSync(cargo.file, ['metadata', '--format-version', '1', ...args], {
      cwd: root,
      env: env({ cwd: root, home, network: true }),
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  }

  const bench: Workbench = {
    folder,
    home,
    cargoDescription: cargo.description,
    isQuick: options.quick,
    rounds: (wanted) => (options.quick ? Math.max(5, Math.ceil(wanted / 4)) : wanted),
    attempts: options.attempts,
    workspace: (name, variant = 'locked') => prepare(name, variant, () => {}),
    workspaceWithoutLock: (name) =>
      prepare(name, 'unlocked', (root) => rmSync(path.join(root, 'Cargo.lock'), { force: true })),
    tsreg: (args, place) =>
      command(process.execPath, [path.join(options.root, 'bin', 'tsreg.js'), ...args], place),
    cargo: (args, place) => command(cargo.file, args, place),
    node: (args, place) => command(process.execPath, args, place),
    bareNode: command(process.execPath, ['-e', '0'], { cwd: folder, home }),
  };
  return { bench, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Creates a copy of a folder with hard links to its files. A link to the folder itself would make every path into it
 * longer.
 */
function linkFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkSync(source, target);
  }
}
