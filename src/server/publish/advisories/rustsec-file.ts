/** Reads advisories in the format of the RustSec advisory database: Markdown after a block of TOML. */
import { asTable } from '../../../core/toml/decode.ts';
import { parseToml } from '../../../core/toml/parse.ts';
import type { TomlTable } from '../../../core/toml/value.ts';
import { matchesReq } from '../../../core/version/matches-req.ts';
import { parseVersionReq, type VersionReq } from '../../../core/version/requirement.ts';
import type { Version } from '../../../core/version/version.ts';
import { severityOf } from './cvss-severity.ts';
import {
  AdvisoryProblem,
  checkCrate,
  checkId,
  cleanTitle,
  kindOf,
  pageOf,
  type ParsedAdvisory,
} from './parsed-advisory.ts';

/** Returns the advisory in a file; none if it was withdrawn. Throws for a file of another form. */
export function parseRustsecFile(text: string): readonly ParsedAdvisory[] {
  const [, toml = null, markdown = ''] =
    /^\s*```toml\r?\n(.*?)\r?\n```[ \t]*(?:\r?\n(.*))?$/s.exec(text) ?? [];
  if (toml === null) throw new AdvisoryProblem('it does not begin with a block of TOML');
  const document = parseToml(toml);
  const advisory = tableIn(document, 'advisory');
  if (advisory.has('withdrawn')) return [];
  const versions = document.has('versions') ? tableIn(document, 'versions') : new Map();
  const patched = requirementsIn(versions, 'patched');
  const unaffected = [...patched, ...requirementsIn(versions, 'unaffected')];
  const id = checkId(requiredText(advisory, 'id'));
  const kind = kindOf(textIn(advisory, 'informational'));
  const [, heading = null] = /^#[ \t]+(.*)$/m.exec(markdown) ?? [];
  return [
    {
      id,
      kind,
      patched: patched.map((req) => req.text),
      crate: checkCrate(requiredText(advisory, 'package')),
      title: cleanTitle(heading ?? textIn(advisory, 'title') ?? '') || id,
      severity: kind === 'vulnerability' ? severityOf(textIn(advisory, 'cvss') ?? '') : null,
      url: pageOf(id, textIn(advisory, 'url')),
      aliases: textsIn(advisory, 'aliases'),
      affects: (version) => !unaffected.some((req) => includes(req, version)),
    },
  ];
}

/** Returns true if a version is in the range of a requirement. Unlike for dependencies, pre-releases count as well. */
function includes(req: VersionReq, version: Version): boolean {
  if (version.pre === '') return matchesReq(req, version);
  const { major, minor, patch } = version;
  // A requirement matches a pre-release only if it names one of the same numbers. This part does, and always matches.
  const anyPreRelease = { op: 'greater-eq', major, minor, patch, pre: '0' } as const;
  return matchesReq({ ...req, comparators: [...req.comparators, anyPreRelease] }, version);
}

function requirementsIn(table: TomlTable, key: string): readonly VersionReq[] {
  return textsIn(table, key).map(parseVersionReq);
}

function tableIn(table: TomlTable, key: string): TomlTable {
  const value = table.get(key);
  const subTable = value === undefined ? null : asTable(value);
  if (subTable === null) throw new AdvisoryProblem(`it has no table \`${key}\``);
  return subTable;
}

function requiredText(table: TomlTable, key: string): string {
  const value = textIn(table, key);
  if (value === null) throw new AdvisoryProblem(`it has no \`${key}\``);
  return value;
}

function textIn(table: TomlTable, key: string): string | null {
  const value = table.get(key);
  return typeof value === 'string' ? value : null;
}

/** Returns a list of texts; none if it is missing. Throws for anything else, as every entry can matter. */
function textsIn(table: TomlTable, key: string): readonly string[] {
  const value = table.get(key) ?? [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new AdvisoryProblem(`\`${key}\` is not a list of texts`);
}
