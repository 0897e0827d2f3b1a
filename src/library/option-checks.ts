/** Checks the types of options at run time, for callers without a type checker. */
import { TsregError } from '../core/errors/error.ts';

/** A check for an option value. */
export interface OptionCheck {
  /** The text after `must be` in messages. */
  readonly words: string;
  readonly accepts: (value: unknown) => boolean;
  /** True if the option is required. */
  readonly isRequired: boolean;
}

/** A check for each option of a function. */
export type OptionChecks<O> = { readonly [K in keyof O]-?: OptionCheck };

/** A string. */
export const TEXT = optional('a string', isText);
/** A string that is not empty. */
export const FILLED_TEXT = optional('a string that is not empty', (value) => isText(value) && value !== '');
/** A list of strings. */
export const TEXTS = optional('a list of strings', (value) => Array.isArray(value) && value.every(isText));
/** A boolean. */
export const SWITCH = optional('true or false', (value) => typeof value === 'boolean');
/** Any number. The function checks its range. */
export const NUMBER = optional('a number', (value) => typeof value === 'number');
/** A function. */
export const FUNCTION = optional('a function', (value) => typeof value === 'function');
/** An object. Its fields are checked when they are used. */
export const OBJECT = optional('an object', isObject);
/** An `AbortSignal`. */
export const SIGNAL = optional('an `AbortSignal`', (value) => value instanceof AbortSignal);
/** Environment variables. */
export const VARIABLES = optional(
  'an object of strings',
  (value) => isObject(value) && Object.values(value).every((text) => text === undefined || isText(text)),
);

/** Returns the same check for a required option. */
export function required(check: OptionCheck): OptionCheck {
  return { ...check, isRequired: true };
}

/** Returns a check for one of `texts`. */
export function oneOf(...texts: readonly string[]): OptionCheck {
  const words = texts.map((text) => `\`${text}\``).join(' or ');
  return optional(words, (value) => texts.some((text) => text === value));
}

/** Returns a check for a list of some of `texts`. */
export function someOf(...texts: readonly string[]): OptionCheck {
  const words = `a list of ${texts.map((text) => `\`${text}\``).join(', ')}`;
  return optional(words, (value) => Array.isArray(value) && value.every((item) => texts.includes(item)));
}

/** Returns the same check for a list that is not empty. */
export function filled(check: OptionCheck): OptionCheck {
  return optional(
    `${check.words} (at least one)`,
    (value) => check.accepts(value) && Array.isArray(value) && value.length > 0,
  );
}

/** Returns a check that accepts what either of two checks accepts. */
export function either(one: OptionCheck, other: OptionCheck): OptionCheck {
  return optional(`${one.words} or ${other.words}`, (value) => one.accepts(value) || other.accepts(value));
}

/**
 * Throws `usage` for the first option that is missing or has the wrong type. Ignores unknown options, so that several
 * functions can be called with the same ones.
 */
export function checkOptions<O extends object>(options: O, checks: OptionChecks<O>): void {
  if (!isObject(options)) throw usage('options must be an object');
  for (const [name, check] of Object.entries<OptionCheck>(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && check.isRequired) throw usage(`\`${name}\` is missing, ${check.words}`);
    // Omits the value itself, because it may be a token.
    if (value !== undefined && !check.accepts(value)) {
      throw usage(`\`${name}\` must be ${check.words}, not ${typeName(value)}`);
    }
  }
}

/** Returns a check for an option that may be omitted. `words` are the text after `must be` in messages. */
export function optional(words: string, accepts: OptionCheck['accepts']): OptionCheck {
  return { words, accepts, isRequired: false };
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'this list';
  return typeof value === 'object' ? 'this object' : `this ${typeof value}`;
}

function usage(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
