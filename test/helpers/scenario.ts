import type { CommitDecl } from './git-repo.ts';
import type { CrateDecl } from './crate.ts';
import type { LockForm } from './older-lock.ts';
import type { Fault } from './registry-server.ts';
import type { Tree } from './tree.ts';

/**
 * One registry of a scenario. `crates-io` is replaced by it (The Cargo Book, "Source Replacement"), any other
 * name becomes a `[registries]` entry.
 */
export interface RegistryDecl {
  /** How it is served: a local registry, a directory source, the sparse protocol, or an index in a git repository. */
  readonly kind?: 'local' | 'directory' | 'sparse' | 'git';
  /** Fields of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly token?: string;
  readonly faults?: readonly Fault[];
}

/** One run of the program, after changes to what it finds. */
export interface RunDecl {
  /** Names the recorded answers; unique in the scenario. */
  readonly name: string;
  readonly about?: string;
  /** Arguments behind the command; for `metadata`, `--format-version 1` comes first. See `bare`. */
  readonly args?: readonly string[];
  /** The arguments are all there are: neither the command nor `--format-version` is added. */
  readonly bare?: boolean;
  /** Working folder, relative to the workspace. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modes of files and folders hold for root as well. */
  readonly unprivileged?: boolean;
  /** Puts the workspace folder back to the scenario's `files` first. */
  readonly reset?: boolean;
  /** Also empties CARGO_HOME. */
  readonly reset_home?: boolean;
  readonly remove?: readonly string[];
  readonly write?: Tree;
  /** Commands of git, as `Scenario.git_commands`. */
  readonly git_commands?: readonly (readonly string[])[];
  /** Rewrites the workspace's Cargo.lock, if there is one. */
  readonly relock?: LockForm;
  /** Files to write or remove in CARGO_HOME. */
  readonly write_home?: Tree;
  readonly remove_home?: readonly string[];
  /** Crates that join the registries, or take the place of the same version. */
  readonly publish?: readonly CrateDecl[];
  /** New commits: name of the repository -> commits. */
  readonly commit?: Readonly<Record<string, readonly CommitDecl[]>>;
  /** Faults of the registries from now on, by name of the registry. */
  readonly faults?: Readonly<Record<string, readonly Fault[]>>;
}

/**
 * A folder with a workspace, registries and repositories around it, and what is run there. In texts, `$D` is
 * the workspace folder (packages outside of it are in `../beside`), `$H` CARGO_HOME, `$R` the folder of local registries, `$G` that of repositories and
 * `$S` the address of the registry server.
 */
export interface Scenario {
  /** One line: what it is for. */
  readonly about: string;
  readonly files: Tree;
  /** What runs ask; `metadata` unless given. */
  readonly command?: 'metadata' | 'package' | 'vendor' | 'info';
  /**
   * Arguments of git, to be run in the workspace folder once the files are there. Authors and dates are fixed. A
   * merge may end in a conflict; any other failure is one of the scenario.
   */
  readonly git_commands?: readonly (readonly string[])[];
  /** CARGO_HOME/config.toml, behind what the registries need. */
  readonly config?: string;
  readonly home?: Tree;
  readonly crates?: readonly CrateDecl[];
  readonly registries?: Readonly<Record<string, RegistryDecl>>;
  readonly git?: Readonly<Record<string, readonly CommitDecl[]>>;
  readonly runs: readonly RunDecl[];
  /** Every run is a wrong input: counted as such. */
  readonly failures?: boolean;
}
