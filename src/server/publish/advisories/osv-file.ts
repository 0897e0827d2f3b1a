/** Reads advisories in the OSV format, also those of GitHub. https://ossf.github.io/osv-schema/ */
import { comparePrecedence } from '../../../core/version/compare-versions.ts';
import { parseVersion, type Version } from '../../../core/version/version.ts';
import type { Severity } from '../../store/advisories.ts';
import { severityOf } from './cvss-severity.ts';
import { type Fields, fieldsOf, itemsOf, textOf, textsOf } from './json-fields.ts';
import {
  AdvisoryProblem,
  checkCrate,
  checkId,
  cleanTitle,
  kindOf,
  pageOf,
  type ParsedAdvisory,
} from './parsed-advisory.ts';

/** Where a range of affected versions begins or ends. */
interface RangeEvent {
  readonly kind: 'introduced' | 'fixed' | 'last_affected';
  /** null for before all versions. */
  readonly version: Version | null;
  readonly text: string;
}

/** Returns the advisories in a file, one for each crate; none if it was withdrawn. Throws for a file of another form. */
export function parseOsvFile(text: string): readonly ParsedAdvisory[] {
  const document = fieldsOf(JSON.parse(text));
  if (document === null) throw new AdvisoryProblem('it is not an object');
  const id = checkId(textOf(document['id']) ?? '');
  if (typeof document['withdrawn'] === 'string') return [];
  const summary = textOf(document['summary']) ?? textOf(document['details']) ?? '';
  const [firstLine = ''] = summary.trim().split('\n', 1);
  const base = {
    id,
    title: cleanTitle(firstLine) || id,
    url: pageOf(id, statedPage(document)),
    aliases: textsOf(document['aliases']),
  };
  const affected = itemsOf(document['affected'])
    .map(affectedCrate)
    .filter((part) => part !== null);
  return [...new Set(affected.map(({ crate }) => crate))].map((crate) => {
    const parts = affected.filter((part) => part.crate === crate);
    const kind = kindOf(parts.find(({ informational }) => informational !== null)?.informational ?? null);
    const statedSeverity = parts.find(({ severity }) => severity !== null)?.severity ?? null;
    return {
      ...base,
      crate,
      kind,
      severity: kind === 'vulnerability' ? (statedSeverity ?? severityIn(document)) : null,
      patched: [...new Set(parts.flatMap(({ patched }) => patched))],
      affects: (version) => parts.some((part) => part.affects(version)),
    };
  });
}

/** A part of `affected` about a crate of crates.io. */
interface AffectedCrate {
  readonly crate: string;
  readonly informational: string | null;
  readonly severity: Severity | null;
  readonly patched: readonly string[];
  affects(version: Version): boolean;
}

/** Returns null for a package that is not a crate. */
function affectedCrate(affected: Fields): AffectedCrate | null {
  const packageFields = fieldsOf(affected['package']) ?? {};
  if (packageFields['ecosystem'] !== 'crates.io') return null;
  const ranges = itemsOf(affected['ranges'])
    .filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
    .map(({ events }) => itemsOf(events).flatMap(rangeEvents).toSorted(compareEvents));
  const listedVersions = new Set(textsOf(affected['versions']));
  const databaseFields = fieldsOf(affected['database_specific']) ?? {};
  const fixes = ranges.flat().filter(({ kind }) => kind === 'fixed');
  return {
    crate: checkCrate(textOf(packageFields['name']) ?? ''),
    informational: textOf(databaseFields['informational']),
    severity: severityOf(textOf(databaseFields['cvss']) ?? ''),
    patched: fixes.map(({ text }) => `>=${text}`),
    affects: (version) =>
      listedVersions.has(version.text) || ranges.some((events) => isWithin(events, version)),
  };
}

function rangeEvents(event: Fields): readonly RangeEvent[] {
  return (['introduced', 'fixed', 'last_affected'] as const).flatMap((kind) => {
    const text = textOf(event[kind]);
    if (text === null) return [];
    return [{ kind, text, version: text === '0' ? null : parseEventVersion(text) }];
  });
}

/** Parses a version. Numbers that are not written are 0: GitHub does not require them. Throws `VersionParseError`. */
function parseEventVersion(text: string): Version {
  if (/^\d+$/.test(text)) return parseVersion(`${text}.0.0`);
  return parseVersion(/^\d+\.\d+$/.test(text) ? `${text}.0` : text);
}

/** Returns true if the last of the sorted events up to a version begins a range. OSV schema, Evaluation. */
function isWithin(events: readonly RangeEvent[], version: Version): boolean {
  let isAffected = false;
  for (const event of events) {
    const order = event.version === null ? 1 : comparePrecedence(version, event.version);
    if (event.kind === 'introduced' && order >= 0) isAffected = true;
    if (event.kind === 'fixed' && order >= 0) isAffected = false;
    if (event.kind === 'last_affected' && order > 0) isAffected = false;
  }
  return isAffected;
}

/** Sorts by version; events before all versions come first. */
function compareEvents({ version: a }: RangeEvent, { version: b }: RangeEvent): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return comparePrecedence(a, b);
}

/** GitHub's words for severities. */
const GITHUB_SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['LOW', 'low'],
  ['MODERATE', 'medium'],
  ['HIGH', 'high'],
  ['CRITICAL', 'critical'],
]);

/** Returns the severity of the whole advisory; null if it is not stated. */
function severityIn(document: Fields): Severity | null {
  const vectors = itemsOf(document['severity']).map(({ score }) => severityOf(textOf(score) ?? ''));
  const databaseFields = fieldsOf(document['database_specific']) ?? {};
  return (
    vectors.find((severity) => severity !== null) ??
    GITHUB_SEVERITIES.get(textOf(databaseFields['severity']) ?? '') ??
    null
  );
}

/** Returns the reference that is the advisory itself, else the first one. */
function statedPage(document: Fields): string | null {
  const references = itemsOf(document['references']);
  const reference = references.find(({ type }) => type === 'ADVISORY') ?? references[0];
  return textOf(reference?.['url']);
}
