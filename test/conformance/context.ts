import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import type { RegistryServer } from '../helpers/registry-server.ts';
import type { Options } from './options.ts';
import type { Subject } from './subject.ts';

/** The inputs of every kind of comparison. */
export interface Context {
  readonly options: Options;
  readonly oracle: Program;
  readonly subject: Subject;
  readonly server: RegistryServer;
  /** Temporary folder of this process. */
  readonly scratch: string;
}

/**
 * Returns a folder that stays between processes, for data that takes long to fetch. Each worker has a separate one: two
 * programs on one CARGO_HOME would wait for each other and report it.
 */
export function lastingFolder(name: string, worker: number): string {
  const all = path.join(projectRoot, '.tmp', 'conformance', name);
  mkdirSync(all, { recursive: true });
  // Another process may use the first folders.
  for (let number = worker; ; number += 10) {
    const dir = path.join(all, String(number));
    if (isClaimed(path.join(all, `${number}.pid`))) {
      mkdirSync(dir, { recursive: true });
      return dir;
    }
  }
}

/** Claims `file` for this process. Returns false if another running process has it. */
function isClaimed(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    process.on('exit', () => rmSync(file, { force: true }));
    return true;
  } catch {
    const owner = Number(readFileSync(file, 'utf8'));
    if (owner === process.pid) return true;
    if (existsSync(`/proc/${owner}`)) return false;
    rmSync(file, { force: true });
    return isClaimed(file);
  }
}

/** Returns whether `text` passes `--filter`. */
export function isWanted(options: Options, text: string): boolean {
  return options.filter === null || text.includes(options.filter);
}
