import { BREW } from './crates/brew.ts';
import { CELSIUS } from './crates/celsius.ts';
import { KETTLE } from './crates/kettle.ts';
import { LEAF } from './crates/leaf.ts';
import { MUG } from './crates/mug.ts';
import { STEEP } from './crates/steep.ts';
import { TASTING_NOTES } from './crates/tasting-notes.ts';
import { TEAPOT } from './crates/teapot.ts';
import type { SampleCrate } from './sample-crate.ts';

/** All sample crates. They depend only on each other. */
export const SAMPLE_CRATES: readonly SampleCrate[] = [
  CELSIUS,
  LEAF,
  KETTLE,
  STEEP,
  MUG,
  TEAPOT,
  TASTING_NOTES,
  BREW,
];
