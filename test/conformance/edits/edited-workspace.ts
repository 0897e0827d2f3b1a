import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Answer } from '../../helpers/answer.ts';
import { type Program, runProgram } from '../../helpers/program.ts';
import type { RunDecl } from '../../helpers/scenario.ts';
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts';

/** One command to run with each program. */
export interface Question {
  readonly name: string;
  readonly args: readonly string[];
  /** Working folder, relative to the workspace. */
  readonly cwd: string;
}

/**
 * The names of the `CARGO_HOME`s. Each is moved to the same path while its program runs, so that the programs see the
 * same paths.
 */
export const homes = ['cargo', 'warm', 'cold'] as const;
export type Home = (typeof homes)[number];

/** A workspace on disk that is edited between runs, with everything around it. */
export interface EditedWorkspace {
  readonly name: string;
  /** The folder that contains the workspace in `ws`, its neighbors in `beside`, and the homes. */
  readonly base: string;
  /** Variables of every run. */
  readonly env: Readonly<Record<string, string>>;
  /** Changes of the registries and repositories. Each may be applied at most once. */
  readonly events: (() => void)[];
  /** Packages with a version of each that the workspace can depend on, from the registries. */
  readonly offers: readonly (readonly [name: string, version: string, registry: string | null])[];
  readonly remove: () => void;
}

/** A state of an edited workspace that can be restored. */
export interface SavedState {
  readonly files: Snapshot;
  readonly env: Readonly<Record<string, string>>;
  readonly homeConfig: string;
}

/** Entries of the base folder that programs write by themselves, or that are no input. */
const unsaved = new Set(['home', 'homes', 'registry', 'git', 'user']);

/** The state of an edited workspace, and runs of programs in it. */
export class EditingSession {
  readonly workspace: EditedWorkspace;
  /** Variables that steps have set. */
  env: Record<string, string> = {};

  constructor(workspace: EditedWorkspace) {
    this.workspace = workspace;
    const { base } = workspace;
    mkdirSync(path.join(base, 'beside'), { recursive: true });
    for (const home of homes) {
      cpSync(path.join(base, 'home'), this.homeFolder(home), {
        recursive: true,
        preserveTimestamps: true,
        verbatimSymlinks: true,
      });
    }
    rmSync(path.join(base, 'home'), { recursive: true, force: true });
  }

  /** Returns the folder of a home while no program runs. */
  homeFolder(home: Home): string {
    return path.join(this.workspace.base, 'homes', home);
  }

  get root(): string {
    return path.join(this.workspace.base, 'ws');
  }

  get lockFile(): string {
    return path.join(this.root, 'Cargo.lock');
  }

  /** Returns every lock file, by its path relative to the base: a neighbor may have a separate one. */
  locks(): ReadonlyMap<string, Buffer> {
    const { base } = this.workspace;
    return new Map(
      ['ws', 'beside'].flatMap((top) =>
        readdirSync(path.join(base, top), { recursive: true, encoding: 'utf8' })
          .filter((name) => path.basename(name) === 'Cargo.lock' && existsSync(path.join(base, top, name)))
          .sort()
          .map((name) => [path.join(top, name), readFileSync(path.join(base, top, name))]),
      ),
    );
  }

  putLocks(locks: ReadonlyMap<string, Buffer>): void {
    const { base } = this.workspace;
    const now = this.locks();
    for (const at of now.keys()) if (!locks.has(at)) rmSync(path.join(base, at), { force: true });
    for (const [at, bytes] of locks)
      if (now.get(at)?.equals(bytes) !== true) writeFileSync(path.join(base, at), bytes);
  }

  /** The configuration file of the homes, which is the same in all of them. */
  get homeConfig(): string {
    const file = path.join(this.homeFolder('cargo'), 'config.toml');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  set homeConfig(text: string) {
    if (text === this.homeConfig) return;
    for (const home of homes) writeFileSync(path.join(this.homeFolder(home), 'config.toml'), text);
  }

  /** Saves everything that steps change, except packages in the homes, registries and repositories. */
  save(): SavedState {
    const files = takeSnapshot(this.workspace.base, unsaved);
    return { files, env: { ...this.env }, homeConfig: this.homeConfig };
  }

  restore({ files, env, homeConfig }: SavedState): void {
    restoreSnapshot(this.workspace.base, files, unsaved);
    this.env = { ...env };
    this.homeConfig = homeConfig;
  }

  /** Runs `program` with one of the homes. */
  async ask(
    program: Program,
    { args, cwd }: Question,
    { home, cache }: { readonly home: Home; readonly cache: 'on' | 'off' },
  ): Promise<Answer> {
    const { base, env } = this.workspace;
    const place = path.join(base, 'home');
    renameSync(this.homeFolder(home), place);
    try {
      const result = await runProgram(program, args, {
        cwd: path.join(this.root, cwd),
        env: {
          PATH: program.env['PATH'] ?? process.env['PATH'] ?? '',
          HOME: path.join(base, 'user'),
          CARGO_HOME: place,
          LC_ALL: 'C.UTF-8',
          GIT_CONFIG_NOSYSTEM: '1',
          ...env,
          ...this.env,
          TSREG_CACHE: cache,
        },
      });
      return { ...result, lock: textOf(this.locks()), home: [], packaged: [] };
    } finally {
      renameSync(place, this.homeFolder(home));
    }
  }
}

/** Returns the text of lock files; null without any. */
export function textOf(locks: ReadonlyMap<string, Buffer>): string | null {
  return locks.size === 0
    ? null
    : Array.from(locks, ([at, bytes]) => `${at}:\n${bytes.toString('utf8')}`).join('');
}

/** Returns the changes of registries and repositories in a run of a scenario, as events. */
export function eventsOf(run: RunDecl, apply: (part: RunDecl) => void): (() => void)[] {
  const commits = Object.entries(run.commit ?? {}).map(
    ([repo, list]): RunDecl => ({ name: 'commits', commit: { [repo]: list } }),
  );
  const crates = (run.publish ?? []).map((crate): RunDecl => ({ name: 'publishes', publish: [crate] }));
  return [...commits, ...crates].map((part) => () => apply(part));
}
