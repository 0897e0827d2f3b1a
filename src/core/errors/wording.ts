/** Messages that name the program, which is `cargo` in compatibility mode. */

/** The name of the program in messages. */
export type ProgramName = 'tsreg' | 'cargo';

/** A message of tsreg, and the equivalent of cargo. The command line prints cargo's only in compatibility mode. */
export class Wording<T> {
  readonly tsreg: T;
  readonly cargo: T;

  constructor(tsreg: T, cargo: T) {
    this.tsreg = tsreg;
    this.cargo = cargo;
  }
}

/** A text that may differ in compatibility mode. */
export type Message = string | Wording<string>;

/** Returns a message that depends only on the name of the program. */
export function wordingByProgram<T>(message: (program: ProgramName) => T): Wording<T> {
  return new Wording(message('tsreg'), message('cargo'));
}

/** Returns the text of a message for `program`. */
export function wordsOf<T>(message: T | Wording<T>, program: ProgramName): T {
  return message instanceof Wording ? message[program] : message;
}
