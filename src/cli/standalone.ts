/** Entry point of the standalone executable, which contains the runtime. */
import { printCachedResult } from './lookup.ts';
import { main } from './main.ts';

const written = printCachedResult();
if (written !== null) void main(written);
