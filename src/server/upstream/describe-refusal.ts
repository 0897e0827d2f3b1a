/** The messages for clients about versions that the gates refuse. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import type { Advisory } from '../store/advisories.ts';
import type { GateReason, StatedLicense } from '../store/mirror-status.ts';

/** Maximum length of a refusal of another tsreg, with the names of the registries that it passed. */
const MAX_REFUSAL_BYTES = 1000;

/** A version as messages name it. */
export interface RefusedVersion {
  readonly name: string;
  readonly version: string;
}

/** Returns one line: that this registry does not serve a version, why, and who can change that. */
export function describeRefusal({ name, version }: RefusedVersion, reason: GateReason): string {
  const what = `version \`${version}\` of crate \`${name}\``;
  const howToAllow = howToServe(`${name}@${version}`);
  switch (reason.kind) {
    case 'blocked':
      return `this registry blocks ${what}; ${howToAllow}`;
    case 'too-young':
      return `this registry serves ${what} only from ${minuteOf(reason.untilMs)} UTC on, because it is too new; ${howToAllow}`;
    case 'advisory':
      return `this registry does not serve ${what}, because of ${describeAdvisory(reason.advisory)}; ${howToAllow}`;
    case 'license':
      return `this registry does not serve ${what}, because ${describeLicense(reason.license)}, and the rule \`${reason.rule}\` refuses it; ${howToAllow}`;
  }
}

/**
 * Returns the line for a crate all of whose versions are refused. The first of them is served from `untilMs` on; null
 * if all are blocked.
 */
export function describeCrateRefusal(name: string, untilMs: number | null): string {
  const howToAllow = howToServe(name);
  if (untilMs === null) return `this registry blocks crate \`${name}\`; ${howToAllow}`;
  return `this registry serves no version of crate \`${name}\` before ${minuteOf(untilMs)} UTC, because they are too new; ${howToAllow}`;
}

/**
 * Returns the text of `describeCrateRefusal` in the body of a response, which another tsreg sent, perhaps in the name of
 * its upstream; null for other texts.
 */
export function crateRefusalIn(body: Uint8Array): string | null {
  if (body.length > MAX_REFUSAL_BYTES) return null;
  const [, text = null] =
    /^((?:the upstream `[!-_a-~]+` responds: )*this registry (?:blocks|serves no version of) crate `[ -~]+)\n$/.exec(
      Buffer.from(body).toString(),
    ) ?? [];
  return text;
}

/** Returns the line with a refusal that an upstream sent, as `crateRefusalIn` reads it. */
export function describeUpstreamRefusal(upstream: string, refusal: string): string {
  return `the upstream \`${upstream}\` responds: ${refusal}`;
}

function howToServe(selector: string): string {
  return `an admin of this registry can serve it with \`--allow ${selector}\`, or on the page \`/admin/mirror\``;
}

/** Returns a time such as `2026-01-02 03:04`. */
function minuteOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');
}

function describeAdvisory({ id, title, patched }: Advisory): string {
  const solution =
    patched.length === 0
      ? 'no version solves it'
      : `solved in ${patched.map((req) => `\`${req}\``).join(' or ')}`;
  return `${id} (${sanitizeForTerminal(title, 'join')}), ${solution}`;
}

function describeLicense(license: StatedLicense): string {
  switch (license.kind) {
    case 'expression':
      return `its license is \`${sanitizeForTerminal(license.text, 'join')}\``;
    case 'file':
      return 'it has a license file, but no SPDX license';
    case 'none':
      return 'it states no license';
    case 'unreadable':
      return 'its license cannot be read';
  }
}
