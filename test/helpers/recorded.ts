import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Answer } from './answer.ts';

/** A recorded answer: everything but what lies in CARGO_HOME. */
export type RecordedAnswer = Omit<Answer, 'home'>;

/** One line of `expected/answers.json`. `lock` names a file beside it. */
interface Line {
  readonly status: number;
  readonly lock: string | null;
}

/** Writes the answers of one fixture's runs into `dir/expected`; empty streams get no file. */
export function writeRecorded(dir: string, answers: ReadonlyMap<string, RecordedAnswer>): void {
  const folder = path.join(dir, 'expected');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lines: Record<string, Line> = {};
  const locks = new Map<string, string>();
  for (const [run, answer] of answers) {
    if (answer.stdout !== '') writeFileSync(path.join(folder, `${run}.stdout`), answer.stdout);
    if (answer.stderr !== '') writeFileSync(path.join(folder, `${run}.stderr`), answer.stderr);
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

/** Reads what `writeRecorded` wrote; null where nothing was recorded. */
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
    });
  }
  return answers;
}
