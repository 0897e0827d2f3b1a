/** What options may hold, for callers whose compiler does not know. */
import { TsregError } from '../errors/error.ts';

/** What one option may hold. */
export interface OptionCheck {
  /** `must be …`. */
  readonly words: string;
  readonly accepts: (value: unknown) => boolean;
  /** True where the function cannot do without. */
  readonly isRequired: boolean;
}

/** A check for each option of a function. */
export type OptionChecks<O> = { readonly [K in keyof O]-?: OptionCheck };

/** A string. */
export const TEXT = optional('a string', isText);
/** Strings in a list. */
export const TEXTS = optional('a list of strings', (value) => Array.isArray(value) && value.every(isText));
/** Whether something is wanted. */
export const SWITCH = optional('true or false', (value) => typeof value === 'boolean');
/** A number of any kind: which ones make sense is up to the function. */
export const NUMBER = optional('a number', (value) => typeof value === 'number');
/** What is called back. */
export const FUNCTION = optional('a function', (value) => typeof value === 'function');
/** An object whose fields are looked at when they are needed. */
export const OBJECT = optional('an object', isObject);
/** What ends a call. */
export const SIGNAL = optional('an `AbortSignal`', (value) => value instanceof AbortSignal);
/** Environment variables. */
export const VARIABLES = optional(
  'an object of strings',
  (value) => isObject(value) && Object.values(value).every((each) => each === undefined || isText(each)),
);

/** The same option, which has to be there. */
export function required(check: OptionCheck): OptionCheck {
  return { ...check, isRequired: true };
}

/** One of a few texts. */
export function oneOf(...texts: readonly string[]): OptionCheck {
  const words = texts.map((text) => `\`${text}\``).join(' or ');
  return optional(words, (value) => texts.some((text) => text === value));
}

/** A list of some of a few texts. */
export function someOf(...texts: readonly string[]): OptionCheck {
  const words = `a list of ${texts.map((text) => `\`${text}\``).join(', ')}`;
  return optional(words, (value) => Array.isArray(value) && value.every((each) => texts.includes(each)));
}

/** What either of two may be. */
export function either(one: OptionCheck, other: OptionCheck): OptionCheck {
  return optional(`${one.words} or ${other.words}`, (value) => one.accepts(value) || other.accepts(value));
}

/**
 * Throws for the first option that is missing or of another type. Options that a function does not have are none of its
 * business: several functions may be called with the same ones.
 */
export function checkOptions<O extends object>(options: O, checks: OptionChecks<O>): void {
  if (!isObject(options)) throw usage('options must be an object');
  for (const [name, check] of Object.entries<OptionCheck>(checks)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && check.isRequired) throw usage(`\`${name}\` is missing, ${check.words}`);
    // Not the value itself: it may be a token.
    if (value !== undefined && !check.accepts(value)) {
      throw usage(`\`${name}\` must be ${check.words}, not ${typeName(value)}`);
    }
  }
}

function optional(words: string, accepts: OptionCheck['accepts']): OptionCheck {
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
  if (Array.isArray(value)) return 'this list';
  return typeof value === 'object' ? 'this object' : `this ${typeof value}`;
}

function usage(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
