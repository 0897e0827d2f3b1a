/** Flags that the commands of a server share. */
import { resolve } from 'node:path';
import { type Invocation, valueOf } from './command.ts';
import { type Flag, valueFlag } from './flag.ts';

const DEFAULT_FOLDER = 'tsreg-data';

/** Where the registry is kept. */
export const DATA_FLAG: Flag = valueFlag('data', 'DIR', {
  help: `Folder that the registry is kept in [default: ${DEFAULT_FOLDER}]`,
  refusesEmpty: true,
});

/** The absolute path of `--data`. */
export function dataFolder({ values }: Pick<Invocation, 'values'>): string {
  return resolve(valueOf(values, 'data') ?? DEFAULT_FOLDER);
}
