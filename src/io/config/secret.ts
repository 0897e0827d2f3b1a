/** A token or password. Printing it by accident prints a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the text itself. Call it only to send or store it. */
  expose(): string {
    return this.#value;
  }

  toString(): string {
    return 'REDACTED';
  }

  toJSON(): string {
    return 'REDACTED';
  }
}
