/** The choice of colored output. Cargo Book: Configuration, `term.color`; also variables that many programs support. */
import { TsregError } from '../../core/errors/error.ts';
import { type Definition, describeDefinition } from '../config/definition.ts';
import { type Environment, programName } from '../config/environment.ts';
import type { OutputStream } from './output-stream.ts';

/** A value of `--color` or `term.color`. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** Returns the choice that a word names; null if it is not a valid choice. */
export function parseColorChoice(word: string): ColorChoice | null {
  return word === 'auto' || word === 'always' || word === 'never' ? word : null;
}

/** As `parseColorChoice`, but throws `config` if the word is not valid. `origin` is null for the flag. */
export function requireColorChoice(word: string, origin: Definition | null = null): ColorChoice {
  const choice = parseColorChoice(word);
  if (choice !== null) return choice;
  throw new TsregError(`argument for --color must be auto, always, or never, but found \`${word}\``, {
    code: 'config',
    ...(origin === null ? {} : { hint: `this is \`term.color\` from ${describeDefinition(origin)}` }),
  });
}

/** Returns true if output to `stream` is colored. */
export function usesColor(choice: ColorChoice, stream: OutputStream, env: Environment): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.CLICOLOR_FORCE)) return true;
  // cargo does not have this variable. Its values are those of npm.
  if (programName(env) === 'tsreg' && isSet(env.FORCE_COLOR)) {
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  }
  if (env.CLICOLOR === '0') return false;
  if (!stream.isTerminal) return false;
  const supportsColor = env.TERM !== undefined ? env.TERM !== 'dumb' : process.platform === 'win32';
  return supportsColor || env.CLICOLOR !== undefined || env.CI !== undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
