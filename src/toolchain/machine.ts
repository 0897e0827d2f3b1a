/** What kind of machine the program runs on. */
import { readFileSync } from 'node:fs';

/** True where Node runs on musl instead of glibc. */
export function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const loaded = loadedFiles();
  if (/\/ld-musl-/.test(loaded)) return true;
  return !/\/(?:libc\.so\.6|ld-linux)/.test(loaded) && isMuslByReport();
}

/** The files that are mapped into this process, of which its loader is one; empty where the system does not say. */
function loadedFiles(): string {
  try {
    return readFileSync('/proc/self/maps', 'latin1');
  } catch {
    return '';
  }
}

/** Slow: asks Node for a diagnostic report. */
function isMuslByReport(): boolean {
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('header' in report)) return false;
  const { header } = report;
  return typeof header === 'object' && header !== null && !('glibcVersionRuntime' in header);
}
