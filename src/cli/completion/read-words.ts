/** Parses an unfinished command line. */
import {
  type Flag,
  type FlagValues,
  type FlagWithValue,
  isPositional,
  type PositionalFlag,
  takesValue,
} from '../../commands/shared/flag.ts';
import type { Grammar } from '../parse-arguments.ts';
import type { CommandLine } from '../../commands/shared/usage-error.ts';

/** The place of the cursor. */
export interface Place {
  /** The command before the cursor, or the program. */
  readonly line: CommandLine;
  /** The words of that command; empty for the program. */
  readonly command: string;
  /** Values of the flags before the cursor. */
  readonly values: FlagValues;
  readonly next: Next;
}

/** The kind of word that may be at the cursor. */
export type Next =
  /** The value of a flag, perhaps a positional one; `prefix` is the text before it in the same word. */
  | { readonly kind: 'value'; readonly flag: FlagWithValue; readonly prefix: string }
  /** The name of a flag. */
  | { readonly kind: 'flag' }
  /** The name of a command, or of a subcommand. */
  | { readonly kind: 'command' }
  | { readonly kind: 'nothing' };

/** The known commands and aliases. */
export interface WordsContext {
  readonly grammar: Grammar;
  /** Returns the words of an alias; null if there is no such alias. */
  alias(name: string): readonly string[] | null;
}

/** The most aliases to expand, in case they refer to each other. */
const MAX_ALIASES = 10;

/** Parses the words after the name of the program. The last one is unfinished. */
export function readWords(words: readonly string[], context: WordsContext): Place {
  const current = words.at(-1) ?? '';
  // `+toolchain` is not part of the grammar.
  const start = words.length > 1 && words[0]?.startsWith('+') === true ? 1 : 0;
  const reader = new WordReader(context);
  for (const word of words.slice(start, -1)) reader.take(word);
  return reader.placeOf(current);
}

/** Follows the words of a command line. Unlike the parser, it accepts wrong ones. */
class WordReader {
  readonly #context: WordsContext;
  #line: CommandLine;
  #commands: readonly CommandLine[];
  #command = '';
  readonly #values = new Map<string, readonly string[]>();
  /** A flag whose value is the next word. */
  #pending: FlagWithValue | null = null;
  /** True after `--`, where no word is a flag. */
  #isEscaped = false;
  /** True after an unknown command, where nothing can be completed. */
  #isUnknown = false;
  #expandedAliases = 0;

  constructor(context: WordsContext) {
    this.#context = context;
    this.#line = context.grammar.program;
    this.#commands = context.grammar.commands;
  }

  /** Reads the next word before the cursor. */
  take(word: string): void {
    const pending = this.#pending;
    this.#pending = null;
    if (this.#isUnknown) return;
    if (isValueOf(pending, word)) this.#addValue(pending, word);
    else if (this.#isEscaped || word === '-' || !word.startsWith('-')) this.#takeArgument(word);
    else if (word === '--') this.#isEscaped = true;
    else this.#takeFlag(word);
  }

  /** Returns the place of the cursor after all words that were read; `current` is the unfinished word. */
  placeOf(current: string): Place {
    return { line: this.#line, command: this.#command, values: this.#values, next: this.#next(current) };
  }

  /** Returns the kind of word that `current` may become. */
  #next(current: string): Next {
    if (this.#isUnknown) return { kind: 'nothing' };
    const pending = this.#pending;
    if (isValueOf(pending, current)) return { kind: 'value', flag: pending, prefix: '' };
    if (!this.#isEscaped && current.startsWith('-')) {
      const split = splitFlag(current, this.#line);
      if (split === null || split.value === null || !takesValue(split.flag)) return { kind: 'flag' };
      const { flag, value } = split;
      return { kind: 'value', flag, prefix: current.slice(0, current.length - value.length) };
    }
    if (this.#commands.length > 0) return { kind: 'command' };
    const flag = this.#positionalFlag();
    if (flag !== undefined) return { kind: 'value', flag, prefix: '' };
    return this.#isEscaped || current !== '' ? { kind: 'nothing' } : { kind: 'flag' };
  }

  /** Returns the flag that the next argument without dashes belongs to; undefined if there is none. */
  #positionalFlag(): PositionalFlag | undefined {
    return this.#line.flags
      .filter(isPositional)
      .find(
        (flag) =>
          (flag.isTrailing === true) === this.#isEscaped &&
          (flag.kind === 'list' || !this.#values.has(flag.name)),
      );
  }

  #takeArgument(word: string): void {
    if (this.#commands.length > 0) {
      this.#takeCommand(word);
      return;
    }
    const flag = this.#positionalFlag();
    if (flag !== undefined) this.#addValue(flag, word);
  }

  #takeCommand(word: string): void {
    const isTop = this.#command === '';
    if (isTop && word === 'help') {
      // Only the words of a command follow, no flags.
      this.#line = { ...this.#line, flags: [] };
      return;
    }
    const command = this.#commands.find(({ name }) => name === word);
    if (command !== undefined) {
      this.#line = command;
      this.#commands = command.subcommands ?? [];
      this.#command = this.#command === '' ? word : `${this.#command} ${word}`;
      return;
    }
    const alias = isTop && this.#expandedAliases < MAX_ALIASES ? this.#context.alias(word) : null;
    this.#expandedAliases += 1;
    if (alias === null) this.#isUnknown = true;
    else for (const aliasWord of alias) this.take(aliasWord);
  }

  #takeFlag(word: string): void {
    const split = splitFlag(word, this.#line);
    if (split === null) return;
    const { flag, value } = split;
    if (takesValue(flag) && value === null) {
      this.#pending = flag;
      if (flag.valueIsOptional === true) this.#addValue(flag, null);
    } else this.#addValue(flag, value);
  }

  /** Adds a value of a flag; null if the flag was given without one. */
  #addValue({ name }: Flag, value: string | null): void {
    const earlier = this.#values.get(name) ?? [];
    this.#values.set(name, value === null ? earlier : [...earlier, value]);
  }
}

/** Returns true if `word` is the value of `flag`, the flag before it. An optional value cannot start with a dash. */
function isValueOf(flag: FlagWithValue | null, word: string): flag is FlagWithValue {
  return flag !== null && (flag.valueIsOptional !== true || !word.startsWith('-'));
}

/** Returns the flag in a word, and the value in the same word; null if there is no such flag. */
function splitFlag(
  word: string,
  { flags }: CommandLine,
): { readonly flag: Flag; readonly value: string | null } | null {
  const known = flags.filter(({ kind }) => kind !== 'rejected');
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    const name = equals === -1 ? word.slice(2) : word.slice(2, equals);
    const flag = known.find(({ long, alias }) => long === name || alias === name);
    return flag === undefined ? null : { flag, value: equals === -1 ? null : word.slice(equals + 1) };
  }
  // Of several short flags in one word, only the last one may have a value.
  for (let position = 1; position < word.length; position += 1) {
    const flag = known.find(({ short }) => short === word[position]);
    if (flag === undefined) return null;
    const isLast = position === word.length - 1;
    if (takesValue(flag)) return { flag, value: isLast ? null : word.slice(position + 1).replace(/^=/, '') };
    if (isLast) return { flag, value: null };
  }
  return null;
}
