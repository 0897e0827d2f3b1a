/** Requests about users, teams and the registry itself. */
import { type Content, jsonResponse, type Operation } from './operation.ts';
import { BOOLEAN, COUNT, ID, list, nullable, object, ref, text, TIME } from './schema.ts';

const SVG: Content = { type: 'image/svg+xml', schema: text() };
const NO_CRATE = { 404: 'The crate does not exist. The body is a badge, too' };

/** The operations on users, teams and the registry. */
export const REGISTRY_OPERATIONS = {
  getMe: {
    method: 'GET',
    path: '/api/v1/me',
    tag: 'account',
    summary: 'Get the user of the token',
    access: { scope: null },
    success: jsonResponse(
      'The user, their crates and the token',
      object({
        user: object({ id: ID, login: text(), name: nullable(text()), is_admin: BOOLEAN }),
        owned_crates: list(object({ id: ID, name: text() })),
        token: object({
          name: text(),
          scopes: list(text()),
          crates: list(text()),
          expires_at: nullable(TIME),
        }),
      }),
    ),
    errors: {},
  },
  getUser: {
    method: 'GET',
    path: '/api/v1/users/:login',
    tag: 'account',
    summary: 'Get a user',
    description: 'Without a token, only users who own a crate are found.',
    access: 'reader',
    success: jsonResponse('The user', object({ user: ref('User') })),
    errors: { 404: 'The user does not exist' },
  },
  getTeam: {
    method: 'GET',
    path: '/api/v1/teams/:login',
    tag: 'account',
    summary: 'Get a team',
    description: 'The login is `team:NAME`. Without a token, only teams that own a crate are found.',
    access: 'reader',
    success: jsonResponse('The team', object({ team: ref('Team') })),
    errors: { 404: 'The team does not exist' },
  },
  getSummary: {
    method: 'GET',
    path: '/api/v1/summary',
    tag: 'registry',
    summary: 'Get totals and the crates of the start page',
    description: 'Each list has at most 10 crates.',
    access: 'reader',
    success: jsonResponse(
      'Totals and crates',
      object({
        num_crates: COUNT,
        num_downloads: COUNT,
        new_crates: list(ref('Crate')),
        just_updated: list(ref('Crate')),
        most_downloaded: list(ref('Crate')),
        most_recently_downloaded: list(ref('Crate')),
        popular_keywords: list(ref('Keyword')),
        popular_categories: list(ref('Category')),
      }),
    ),
    errors: {},
  },
  getOpenApi: {
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'registry',
    summary: 'Get this document',
    access: 'everyone',
    success: jsonResponse('An OpenAPI 3.1 document', { type: 'object' }),
    errors: {},
  },
  getVersionBadge: {
    method: 'GET',
    path: '/badges/:crate/version.svg',
    tag: 'badges',
    summary: 'Get a badge with the version of a crate',
    access: 'reader',
    success: { status: 200, description: 'The badge', content: SVG },
    errors: NO_CRATE,
  },
  getDownloadsBadge: {
    method: 'GET',
    path: '/badges/:crate/downloads.svg',
    tag: 'badges',
    summary: 'Get a badge with the downloads of a crate',
    access: 'reader',
    success: { status: 200, description: 'The badge', content: SVG },
    errors: NO_CRATE,
  },
} as const satisfies Readonly<Record<string, Operation>>;
