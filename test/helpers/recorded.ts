import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from './answer.ts';
import { isUnfinished } from './packaged.ts';

/** A recorded result: everything except the files in CARGO_HOME. */
export interface RecordedAnswer extends Omit<Answer, 'home' | 'packaged'> {
  /** The lines that describe the packaged files. */
  readonly packaged: string;
}

/** Returns the part of a result that is recorded. */
export function recordable({ status, stdout, stderr, lock, packaged }: Answer): RecordedAnswer {
  const lines: string[] = [];
  const known = new Map<string, string>();
  for (const file of packaged) {
    if (status !== 0 && isUnfinished(file.path)) continue;
    const same = known.get(file.digest);
    if (same === undefined) lines.push(...file.lines);
    else lines.push(`${file.path}, the same as ${same}`);
    if (file.lines.length > 1) known.set(file.digest, file.path);
  }
  return { status, stdout, stderr, lock, packaged: lines.map((line) => `${line}\n`).join('') };
}

/** One line of `expected/answers.json`. `lock` names a file next to it. */
interface Line {
  readonly status: number;
  readonly lock: string | null;
}

/** Writes the results of one fixture's runs into `dir/expected`; empty streams get no file. Keeps `older-ids.json`. */
export function writeRecorded(dir: string, answers: ReadonlyMap<string, RecordedAnswer>): void {
  const folder = path.join(dir, 'expected');
  const olderIds = path.join(folder, 'older-ids.json');
  const kept = existsSync(olderIds) ? readFileSync(olderIds) : null;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // A file without ids is kept too: it records that the release refuses all runs.
  if (kept !== null) writeFileSync(olderIds, kept);
  const lines: Record<string, Line> = {};
  const locks = new Map<string, string>();
  for (const [run, answer] of answers) {
    if (answer.stdout !== '') writeFileSync(path.join(folder, `${run}.stdout`), answer.stdout);
    if (answer.stderr !== '') writeFileSync(path.join(folder, `${run}.stderr`), answer.stderr);
    if (answer.packaged !== '') writeFileSync(path.join(folder, `${run}.packaged`), answer.packaged);
    if (answer.lock !== null && !locks.has(answer.lock)) {
      locks.set(answer.lock, `${run}.lock`);
      writeFileSync(path.join(folder, `${run}.lock`), answer.lock);
    }
    lines[run] = {
      status: answer.status,
      lock: answer.lock === null ? null : (locks.get(answer.lock) ?? null),
    };
  }
  writeFileSync(path.join(folder, 'answers.json'), `${JSON.stringify(lines, null, 1)}\n`);
}

/** Reads the files of `writeRecorded`; null if nothing was recorded. */
export function readRecorded(dir: string): Map<string, RecordedAnswer> | null {
  const folder = path.join(dir, 'expected');
  if (!existsSync(path.join(folder, 'answers.json'))) return null;
  const text = (name: string): string =>
    existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8') : '';
  const lines = JSON.parse(text('answers.json')) as Record<string, Line>;
  const answers = new Map<string, RecordedAnswer>();
  for (const [run, { status, lock }] of Object.entries(lines)) {
    answers.set(run, {
      status,
      stdout: text(`${run}.stdout`),
      stderr: text(`${run}.stderr`),
      lock: lock === null ? null : text(lock),
      packaged: text(`${run}.packaged`),
    });
  }
  return answers;
}

/** Every id of a document, in the order of the document. */
export interface DocumentIds {
  readonly packages: readonly string[];
  readonly members: readonly string[];
  readonly root: string | null;
  readonly nodes: readonly (readonly string[])[];
}

interface Document {
  readonly packages: readonly { readonly id: string }[];
  readonly workspace_members: readonly string[];
  readonly resolve: {
    readonly root: string | null;
    readonly nodes: readonly { readonly id: string; readonly dependencies: readonly string[] }[];
  } | null;
}

/** Returns the ids of a document. */
export function idsOf(text: string): DocumentIds {
  const document = JSON.parse(text) as Document;
  return {
    packages: document.packages.map(({ id }) => id),
    members: document.workspace_members,
    root: document.resolve?.root ?? null,
    nodes: (document.resolve?.nodes ?? []).map(({ id, dependencies }) => [id, ...dependencies]),
  };
}

/** Writes the ids that the release with the older format printed, by run. */
export function writeOlderIds(dir: string, ids: ReadonlyMap<string, DocumentIds>): void {
  const file = path.join(dir, 'expected', 'older-ids.json');
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(ids), null, 1)}\n`);
}

/** Reads the file of `writeOlderIds`; empty if nothing was recorded. */
export function readOlderIds(dir: string): Map<string, DocumentIds> {
  const file = path.join(dir, 'expected', 'older-ids.json');
  if (!existsSync(file)) return new Map();
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, DocumentIds>));
}
