/** What follows from the names in a folder: to list it takes less time than to ask for much that is not in it. */
import { readdirSync } from 'node:fs';
import { fileName, parentFolder } from '../files/path.ts';

/** To list a folder pays from this many questions on. */
const MIN_QUESTIONS = 4;
/** And while it has no more entries for each of them. */
const MAX_ENTRIES_EACH = 10;

/** A folder, and questions that nothing is the answer to as long as it has these names in it. */
export interface AskedFolder<Asked> {
  readonly path: string;
  /** As `namesIn` gives them. */
  readonly names: string;
  readonly questions: readonly Asked[];
}

/** Names in a folder, a slash behind each, in the order of the system; null if there is no folder to be listed. */
export function namesIn(folder: string): string | null {
  try {
    const names = readdirSync(folder);
    return names.length === 0 ? '' : `${names.join('/')}/`;
  } catch {
    return null;
  }
}

/** The folders that are worth to be listed, of questions that found nothing. Lists them. */
export function foldersOf<Asked extends { readonly path: string }>(
  absent: readonly Asked[],
): readonly AskedFolder<Asked>[] {
  const byFolder = new Map<string, Asked[]>();
  for (const each of absent) {
    const folder = parentFolder(each.path);
    const others = byFolder.get(folder);
    if (others === undefined) byFolder.set(folder, [each]);
    else others.push(each);
  }
  return Array.from(byFolder).flatMap(([path, asked]) => {
    const names = asked.length < MIN_QUESTIONS ? null : namesIn(path);
    // A name of other characters may be one that was asked for, to a system that does not tell these apart.
    if (names === null || !/^[\x20-\x7e]*$/.test(names)) return [];
    // As may one in capitals: a link that leads nowhere, or to something in the next run.
    const taken = new Set(names.toLowerCase().split('/'));
    const questions = asked.filter((each) => !taken.has(fileName(each.path).toLowerCase()));
    const isWorth = questions.length >= MIN_QUESTIONS && taken.size <= questions.length * MAX_ENTRIES_EACH;
    return isWorth ? [{ path, names, questions }] : [];
  });
}
