/** Whether files are as they were, where the same ones are asked for several times. */
import { isSameStamp, type Stamp, stampHolds } from './stamp.ts';

/** Looks at the disk of one moment: what held once is not asked again. */
export class HeldStamps {
  readonly #held = new Map<string, Stamp>();
  readonly #ask: (stamp: Stamp) => boolean;

  /** `ask` says whether a file is as it was when the stamp was taken, and whatever else is to be so. */
  constructor(ask: (stamp: Stamp) => boolean = stampHolds) {
    this.#ask = ask;
  }

  /** What `ask` says. */
  holds(stamp: Stamp): boolean {
    const held = this.#held.get(stamp.path);
    if (held !== undefined && isSameStamp(held, stamp)) return true;
    if (!this.#ask(stamp)) return false;
    this.#held.set(stamp.path, stamp);
    return true;
  }
}
