/** Which compiler to ask. Cargo Book: Configuration, `build.rustc` and `build.rustc-wrapper`. */
import { joinPath } from '../files/path.ts';
import type { Config } from './config.ts';
import { definitionRoot, type Located } from './definition.ts';

/** Programs: absolute paths, or names to be looked for in `PATH`. */
export interface CompilerSettings {
  readonly rustc: string;
  /** Runs the compiler, given its path as first argument; null for none. */
  readonly wrapper: string | null;
}

/** Reads `RUSTC`, `RUSTC_WRAPPER` and the `[build]` table. */
export function compilerSettings(config: Config): CompilerSettings {
  const build = config.build();
  const wrapper = toolPath(config, 'RUSTC_WRAPPER', build['rustc-wrapper']);
  return {
    rustc: toolPath(config, 'RUSTC', build.rustc) ?? 'rustc',
    wrapper: wrapper === '' ? null : wrapper,
  };
}

/** Flags for the compiler from `CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS` or `build.rustflags`, the first that is set. */
export function compilerFlags(config: Config): readonly string[] {
  const encoded = config.env.CARGO_ENCODED_RUSTFLAGS;
  if (encoded !== undefined) return encoded === '' ? [] : encoded.split('\x1f');
  const plain = config.env.RUSTFLAGS;
  if (plain !== undefined) {
    return plain
      .split(' ')
      .map((flag) => flag.trim())
      .filter((flag) => flag !== '');
  }
  return config.build().rustflags ?? [];
}

/** Targets to build for where the command line names none: `build.target`. */
export function configuredTargets(config: Config): readonly string[] {
  const { target } = config.build();
  if (target === null) return [];
  return typeof target === 'string' ? [target] : target.map(({ value }) => value);
}

function toolPath(config: Config, variable: string, configured: Located<string> | null): string | null {
  const fromVariable = config.env[variable];
  if (fromVariable !== undefined) {
    return fromVariable.includes('/') ? joinPath(config.cwd, fromVariable) : fromVariable;
  }
  if (configured === null) return null;
  return configured.value.includes('/')
    ? joinPath(definitionRoot(configured.definition, config.cwd), configured.value)
    : configured.value;
}
