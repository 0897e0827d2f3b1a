import type { CrateDecl } from '../../helpers/crate.ts';
import type { WireAnswer } from '../../helpers/recording-server.ts';
import type { Tree } from '../../helpers/tree.ts';

/**
 * In every text of a session `$S` is the server's `http://127.0.0.1:PORT`, `$P` its port, `$DEAD` a port of
 * 127.0.0.1 where nobody listens, `$W` the folder with the session's files, `$G` the folder of git repositories and
 * `$H` CARGO_HOME. The registry `mock` is configured and has the token `mocktoken` in the environment. A script for
 * `crates-io` stands in for crates.io by way of a proxy.
 */

/** An answer: its body alone (status 200), its status alone, or in full. */
export type Answer = string | number | WireAnswer;

/** What one registry has and answers. Without `answers` it does what it is asked. */
export interface RegistryScript {
  /** Fields that replace or join those of config.json; null takes one away. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly crates?: readonly CrateDecl[];
  /**
   * By `METHOD path`, relative to the registry; `*` stands for anything. Of a list each is given once and the last
   * one from then on; `null` in it is the answer that there would be without.
   */
  readonly answers?: Readonly<Record<string, Answer | readonly (Answer | null)[]>>;
  /** The Authorization header that everything needs, and the challenge of the 401 else. */
  readonly auth?: { readonly token: string; readonly challenge?: readonly string[] };
  /** How often the index is asked before it has a version that was published; never with Infinity. */
  readonly lag?: number;
}

/** Scripts by the names of registries. */
export type Registries = Readonly<Record<string, RegistryScript>>;

/** One run of the program. */
export interface Step {
  readonly args: readonly string[];
  /** Relative to `$W`; `$W` itself unless given. */
  readonly cwd?: string;
  /** Beside those of the session; null takes one away. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Text for stdin; closed at once unless given. */
  readonly input?: string;
  /** Files that are written before the run. */
  readonly files?: Tree;
  /** Why tsreg does something else here: it then is not compared, and neither are the files of the session. */
  readonly differs?: string;
}

/** A few runs after each other against registries that answer from a script. */
export interface Session {
  readonly name: string;
  /** Files in `$W`. */
  readonly files?: Tree;
  /** Files in `$H`, beside config.toml. */
  readonly home?: Tree;
  /** Text of `$H/config.toml` behind the definition of `mock`. */
  readonly config?: string;
  /** Which registries are configured beforehand; `mock` unless given. */
  readonly configured?: readonly string[];
  readonly registries?: Registries;
  /** Git repositories `$G/NAME`, each of one commit. */
  readonly git?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** As for a step. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Only with `--long`: it takes its time. */
  readonly long?: boolean;
  /** Why the form without `TSREG_COMPAT` says something else; it then is not compared. */
  readonly plainDiffers?: string;
  readonly steps: readonly Step[];
}
