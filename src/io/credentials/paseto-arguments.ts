/** Arguments of `cargo:paseto`, after `login --`. */
import { TsregError } from '../../core/errors/error.ts';
import { mostSimilar } from '../../core/errors/similar-words.ts';

const SUBJECT = '--key-subject <SUBJECT>';
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

/** A parser that, like cargo's, checks a flag's separate value only at the next flag or at the end. */
class PasetoArguments {
  #subject: string | null = null;
  #pending: { readonly value: string | null } | null = null;
  #isTrailing = false;

  take(arg: string): void {
    const awaitsValue = this.#pending !== null && this.#pending.value === null;
    if (this.#isTrailing) throw unexpected(arg);
    if (arg === '--') this.#isTrailing = true;
    else if (arg.startsWith('--')) this.#long(arg.slice(2));
    else if (arg.startsWith('-h')) this.#help();
    else if (arg.startsWith('-') && arg !== '-') throw unexpected([...arg].slice(0, 2).join(''));
    else if (awaitsValue) this.#pending = { value: arg };
    else throw unexpected(arg);
  }

  finish(): string | null {
    this.#settle();
    return this.#subject;
  }

  #long(arg: string): void {
    const equals = arg.indexOf('=');
    const name = equals === -1 ? arg : arg.slice(0, equals);
    const value = equals === -1 ? null : arg.slice(equals + 1);
    if (name === 'key-subject') {
      this.#settle();
      this.#pending = { value };
      if (value !== null) this.#settle();
    } else if (name !== 'help') throw this.#unknown(name);
    else if (value === null) this.#help();
    else {
      const problem = `unexpected value '${value}' for '--help' found; no more were expected`;
      throw refusal(problem, this.#usage('--help'));
    }
  }

  #help(): never {
    this.#settle();
    throw new TsregError(HELP, { code: 'usage' });
  }

  #settle(): void {
    const pending = this.#pending;
    const earlier = this.#subject;
    this.#pending = null;
    if (pending === null) return;
    if (pending.value === null) throw refusal(`a value is required for '${SUBJECT}' but none was supplied`);
    this.#subject = earlier === null ? pending.value : null;
    if (earlier !== null)
      throw refusal(`the argument '${SUBJECT}' cannot be used multiple times`, '[OPTIONS]');
  }

  #unknown(name: string): TsregError {
    try {
      this.#settle();
    } catch (error) {
      // Report the unknown flag instead.
      if (!(error instanceof TsregError)) throw error;
    }
    const similar = mostSimilar(name, ['key-subject', 'help']);
    const tip = similar === null ? '' : `\n\n  tip: a similar argument exists: '--${similar}'`;
    return refusal(
      `unexpected argument '--${name}' found${tip}`,
      this.#usage(similar === 'key-subject' ? SUBJECT : similar === null ? null : '--help'),
    );
  }

  /** Returns the usage, with the flags that were given and one more. */
  #usage(more: string | null): string {
    const flags = new Set([this.#subject === null ? null : SUBJECT, more].filter((flag) => flag !== null));
    return flags.size === 0 ? '[OPTIONS]' : [...flags].join(' ');
  }
}

function unexpected(arg: string): TsregError {
  return refusal(`unexpected argument '${arg}' found`, '[OPTIONS]');
}

function refusal(problem: string, usage: string | null = null): TsregError {
  const middle = usage === null ? '' : `\n${USAGE} ${usage}\n`;
  return new TsregError(`error: ${problem}\n${middle}\nFor more information, try '--help'.\n`, {
    code: 'usage',
  });
}
