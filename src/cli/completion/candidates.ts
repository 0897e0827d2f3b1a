/** The completions that a shell may offer at a place of the command line. */
import type { NameKind } from '../../commands/complete/run.ts';
import type { FlagWithValue } from '../../commands/shared/flag.ts';
import type { Place } from './read-words.ts';

/** A word that may be at that place, not only its missing part. */
export interface Candidate {
  readonly word: string;
  /** A sentence without a full stop; null if there is none. */
  readonly about: string | null;
}

/**
 * Completions: words, or names of files or folders, which the shell finds itself. `extension` starts with a dot; null
 * for all files.
 */
export type Offer =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'files'; readonly extension: string | null }
  | { readonly kind: 'folders' };

/** Sources of words that are not in the grammar. */
export interface CandidateSources {
  /** Returns the commands that may follow the words of `command`, with descriptions. */
  commands(command: string): Promise<readonly Candidate[]>;
  /** Returns the names of a kind in the workspace and the configuration. */
  names(kind: NameKind): Promise<readonly string[]>;
}

const NOTHING: Offer = { kind: 'words', candidates: [] };

/** Kinds of flag values, by their names in help. Values with other names get no completions. */
const VALUE_KINDS: Readonly<Record<string, NameKind | 'files' | 'folders' | 'crates'>> = {
  TRIPLE: 'target',
  REGISTRY: 'registry',
  FEATURES: 'feature',
  SPEC: 'locked',
  PATH: 'files',
  'KEY=VALUE|PATH': 'files',
  TOML: 'files',
  FILE: 'files',
  'FILE.crate': 'crates',
  DIR: 'folders',
  DIRECTORY: 'folders',
  FOLDER: 'folders',
  path: 'folders',
};

/** Names of flags whose `SPEC` is a workspace member. */
const MEMBER_FLAGS = new Set(['package', 'exclude']);

/** Returns the completions at `place`; `current` is the unfinished word. */
export async function offerAt(place: Place, current: string, sources: CandidateSources): Promise<Offer> {
  const { next } = place;
  switch (next.kind) {
    case 'nothing':
      return NOTHING;
    case 'command':
      return words(await sources.commands(place.command), current);
    case 'flag':
      return words(flagCandidates(place, current), current);
    case 'value':
      return await offerValues(next, current, sources);
  }
}

/** Returns the values of a flag. `prefix` is the part of `current` before the value, which each candidate repeats. */
async function offerValues(
  { flag, prefix }: { readonly flag: FlagWithValue; readonly prefix: string },
  current: string,
  sources: CandidateSources,
): Promise<Offer> {
  if (flag.values !== undefined) {
    const start = flag.delimiter === undefined ? prefix : prefix + earlierValues(prefix, current);
    const earlier = start.slice(prefix.length).split(',');
    const values = flag.values.filter((value) => !earlier.includes(value));
    return words(
      values.map((value) => ({ word: start + value, about: null })),
      current,
    );
  }
  const { valueName } = flag;
  const kindByName = Object.hasOwn(VALUE_KINDS, valueName) ? VALUE_KINDS[valueName] : undefined;
  // The hidden `--package` of `update` accepts every package of the lock file.
  const isMember = kindByName === 'locked' && MEMBER_FLAGS.has(flag.name) && flag.isHidden !== true;
  const kind = isMember ? 'member' : kindByName;
  switch (kind) {
    case undefined:
      return NOTHING;
    case 'files':
      return { kind: 'files', extension: null };
    case 'crates':
      return { kind: 'files', extension: '.crate' };
    case 'folders':
      return { kind: 'folders' };
    case 'feature':
      return words(await featureCandidates(prefix, current, sources), current);
    default:
      return words(
        (await sources.names(kind)).map((name) => ({ word: prefix + name, about: null })),
        current,
      );
  }
}

/** Returns feature names. One word may contain several, separated by commas; it does not offer those again. */
async function featureCandidates(
  prefix: string,
  current: string,
  sources: CandidateSources,
): Promise<readonly Candidate[]> {
  const start = earlierValues(prefix, current);
  const earlierNames = new Set(start.split(','));
  const names = await sources.names('feature');
  return names
    .filter((name) => !earlierNames.has(name))
    .map((name) => ({ word: prefix + start + name, about: null }));
}

/** Returns the values before the last comma, and this comma; empty without a comma. */
function earlierValues(prefix: string, current: string): string {
  const value = current.slice(prefix.length);
  return value.slice(0, value.lastIndexOf(',') + 1);
}

/** Returns the flags that may still be given; short ones only if `current` is just a dash. */
function flagCandidates({ line, values }: Place, current: string): readonly Candidate[] {
  const possible = line.flags.filter(
    (flag) =>
      !flag.isPositional &&
      flag.isHidden !== true &&
      flag.kind !== 'rejected' &&
      (flag.kind === 'list' || flag.kind === 'count' || !values.has(flag.name)),
  );
  const long = possible.flatMap(({ long: name, help }) =>
    name === null ? [] : [{ word: `--${name}`, about: help }],
  );
  const short = possible.flatMap(({ short: name, help }) =>
    name === null ? [] : [{ word: `-${name}`, about: help }],
  );
  return current === '-' ? [...short, ...long] : long;
}

function words(candidates: readonly Candidate[], current: string): Offer {
  return { kind: 'words', candidates: candidates.filter(({ word }) => word.startsWith(current)) };
}
