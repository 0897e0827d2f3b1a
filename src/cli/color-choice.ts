/** Whether to colour. Cargo Book: Configuration, `term.color`; and the variables that terminals have agreed on. */
import { TsregError } from '../errors/error.ts';
import type { Environment } from '../config/environment.ts';
import type { OutputStream } from './output-stream.ts';

/** What the user asked for. */
export type ColorChoice = 'auto' | 'always' | 'never';

/** The choice that a word stands for, null if it is none. */
export function parseColorChoice(word: string): ColorChoice | null {
  return word === 'auto' || word === 'always' || word === 'never' ? word : null;
}

/** As `parseColorChoice`, with cargo's refusal. */
export function requireColorChoice(word: string): ColorChoice {
  const choice = parseColorChoice(word);
  if (choice !== null) return choice;
  throw new TsregError(`argument for --color must be auto, always, or never, but found \`${word}\``, {
    code: 'config',
  });
}

/** Whether `stream` gets colours. */
export function usesColor(choice: ColorChoice, stream: OutputStream, env: Environment): boolean {
  if (choice !== 'auto') return choice === 'always';
  if (isSet(env.NO_COLOR)) return false;
  if (isSet(env.CLICOLOR_FORCE)) return true;
  if (env.CLICOLOR === '0') return false;
  if (!stream.isTerminal) return false;
  const capable = env.TERM !== undefined ? env.TERM !== 'dumb' : process.platform === 'win32';
  return capable || env.CLICOLOR !== undefined || env.CI !== undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
