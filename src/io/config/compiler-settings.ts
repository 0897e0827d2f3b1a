/** The configured compiler. Cargo Book: Configuration, `build.rustc` and `build.rustc-wrapper`. */
import { compareBytes } from '../../core/files/compare-bytes.ts';
import { joinPath } from '../../core/files/path.ts';
import type { Config } from './config.ts';
import { map, optional, struct, words } from './decoder.ts';
import { definitionRoot, type Located } from './definition.ts';

/** Programs: absolute paths, or names to look up in `PATH`. */
export interface CompilerSettings {
  readonly rustc: string;
  /** Runs the compiler, whose path is its first argument; null for none. */
  readonly wrapper: string | null;
}

/** Reads `RUSTC`, `RUSTC_WRAPPER` and the `[build]` table. */
export function compilerSettings(config: Config): CompilerSettings {
  const build = config.build();
  const wrapper = toolPath(config, 'RUSTC_WRAPPER', build['rustc-wrapper']);
  return {
    rustc: toolPath(config, 'RUSTC', build.rustc) ?? 'rustc',
    // Users set an empty one to disable the wrapper of another file.
    wrapper: wrapper === '' ? null : wrapper,
  };
}

/**
 * Returns the compiler flags for one target: those of `CARGO_ENCODED_RUSTFLAGS`, else `RUSTFLAGS`, else `[target]`,
 * else `[build]`. `applies` returns true if a `cfg(…)` key applies to the target.
 */
export function targetFlags(
  config: Config,
  triple: string,
  applies: (key: string) => boolean,
): readonly string[] {
  const environment = environmentFlags(config);
  if (environment !== null) return environment;
  const flags = [...(config.get(`target.${triple}.rustflags`, optional(words)) ?? [])];
  for (const [key, cfgFlags] of flagsByCfg(config)) if (applies(key)) flags.push(...cfgFlags);
  return flags.length > 0 ? flags : (config.build().rustflags ?? []);
}

/** Returns the flags of each `[target.'cfg(…)']`, sorted by key. */
function flagsByCfg(config: Config): readonly (readonly [string, readonly string[]])[] {
  const tables = config.get('target', map(struct({ rustflags: words }, { ignoresUnknown: true })));
  return Array.from(tables, ([key, { rustflags }]) => [key, rustflags ?? []] as const)
    .filter(([key]) => key.startsWith('cfg('))
    .sort(([a], [b]) => compareBytes(a, b));
}

/** Returns the flags in variables; null if none of them is set. An empty one means no flags. */
function environmentFlags(config: Config): readonly string[] | null {
  const encoded = config.env.CARGO_ENCODED_RUSTFLAGS;
  // Cargo Book: Environment Variables. The flags may contain spaces, so a control character separates them.
  if (encoded !== undefined) return encoded === '' ? [] : encoded.split('\x1f');
  const separatedBySpaces = config.env.RUSTFLAGS;
  if (separatedBySpaces === undefined) return null;
  return separatedBySpaces
    .split(' ')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '');
}

/** Returns the default targets to build for: `build.target`. */
export function configuredTargets(config: Config): readonly string[] {
  const { value: target = [] } = config.build().target ?? {};
  return typeof target === 'string' ? [target] : target.map(({ value }) => value);
}

/** Returns the program in `variable` or the configured one; null for neither. A name without a slash is for `PATH`. */
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
