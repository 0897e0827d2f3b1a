/** Properties of the machine that tsreg runs on. */
import { readFileSync } from 'node:fs';

/** Returns true if Node runs on musl instead of glibc. */
export function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const mappedFiles = loadedFiles();
  if (/\/ld-musl-/.test(mappedFiles)) return true;
  return !/\/(?:libc\.so\.6|ld-linux)/.test(mappedFiles) && isMuslByReport();
}

/**
 * Returns the list of files mapped into this process, which include its loader; empty if the system has no such list.
 */
function loadedFiles(): string {
  try {
    return readFileSync('/proc/self/maps', 'latin1');
  } catch {
    return '';
  }
}

/** Asks Node for a diagnostic report, which is slow. */
function isMuslByReport(): boolean {
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('header' in report)) return false;
  const { header } = report;
  return typeof header === 'object' && header !== null && !('glibcVersionRuntime' in header);
}
