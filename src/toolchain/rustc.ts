/** What the compiler says about itself, where there is one. */
import { programAnswer } from './program-answer.ts';

/** Which program to ask, and how. */
export interface RustcCommand {
  /** Absolute path, or a name to be looked for in `PATH`. */
  readonly program: string;
  /** Runs the compiler for us, given its path as first argument; null for none. */
  readonly wrapper: string | null;
  /** Name of a toolchain for rustup to use, null for the one that applies. */
  readonly toolchain: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The answer. */
export interface RustcVersion {
  /** `1.95.0`, with a pre-release such as `-nightly`. */
  readonly release: string;
  /** The target triple of the toolchain. */
  readonly host: string;
}

/** More than any compiler says about its version. */
const MAX_ANSWER_BYTES = 65_536;

/** Asks the compiler for its version. Null if there is none, or none that answers. */
export async function askRustcVersion(
  command: RustcCommand,
  signal: AbortSignal,
): Promise<RustcVersion | null> {
  const { wrapper, program, toolchain, cwd } = command;
  const [file, args] = wrapper === null ? [program, ['-vV']] : [wrapper, [program, '-vV']];
  const env = toolchain === null ? command.env : { ...command.env, RUSTUP_TOOLCHAIN: toolchain };
  const answer = await programAnswer(file, args, { cwd, env, signal, maxBytes: MAX_ANSWER_BYTES });
  return answer === null ? null : parseRustcVersion(answer);
}

/** Reads what `rustc -vV` prints; null if it is something else. */
function parseRustcVersion(text: string): RustcVersion | null {
  const release = /^release: (\S+)$/m.exec(text)?.[1];
  const host = /^host: (\S+)$/m.exec(text)?.[1];
  return release === undefined || host === undefined ? null : { release, host };
}
