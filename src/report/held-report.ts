import { type Report, reportThrough } from './report.ts';

/** A report that keeps what it is told until `release`; then, and from then on, it passes everything on in order. */
export interface HeldReport extends Report {
  readonly release: () => void;
}

/** Makes one in front of `receiver`. */
export function holdReport(receiver: Report): HeldReport {
  let kept: (() => void)[] | null = [];
  const report = reportThrough(receiver, (_method, tell) => {
    if (kept === null) tell();
    else kept.push(tell);
  });
  const release = (): void => {
    const calls = kept ?? [];
    kept = null;
    for (const tell of calls) tell();
  };
  return Object.assign(report, { release });
}
