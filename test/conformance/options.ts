import path from 'node:path';
import { parseArgs } from 'node:util';

/** The kinds of input, in the order in which they run. */
export const kinds = [
  'workspaces',
  'crates',
  'fixtures',
  'failures',
  'generated',
  'shared-home',
  'edits',
  'package-crates',
  'package-fixtures',
  'package-failures',
  'package-generated',
  'lock',
  'tree',
  'project-commands',
  'serve',
  'info-crates',
  'info-generated',
  'registry',
] as const;
export type Kind = (typeof kinds)[number];

/** Words for several kinds. */
const groups: Readonly<Record<string, readonly Kind[]>> = {
  all: kinds,
  info: ['info-crates', 'info-generated'],
  package: ['package-crates', 'package-fixtures', 'package-failures', 'package-generated'],
};

/** The options of a comparison. */
export interface Options {
  readonly kinds: readonly Kind[];
  readonly isLong: boolean;
  readonly seed: number;
  /** Selects cases whose name contains this. */
  readonly filter: string | null;
  /** Number of generated cases, or of steps on each workspace; null for the default of the form. */
  readonly count: number | null;
  /** `tsreg`, the folder of another build, or `cargo` to check the comparison itself. */
  readonly subject: string;
  /** Folder of workspaces; null if none was given. */
  readonly workspaces: string | null;
  /** Writes shrunk disagreements into fixtures/. */
  readonly save: boolean;
  /** The number of concurrent runs. */
  readonly workers: number;
}

const usage = `npm run conformance -- [${[...kinds, ...Object.keys(groups)].join('|')}]… [options] [DIR]
  DIR              a folder of workspaces: folders, or *.tar.gz (also TSREG_WORKSPACES)
  --quick          a part of everything, in minutes (the default)
  --long           everything
  --seed N         of the generated cases; another one each time unless given
  --count N        how many generated cases, or steps on each workspace
  --filter TEXT    only cases whose name contains TEXT
  --subject NAME   tsreg, a folder with another build of it, or cargo, which must agree with itself
  --save           write shrunk disagreements of generated cases as fixtures
  --workers N      runs at a time, 2 unless given`;

/** Parses the command line. Throws an error with the usage if it is invalid. */
export function readOptions(argv: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      long: { type: 'boolean' },
      seed: { type: 'string' },
      count: { type: 'string' },
      filter: { type: 'string' },
      subject: { type: 'string' },
      save: { type: 'boolean' },
      workers: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) throw new Error(usage);
  const chosen = new Set<Kind>();
  let folder = process.env['TSREG_WORKSPACES'] ?? null;
  for (const word of positionals) {
    const kind = kinds.find((name) => name === word);
    const group = Object.hasOwn(groups, word) ? groups[word] : undefined;
    if (group !== undefined) for (const name of group) chosen.add(name);
    else if (kind !== undefined) chosen.add(kind);
    else if (word.includes('/') || word.startsWith('.')) folder = word;
    else throw new Error(`unknown kind ${word}\n${usage}`);
  }
  return {
    kinds: chosen.size === 0 ? kinds : kinds.filter((name) => chosen.has(name)),
    isLong: values.long === true,
    seed: values.seed === undefined ? Date.now() % 0x7fffffff : number(values.seed),
    filter: values.filter ?? null,
    count: values.count === undefined ? null : number(values.count),
    subject: values.subject ?? 'tsreg',
    workspaces: folder === null || folder === '' ? null : path.resolve(folder),
    save: values.save === true,
    workers: values.workers === undefined ? 2 : number(values.workers),
  };
}

function number(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a number: ${text}\n${usage}`);
  return value;
}
