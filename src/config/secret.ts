/** Texts that must not be shown. */

/** A token or password; whatever prints it by accident prints a placeholder. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself. */
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
