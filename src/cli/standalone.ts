/** Starts the program where it is one executable with its runtime. */
import { main } from './main.ts';

void main({ noteUse: () => {}, beforeLongWork: () => {} });
