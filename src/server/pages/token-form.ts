import type { TokenScope } from '../store/values.ts';
import { isCratePattern, MAX_TOKEN_NAME_CHARS, TOKEN_SCOPES } from '../auth/tokens.ts';
import { TOKEN_DAYS, type TokenForm } from './account-page.ts';

/** The data of a token to create. */
export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly cratePatterns: readonly string[];
  readonly expiresAtMs: number | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
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

/** Returns the requested token, or the first problem as a sentence. */
export function checkTokenForm(form: TokenForm, nowMs: number): TokenRequest | string {
  if (form.name === '') return 'The token needs a name.';
  if (form.name.length > MAX_TOKEN_NAME_CHARS)
    return `The name is too long: at most ${MAX_TOKEN_NAME_CHARS} characters.`;
  const scopes = TOKEN_SCOPES.filter((scope) => form.scopes.includes(scope));
  if (scopes.length === 0) return 'Select at least one permission.';
  const cratePatterns = form.patterns.split(/[\s,]+/).filter((pattern) => pattern !== '');
  if (cratePatterns.length > MAX_PATTERNS)
    return `A token can have at most ${MAX_PATTERNS} crate names or patterns.`;
  const bad = cratePatterns.find((pattern) => !isCratePattern(pattern));
  if (bad !== undefined) return `“${bad}” is neither the name of a crate nor a pattern such as my-*.`;
  if (!TOKEN_DAYS.includes(form.days)) return 'Choose an expiry time from the list.';
  const expiresAtMs = form.days === '' ? null : nowMs + Number(form.days) * DAY_MS;
  return { name: form.name, scopes, cratePatterns, expiresAtMs };
}
