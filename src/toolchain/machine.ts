/** What kind of machine the program runs on. */

/** True where Node runs on musl instead of glibc. Slow: it asks Node for a diagnostic report. */
export function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const report: unknown = process.report.getReport();
  if (typeof report !== 'object' || report === null || !('header' in report)) return false;
  const { header } = report;
  return typeof header === 'object' && header !== null && !('glibcVersionRuntime' in header);
}
