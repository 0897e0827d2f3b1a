import type { CommitDecl } from './git-repo.ts';
import type { CrateDecl } from './crate.ts';
import type { LockForm } from './older-lock.ts';
import type { Fault } from './registry-server.ts';
import type { Tree } from './tree.ts';

/**
 * One registry of a scenario. It replaces `crates-io` (The Cargo Book, "Source Replacement"); any other name becomes a
 * `[registries]` entry.
 */
export interface RegistryDecl {
  /** Its kind: a local registry, a directory source, the sparse protocol, or an index in a git repository. */
  readonly kind?: 'local' | 'directory' | 'sparse' | 'git';
  /** Fields of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly token?: string;
  readonly faults?: readonly Fault[];
}

/** One run of the program, with changes before it. */
export interface RunDecl {
  /** The name of the recorded result; unique in the scenario. */
  readonly name: string;
  readonly about?: string;
  /** Arguments after the command; for `metadata`, `--format-version 1` comes first. See `bare`. */
  readonly args?: readonly string[];
  /** Passes only `args`, without the command and `--format-version`. */
  readonly bare?: boolean;
  /** Working folder, relative to the workspace. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Enforces modes of files and folders for root as well. */
  readonly unprivileged?: boolean;
  /** Resets the workspace folder to the scenario's `files` first. */
  readonly reset?: boolean;
  /** Empties CARGO_HOME, too. */
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
  /** Crates that are added to the registries or replace the same version. */
  readonly publish?: readonly CrateDecl[];
  /** New commits: name of the repository -> commits. */
  readonly commit?: Readonly<Record<string, readonly CommitDecl[]>>;
  /** New faults of the registries, by name of the registry. They replace the earlier ones. */
  readonly faults?: Readonly<Record<string, readonly Fault[]>>;
}

/**
 * A workspace folder with registries and repositories around it, and the runs in it. In texts, `$D` is the workspace
 * folder (packages outside of it are in `../beside`), `$H` CARGO_HOME, `$R` the folder of local registries, `$G` that
 * of repositories and `$S` the address of the registry server.
 */
export interface Scenario {
  /** The purpose, in one line. */
  readonly about: string;
  readonly files: Tree;
  /** The command of the runs; `metadata` by default. */
  readonly command?: 'metadata' | 'package' | 'vendor' | 'info';
  /**
   * Arguments of git commands that run in the workspace folder after the files are written. Authors and dates are
   * fixed. A merge may end in a conflict; any other failure is an error in the scenario.
   */
  readonly git_commands?: readonly (readonly string[])[];
  /** The text of CARGO_HOME/config.toml after the lines that the registries need. */
  readonly config?: string;
  readonly home?: Tree;
  readonly crates?: readonly CrateDecl[];
  readonly registries?: Readonly<Record<string, RegistryDecl>>;
  readonly git?: Readonly<Record<string, readonly CommitDecl[]>>;
  readonly runs: readonly RunDecl[];
  /** Every run is a wrong input, and counted as such. */
  readonly failures?: boolean;
}
