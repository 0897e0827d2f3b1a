/** Records of rate limits. */

/** Rate limits, for all processes together. The rules of `Records` apply. */
export interface RateLimitRecords {
  /** Counts an event if the limit allows it. Returns 0, or the milliseconds until it is allowed. */
  consumeRateLimit(use: RateLimitUse): Promise<number>;
  /** Returns the same as `consumeRateLimit`, without counting an event. */
  peekRateLimit(use: RateLimitUse): Promise<number>;
}

/** An event with a limit per minute, which is also the maximum burst. */
export interface RateLimitUse {
  /** The action and the client. */
  readonly subject: string;
  /** Greater than 0. */
  readonly perMinute: number;
  readonly atMs: number;
}
