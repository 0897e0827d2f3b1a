import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

/** Returns the compiler output for programs that import the package by name. */
export function compilePrograms(programs: readonly string[], ...flags: readonly string[]): string {
  // Inside its own folder, the package can be imported by name.
  const base = path.join(projectRoot, '.tmp');
  mkdirSync(base, { recursive: true });
  const folder = mkdtempSync(path.join(base, 'examples-'));
  try {
    const files = programs.map((program, at) => {
      const file = path.join(folder, `example-${at}.ts`);
      writeFileSync(file, program);
      return file;
    });
    const tsc = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
    const { stdout } = spawnSync(process.execPath, [tsc, '--ignoreConfig', ...options, ...flags, ...files], {
      cwd: projectRoot,
      encoding: 'utf8',
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
