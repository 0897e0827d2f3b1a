/** The form for a new token: its values, and their check. */
import { isCratePattern, MAX_TOKEN_NAME_CHARS, TOKEN_SCOPES } from '../../auth/tokens.ts';
import type { TokenScope } from '../../store/values.ts';

/** The submitted fields for a new token, unchecked, so that they can be shown again. */
export interface TokenForm {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Names or patterns of crates between spaces or commas; empty for all crates. */
  readonly patterns: string;
  /** Days; empty for a token that does not expire. */
  readonly days: string;
}

/** The initial fields. Users choose the permissions themselves, so that no token gets more than it needs. */
export const EMPTY_TOKEN_FORM: TokenForm = { name: '', scopes: [], patterns: '', days: '90' };

/** Lifetimes of tokens in days; empty for no expiry. */
export const TOKEN_DAYS: readonly string[] = ['7', '30', '90', '365', ''];

/** The data of a token to create. */
export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** Empty for all crates. */
  readonly cratePatterns: readonly string[];
  /** null for a token that does not expire. */
  readonly expiresAtMs: number | null;
}

/** The first problem of a form, as a sentence. */
export interface TokenProblem {
  readonly field: keyof TokenForm;
  readonly text: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum names and patterns of one token. */
const MAX_PATTERNS = 50;

/** Returns the submitted fields. */
export function readTokenForm(form: URLSearchParams): TokenForm {
  return {
    name: (form.get('name') ?? '').trim(),
    scopes: form.getAll('scope'),
    patterns: (form.get('patterns') ?? '').trim(),
    days: form.get('days') ?? '',
  };
}

/** Returns the requested token, or the first problem. */
export function checkTokenForm(form: TokenForm, nowMs: number): TokenRequest | TokenProblem {
  if (form.name === '') return { field: 'name', text: 'The token needs a name.' };
  if (form.name.length > MAX_TOKEN_NAME_CHARS) {
    return { field: 'name', text: `The name is too long: at most ${MAX_TOKEN_NAME_CHARS} characters.` };
  }
  const scopes = TOKEN_SCOPES.filter((scope) => form.scopes.includes(scope));
  if (scopes.length === 0) return { field: 'scopes', text: 'Select at least one permission.' };
  const cratePatterns = form.patterns.split(/[\s,]+/).filter((pattern) => pattern !== '');
  if (cratePatterns.length > MAX_PATTERNS) {
    return { field: 'patterns', text: `A token can have at most ${MAX_PATTERNS} crate names or patterns.` };
  }
  const wrongPattern = cratePatterns.find((pattern) => !isCratePattern(pattern));
  if (wrongPattern !== undefined) {
    return {
      field: 'patterns',
      text: `“${wrongPattern}” is neither the name of a crate nor a pattern such as my-*.`,
    };
  }
  if (!TOKEN_DAYS.includes(form.days)) {
    return { field: 'days', text: 'Choose an expiry time from the list.' };
  }
  const expiresAtMs = form.days === '' ? null : nowMs + Number(form.days) * DAY_MS;
  return { name: form.name, scopes, cratePatterns, expiresAtMs };
}
