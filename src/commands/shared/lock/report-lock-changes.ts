/** Reports the changes of a new lock file. Cargo Book: cargo update, cargo generate-lockfile. */
import { wordingByProgram } from '../../../core/errors/wording.ts';
import type { Report, StatusStyle } from '../../../core/report/report.ts';
import type { ChangeNote } from '../../../core/resolve/change-note.ts';
import { type LockChange, lockChanges, type LockChangesOptions } from '../../../core/resolve/lock-changes.ts';
import type { ChangeKind } from '../../../core/resolve/compare-packages.ts';
import type { PackageCatalog } from '../../../io/sources/catalog.ts';
import type { PartialVersion } from '../../../core/version/partial-version.ts';
import type { SolvedLockPass } from './lock-pass.ts';
import type { PublishAgePolicy } from './publish-age.ts';
import type { RustVersion } from './rust-version.ts';

/** The inputs of the report, except the lock file. */
export interface ReportLockChangesOptions {
  readonly catalog: PackageCatalog;
  /** Lowest `rust-version` of the members; null if none has one. */
  readonly lowestRustVersion: PartialVersion | null;
  /** The version of Rust to use if no manifest names one. */
  readonly rustVersion: Pick<RustVersion, 'ask'>;
  readonly publishAge: PublishAgePolicy;
  readonly report: Report;
}

const VERBS: Readonly<Record<ChangeKind, { readonly verb: string; readonly style: StatusStyle }>> = {
  added: { verb: 'Adding', style: 'note' },
  removed: { verb: 'Removing', style: 'error' },
  upgraded: { verb: 'Updating', style: 'good' },
  downgraded: { verb: 'Downgrading', style: 'warn' },
  unchanged: { verb: 'Unchanged', style: 'emphasis' },
};

const NOTE_STYLES: Readonly<Record<ChangeNote['kind'], StatusStyle | null>> = {
  'requires-rust': 'error',
  'too-new': 'warn',
  available: 'warn',
  'available-anyway': null,
};

/** Reports the changes, except those of members. Without a previous lock file, lists only packages with a note. */
export async function reportLockChanges(
  solved: SolvedLockPass,
  options: ReportLockChangesOptions,
): Promise<void> {
  const { report } = options;
  const isShown = ({ note }: LockChange): boolean => solved.previous !== null || note !== null;
  const listener: ChangeListener = {
    begin: (count, summary) => {
      if (count > 0) report.status('Locking', summary);
    },
    change: (change) => {
      if (isShown(change)) reportChange(change, report);
    },
  };
  await forEachChange(solved, listener, { ...options, scope: 'new' });
}

/** The options of `reportUpdate`. */
export interface UpdateReportOptions extends ReportLockChangesOptions {
  /** True for `--precise`: the report has no `Locking` line. */
  readonly isPrecise: boolean;
  /** True for `-v`: the report lists unchanged packages with a note, for example about a newer version. */
  readonly isVerbose: boolean;
}

/** Reports the change of every package. */
export async function reportUpdate(solved: SolvedLockPass, options: UpdateReportOptions): Promise<void> {
  const { report, isPrecise, isVerbose } = options;
  let behindCount = 0;
  const listener: ChangeListener = {
    begin: (_, summary) => {
      if (!isPrecise) report.status('Locking', summary);
    },
    change: (change) => {
      const isUnchanged = change.kind === 'unchanged';
      if (isUnchanged && change.isBehind) behindCount += 1;
      if (!isUnchanged || (isVerbose && change.note !== null)) reportChange(change, report);
    },
  };
  await forEachChange(solved, listener, { ...options, scope: 'all' });
  if (isVerbose) {
    report.note(
      wordingByProgram(
        (program) => `to see how you depend on a package, run \`${program} tree --invert <dep>@<ver>\``,
      ),
    );
  } else if (behindCount > 0) {
    report.note(`pass \`--verbose\` to see ${behindCount} unchanged dependencies behind latest`);
  }
}

/** Receives changes one after the other. */
interface ChangeListener {
  /** Called once, before the first change, with the number and the description of all changes. */
  readonly begin: (count: number, summary: string) => void;
  readonly change: (change: LockChange) => void;
}

/** Passes each change to `listener` as soon as it is known, and loads the summaries that further notes need. */
async function forEachChange(
  { resolution, problem, previous }: SolvedLockPass,
  listener: ChangeListener,
  {
    catalog,
    lowestRustVersion,
    rustVersion,
    publishAge,
    scope,
  }: ReportLockChangesOptions & { readonly scope: LockChangesOptions['scope'] },
): Promise<void> {
  const rustc = await rustVersion.ask();
  const options: LockChangesOptions = {
    previous,
    problem,
    table: catalog.table,
    lowestRustVersion,
    rustc,
    scope,
    publishAge: publishAge.forReport(),
  };
  await catalog.loader.whileSearching(async () => {
    let isFirstRound = true;
    let reported = 0;
    for (;;) {
      const { count, summary, changes } = lockChanges(resolution, options);
      if (isFirstRound) listener.begin(count, summary);
      isFirstRound = false;
      // Every round yields the changes from the first one on, and returns the missing summaries that end it.
      let yielded = 0;
      let next = changes.next();
      for (; next.done !== true; next = changes.next()) {
        yielded += 1;
        if (yielded > reported) listener.change(next.value);
      }
      reported = Math.max(reported, yielded);
      if (next.value.length === 0) return;
      await catalog.loader.load(next.value);
    }
  });
}

function reportChange({ kind, text, note }: LockChange, report: Report): void {
  const { verb, style } = VERBS[kind];
  const remark = note === null ? {} : { remark: { text: note.text, style: NOTE_STYLES[note.kind] } };
  report.status(verb, text, { style, ...remark });
}
