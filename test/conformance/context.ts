import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import type { RegistryServer } from '../helpers/registry-server.ts';
import type { Options } from './options.ts';
import type { Subject } from './subject.ts';

/** What every kind of input needs. */
export interface Context {
  readonly options: Options;
  readonly oracle: Program;
  readonly subject: Subject;
  readonly server: RegistryServer;
  /** Scratch folder of this process; gone afterwards. */
  readonly scratch: string;
}

/**
 * A folder that stays between processes, for what takes long to fetch. Each worker has one: two programs on
 * one CARGO_HOME would wait for each other, and say so.
 */
export function lastingFolder(name: string, worker: number): string {
  const dir = path.join(projectRoot, '.tmp', 'conformance', name, String(worker));
  mkdirSync(dir, { recursive: true });
  return dir;
}

/** Does `text` pass `--filter`? */
export function isWanted(options: Options, text: string): boolean {
  return options.filter === null || text.includes(options.filter);
}
