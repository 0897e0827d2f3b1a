/** Requests about crates and their versions. */
import { jsonBody, jsonResponse, type Operation, type QueryParameter } from './operation.ts';
import { BOOLEAN, COUNT, DATE, withDescription, list, nullable, object, ref, text } from './schema.ts';

/** Maximum items on a page. Larger values of `per_page` mean the same. */
export const MAX_PER_PAGE = 100;
/** Maximum number of a page. Larger values mean the same. */
export const MAX_PAGE = 1_000_000;
/** Maximum versions in a response. */
export const MAX_VERSIONS = 1000;
/** Maximum length of a search. The rest of a longer one is ignored. */
export const MAX_QUERY_CHARS = 256;

/** The parts that `include` may name, besides `full` for all of them. */
export const INCLUDED_PARTS = [
  'versions',
  'keywords',
  'categories',
  'badges',
  'downloads',
  'default_version',
] as const;

const NO_CRATE = { 404: 'The crate does not exist' };
const NO_VERSION = { 404: 'The crate or the version does not exist' };
const BAD_QUERY = { 400: 'A parameter is invalid' };

/** The number of items on a page. */
export const PER_PAGE: QueryParameter = {
  name: 'per_page',
  description: `Items on a page: 10 by default, at most ${MAX_PER_PAGE}`,
  schema: { type: 'integer', minimum: 1 },
};
/** The page of a list. */
export const PAGE: QueryParameter = {
  name: 'page',
  description: 'The number of the page, from 1',
  schema: { type: 'integer', minimum: 1 },
};

/** The operations on crates and versions, in the order in which routes must be registered. */
export const CRATE_OPERATIONS = {
  searchCrates: {
    method: 'GET',
    path: '/api/v1/crates',
    tag: 'crates',
    summary: 'Search crates',
    description:
      'Finds crates that have all words of `q` in name, keywords or description. After them, by name, come cached crates of the upstream whose names contain `q`. Other requests do not find these.',
    access: 'reader',
    query: [
      {
        name: 'q',
        description: `At most ${MAX_QUERY_CHARS} characters; without it, all crates`,
        schema: text(),
      },
      PER_PAGE,
      PAGE,
      {
        name: 'sort',
        description: 'The order of the results: the best match first by default',
        schema: {
          type: 'string',
          enum: ['relevance', 'alpha', 'downloads', 'recent-downloads', 'recent-updates', 'new'],
        },
      },
      { name: 'category', description: 'Only crates with this category', schema: text() },
      { name: 'keyword', description: 'Only crates with this keyword', schema: text() },
    ],
    success: jsonResponse(
      'A page of crates',
      object({
        crates: list(ref('Crate')),
        meta: object({ total: COUNT }),
      }),
    ),
    errors: BAD_QUERY,
  },
  listReverseDependencies: {
    method: 'GET',
    path: '/api/v1/crates/:crate/reverse_dependencies',
    tag: 'crates',
    summary: 'List dependents of a crate',
    description: 'Lists the crates whose highest version depends on this one, most downloaded first.',
    access: 'reader',
    query: [PER_PAGE, PAGE],
    success: jsonResponse(
      'A page of dependencies, and the versions that have them',
      object({
        dependencies: list(ref('Dependency')),
        versions: list(ref('Version')),
        meta: object({ total: COUNT }),
      }),
    ),
    errors: { ...BAD_QUERY, ...NO_CRATE },
  },
  getCrateDownloads: {
    method: 'GET',
    path: '/api/v1/crates/:crate/downloads',
    tag: 'crates',
    summary: 'Get download counts by day',
    description:
      'Counts the last 90 days in UTC, separately for the five highest versions. Days without downloads are left out.',
    access: 'reader',
    success: jsonResponse(
      'The counts',
      object({
        version_downloads: list(ref('VersionDownload')),
        meta: object({
          extra_downloads: withDescription(
            list(object({ date: DATE, downloads: COUNT })),
            'The sums of all other versions',
          ),
        }),
      }),
    ),
    errors: NO_CRATE,
  },
  listVersions: {
    method: 'GET',
    path: '/api/v1/crates/:crate/versions',
    tag: 'versions',
    summary: 'List versions of a crate',
    description:
      'Lists the highest versions first. To get the next part, append `meta.next_page` to the path. A part can be ' +
      `shorter than \`per_page\`: it has at most about 4 MB.`,
    access: 'reader',
    query: [
      {
        name: 'per_page',
        description: `Versions in a part: by default ${MAX_VERSIONS}, otherwise at most ${MAX_PER_PAGE}`,
        schema: { type: 'integer', minimum: 1 },
      },
      PAGE,
      {
        name: 'seek',
        description: 'A position, from `next_page`; instead of `page`',
        schema: { type: 'string', pattern: '^[0-9]{1,9}$' },
      },
      {
        name: 'sort',
        description: 'The order: by version number (default), or the last published first',
        schema: { type: 'string', enum: ['semver', 'date'] },
      },
    ],
    success: jsonResponse(
      'A part of the versions',
      object({
        versions: list(ref('Version')),
        meta: object({ total: COUNT, next_page: nullable(text('A query; `null` at the end')) }),
      }),
    ),
    errors: { ...BAD_QUERY, ...NO_CRATE },
  },
  getDependencies: {
    method: 'GET',
    path: '/api/v1/crates/:crate/:version/dependencies',
    tag: 'versions',
    summary: 'List dependencies of a version',
    access: 'reader',
    success: jsonResponse('The dependencies', object({ dependencies: list(ref('Dependency')) })),
    errors: NO_VERSION,
  },
  getReadme: {
    method: 'GET',
    path: '/api/v1/crates/:crate/:version/readme',
    tag: 'versions',
    summary: 'Get the readme of a version as HTML',
    description: 'The HTML has no scripts, styles, forms and frames, and loads nothing.',
    access: 'reader',
    success: { status: 200, description: 'The readme', content: { type: 'text/html', schema: text() } },
    errors: { 404: 'The crate or the version does not exist, or has no readme' },
  },
  getAuthors: {
    method: 'GET',
    path: '/api/v1/crates/:crate/:version/authors',
    tag: 'versions',
    summary: 'List authors of a version',
    access: 'reader',
    success: jsonResponse(
      'The authors in the manifest',
      object({ users: { type: 'array', maxItems: 0 }, meta: object({ names: list(text()) }) }),
    ),
    errors: NO_VERSION,
  },
  getVersionDownloads: {
    method: 'GET',
    path: '/api/v1/crates/:crate/:version/downloads',
    tag: 'versions',
    summary: 'Get download counts of a version by day',
    description: 'Counts the last 90 days in UTC. Days without downloads are left out.',
    access: 'reader',
    success: jsonResponse('The counts', object({ version_downloads: list(ref('VersionDownload')) })),
    errors: NO_VERSION,
  },
  getVersion: {
    method: 'GET',
    path: '/api/v1/crates/:crate/:version',
    tag: 'versions',
    summary: 'Get a version',
    access: 'reader',
    success: jsonResponse('The version', object({ version: ref('Version') })),
    errors: NO_VERSION,
  },
  getCrate: {
    method: 'GET',
    path: '/api/v1/crates/:crate',
    tag: 'crates',
    summary: 'Get a crate',
    description:
      `Has the last published versions first, at most ${MAX_VERSIONS} and about 4 MB of them. If there are more, ` +
      '`links.versions` leads to all.',
    access: 'reader',
    query: [
      {
        name: 'include',
        description: 'Parts of the response, separated by commas; `full` (default) for all',
        schema: { type: 'string', pattern: `^(?:(?:${[...INCLUDED_PARTS, 'full'].join('|')})(?:,|$))*$` },
      },
    ],
    success: jsonResponse(
      'The crate. The lists are `null` if `include` does not name them',
      object({
        crate: ref('Crate'),
        versions: nullable(list(ref('Version'))),
        keywords: nullable(list(ref('Keyword'))),
        categories: nullable(list(ref('Category'))),
      }),
    ),
    errors: { ...BAD_QUERY, ...NO_CRATE },
  },
  setTrustedOnly: {
    method: 'PATCH',
    path: '/api/v1/crates/:crate',
    tag: 'crates',
    summary: 'Restrict a crate to trusted publishing',
    access: { scope: 'owners' },
    body: jsonBody(object({ crate: object({ trustpub_only: BOOLEAN }) })),
    success: jsonResponse(
      'The crate after the change',
      object({ crate: object({ id: text(), name: text(), trustpub_only: BOOLEAN }) }),
    ),
    errors: { 400: 'The body is invalid', ...NO_CRATE },
  },
} as const satisfies Readonly<Record<string, Operation>>;
