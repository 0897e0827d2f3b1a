/** The licenses that the operator allows and denies for crates of the upstream. */
import { TsregError } from '../../core/errors/error.ts';
import type { GateReason, StatedLicense } from '../store/mirror-status.ts';
import {
  type LicenseExpression,
  type LicenseName,
  LicenseProblem,
  licenseProblem,
  parseLicense,
} from '../../core/license/license-expression.ts';
import { LICENSE_IDS } from '../../core/license/license-ids.ts';

/** The values of `--allow-license` and `--deny-license`. */
export interface LicenseSettings {
  readonly allowedLicenses: readonly string[];
  readonly deniedLicenses: readonly string[];
}

/** The refusal of a version because of its license. */
export type LicenseRefusal = Extract<GateReason, { readonly kind: 'license' }>;

/** A license in comparable form: SPDX ignores the case of identifiers. */
interface License {
  readonly id: string;
  /** Which versions of the license: `-only` or `-or-later`, which `+` also means; null if not written. */
  readonly range: 'only' | 'or-later' | null;
  readonly exception: string | null;
}

/** A rule of the operator, and the value that it was parsed from. */
interface LicenseRule extends License {
  readonly text: string;
}

/** Decides about licenses. An expression must be satisfied by licenses that are allowed and not denied. */
export class LicenseRules {
  readonly #allowed: readonly LicenseRule[];
  readonly #denied: readonly LicenseRule[];

  /** Throws `usage` for a value that is no license of the SPDX list and no `LicenseRef-…`. */
  constructor({ allowedLicenses, deniedLicenses }: LicenseSettings) {
    this.#allowed = allowedLicenses.map((text) => parseRule('allow-license', text));
    this.#denied = deniedLicenses.map((text) => parseRule('deny-license', text));
  }

  /** False if every version can be served, so that nobody needs to know its license. */
  get hasRules(): boolean {
    return this.#allowed.length > 0 || this.#denied.length > 0;
  }

  /** Returns why a version with this license is not served; null if it is. */
  reasonToRefuse(license: StatedLicense): LicenseRefusal | null {
    const rule = this.#refusingRule(license);
    return rule === null ? null : { kind: 'license', license, rule };
  }

  /** Returns the flag that refuses a license, as on the command line; null if it is accepted. */
  #refusingRule(license: StatedLicense): string | null {
    const anyRule = this.#allowed.length > 0 ? '--allow-license' : '--deny-license';
    if (license.kind === 'unreadable') return anyRule;
    if (license.kind !== 'expression') return this.#allowed.length > 0 ? '--allow-license' : null;
    try {
      return this.#ruleAgainst(parseLicense(license.text, { onlyKnown: false }));
    } catch (error) {
      // It cannot be satisfied by any license, so it might be a denied one in other words.
      if (error instanceof LicenseProblem) return anyRule;
      throw error;
    }
  }

  /** Returns the first rule that keeps an expression from being satisfied; null if it can be. */
  #ruleAgainst(expression: LicenseExpression): string | null {
    if (expression.kind === 'license') return this.#ruleAgainstLicense(expression);
    const rules = expression.parts.map((part) => this.#ruleAgainst(part));
    const refusing = rules.filter((rule) => rule !== null);
    const isRefused = expression.kind === 'all' ? refusing.length > 0 : refusing.length === rules.length;
    return isRefused ? (refusing[0] ?? null) : null;
  }

  #ruleAgainstLicense(name: LicenseName): string | null {
    const license = normalize(name);
    const denied = this.#denied.find((rule) => isAbout(rule, license) && coversException(rule, license));
    if (denied !== undefined) return `--deny-license ${denied.text}`;
    // Such as `GPLv3`: it might be a denied license in other words.
    if (this.#denied.length > 0 && !isIdentifier(name)) return '--deny-license';
    if (this.#allowed.length === 0) return null;
    const isAllowed = this.#allowed.some(
      (rule) => isAbout(rule, license) && rule.exception === license.exception,
    );
    return isAllowed ? null : '--allow-license';
  }
}

/** Returns true if a rule is about a license. Without `-only`, `-or-later` or `+`, it is about all of these. */
function isAbout(rule: License, { id, range }: License): boolean {
  return rule.id === id && (rule.range === null || rule.range === (range ?? 'only'));
}

/** Returns true if a denied license covers one: without an exception, it also covers the license with any exception. */
function coversException(rule: License, { exception }: License): boolean {
  return rule.exception === null || rule.exception === exception;
}

const KNOWN_IDS: ReadonlySet<string> = new Set([...LICENSE_IDS].map((id) => id.toLowerCase()));

/** Returns true for an identifier of the SPDX list, and for `LicenseRef-…`. */
function isIdentifier({ id }: LicenseName): boolean {
  const lowerCaseId = id.toLowerCase();
  return (
    KNOWN_IDS.has(lowerCaseId.replace(/\+$/, '')) || /^(?:documentref-[^:]*:)?licenseref-/.test(lowerCaseId)
  );
}

/** Splits an identifier into its parts in lower case. */
function normalize({ id, exception }: LicenseName): License {
  // Old identifiers contain the exception: `GPL-2.0-with-classpath-exception`.
  const [, ownId = id, ownException = exception] = /^(GPL-[23]\.0)-with-(.+)$/i.exec(id) ?? [];
  const [, name = '', suffix = ''] = /^(.*?)(\+|-only|-or-later)?$/i.exec(ownId) ?? [];
  return {
    id: name.toLowerCase(),
    range: rangeOf(suffix.toLowerCase()),
    exception: ownException?.toLowerCase() ?? null,
  };
}

/** Returns the range that `-only`, `-or-later` or `+` means; null for an empty suffix. */
function rangeOf(suffix: string): License['range'] {
  if (suffix === '') return null;
  return suffix === '-only' ? 'only' : 'or-later';
}

function parseRule(flag: string, text: string): LicenseRule {
  if (licenseProblem(text, { onlyKnown: true }) === null) {
    const license = parseLicense(text, { onlyKnown: true });
    if (license.kind === 'license') return { ...normalize(license), text };
  }
  throw new TsregError(
    `invalid value \`${text}\` for \`--${flag}\`: expected one license of the SPDX list, as in \`MIT\` or \`Apache-2.0 WITH LLVM-exception\``,
    { code: 'usage' },
  );
}
