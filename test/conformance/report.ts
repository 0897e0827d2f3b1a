import type { Disagreement } from './compare.ts';
import { describeDisagreement } from './describe-difference.ts';
import type { Kind } from './options.ts';

/** What came of one kind of input. */
export interface KindReport {
  readonly kind: Kind;
  /** Inputs that were compared, and runs of the program on them. */
  cases: number;
  runs: number;
  /** Runs that cargo itself refused: both must refuse alike. */
  refused: number;
  readonly wrong: { readonly name: string }[];
  /** Reasons to fail that are no disagreement. */
  readonly faults: string[];
  readonly startedAt: number;
  seconds: number;
}

/** An empty report. */
export function newReport(kind: Kind): KindReport {
  return { kind, cases: 0, runs: 0, refused: 0, wrong: [], faults: [], startedAt: Date.now(), seconds: 0 };
}

/** Notes one disagreement and prints where the answers part. */
export function noteDisagreement(report: KindReport, name: string, disagreement: Disagreement): void {
  report.wrong.push({ name });
  console.log(`\n✗ ${report.kind} ${name} › ${disagreement.run}: ${disagreement.facets.join(', ')}`);
  for (const line of describeDisagreement(disagreement)) console.log(`    ${line}`);
}

/** Prints one line a kind and a total; tells whether everything agreed and every kind ran. */
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

/** Prints a table: the first column to the left, the others to the right. */
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
