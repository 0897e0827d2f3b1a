/** Requests of cargo: publishing, downloads, yanks and owners. */
import { jsonBody, jsonResponse, type Operation } from './operation.ts';
import { list, nullable, object, ref, type Schema, text, TIME } from './schema.ts';

const NO_VERSION = { 404: 'The crate or the version does not exist' };
const NO_CRATE = { 404: 'The crate does not exist' };

const LOGINS = jsonBody(
  object({
    users: {
      type: 'array',
      items: text(),
      minItems: 1,
      maxItems: 100,
      description: 'Logins of users; `team:NAME` for teams',
    },
  }),
);

const JWT = jsonBody(object({ jwt: text('The JWT of a CI job') }));
const JWT_ERRORS = {
  400: 'The JWT is refused',
  429: 'Too many rejected JWTs. See `Retry-After`',
  503: 'The issuer of the JWT does not respond',
};
const EXCHANGED_TOKEN: Schema = object({
  token: text(),
  crates: list(text('A crate name, or a prefix followed by `*`')),
  expires_at: nullable(TIME),
});

/** The operations that change crates, and those of cargo, in the order in which routes must be registered. */
export const PUBLISH_OPERATIONS = {
  publish: {
    method: 'PUT',
    path: '/api/v1/crates/new',
    tag: 'publishing',
    summary: 'Publish a version',
    description: 'Needs the scope `publish-new` for a new crate, and `publish-update` for other versions.',
    access: { scope: 'publish-update' },
    query: [
      {
        name: 'dry_run',
        description: '`true` checks everything, but stores nothing',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
    ],
    body: {
      type: 'application/octet-stream',
      schema: { type: 'string', format: 'binary' },
      description:
        'The length of the metadata as 32-bit little-endian number, the metadata as JSON, the length of the ' +
        '`.crate` as such a number, and the `.crate`',
    },
    success: jsonResponse(
      'The version is published. The index has it',
      object({
        warnings: object({
          invalid_categories: list(text()),
          invalid_badges: list(text()),
          other: list(text()),
        }),
      }),
    ),
    errors: {
      400: 'The metadata or the archive breaks a rule',
      409: 'The version exists or was deleted, or the name is taken or was deleted within 90 days',
      413: 'A limit is exceeded',
    },
  },
  download: {
    method: 'GET',
    path: '/api/v1/crates/:crate/:version/download',
    tag: 'versions',
    summary: 'Download a `.crate`',
    description:
      'Accepts range requests and conditional requests. Redirects to the object store (302) if the server is set up so.',
    access: 'reader',
    success: {
      status: 200,
      description: 'The file',
      content: { type: 'application/gzip', schema: { type: 'string', format: 'binary' } },
    },
    errors: { ...NO_VERSION, 416: 'The file does not have the requested range' },
  },
  yank: {
    method: 'DELETE',
    path: '/api/v1/crates/:crate/:version/yank',
    tag: 'publishing',
    summary: 'Yank a version',
    access: { scope: 'yank' },
    query: [
      {
        name: 'reason',
        description: 'Shown on the page of the crate',
        schema: { type: 'string', maxLength: 500 },
      },
    ],
    success: jsonResponse('The version is yanked', ref('Done')),
    errors: { 400: 'The reason is too long', ...NO_VERSION },
  },
  unyank: {
    method: 'PUT',
    path: '/api/v1/crates/:crate/:version/unyank',
    tag: 'publishing',
    summary: 'Unyank a version',
    access: { scope: 'yank' },
    success: jsonResponse('The version is not yanked', ref('Done')),
    errors: NO_VERSION,
  },
  listOwners: {
    method: 'GET',
    path: '/api/v1/crates/:crate/owners',
    tag: 'owners',
    summary: 'List owners',
    access: 'reader',
    success: jsonResponse(
      'The users, in the order in which they were added, then the teams by name',
      object({ users: list({ anyOf: [ref('Owner'), ref('OwnerTeam')] }) }),
    ),
    errors: NO_CRATE,
  },
  addOwners: {
    method: 'PUT',
    path: '/api/v1/crates/:crate/owners',
    tag: 'owners',
    summary: 'Add owners',
    access: { scope: 'owners' },
    body: LOGINS,
    success: jsonResponse('The users and teams are owners', ref('OwnersChanged')),
    errors: { 400: 'The body is invalid', 404: 'The crate, a user or a team does not exist' },
  },
  removeOwners: {
    method: 'DELETE',
    path: '/api/v1/crates/:crate/owners',
    tag: 'owners',
    summary: 'Remove owners',
    access: { scope: 'owners' },
    body: LOGINS,
    success: jsonResponse('The users and teams are no owners', ref('OwnersChanged')),
    errors: {
      400: 'The body is invalid',
      404: 'The crate does not exist, or a user or team is no owner',
      409: 'No user would own the crate',
    },
  },
  listUserOwners: {
    method: 'GET',
    path: '/api/v1/crates/:crate/owner_user',
    tag: 'owners',
    summary: 'List users that own a crate',
    access: 'reader',
    success: jsonResponse(
      'The owners, in the order in which they were added',
      object({ users: list(ref('Owner')) }),
    ),
    errors: NO_CRATE,
  },
  listTeamOwners: {
    method: 'GET',
    path: '/api/v1/crates/:crate/owner_team',
    tag: 'owners',
    summary: 'List teams that own a crate',
    access: 'reader',
    success: jsonResponse('The teams, by name', object({ teams: list(ref('OwnerTeam')) })),
    errors: NO_CRATE,
  },
  exchangeToken: {
    method: 'POST',
    path: '/api/v1/trusted_publishing/tokens',
    tag: 'publishing',
    summary: 'Exchange the JWT of a CI job for a token',
    access: 'everyone',
    body: JWT,
    success: jsonResponse('The token', EXCHANGED_TOKEN),
    errors: JWT_ERRORS,
  },
  exchangeTokenByPut: {
    method: 'PUT',
    path: '/api/v1/trusted_publishing/tokens',
    tag: 'publishing',
    summary: 'Exchange the JWT of a CI job for a token, as crates.io does',
    access: 'everyone',
    body: JWT,
    success: jsonResponse('The token', EXCHANGED_TOKEN),
    errors: JWT_ERRORS,
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/v1/trusted_publishing/tokens',
    tag: 'publishing',
    summary: 'Revoke the token of the request',
    description: 'The token must come from trusted publishing.',
    access: { scope: null },
    success: { status: 204, description: 'The token is revoked' },
    errors: {},
  },
} as const satisfies Readonly<Record<string, Operation>>;
