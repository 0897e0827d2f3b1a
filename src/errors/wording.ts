/** Messages that name the program, which is `cargo` in compatibility mode. */

/** The name under which the program speaks to the user. */
export type ProgramName = 'tsreg' | 'cargo';

/** A message in tsreg's own words and in cargo's. The command line shows cargo's only in compatibility mode. */
export class Wording<T> {
  readonly tsreg: T;
  readonly cargo: T;

  constructor(tsreg: T, cargo: T) {
    this.tsreg = tsreg;
    this.cargo = cargo;
  }
}

/** A text that may have different words in compatibility mode. */
export type Message = string | Wording<string>;

/** A message that differs in no more than what follows from the name of the program. */
export function naming<T>(message: (program: ProgramName) => T): Wording<T> {
  return new Wording(message('tsreg'), message('cargo'));
}

/** The words of a message under the name of `program`. */
export function wordsOf<T>(message: T | Wording<T>, program: ProgramName): T {
  return message instanceof Wording ? message[program] : message;
}
