import net from 'node:net';
import path from 'node:path';
import { listen } from '../helpers/listen.ts';
import { startRecordingServer } from '../helpers/recording-server.ts';
import { type Context, isWanted } from './context.ts';
import { lineDifference } from './describe-difference.ts';
import { forEachConcurrently } from './pool.ts';
import { type Played, play, type Stage } from './registry/play.ts';
import type { Session } from './registry/session.ts';
import { sessionsBySubject } from './registry/sessions.ts';
import { faultsOfHeaders, filesText, type Form, type Part, stepTexts } from './registry/transcript.ts';
import { type KindReport, newReport, printTable } from './report.ts';

/** The minimum number of sessions, so that none gets lost unnoticed. */
const leastSessions = 150;

/** The quick form plays one session in this many, chosen by the seed, without those that are only for the long form. */
const quickStep = 7;

/** One session to compare. */
interface Case {
  readonly subject: string;
  readonly session: Session;
}

/**
 * Compares the requests to registries: tsreg and cargo play the same sessions against a server that responds from a
 * script and records the requests.
 */
export async function compareRegistry(context: Context): Promise<KindReport> {
  const report = newReport('registry');
  const { options } = context;
  const cases = [...sessionsBySubject].flatMap(([subject, sessions]) =>
    sessions.map((session): Case => ({ subject, session })),
  );
  if (cases.length < leastSessions) {
    report.faults.push(`only ${cases.length} sessions, ${leastSessions} are wanted`);
  }
  const names = cases.map(({ subject, session }) => `${subject}: ${session.name}`);
  for (const name of names.filter((one, at) => names.indexOf(one) !== at)) {
    report.faults.push(`two sessions have the name ${name}`);
  }
  const wanted = cases.filter(({ subject, session }, index) => {
    if (options.filter !== null) return isWanted(options, `${subject}: ${session.name}`);
    return options.isLong || (session.long !== true && index % quickStep === options.seed % quickStep);
  });
  const counts = new Map(
    [...sessionsBySubject.keys()].map((name) => [name, { sessions: 0, runs: 0, differ: 0 }]),
  );
  const stages = await Promise.all(
    Array.from({ length: options.workers }, async (_, worker): Promise<Stage> => {
      const folder = path.join(context.scratch, 'registry', String(worker));
      return { server: await startRecordingServer(), folder, deadPort: await unusedPort() };
    }),
  );
  await forEachConcurrently(wanted, options.workers, async ({ subject, session }, worker) => {
    const stage = stages[worker];
    if (stage === undefined) return;
    const name = `${subject}: ${session.name}`;
    const differences = await comparePlayed(context, session, { stage, report });
    const count = counts.get(subject);
    if (count !== undefined) {
      count.sessions += 1;
      count.runs += session.steps.length;
      count.differ += Number(differences.length > 0);
    }
    report.cases += 1;
    if (differences.length === 0) return;
    report.wrong.push({ name });
    console.log(`\n✗ registry ${name}`);
    for (const line of differences) console.log(`    ${line}`);
  });
  await Promise.all(stages.map(({ server }) => server.close()));
  const rows = [...counts].map(([subject, { sessions, runs, differ }]) =>
    [subject, sessions, runs, differ].map(String),
  );
  printTable(['registry', 'sessions', 'steps', 'differ'], rows);
  return report;
}

/**
 * Plays a session with cargo, with the subject, and with the subject in its own mode. Returns the differences as lines.
 */
async function comparePlayed(
  context: Context,
  session: Session,
  { stage, report }: { readonly stage: Stage; readonly report: KindReport },
): Promise<string[]> {
  const { oracle, subject } = context;
  const cargo = await play(session, oracle, stage);
  report.refused += cargo.steps.filter(({ status }) => status !== 0).length;
  const asCargo = await play(session, subject.program, stage);
  report.runs += session.steps.length;
  const differences = differencesOf(session, { cargo, subject: asCargo }, 'compat');
  if (subject.plain !== null && session.plainDiffers === undefined) {
    const plain = await play(session, subject.plain, stage);
    report.runs += session.steps.length;
    // A difference in both modes is reported once.
    if (differences.length === 0)
      differences.push(...differencesOf(session, { cargo, subject: plain }, 'plain'));
    const userAgent = /user-agent/i.test(session.config ?? '') ? /./ : /^tsreg\/\d+\.\d+\.\d+$/;
    differences.push(...plain.steps.flatMap((step) => faultsOfHeaders(step, userAgent)));
  }
  return differences;
}

function differencesOf(
  session: Session,
  { cargo, subject }: { readonly cargo: Played; readonly subject: Played },
  form: Form,
): string[] {
  const lines: string[] = [];
  const compare = (title: string, part: Part, left: string, right: string): void => {
    if (left !== right) lines.push(...lineDifference(`${title}${part}`, left, right));
  };
  const title = form === 'plain' ? 'without TSREG_COMPAT: ' : '';
  for (const [at, step] of session.steps.entries()) {
    const [left, right] = [cargo.steps[at], subject.steps[at]];
    if (left === undefined || right === undefined) continue;
    if (step.differs !== undefined) {
      if (/internal error/.test(right.stderr)) lines.push(`${title}step ${at + 1}: ${right.stderr}`);
      continue;
    }
    const before = lines.length;
    const expected = stepTexts(left, form, { reference: null });
    const got = stepTexts(right, form, { reference: expected });
    for (const part of ['status', 'stdout', 'wire'] as const) compare(title, part, expected[part], got[part]);
    const isPanic = /^thread 'main' \(\d+\) panicked at /m.test(expected.stderr);
    if (!isPanic) compare(title, 'stderr', expected.stderr, got.stderr);
    // If cargo panics, other programs must report an error.
    else if (!/^error: (?!internal)/m.test(got.stderr)) {
      lines.push(`${title}stderr: cargo panics, and there is no error here`, got.stderr);
    }
    if (lines.length > before) lines.splice(before, 0, `step ${at + 1}: ${step.args.join(' ')}`);
  }
  const isLikeCargo = session.steps.every(({ differs }) => differs === undefined);
  if (isLikeCargo) compare(title, 'files', filesText(cargo, form), filesText(subject, form));
  return lines;
}

async function unusedPort(): Promise<number> {
  const server = net.createServer();
  const port = await listen(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
