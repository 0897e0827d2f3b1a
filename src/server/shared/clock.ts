/** A source of the current time. */
export interface Clock {
  /** Returns the milliseconds since 1970. */
  now(): number;
}
