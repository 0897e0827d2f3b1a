/** `search`: searches a registry for packages. Cargo Book: cargo-search(1). */
import { type Command, isGiven, type Invocation, valueOf, valuesOf } from '../shared/command.ts';
import { positionalFlag, rejectedFlag, switchFlag, valueFlag } from '../shared/flag.ts';
import { documentLine } from '../shared/document-line.ts';
import { interruptible } from '../../io/terminal/interruption.ts';
import { MAX_WAIT_FLAG, registryCommandOptions } from '../shared/registry/command-options.ts';
import { UsageError } from '../shared/usage-error.ts';
import { registryFlags, SILENT_SUGGESTION } from '../shared/common-flags.ts';

/** The sort orders of crates.io, which other registries have adopted. */
const SORTS = ['relevance', 'downloads', 'recent-downloads', 'recent-updates', 'new', 'alpha'];
/** cargo reads numbers as 32 bits. */
const MAX_NUMBER = 2 ** 32 - 1;

/** The flags of `tsreg search`, and its run. */
export const SEARCH: Command = {
  name: 'search',
  about: 'Search a registry for crates',
  cargoAbout: 'Search packages in the registry. Default registry is crates.io',
  supportedGlobalFlags: ['verbose', 'quiet', 'color', 'config'],
  network: 'required',
  flags: [
    positionalFlag('query', 'QUERY', {
      help: 'Words to search for',
      cargoHelp: 'What to search for',
      isAlwaysOptional: true,
    }),
    valueFlag('limit', 'LIMIT', {
      help: 'Number of results [default: 10, maximum: 100]',
      cargoHelp: 'Limit the number of results (default: 10, max: 100)',
    }),
    ...registryFlags({
      index: 'Registry index URL to search packages in',
      registry: 'Registry to search packages in',
    }),
    switchFlag('exact', 'Show only the crate with exactly this name', { conflictsWith: 'page' }),
    valueFlag('sort', 'ORDER', { help: 'Order of the results, if the registry supports it', values: SORTS }),
    valueFlag('page', 'PAGE', { help: 'Page of the results to show [default: 1]' }),
    switchFlag('all', 'Show all results', { conflictsWith: 'page' }),
    MAX_WAIT_FLAG,
    switchFlag('json', 'Print the results as JSON'),
    SILENT_SUGGESTION,
    rejectedFlag('max', { flag: '--limit' }, { isAbsentInCargo: true }),
    rejectedFlag(
      'unsupported-short-limit',
      { flag: '--limit' },
      { long: null, short: 'n', isAbsentInCargo: true },
    ),
  ],
  annotatesErrors: true,
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { values, shell } = invocation;
  const limit = numberOf(values, 'limit');
  const page = isGiven(values, 'all') ? 'all' : numberOf(values, 'page');
  if (page === 0 && invocation.identity.program === 'tsreg') {
    throw UsageError.wrongValue('invalid value: `--page` must be 1 or more');
  }
  const { DEFAULT_LIMIT, MAX_LIMIT, search } = await import('./run.ts');
  const { missingPageText, noMatchText, searchText } = await import('./print.ts');
  const options = {
    ...registryCommandOptions(invocation),
    query: valuesOf(values, 'query').join('+'),
    limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT),
    page: page === null || page === 'all' ? page : Math.max(page, 1),
    sort: valueOf(values, 'sort'),
    exact: isGiven(values, 'exact'),
  } as const;
  const result = await interruptible((signal) => search(options, { report: shell, signal }));
  if (isGiven(values, 'json')) {
    shell.writeOut(documentLine(result.document));
    return;
  }
  shell.writeText(searchText(result, options));
  const { document } = result;
  if (document.total === 0) {
    if (!options.isCargo) shell.note(noMatchText(valuesOf(values, 'query').join(' '), options));
    return;
  }
  if (typeof options.page === 'number' && document.crates.length === 0 && !options.isCargo) {
    shell.note(missingPageText(document, { page: options.page, limit: options.limit }));
    return;
  }
  shell.noteCommand('to learn more about a package', `${invocation.identity.program} info <name>`);
}

/** Returns the value of a flag; null if it was not given. Throws a `UsageError` if it is no 32-bit number. */
function numberOf(values: Invocation['values'], name: string): number | null {
  const text = valueOf(values, name);
  if (text === null) return null;
  const number = /^\+?\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (number <= MAX_NUMBER) return number;
  throw UsageError.wrongValue(`invalid value: could not parse \`${text}\` as a number`);
}
