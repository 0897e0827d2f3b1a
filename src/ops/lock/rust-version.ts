/** The version of Rust for which versions are chosen and remarked on. Cargo Book: Rust Version. */
import type { Config } from '../../config/config.ts';
import { compilerSettings } from '../../config/compiler-settings.ts';
import { askRustcVersion, ASSUMED_RUSTC_RELEASE } from '../../toolchain/rustc.ts';
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
  const { env, cwd } = config;
  const { rustc, wrapper } = compilerSettings(config);
  const answer = await askRustcVersion({ program: rustc, wrapper, toolchain, cwd, env }, signal);
  return parsePartialVersion(answer?.release ?? ASSUMED_RUSTC_RELEASE);
}

/** As `rustVersion`, for whoever may want it several times: the compiler is asked once, when it is first wanted. */
export function rustVersionOnce(...question: Parameters<typeof rustVersion>): () => Promise<PartialVersion> {
  let answer: Promise<PartialVersion> | null = null;
  return () => (answer ??= rustVersion(...question));
}
