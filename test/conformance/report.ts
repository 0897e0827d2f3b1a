import type { Disagreement } from './compare.ts';
import { describeDisagreement } from './describe-difference.ts';
import type { Kind } from './options.ts';

/** The result of one kind of input. */
export interface KindReport {
  readonly kind: Kind;
  /** The number of compared inputs, and of runs on them. */
  cases: number;
  runs: number;
  /** Runs that cargo rejected: both programs must reject them alike. */
  refused: number;
  readonly wrong: { readonly name: string }[];
  /** Other reasons to fail than disagreements. */
  readonly faults: string[];
  readonly startedAt: number;
  seconds: number;
}

/** Returns an empty report. */
export function newReport(kind: Kind): KindReport {
  return { kind, cases: 0, runs: 0, refused: 0, wrong: [], faults: [], startedAt: Date.now(), seconds: 0 };
}

/** Records one disagreement and prints where the results differ. */
export function noteDisagreement(report: KindReport, name: string, disagreement: Disagreement): void {
  report.wrong.push({ name });
  console.log(`\n✗ ${report.kind} ${name} › ${disagreement.run}: ${disagreement.facets.join(', ')}`);
  for (const line of describeDisagreement(disagreement)) console.log(`    ${line}`);
}

/** Prints one line for each kind and a total. Returns whether everything agreed and every kind ran. */
export function printTotal(reports: readonly KindReport[]): boolean {
  const rows = reports.map((report) => [
    report.kind,
    String(report.cases),
    String(report.runs),
    String(report.refused),
    String(report.wrong.length),
    `${report.seconds.toFixed(0)} s`,
  ]);
  const sum = (pick: (report: KindReport) => number): string =>
    String(reports.reduce((total, report) => total + pick(report), 0));
  rows.push([
    'total',
    sum((report) => report.cases),
    sum((report) => report.runs),
    sum((report) => report.refused),
    sum((report) => report.wrong.length),
    `${reports.reduce((total, report) => total + report.seconds, 0).toFixed(0)} s`,
  ]);
  console.log('');
  printTable(['kind', 'inputs', 'runs', 'refused by cargo', 'differ', 'time'], rows);
  const faults = reports.flatMap((report) => [
    ...report.faults.map((fault) => `${report.kind}: ${fault}`),
    ...(report.cases === 0 ? [`${report.kind}: nothing ran`] : []),
  ]);
  for (const fault of faults) console.log(`✗ ${fault}`);
  return faults.length === 0 && reports.every((report) => report.wrong.length === 0);
}

/** Prints a table with the first column left-aligned and the others right-aligned. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of [head, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  '));
  }
}
