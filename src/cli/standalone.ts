/** Entry point of the standalone executable, which contains the runtime. */
import { printCachedResult } from './lookup.ts';
import { main } from './main.ts';

const miss = printCachedResult();
if (miss !== null) void main(miss);
