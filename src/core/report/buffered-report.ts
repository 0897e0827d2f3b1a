/** Reports that wait until it is certain that they are wanted. */
import { type Report, reportThrough } from './report.ts';

/**
 * A report that buffers all calls until `release`, which passes them on in order. Later calls are not buffered. Without
 * `release`, no call is passed on.
 */
export interface BufferedReport extends Report {
  readonly release: () => void;
}

/** Creates a buffered report in front of `receiver`. */
export function bufferReport(receiver: Report): BufferedReport {
  /** The buffered calls; null after `release`. */
  let buffer: (() => void)[] | null = [];
  const report = reportThrough(receiver, (_method, call) => {
    if (buffer === null) call();
    else buffer.push(call);
  });
  const release = (): void => {
    const calls = buffer ?? [];
    buffer = null;
    for (const call of calls) call();
  };
  return Object.assign(report, { release });
}
