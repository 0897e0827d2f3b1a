/** The version of Rust that versions are chosen for. Cargo Book: Rust Version. */
import { present } from '../../../core/errors/assert.ts';
import type { Config } from '../../../io/config/config.ts';
import { compilerSettings } from '../../../io/config/compiler-settings.ts';
import { inputRecorder } from '../../../io/disk/input-recorder.ts';
import { rootOfPath } from '../../../core/files/path.ts';
import { askRustcVersion } from '../../../io/toolchain/rustc.ts';
import { CARGO_RELEASE } from '../../../core/version/cargo-release.ts';
import { parsePartialVersion, type PartialVersion } from '../../../core/version/partial-version.ts';

/**
 * Returns the version of the compiler that cargo would use: `RUSTC`, else `build.rustc`, else `rustc` in `PATH`. If
 * none responds, returns the Rust release of `CARGO_RELEASE`. Throws `config` if the setting of a compiler is invalid.
 */
async function findRustVersion(
  config: Config,
  toolchain: string | null,
  signal: AbortSignal,
): Promise<PartialVersion> {
  const { env } = config;
  // In the project, `rust-toolchain.toml` would choose the program that rustup runs. An untrusted project must not.
  const cwd = config.projectFiles === 'trusted' ? config.cwd : (rootOfPath(config.cwd) ?? config.cwd);
  const { rustc, wrapper } = compilerSettings(config);
  const response = await askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal);
  return parsePartialVersion(response?.release ?? CARGO_RELEASE);
}

/** A version of Rust that is determined at its first use. */
export interface LazyRustVersion {
  /** Returns the version. Throws as `findRustVersion` does. */
  ask(): Promise<PartialVersion>;
  /** Starts the compiler concurrently with other work. The caller must call `stop` in the end. */
  begin(): void;
  /** Aborts a run of the compiler that no caller waits for, so that it does not delay the end of the program. */
  stop(): void;
}

/** The result of `findRustVersion` for several callers. The compiler runs once, and can start early. */
export class RustVersion implements LazyRustVersion {
  readonly #config: Config;
  readonly #toolchain: string | null;
  readonly #signal: AbortSignal;
  /** The result of the run that has begun; null before. */
  #version: Promise<PartialVersion> | null = null;
  /** Aborts a run of the compiler that no caller has waited for; null if there is none. */
  #giveUp: AbortController | null = null;

  constructor(config: Config, toolchain: string | null, signal: AbortSignal) {
    this.#config = config;
    this.#toolchain = toolchain;
    this.#signal = signal;
  }

  ask(): Promise<PartialVersion> {
    inputRecorder()?.reject('the release of rustc has a say');
    this.begin();
    this.#giveUp = null;
    return present(this.#version, 'the version of the compiler');
  }

  begin(): void {
    if (this.#version !== null) return;
    this.#giveUp = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#giveUp.signal]);
    this.#version = findRustVersion(this.#config, this.#toolchain, signal);
    // Callers of `ask` receive the rejection.
    this.#version.catch(() => {});
  }

  stop(): void {
    if (this.#giveUp === null) return;
    this.#giveUp.abort();
    this.#giveUp = null;
    this.#version = null;
  }
}
