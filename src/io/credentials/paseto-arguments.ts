/** Arguments of `cargo:paseto`, after `login --`. */
import { TsregError } from '../../core/errors/error.ts';
import { mostSimilar } from '../../core/errors/similar-words.ts';

const SUBJECT = '--key-subject <SUBJECT>';
/** The long flags as the usage shows them, by name. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ['key-subject', SUBJECT],
  ['help', '--help'],
]);
const USAGE = 'Usage: cargo:paseto';
const HELP = `${USAGE} [OPTIONS]

Options:
      --key-subject <SUBJECT>  Set the key subject for this registry
  -h, --help                   Print help
`;

/** Returns the value of `--key-subject`, or null. Throws cargo's `usage` error for any other argument. */
export function keySubjectOf(args: readonly string[]): string | null {
  const parser = new PasetoArguments();
  for (const arg of args) parser.take(arg);
  return parser.finish();
}

/** A parser that, like cargo's (clap), checks a flag's separate value only at the next flag or at the end. */
class PasetoArguments {
  /** The value of the last flag that was checked. */
  #subject: string | null = null;
  /** A flag that is not checked yet; its `value` is null until the next argument. */
  #pending: { readonly value: string | null } | null = null;
  /** True after `--`. */
  #isTrailing = false;

  /** Parses the next argument. */
  take(arg: string): void {
    const awaitsValue = this.#pending !== null && this.#pending.value === null;
    if (this.#isTrailing) throw unexpected(arg);
    if (arg === '--') this.#isTrailing = true;
    else if (arg.startsWith('--')) this.#takeLongFlag(arg.slice(2));
    else if (arg.startsWith('-h')) this.#throwHelp();
    else if (arg.startsWith('-') && arg !== '-') throw unexpected([...arg].slice(0, 2).join(''));
    else if (awaitsValue) this.#pending = { value: arg };
    else throw unexpected(arg);
  }

  /** Returns the subject after the last argument; null if there is none. */
  finish(): string | null {
    this.#checkPending();
    return this.#subject;
  }

  /** Parses `--NAME` or `--NAME=VALUE`. `arg` is without the dashes. */
  #takeLongFlag(arg: string): void {
    const equals = arg.indexOf('=');
    const name = equals === -1 ? arg : arg.slice(0, equals);
    const value = equals === -1 ? null : arg.slice(equals + 1);
    if (name === 'key-subject') {
      this.#checkPending();
      this.#pending = { value };
      if (value !== null) this.#checkPending();
    } else if (name !== 'help') throw this.#unknownFlag(name);
    else if (value === null) this.#throwHelp();
    else {
      const problem = `unexpected value '${value}' for '--help' found; no more were expected`;
      throw usageError(problem, this.#usage('--help'));
    }
  }

  #throwHelp(): never {
    this.#checkPending();
    throw new TsregError(HELP, { code: 'usage' });
  }

  /** Checks the pending flag, if there is one. */
  #checkPending(): void {
    const pending = this.#pending;
    const previousSubject = this.#subject;
    this.#pending = null;
    if (pending === null) return;
    if (pending.value === null)
      throw usageError(`a value is required for '${SUBJECT}' but none was supplied`);
    // After a second value, clap knows none: the usage in the error for an unknown flag does not show the flag.
    this.#subject = previousSubject === null ? pending.value : null;
    if (previousSubject !== null)
      throw usageError(`the argument '${SUBJECT}' cannot be used multiple times`, '[OPTIONS]');
  }

  /** Returns clap's error for an unknown flag, with a similar flag as a tip. */
  #unknownFlag(name: string): TsregError {
    try {
      this.#checkPending();
    } catch (error) {
      // Report the unknown flag instead.
      if (!(error instanceof TsregError)) throw error;
    }
    const similar = mostSimilar(name, FLAGS.keys());
    const tip = similar === null ? '' : `\n\n  tip: a similar argument exists: '--${similar}'`;
    const similarFlag = similar === null ? null : (FLAGS.get(similar) ?? null);
    return usageError(`unexpected argument '--${name}' found${tip}`, this.#usage(similarFlag));
  }

  /** Returns the usage, with the flags so far and one more; null for no more. */
  #usage(extraFlag: string | null): string {
    const flags = new Set(
      [this.#subject === null ? null : SUBJECT, extraFlag].filter((flag) => flag !== null),
    );
    return flags.size === 0 ? '[OPTIONS]' : [...flags].join(' ');
  }
}

function unexpected(arg: string): TsregError {
  return usageError(`unexpected argument '${arg}' found`, '[OPTIONS]');
}

/** Returns clap's error. `usage` is the part after the program's name; null for an error without it. */
function usageError(problem: string, usage: string | null = null): TsregError {
  const usageLines = usage === null ? '' : `\n${USAGE} ${usage}\n`;
  return new TsregError(`error: ${problem}\n${usageLines}\nFor more information, try '--help'.\n`, {
    code: 'usage',
  });
}
