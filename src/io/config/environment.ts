/** Environment variables of the configuration. Cargo Book: Configuration, "Environment variables". */
import { TsregError } from '../../core/errors/error.ts';
import type { ProgramName } from '../../core/errors/wording.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the program's name in its messages: `cargo` in compatibility mode (`TSREG_COMPAT=cargo`). */
export function programName(env: Environment): ProgramName {
  return env['TSREG_COMPAT'] === 'cargo' ? 'cargo' : 'tsreg';
}

/**
 * Returns the value of a variable of tsreg; null if it is not set, or empty. Throws `config` for a value that is not one
 * of `values`, so that a typo does not go unnoticed.
 */
export function choiceVariable<T extends string>(
  env: Environment,
  name: `TSREG_${string}`,
  values: readonly T[],
): T | null {
  const text = env[name] ?? '';
  if (text === '') return null;
  const value = values.find((each) => each === text);
  if (value !== undefined) return value;
  const words = values.map((each) => `\`${each}\``);
  const expected = [...words.slice(0, -2), words.slice(-2).join(' or ')].join(', ');
  throw new TsregError(`invalid value \`${text}\` for \`${name}\`: expected ${expected}`, { code: 'config' });
}

/** The variables that may set configuration values. */
export class ConfigVariables {
  /** Names that start with `CARGO_`. */
  readonly names: readonly string[];
  readonly #env: Environment;
  /** Names that would set a value if they were in upper case with underscores, by that spelling. */
  readonly #misspelled = new Map<string, string>();

  constructor(env: Environment) {
    this.#env = env;
    const names: string[] = [];
    for (const name in env) {
      if (name.startsWith('CARGO_')) names.push(name);
      // Fast exit for the many names that upper case does not turn into `CARGO_…`.
      else if (name[0] !== 'c' && name[0] !== 'C') continue;
      const normal = name.toUpperCase().replaceAll('-', '_');
      if (normal !== name && normal.startsWith('CARGO_')) this.#misspelled.set(normal, name);
    }
    this.names = names;
  }

  /** Returns the value of a variable; null if not set. */
  get(name: string): string | null {
    return this.#env[name] ?? null;
  }

  /** Returns a variable that was probably meant to be `name`; null if there is none. */
  misspellingOf(name: string): string | null {
    return this.#misspelled.get(name) ?? null;
  }
}
