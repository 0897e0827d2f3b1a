import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CompiledFiles, type CompiledFilesOptions } from '../../src/start/compiled-files.ts';
import { onWindows } from '../helpers/system.ts';

const PROGRAM = `"use strict";
exports.self = () => require('./program.cjs') === exports;
exports.other = () => require('./other.cjs').isSame();
exports.answer = (n) => (n < 2 ? n : exports.answer(n - 1) + exports.answer(n - 2));
`;
const OTHER = `exports.isSame = () => require('./program.cjs').answer(7) === 13;\n`;

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'compiled-'));
  mkdirSync(path.join(root, 'program'));
  mkdirSync(path.join(root, 'kept'), { mode: 0o700 });
  writeFileSync(path.join(root, 'program/program.cjs'), PROGRAM);
  writeFileSync(path.join(root, 'program/other.cjs'), OTHER);
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function open(more: Partial<CompiledFilesOptions> = {}): CompiledFiles {
  return new CompiledFiles({
    folder: path.join(root, 'program'),
    keepIn: path.join(root, 'kept'),
    makesParents: false,
    engine: 'this one',
    build: 'test',
    require: createRequire(path.join(root, 'program/any.cjs')),
    beforeOthers: () => {},
    names: ['program'],
    common: [],
    ...more,
  });
}

interface Program {
  answer(n: number): number;
  self(): boolean;
  other(): boolean;
}

function isProgram(exports: unknown): exports is Program {
  return typeof exports === 'object' && exports !== null && 'answer' in exports;
}

function load(files: CompiledFiles): Program {
  const exports = files.load('program');
  if (!isProgram(exports)) throw new Error('the file was not run');
  return exports;
}

/** One run of the program: what it answers. */
function run(files = open(), uses: readonly string[] = ['answer']): number {
  const program = load(files);
  for (const use of uses) files.noteUse(use);
  const answer = program.answer(10);
  files.keep();
  return answer;
}

const keptFile = (): string => path.join(root, 'kept/program-test.compiled');

/** Changes when the file is replaced. */
const inode = (): number => statSync(keptFile()).ino;

/** True if a run took what was kept: then it replaces nothing. */
function isTaken(more: Partial<CompiledFilesOptions> = {}, uses: readonly string[] = ['answer']): boolean {
  const before = inode();
  expect(run(open(more), uses)).toBe(55);
  return inode() === before;
}

/** Puts other bytes into the file, as a damaged disk does. */
function damage(bytes: Uint8Array): void {
  writeFileSync(keptFile(), bytes);
}

describe.skipIf(onWindows)('CompiledFiles (not on Windows, where nothing is kept)', () => {
  it('keeps what V8 made of a file, and takes it', () => {
    expect(run()).toBe(55);
    expect(readdirSync(path.join(root, 'kept'))).toEqual(['program-test.compiled']);
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
    expect(isTaken()).toBe(true);
  });

  it('is one instance for all who ask for it', () => {
    const program = load(open());
    expect([program.self(), program.other()]).toEqual([true, true]);
  });

  it('is taken by others that Node has loaded', () => {
    const files = open({ names: ['program', 'other'] });
    const other: unknown = createRequire(path.join(root, 'program/any.cjs'))('./other.cjs');
    expect(files.load('other')).toBe(other);
    files.keep();
    expect(readdirSync(path.join(root, 'kept'))).toEqual(['other-test.compiled']);
  });

  it('keeps more after each new use, and forgets none', () => {
    run(open(), ['one']);
    expect(isTaken({}, ['one', 'two'])).toBe(false);
    expect(isTaken({}, ['one'])).toBe(true);
    expect(isTaken({}, ['two'])).toBe(true);
    expect(isTaken({}, [])).toBe(true);
  });

  it('takes nothing that another engine made', () => {
    run();
    expect(isTaken({ engine: 'that one' })).toBe(false);
    expect(isTaken({ engine: 'that one' })).toBe(true);
  });

  it('takes nothing that is about another text of equal length', () => {
    run();
    writeFileSync(path.join(root, 'program/program.cjs'), PROGRAM.replace('n - 2', 'n - 3'));
    expect(run()).not.toBe(55);
  });

  it('takes nothing of which a byte is another one', () => {
    run();
    const whole = readFileSync(keptFile());
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = Buffer.from(whole);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
      damage(bytes);
      if (isTaken()) expect.fail(`byte ${at} of ${whole.length}`);
    }
  });

  it('takes nothing that is cut short or goes on', () => {
    run();
    const whole = readFileSync(keptFile());
    for (let length = 0; length < whole.length; length += 50) {
      damage(whole.subarray(0, length));
      if (isTaken()) expect.fail(`${length} of ${whole.length} bytes`);
    }
    for (const tail of ['x', 'xx', whole]) {
      damage(Buffer.concat([whole, Buffer.from(tail)]));
      expect(isTaken()).toBe(false);
    }
  });

  it('keeps of a common file what there is when long work begins, and no more', () => {
    const common = { common: ['program'] };
    const long = (uses: readonly string[]): void => {
      const files = open(common);
      const program = load(files);
      for (const use of uses) files.noteUse(use);
      files.beginLongWork();
      program.answer(10);
      files.keep();
    };
    long(['first']);
    const [size, before] = [statSync(keptFile()).size, inode()];
    long(['first']);
    expect(inode()).toBe(before);
    expect(isTaken(common, [])).toBe(true);
    // Which of them a run without such work uses shows in the first one.
    run(open(common), ['first']);
    expect(statSync(keptFile()).size).toBeGreaterThan(size);
  });

  it('keeps nothing of a common file in a first run that takes long', () => {
    rmSync(path.join(root, 'kept'), { recursive: true });
    const files = open({ common: ['program'] });
    load(files);
    files.beginLongWork();
    files.keep();
    expect(existsSync(path.join(root, 'kept'))).toBe(false);
  });

  it('makes its folder, for nobody else, and none above it', () => {
    rmSync(path.join(root, 'kept'), { recursive: true });
    expect(run()).toBe(55);
    expect(statSync(path.join(root, 'kept')).mode & 0o777).toBe(0o700);
    expect(run(open({ keepIn: path.join(root, 'home/kept') }))).toBe(55);
    expect(existsSync(path.join(root, 'home'))).toBe(false);
  });

  it('makes those above it where that is asked for', () => {
    const keepIn = path.join(root, 'a/b/kept');
    expect(run(open({ keepIn, makesParents: true }))).toBe(55);
    expect(statSync(keepIn).mode & 0o777).toBe(0o700);
    expect(readdirSync(keepIn)).toEqual(['program-test.compiled']);
  });

  it('removes what was not used for a month, and marks what is used', () => {
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    for (const days of [29, 31]) {
      writeFileSync(path.join(root, 'kept', `of-${days}`), '');
      utimesSync(path.join(root, 'kept', `of-${days}`), daysAgo(days), daysAgo(days));
    }
    run();
    expect(readdirSync(path.join(root, 'kept'))).toEqual(['of-29', 'program-test.compiled']);
    utimesSync(keptFile(), daysAgo(20), daysAgo(20));
    expect(isTaken()).toBe(true);
    expect(statSync(keptFile()).mtimeMs).toBeGreaterThan(daysAgo(1).getTime());
  });

  it('neither takes nor writes anything where others may write', () => {
    run();
    const before = inode();
    chmodSync(path.join(root, 'kept'), 0o777);
    expect(run(open(), ['more'])).toBe(55);
    expect(inode()).toBe(before);
    chmodSync(path.join(root, 'kept'), 0o700);
    chmodSync(keptFile(), 0o620);
    expect(isTaken()).toBe(false);
  });

  it('does not read what is no file, or larger than any of its own', () => {
    run();
    execFileSync('mkfifo', ['-m', '600', path.join(root, 'pipe')]);
    renameSync(path.join(root, 'pipe'), keptFile());
    // To open a pipe that nobody writes to would wait for ever.
    expect(isTaken()).toBe(false);
    expect(isTaken()).toBe(true);
    truncateSync(keptFile(), 80 * 1024 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    load(open());
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
  });

  it('leaves nothing behind where a write fails', () => {
    mkdirSync(keptFile());
    writeFileSync(path.join(keptFile(), 'x'), '');
    expect(run()).toBe(55);
    expect(readdirSync(path.join(root, 'kept'))).toEqual(['program-test.compiled']);
  });
});
