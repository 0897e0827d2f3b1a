/** The schemas that several responses share. Names and types are those of crates.io. */
import {
  BOOLEAN,
  COUNT,
  DATE,
  withDescription,
  ID,
  list,
  mapOf,
  nullable,
  object,
  ref,
  type Schema,
  text,
  TIME,
} from './schema.ts';

const TEXT = text();
const OPTIONAL_TEXT = nullable(TEXT);

/** A path of the web API, in `links`. */
const PATH = withDescription(TEXT, 'A path on this server');

const USER = {
  id: ID,
  login: TEXT,
  name: withDescription(OPTIONAL_TEXT, 'The display name'),
  avatar: withDescription({ type: 'null' }, 'Always `null`: users have no picture here'),
  url: withDescription(TEXT, "The page of the user's crates"),
};

const TEAM = {
  id: ID,
  login: withDescription(TEXT, '`team:NAME`'),
  name: TEXT,
  avatar: withDescription({ type: 'null' }, 'Always `null`: teams have no picture here'),
  url: withDescription(TEXT, "The page of the team's crates"),
};

const VERSION: Schema = object({
  id: ID,
  crate: withDescription(TEXT, 'The name of the crate'),
  num: withDescription(TEXT, 'The version number'),
  dl_path: withDescription(PATH, 'The path of the `.crate`'),
  readme_path: withDescription(PATH, 'The path of the readme as HTML'),
  created_at: TIME,
  updated_at: withDescription(TIME, 'The same as `created_at`'),
  downloads: COUNT,
  features: mapOf(list(TEXT)),
  yanked: BOOLEAN,
  yank_message: withDescription(OPTIONAL_TEXT, 'The reason of the yank'),
  lib_links: withDescription(OPTIONAL_TEXT, 'The native library that the package links to'),
  license: withDescription(OPTIONAL_TEXT, '`non-standard` if only a file has the license'),
  links: object({ dependencies: PATH, version_downloads: PATH, authors: PATH }),
  crate_size: withDescription(COUNT, 'Bytes of the `.crate`'),
  published_by: ref('User'),
  audit_actions: withDescription(
    { type: 'array', maxItems: 0 },
    'Always empty: the audit trail is for admins',
  ),
  checksum: withDescription(TEXT, 'The SHA-256 of the `.crate` in hexadecimal'),
  rust_version: OPTIONAL_TEXT,
  description: OPTIONAL_TEXT,
  homepage: OPTIONAL_TEXT,
  documentation: OPTIONAL_TEXT,
  repository: OPTIONAL_TEXT,
});

const CRATE: Schema = object({
  id: withDescription(TEXT, 'The same as `name`'),
  name: TEXT,
  description: OPTIONAL_TEXT,
  homepage: OPTIONAL_TEXT,
  documentation: OPTIONAL_TEXT,
  repository: OPTIONAL_TEXT,
  created_at: TIME,
  updated_at: TIME,
  downloads: COUNT,
  recent_downloads: withDescription({ type: 'null' }, 'Always `null`: see the downloads by day'),
  versions: withDescription(
    nullable(list(ID)),
    'The IDs of the versions in the response; `null` without them',
  ),
  keywords: withDescription(nullable(list(TEXT)), '`null` unless the response has `keywords`'),
  categories: withDescription(nullable(list(TEXT)), '`null` unless the response has `categories`'),
  badges: withDescription({ type: 'array', maxItems: 0 }, 'Always empty'),
  default_version: withDescription(TEXT, '`max_stable_version`, or else `max_version`'),
  num_versions: COUNT,
  yanked: withDescription(BOOLEAN, 'Whether all versions are yanked'),
  max_version: withDescription(TEXT, 'The highest version that is not yanked, or of all if all are yanked'),
  newest_version: withDescription(
    TEXT,
    'The last published version that is not yanked, or else `max_version`',
  ),
  max_stable_version: withDescription(
    OPTIONAL_TEXT,
    'The highest version that is neither yanked nor a pre-release',
  ),
  exact_match: withDescription(BOOLEAN, 'Always `false`'),
  trustpub_only: withDescription(
    BOOLEAN,
    'Whether only trusted publishing may add versions and documentation',
  ),
  links: object({
    owners: PATH,
    owner_user: PATH,
    owner_team: PATH,
    reverse_dependencies: PATH,
    version_downloads: PATH,
    versions: withDescription(nullable(PATH), '`null` if the response has all versions'),
  }),
});

/** The shared schemas by name. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  Errors: object({
    errors: list(object({ detail: withDescription(TEXT, 'What is wrong, and what to do') })),
  }),
  User: object(USER),
  Team: object(TEAM),
  Owner: object({ ...USER, kind: { type: 'string', enum: ['user'] } }),
  OwnerTeam: object({ ...TEAM, kind: { type: 'string', enum: ['team'] } }),
  Crate: CRATE,
  Version: VERSION,
  VersionDownload: object({
    version: withDescription(ID, 'The ID of the version'),
    downloads: COUNT,
    date: DATE,
  }),
  Dependency: object({
    id: ID,
    version_id: withDescription(ID, 'The ID of the version that has the dependency'),
    crate_id: withDescription(TEXT, 'The name of the crate that the version depends on'),
    req: withDescription(TEXT, 'The version requirement'),
    optional: BOOLEAN,
    default_features: BOOLEAN,
    features: list(TEXT),
    target: withDescription(OPTIONAL_TEXT, 'A `cfg(…)` or the name of a target; `null` for every target'),
    kind: { type: 'string', enum: ['normal', 'build', 'dev'] },
    downloads: withDescription(
      COUNT,
      'Downloads of the dependent crate among reverse dependencies, otherwise 0',
    ),
  }),
  Keyword: object({
    id: withDescription(TEXT, 'The same as `keyword`'),
    keyword: TEXT,
    created_at: withDescription(
      TIME,
      'The time at which the crate was created, or the first crate with the keyword',
    ),
    crates_cnt: withDescription(COUNT, 'The number of crates; 0 in the response about a crate'),
  }),
  Category: object({
    id: withDescription(TEXT, 'The same as `slug`'),
    slug: withDescription(TEXT, 'Such as `development-tools::ffi`'),
    category: withDescription(TEXT, 'The name of the category'),
    description: withDescription(TEXT, 'Always empty'),
    created_at: withDescription(
      TIME,
      'The time at which the crate was created, or the first crate in the category',
    ),
    crates_cnt: withDescription(COUNT, 'The number of crates; 0 in the response about a crate'),
  }),
  Done: object({ ok: { type: 'boolean', const: true } }),
  OwnersChanged: object({
    ok: { type: 'boolean', const: true },
    msg: withDescription(TEXT, 'The result in plain English'),
  }),
};
