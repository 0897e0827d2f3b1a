/** Version requirements in cargo's dialect of SemVer. */
import type { Numeric } from './numeric.ts';
import type { Version } from './version.ts';
import { CODE, type Part, VersionParseError, VersionScanner } from './version-scanner.ts';

/** The operator of one comparator. */
export type Op = 'exact' | 'greater' | 'greater-eq' | 'less' | 'less-eq' | 'tilde' | 'caret' | 'wildcard';

/** One comparator of a requirement. `minor` and `patch` are null if they are not written. */
export interface Comparator {
  readonly op: Op;
  readonly major: Numeric;
  readonly minor: Numeric | null;
  readonly patch: Numeric | null;
  readonly pre: string;
}

/** A parsed requirement. All comparators must match. Without comparators it is `*`. */
export interface VersionReq {
  readonly comparators: readonly Comparator[];
  /** The requirement as cargo prints it (`^1`, `>=1.0, <2`, `*`). */
  readonly text: string;
  /** True if no version was written. Unlike `*`, such a requirement also accepts pre-releases. */
  readonly acceptsAny: boolean;
  /** The only version that a lock file allows, build metadata included; null if the requirement is not locked. */
  readonly locked: Version | null;
}

/** The limit of the Rust crate `semver`. */
const MAX_COMPARATORS = 32;

/** The printed operators. A wildcard has none: see `formatComparator`. */
const SIGN: Readonly<Record<Op, string>> = {
  exact: '=',
  greater: '>',
  'greater-eq': '>=',
  less: '<',
  'less-eq': '<=',
  tilde: '~',
  caret: '^',
  wildcard: '',
};

/** The requirement of a dependency without a version: every version, pre-releases too. Prints as `*`. */
export const ANY_VERSION: VersionReq = { comparators: [], text: '*', acceptsAny: true, locked: null };

/**
 * Parses a requirement: comparators separated by commas, or a lone wildcard. Throws `VersionParseError`.
 * Cargo Book: Specifying Dependencies, Version requirement syntax.
 */
export function parseVersionReq(text: string): VersionReq {
  const scanner = new VersionScanner(text);
  scanner.skipSpaces();
  const wildcard = scanner.wildcard();
  if (wildcard !== null) {
    scanner.skipSpaces();
    if (scanner.atEnd) return { comparators: [], text: '*', acceptsAny: false, locked: null };
    throw scanner.peek() === CODE.comma ? notTheOnlyComparator(wildcard) : unexpectedAfterWildcard();
  }
  const comparators: Comparator[] = [];
  for (;;) {
    comparators.push(scanListedComparator(scanner, comparators.length));
    if (scanner.atEnd) return fromComparators(comparators);
  }
}

/** Returns the requirement `=version` without build metadata. Use `lockReq` to include it. */
export function exactReq(version: Version): VersionReq {
  const { major, minor, patch, pre } = version;
  return fromComparators([{ op: 'exact', major, minor, patch, pre }]);
}

/** Returns `req` locked to exactly `version`, build metadata included. Its printed form does not change. */
export function lockReq(req: VersionReq, version: Version): VersionReq {
  return { ...req, locked: version };
}

/** Returns a requirement with one caret comparator, for incomplete versions. */
export function caretReq(major: Numeric, minor: Numeric | null, patch: Numeric | null): VersionReq {
  return fromComparators([{ op: 'caret', major, minor, patch, pre: '' }]);
}

/** Reads one comparator and the comma after it. */
function scanListedComparator(scanner: VersionScanner, index: number): Comparator {
  const start = scanner.pos;
  let part: Part;
  let comparator: Comparator;
  try {
    [comparator, part] = scanComparator(scanner);
  } catch (error) {
    // A wildcard is an error too, but has its own message.
    scanner.pos = start;
    const wildcard = scanner.wildcard();
    if (wildcard !== null) {
      scanner.skipSpaces();
      if (scanner.atEnd || scanner.peek() === CODE.comma) throw notTheOnlyComparator(wildcard);
    }
    throw error;
  }
  if (scanner.atEnd) return comparator;
  if (!scanner.eat(CODE.comma)) {
    throw new VersionParseError(`expected comma after ${part}, found ${scanner.quotedChar()}`);
  }
  scanner.skipSpaces();
  if (index + 1 === MAX_COMPARATORS) throw new VersionParseError('excessive number of version comparators');
  // Something must follow a comma. At the end of the text, the error is the one for a missing number.
  if (scanner.atEnd) scanner.number('major version number');
  return comparator;
}

/** Reads one comparator. Returns it with its last part, which messages name. */
function scanComparator(scanner: VersionScanner): [Comparator, Part] {
  let op = scanOp(scanner);
  scanner.skipSpaces();
  let part: Part = 'major version number';
  const major = scanner.number(part);
  let minor: Numeric | null = null;
  let patch: Numeric | null = null;
  let hasWildcard = false;
  if (scanner.eat(CODE.dot)) {
    part = 'minor version number';
    if (scanner.wildcard() !== null) {
      hasWildcard = true;
      op ??= 'wildcard';
    } else {
      minor = scanner.number(part);
    }
    if (scanner.eat(CODE.dot)) {
      part = 'patch version number';
      if (scanner.wildcard() !== null) {
        op ??= 'wildcard';
      } else if (hasWildcard) {
        throw unexpectedAfterWildcard();
      } else {
        patch = scanner.number(part);
      }
    }
  }
  let pre = '';
  if (patch !== null) {
    if (scanner.eat(CODE.hyphen)) {
      part = 'pre-release identifier';
      pre = scanner.identifiers(part);
    }
    if (scanner.eat(CODE.plus)) {
      part = 'build metadata';
      scanner.identifiers(part);
    }
  }
  scanner.skipSpaces();
  return [{ op: op ?? 'caret', major, minor, patch, pre }, part];
}

/** Reads an operator; null if there is none. The requirement is then `^`, or a wildcard. */
function scanOp(scanner: VersionScanner): Op | null {
  if (scanner.eat(CODE.equals)) return 'exact';
  if (scanner.eat(CODE.greater)) return scanner.eat(CODE.equals) ? 'greater-eq' : 'greater';
  if (scanner.eat(CODE.less)) return scanner.eat(CODE.equals) ? 'less-eq' : 'less';
  if (scanner.eat(CODE.tilde)) return 'tilde';
  return scanner.eat(CODE.caret) ? 'caret' : null;
}

function fromComparators(comparators: readonly Comparator[]): VersionReq {
  return { comparators, text: comparators.map(formatComparator).join(', '), acceptsAny: false, locked: null };
}

function formatComparator({ op, major, minor, patch, pre }: Comparator): string {
  let text = `${SIGN[op]}${major}`;
  if (minor !== null) text += `.${minor}`;
  if (patch !== null) text += pre === '' ? `.${patch}` : `.${patch}-${pre}`;
  return op === 'wildcard' ? `${text}.*` : text;
}

function notTheOnlyComparator(wildcard: string): VersionParseError {
  return new VersionParseError(`wildcard req (${wildcard}) must be the only comparator in the version req`);
}

function unexpectedAfterWildcard(): VersionParseError {
  return new VersionParseError('unexpected character after wildcard in version req');
}
