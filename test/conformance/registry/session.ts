import type { CrateDecl } from '../../helpers/crate.ts';
import type { WireAnswer } from '../../helpers/recording-server.ts';
import type { Tree } from '../../helpers/tree.ts';

/**
 * In every text of a session, `$S` is the server's `http://127.0.0.1:PORT`, `$P` its port, `$DEAD` a port of 127.0.0.1
 * that no process listens on, `$W` the folder with the session's files, `$G` the folder of git repositories and `$H`
 * CARGO_HOME. The registry `mock` is configured and has the token `mocktoken` in the environment. A script for
 * `crates-io` replaces crates.io through a proxy.
 */

/** A response: only its body (status 200), only its status, or in full. */
export type Answer = string | number | WireAnswer;

/** The content and responses of one registry. Without `answers` it performs all requests. */
export interface RegistryScript {
  /** Fields that replace those of config.json or are added to it; null removes one. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly crates?: readonly CrateDecl[];
  /**
   * Responses by `METHOD path`, relative to the registry; `*` matches anything. Those of a list are sent in turn, and
   * the last one repeats. `null` in a list is the normal response.
   */
  readonly answers?: Readonly<Record<string, Answer | readonly (Answer | null)[]>>;
  /** The Authorization header that every request needs, and the challenge of the 401 without it. */
  readonly auth?: { readonly token: string; readonly challenge?: readonly string[] };
  /** How many requests for the index file omit a published version; with Infinity, all do. */
  readonly lag?: number;
}

/** Scripts by the names of registries. */
export type Registries = Readonly<Record<string, RegistryScript>>;

/** One run of the program. */
export interface Step {
  readonly args: readonly string[];
  /** Relative to `$W`, which is the default. */
  readonly cwd?: string;
  /** Variables in addition to those of the session; null removes one. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Text for stdin, which is closed immediately by default. */
  readonly input?: string;
  /** Files that are written before the run. */
  readonly files?: Tree;
  /** The reason for a deliberate difference of tsreg. The step and the files of the session are then not compared. */
  readonly differs?: string;
}

/** Some runs one after the other against registries that respond from a script. */
export interface Session {
  readonly name: string;
  /** Files in `$W`. */
  readonly files?: Tree;
  /** Files in `$H`, in addition to config.toml. */
  readonly home?: Tree;
  /** Text of `$H/config.toml` after the definitions of the registries. */
  readonly config?: string;
  /** The configured registries; only `mock` by default. */
  readonly configured?: readonly string[];
  readonly registries?: Registries;
  /** Git repositories `$G/NAME`, each with one commit. */
  readonly git?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** As for a step. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Only for `--long`, because it is slow. */
  readonly long?: boolean;
  /** The reason for a different output without `TSREG_COMPAT`, which is then not compared. */
  readonly plainDiffers?: string;
  readonly steps: readonly Step[];
}
