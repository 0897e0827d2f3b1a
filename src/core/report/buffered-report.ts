import { type Report, reportThrough } from './report.ts';

/** A report that buffers all calls until `release`, which passes them on in order. Later calls are not buffered. */
export interface BufferedReport extends Report {
  readonly release: () => void;
}

/** Creates a buffered report in front of `receiver`. */
export function bufferReport(receiver: Report): BufferedReport {
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
