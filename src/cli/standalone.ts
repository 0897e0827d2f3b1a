/** Starts the program where it is one executable with its runtime. */
import { printCachedResult } from './lookup.ts';
import { main } from './main.ts';

const written = printCachedResult();
if (written !== null) void main(written);
