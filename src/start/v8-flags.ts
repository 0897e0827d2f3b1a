/** Flags of V8 for work that takes long. */
import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

interface Flags {
  readonly set: readonly string[];
  /** And beside those where a second thread works. */
  readonly setForThreads: readonly string[];
  /** To what V8 has by default. */
  readonly unset: readonly string[];
}

/**
 * For each release of Node that was measured. A run of a second is too short for V8's optimising compiler: what it
 * compiles takes more time than it saves, a quarter of all. So it waits until code is much hotter than by default, small
 * functions included. Where two threads share the work memory for young objects does not grow: in as much as there is in
 * the beginning they are collected as fast as in more, and it is a fifth of the memory. One thread alone has more of them.
 */
const FLAGS: Readonly<Record<string, Flags>> = {
  20: {
    set: ['--interrupt-budget=1000000', '--max-bytecode-size-for-early-opt=0'],
    setForThreads: ['--semi-space-growth-factor=1'],
    unset: [
      '--interrupt-budget=67584',
      '--max-bytecode-size-for-early-opt=81',
      '--semi-space-growth-factor=2',
    ],
  },
  22: {
    set: ['--invocation-count-for-turbofan=30000'],
    setForThreads: ['--semi-space-growth-factor=1'],
    unset: ['--invocation-count-for-turbofan=3000', '--semi-space-growth-factor=2'],
  },
  24: withMaglev({ turbofan: 10_000 }),
  26: withMaglev({ turbofan: 16_000 }),
};

const flags = FLAGS[process.versions.node.split('.')[0] ?? ''];

/**
 * For releases that compile by Maglev first what is not as hot yet. `turbofan` is what V8 has without any flag, other than
 * what it says of itself.
 */
function withMaglev({ turbofan }: { readonly turbofan: number }): Flags {
  return {
    set: ['--invocation-count-for-turbofan=100000', '--invocation-count-for-maglev=30000'],
    setForThreads: ['--semi-space-growth-factor=1'],
    unset: [
      `--invocation-count-for-turbofan=${turbofan}`,
      '--invocation-count-for-maglev=400',
      '--semi-space-growth-factor=2',
    ],
  };
}

/** For how many threads they are set. */
type Threads = 1 | 2;

/** That number, for all threads; 0 while they are not set. */
let shared: Int32Array = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Under this name threads find it. */
const SHARED = 'tsreg: V8 is held back';

/** Makes V8, in all threads, do less for work that goes on for long. */
export function holdBackV8(threads: Threads = 1): void {
  if (flags === undefined) return;
  for (const flag of flags.set) setFlagsFromString(flag);
  if (threads === 2) for (const flag of flags.setForThreads) setFlagsFromString(flag);
  shared[0] = threads;
}

/**
 * Leaves that to a thread that is about to be started. Once flags are set V8 takes nothing of what was compiled together
 * with Node, which such a thread needs.
 */
export function leaveV8ToThread(): void {
  setEnvironmentData(SHARED, shared);
}

/** For that thread. */
export function takeV8Over(): void {
  const given = getEnvironmentData(SHARED);
  if (given instanceof Int32Array) shared = given;
}

/**
 * Loads or keeps something under V8's own flags, since V8 takes nothing that was compiled under other ones, be it kept or
 * part of Node.
 */
export function underOwnFlags<T>(act: () => T): T {
  const threads = shared[0] === 2 ? 2 : 1;
  if (shared[0] === 0 || flags === undefined) return act();
  for (const flag of flags.unset) setFlagsFromString(flag);
  shared[0] = 0;
  try {
    return act();
  } finally {
    holdBackV8(threads);
  }
}
