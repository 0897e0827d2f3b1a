/** Reads the forms of `/admin/mirror`: rules for crates of the upstream, and reserved names. */
import { parseVersion, VersionParseError } from '../../../core/version/version.ts';
import { isCratePattern } from '../../auth/tokens.ts';
import { dependencyNameProblem } from '../../publish/crate-name.ts';
import type { NewUpstreamRule, UpstreamRuleKind } from '../../store/upstream-rule-records.ts';

/** Maximum length of a name, with the `*` of a pattern. */
export const MAX_NAME_CHARS = 65;
/** Maximum length of a version. */
export const MAX_VERSION_CHARS = 200;
/** Maximum length of a reason. */
export const MAX_REASON_CHARS = 500;
/** Messages show no more of a text that the user typed. */
const MAX_SHOWN_CHARS = 100;

/** The fields of a form as the user typed them. */
export interface RuleForm {
  readonly name: string;
  /** Empty for all versions, and for a reserved name. */
  readonly version: string;
  /** Empty for none. */
  readonly reason: string;
}

/** A form before the user fills it in. */
export const EMPTY_FORM: RuleForm = { name: '', version: '', reason: '' };

/** The problem with a field of a form, as a sentence. */
export interface FormProblem {
  readonly field: keyof RuleForm;
  readonly text: string;
}

/** A form that was not accepted, to show again. */
export interface RefusedForm {
  readonly form: RuleForm;
  readonly problem: FormProblem;
}

/** Reads the fields of a form. In the name, it accepts `NAME@VERSION`, as messages for clients have it. */
export function readForm(fields: URLSearchParams): RuleForm {
  // Control characters cannot be seen, and not every database can store them.
  const textOf = (name: string): string => (fields.get(name) ?? '').replaceAll(/\p{Cc}+/gu, ' ').trim();
  const form = { name: textOf('name'), version: textOf('version'), reason: textOf('reason') };
  const [, name, version] = /^([^@]+)@([^@]+)$/.exec(form.name) ?? [];
  return name === undefined || version === undefined || form.version !== ''
    ? form
    : { ...form, name, version };
}

/** Returns the rule that a form requests, or the problem with the form. */
export function parseRule(kind: UpstreamRuleKind, form: RuleForm): NewUpstreamRule | FormProblem {
  const { name } = form;
  if (name === '') return { field: 'name', text: 'Enter the name of a crate.' };
  if (dependencyNameProblem(name, { isExplicit: false }) !== null) {
    return {
      field: 'name',
      text: `“${shown(name)}” is not the name of a crate. Use ASCII letters, digits, “-” and “_”, first a letter, at most 64 characters.`,
    };
  }
  const version = form.version === '' ? null : readVersion(form.version);
  if (version === null && form.version !== '') {
    return {
      field: 'version',
      text: `“${shown(form.version)}” is not a version. Use a complete one such as 1.2.3, or leave the field empty for all versions.`,
    };
  }
  const reason = parseReason(form);
  if (typeof reason === 'object' && reason !== null) return reason;
  return { kind, name, version, reason };
}

/** Returns the name to reserve, or the problem with the form. */
export function parseReservedName(
  form: RuleForm,
): { readonly pattern: string; readonly reason: string | null } | FormProblem {
  const { name } = form;
  if (name === '') return { field: 'name', text: 'Enter a name, or the beginning of names and “*”.' };
  if (name === '*') {
    return { field: 'name', text: '“*” would hide all crates of the upstream. Write letters before it.' };
  }
  if (!isCratePattern(name)) {
    return {
      field: 'name',
      text: `“${shown(name)}” is neither the name of a crate nor a pattern such as “acme-*”.`,
    };
  }
  const reason = parseReason(form);
  if (typeof reason === 'object' && reason !== null) return reason;
  return { pattern: name, reason };
}

/**
 * Returns a version without its build metadata, in which the versions of a registry never differ alone; null for a text
 * that is no version.
 */
function readVersion(text: string): string | null {
  if (text.length > MAX_VERSION_CHARS) return null;
  try {
    const { build } = parseVersion(text);
    return build === '' ? text : text.slice(0, -1 - build.length);
  } catch (error) {
    if (error instanceof VersionParseError) return null;
    throw error;
  }
}

function parseReason({ reason }: RuleForm): string | null | FormProblem {
  if (reason.length > MAX_REASON_CHARS) {
    return { field: 'reason', text: `The reason is too long: at most ${MAX_REASON_CHARS} characters.` };
  }
  return reason === '' ? null : reason;
}

function shown(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
