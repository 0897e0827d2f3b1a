/** The version of the Rust compiler, if it is installed. */
import { programOutput } from './program-output.ts';

/** The compiler to run, and how. */
export interface RustcCommand {
  /** An absolute path, or a name to find in `PATH`. */
  readonly program: string;
  /** A program that runs the compiler, whose path is the first argument; null for none. */
  readonly wrapper: string | null;
  /** The name of a toolchain for rustup to use; null for its own choice. */
  readonly toolchain: string | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The version of a compiler. */
export interface RustcVersion {
  /** `1.95.0`, with a pre-release such as `-nightly`. */
  readonly release: string;
  /** The target triple of the toolchain. */
  readonly host: string;
}

/** More than any compiler prints about its version. */
const MAX_RESPONSE_BYTES = 65_536;

/** Runs the compiler to read its version. Returns null if there is no compiler, or if it does not respond. */
export async function askRustcVersion(
  command: RustcCommand,
  signal: AbortSignal,
): Promise<RustcVersion | null> {
  const { wrapper, program, toolchain, cwd } = command;
  const [file, args] = wrapper === null ? [program, ['-vV']] : [wrapper, [program, '-vV']];
  const env = toolchain === null ? command.env : { ...command.env, RUSTUP_TOOLCHAIN: toolchain };
  const output = await programOutput(file, args, { cwd, env, signal, maxBytes: MAX_RESPONSE_BYTES });
  return output === null ? null : parseRustcVersion(output);
}

/** Parses the output of `rustc -vV`; null if it is something else. */
function parseRustcVersion(text: string): RustcVersion | null {
  const release = /^release: (\S+)$/m.exec(text)?.[1];
  const host = /^host: (\S+)$/m.exec(text)?.[1];
  return release === undefined || host === undefined ? null : { release, host };
}
