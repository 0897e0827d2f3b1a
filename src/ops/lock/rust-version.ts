/** The version of Rust for which versions are chosen and remarked on. Cargo Book: Rust Version. */
import type { Config } from '../../config/config.ts';
import { compilerSettings } from '../../config/compiler-settings.ts';
import { inputRecorder } from '../../disk/input-recorder.ts';
import { rootOfPath } from '../../files/path.ts';
import { askRustcVersion } from '../../toolchain/rustc.ts';
import { CARGO_RELEASE } from '../../version/cargo-release.ts';
import { parsePartialVersion, type PartialVersion } from '../../version/partial-version.ts';

/**
 * Asks the compiler that cargo would use (`RUSTC`, else `build.rustc`, else `rustc` in `PATH`); where none
 * answers, a fixed version stands in for it.
 */
export async function rustVersion(
  config: Config,
  toolchain: string | null,
  signal: AbortSignal,
): Promise<PartialVersion> {
  const { env } = config;
  // A `rust-toolchain.toml` of the project names the program that rustup runs.
  const cwd = config.projectFiles === 'trusted' ? config.cwd : (rootOfPath(config.cwd) ?? config.cwd);
  const { rustc, wrapper } = compilerSettings(config);
  const answer = await askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal);
  return parsePartialVersion(answer?.release ?? CARGO_RELEASE);
}

/** As `rustVersion`, for whoever may want it several times, or soon: the compiler is asked once. */
export class RustVersion {
  readonly #config: Config;
  readonly #toolchain: string | null;
  readonly #signal: AbortSignal;
  #answer: Promise<PartialVersion> | null = null;
  /** Ends a question that nobody has waited for so far. */
  #giveUp: AbortController | null = null;

  constructor(config: Config, toolchain: string | null, signal: AbortSignal) {
    this.#config = config;
    this.#toolchain = toolchain;
    this.#signal = signal;
  }

  /** The answer. Throws as `rustVersion` does. */
  ask(): Promise<PartialVersion> {
    inputRecorder()?.reject('the release of rustc has a say');
    this.begin();
    this.#giveUp = null;
    return this.#answer ?? rustVersion(this.#config, this.#toolchain, this.#signal);
  }

  /** Lets the compiler be asked beside other work. Whoever calls this calls `stop` in the end. */
  begin(): void {
    if (this.#answer !== null) return;
    this.#giveUp = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#giveUp.signal]);
    this.#answer = rustVersion(this.#config, this.#toolchain, signal);
    // Whoever asks hears of it.
    this.#answer.catch(() => {});
  }

  /** Ends a question to which nobody wants the answer, so that the program need not wait for the compiler. */
  stop(): void {
    if (this.#giveUp === null) return;
    this.#giveUp.abort();
    this.#giveUp = null;
    this.#answer = null;
  }
}
