/** The messages for clients about versions that the gates refuse. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import type { Advisory } from '../store/advisories.ts';
import type { GateReason, StatedLicense } from '../store/mirror-status.ts';

/** A version as messages name it. */
export interface RefusedVersion {
  readonly name: string;
  readonly version: string;
}

/** Returns one line: that this registry does not serve a version, why, and who can change that. */
export function describeRefusal({ name, version }: RefusedVersion, reason: GateReason): string {
  const what = `version \`${version}\` of crate \`${name}\``;
  const howToAllow = `an admin of this registry can serve it with \`--allow ${name}@${version}\``;
  switch (reason.kind) {
    case 'blocked':
      return `this registry blocks ${what}; ${howToAllow}`;
    case 'too-young': {
      const time = new Date(reason.untilMs).toISOString().slice(0, 16).replace('T', ' ');
      return `this registry serves ${what} only from ${time} UTC on, because it is too new; ${howToAllow}`;
    }
    case 'advisory':
      return `this registry does not serve ${what}, because of ${describeAdvisory(reason.advisory)}; ${howToAllow}`;
    case 'license':
      return `this registry does not serve ${what}, because ${describeLicense(reason.license)}, and the rule \`${reason.rule}\` refuses it; ${howToAllow}`;
  }
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
