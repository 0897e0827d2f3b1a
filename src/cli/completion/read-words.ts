/** Parses an unfinished command line. */
import { type Flag, isOnlyRefused, takesValue } from '../../commands/shared/flag.ts';
import type { Grammar } from '../parse-arguments.ts';
import type { CommandLine } from '../../commands/shared/usage-error.ts';

/** The place of the cursor. */
export interface Place {
  /** The command so far, or the program. */
  readonly line: CommandLine;
  /** Its words: empty for the program. */
  readonly command: string;
  /** Values of the flags so far, by name of the flag. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly next: Next;
}

/** The kind of word that may be there. */
export type Next =
  /** The value of a flag, perhaps a positional one; `prefix` is the text before it in the same word. */
  | { readonly kind: 'value'; readonly flag: Flag; readonly prefix: string }
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
  const before = words.slice(0, -1);
  const reader = new WordReader(context);
  for (const word of before[0]?.startsWith('+') === true ? before.slice(1) : before) reader.take(word);
  return reader.placeOf(current);
}

class WordReader {
  readonly #context: WordsContext;
  #line: CommandLine;
  #commands: readonly CommandLine[];
  #command = '';
  #values = new Map<string, readonly string[]>();
  /** A flag whose value is the next word. */
  #pending: Flag | null = null;
  #isTrailing = false;
  #isUnknown = false;
  #aliases = 0;

  constructor(context: WordsContext) {
    this.#context = context;
    this.#line = context.grammar.program;
    this.#commands = context.grammar.commands;
  }

  take(word: string): void {
    const pending = this.#pending;
    this.#pending = null;
    if (this.#isUnknown) return;
    if (pending !== null && (pending.valueIsOptional !== true || !word.startsWith('-'))) {
      this.#note(pending, word);
    } else if (this.#isTrailing || word === '-' || !word.startsWith('-')) this.#takePlain(word);
    else if (word === '--') this.#isTrailing = true;
    else this.#takeFlag(word);
  }

  placeOf(current: string): Place {
    return { line: this.#line, command: this.#command, values: this.#values, next: this.#next(current) };
  }

  #next(current: string): Next {
    if (this.#isUnknown) return { kind: 'nothing' };
    const pending = this.#pending;
    if (pending !== null && (pending.valueIsOptional !== true || !current.startsWith('-'))) {
      return { kind: 'value', flag: pending, prefix: '' };
    }
    if (!this.#isTrailing && current.startsWith('-')) {
      const attached = splitFlag(current, this.#line);
      if (attached === null || attached.value === null) return { kind: 'flag' };
      const { flag, value } = attached;
      return { kind: 'value', flag, prefix: current.slice(0, current.length - value.length) };
    }
    if (this.#commands.length > 0) return { kind: 'command' };
    const flag = this.#positional();
    if (flag !== undefined) return { kind: 'value', flag, prefix: '' };
    return this.#isTrailing || current !== '' ? { kind: 'nothing' } : { kind: 'flag' };
  }

  #positional(): Flag | undefined {
    return this.#line.flags.find(
      (flag) =>
        flag.isPositional === true &&
        (flag.isTrailing === true) === this.#isTrailing &&
        (flag.kind === 'list' || !this.#values.has(flag.name)),
    );
  }

  #takePlain(word: string): void {
    if (this.#commands.length > 0) {
      this.#takeCommand(word);
      return;
    }
    const flag = this.#positional();
    if (flag !== undefined) this.#note(flag, word);
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
    const alias = isTop && this.#aliases < MAX_ALIASES ? this.#context.alias(word) : null;
    this.#aliases += 1;
    if (alias === null) this.#isUnknown = true;
    else for (const each of alias) this.take(each);
  }

  #takeFlag(word: string): void {
    const found = splitFlag(word, this.#line);
    if (found === null) return;
    const { flag, value } = found;
    if (takesValue(flag) && value === null) {
      this.#pending = flag;
      if (flag.valueIsOptional === true) this.#note(flag, null);
    } else this.#note(flag, value);
  }

  #note({ name }: Flag, value: string | null): void {
    const earlier = this.#values.get(name) ?? [];
    this.#values.set(name, value === null ? earlier : [...earlier, value]);
  }
}

/** Returns the flag in a word, and the value in the same word; null if there is no such flag. */
function splitFlag(
  word: string,
  { flags }: CommandLine,
): { readonly flag: Flag; readonly value: string | null } | null {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    const name = equals === -1 ? word.slice(2) : word.slice(2, equals);
    const flag = flags.find((each) => (each.long === name || each.alias === name) && !isOnlyRefused(each));
    return flag === undefined ? null : { flag, value: equals === -1 ? null : word.slice(equals + 1) };
  }
  // Of several short flags in one word, only the last one may have a value.
  for (let at = 1; at < word.length; at += 1) {
    const flag = flags.find((each) => each.short === word[at] && !isOnlyRefused(each));
    if (flag === undefined) return null;
    const isLast = at === word.length - 1;
    if (takesValue(flag)) return { flag, value: isLast ? null : word.slice(at + 1).replace(/^=/, '') };
    if (isLast) return { flag, value: null };
  }
  return null;
}
