/** The packages with dependencies that have no version yet, most constrained first. */
import type { Summary } from '../summary/summary.ts';
import type { FeatureSet } from './feature-set.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node } from './node.ts';

/** A dependency without a version, and all its candidates. */
export interface Choice {
  readonly dependency: LockedDependency;
  /** Best first. */
  readonly candidates: readonly Summary[];
  readonly features: FeatureSet;
}

/** The dependencies of one activated package. */
export interface Frame {
  readonly parent: Node;
  /** Those with the fewest candidates first. */
  readonly choices: readonly Choice[];
  /** The number of `choices` that `pop` has returned. */
  readonly poppedCount: number;
  /** True if it is known to fail. The search then uses it only to find the error message. */
  readonly willFail: boolean;
  /** The number of calls of `push` before it was added. */
  readonly time: number;
}

/**
 * A leftist heap: no frame below comes before `frame`, and the path along `right` is short. So merging two takes
 * logarithmic time. It leaves both unchanged.
 */
interface Heap {
  /** The first frame of the heap. */
  readonly frame: Frame;
  /** The number of heaps on the path along `right`. The rank of `left` is never less than that of `right`. */
  readonly rank: number;
  readonly left: Heap | null;
  readonly right: Heap | null;
}

/**
 * An immutable queue of frames: every operation returns a new one, so that the search can restore any earlier state.
 * Known failures come first, then frames whose next choice has the fewest candidates, then the oldest.
 */
export class FrameQueue {
  static readonly EMPTY = new FrameQueue(null, 0);
  readonly #heap: Heap | null;
  /** The number of calls of `push` that led to this queue. */
  readonly #time: number;

  private constructor(heap: Heap | null, time: number) {
    this.#heap = heap;
    this.#time = time;
  }

  /** Returns this queue with a new frame; without one if there are no choices. */
  push(parent: Node, choices: readonly Choice[], { willFail }: { readonly willFail: boolean }): FrameQueue {
    if (choices.length === 0) return new FrameQueue(this.#heap, this.#time + 1);
    const frame: Frame = { parent, choices, poppedCount: 0, willFail, time: this.#time };
    return new FrameQueue(merge(leaf(frame), this.#heap), this.#time + 1);
  }

  /** Returns the first frame with its next choice, and the queue without that choice; null if the queue is empty. */
  pop(): { readonly frame: Frame; readonly choice: Choice; readonly remaining: FrameQueue } | null {
    const heap = this.#heap;
    if (heap === null) return null;
    const { frame } = heap;
    const choice = frame.choices[frame.poppedCount];
    const others = merge(heap.left, heap.right);
    if (choice === undefined) return new FrameQueue(others, this.#time).pop();
    const next = { ...frame, poppedCount: frame.poppedCount + 1 };
    const remaining = next.poppedCount < next.choices.length ? merge(leaf(next), others) : others;
    return { frame, choice, remaining: new FrameQueue(remaining, this.#time) };
  }

  /** Returns every frame, in the order of the queue. */
  frames(): readonly Frame[] {
    const frames: Frame[] = [];
    const stack: (Heap | null)[] = [this.#heap];
    for (let heap = stack.pop(); heap !== undefined; heap = stack.pop()) {
      if (heap === null) continue;
      frames.push(heap.frame);
      stack.push(heap.left, heap.right);
    }
    return frames.sort(compareFrames);
  }
}

/** Returns a heap of one frame. */
function leaf(frame: Frame): Heap {
  return { frame, rank: 1, left: null, right: null };
}

/** Returns a heap with the frames of both. */
function merge(a: Heap | null, b: Heap | null): Heap | null {
  if (a === null) return b;
  if (b === null) return a;
  const [first, second] = compareFrames(a.frame, b.frame) <= 0 ? [a, b] : [b, a];
  const merged = merge(first.right, second);
  const left = first.left;
  const leftRank = left?.rank ?? 0;
  const mergedRank = merged?.rank ?? 0;
  return leftRank >= mergedRank
    ? { frame: first.frame, rank: mergedRank + 1, left, right: merged }
    : { frame: first.frame, rank: leftRank + 1, left: merged, right: left };
}

function compareFrames(a: Frame, b: Frame): number {
  if (a.willFail !== b.willFail) return a.willFail ? -1 : 1;
  return nextCandidateCount(a) - nextCandidateCount(b) || a.time - b.time;
}

function nextCandidateCount(frame: Frame): number {
  return frame.choices[frame.poppedCount]?.candidates.length ?? 0;
}
