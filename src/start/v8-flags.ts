/** Flags of V8 for work that takes long. */
import { setFlagsFromString } from 'node:v8';

interface Flags {
  readonly set: readonly string[];
  /** To what V8 has by default; empty where Node itself keeps what is compiled. */
  readonly unset: readonly string[];
}

/**
 * For each release of Node that was measured. A run of a second is too short for V8's optimising compiler: what it
 * compiles takes more time than it saves, a quarter of all. So it waits until code is much hotter than by default, small
 * functions included. Nor does memory for young objects grow: in as much as there is in the beginning they are collected
 * as fast as in more, and it is a fifth of the memory.
 */
const FLAGS: Readonly<Record<string, Flags>> = {
  20: {
    set: [
      '--interrupt-budget=1000000',
      '--max-bytecode-size-for-early-opt=0',
      '--semi-space-growth-factor=1',
    ],
    unset: [
      '--interrupt-budget=67584',
      '--max-bytecode-size-for-early-opt=81',
      '--semi-space-growth-factor=2',
    ],
  },
  22: { set: ['--invocation-count-for-turbofan=30000'], unset: [] },
  24: { set: ['--invocation-count-for-turbofan=30000'], unset: [] },
  26: { set: ['--invocation-count-for-turbofan=30000'], unset: [] },
};

const flags = FLAGS[process.versions.node.split('.')[0] ?? ''];
let areSet = false;

/** Makes V8, in all threads, do less for work that goes on for long. */
export function holdBackV8(): void {
  if (flags === undefined) return;
  for (const flag of flags.set) setFlagsFromString(flag);
  areSet = true;
}

/**
 * Takes it that another thread holds V8 back, if not yet, then soon: V8 takes nothing of Node for a thread that starts, of
 * what was compiled together with Node, once its flags are set.
 */
export function leaveV8ToThread(): void {
  areSet = true;
}

/**
 * Loads or keeps something under V8's own flags, since V8 takes nothing that was compiled under other ones, be it kept or
 * part of Node.
 */
export function underOwnFlags<T>(act: () => T): T {
  if (!areSet || flags === undefined) return act();
  for (const flag of flags.unset) setFlagsFromString(flag);
  areSet = false;
  try {
    return act();
  } finally {
    holdBackV8();
  }
}
