// Checks which folder of src may import which other folders, Node modules and packages. Any other import fails, and so
// do circular imports. Types count as well: a module that needs a type from a higher layer has it in the wrong place.
import { readFileSync, readdirSync, realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseSync } from 'oxc-parser';

const PURE_BASE = 'errors files toml version platform package-id summary';
const OUTER_BASE = 'errors files report';

const DOMAIN = `${PURE_BASE} license report manifest protocol lockfile resolve document tree`;
const SERVER_BASE = 'server/shared server/store';
const PAGES_BASE = `errors version package-id summary protocol disk ${SERVER_BASE} server/auth server/server-context server/trusted server/records server/source server/publish server/admin server/http`;
const SHARED_STEPS =
  'commands/shared commands/shared/workspace commands/shared/platform commands/shared/lock commands/shared/registry commands/shared/graph commands/shared/packaging';
const OUTSIDE_WORLD = 'disk http git toolchain config terminal workspace archive credentials sources web-api';

/**
 * The folders that each folder may import, or single files of them (without `.ts`). Folders of `core` and `io` are named
 * without these. A file belongs to the row with the longest name that its path starts with. A row may name only rows
 * above it, so there are no cycles.
 */
const LAYERS = rows({
  // src/core: pure, values in, values out.
  errors: '',
  files: '',
  report: 'errors',
  json: 'errors files',
  license: '',
  toml: 'errors files',
  version: 'errors files',
  platform: 'errors files',
  'package-id': 'errors files version',
  summary: 'errors files version platform package-id',
  manifest: PURE_BASE,
  protocol: `${PURE_BASE} json`,
  lockfile: PURE_BASE,
  resolve: `${PURE_BASE} lockfile`,
  document: `${PURE_BASE} json manifest resolve`,
  tree: `${PURE_BASE} resolve`,
  // src/io: the outside world. Only `programs` starts programs: Node's own way fails in ways that its comments name.
  programs: '',
  disk: `${OUTER_BASE} programs`,
  http: OUTER_BASE,
  git: `${OUTER_BASE} programs`,
  toolchain: `${OUTER_BASE} programs`,
  'web-api': `${OUTER_BASE} json protocol http`,
  config: `${OUTER_BASE} toml package-id disk`,
  terminal: `${OUTER_BASE} config`,
  workspace: `${PURE_BASE} report manifest disk`,
  archive: `${PURE_BASE} report manifest git disk`,
  credentials: `${OUTER_BASE} programs version package-id json toml protocol disk config`,
  sources: `${PURE_BASE} json report manifest protocol resolve disk http git config workspace archive credentials`,
  cache: `${OUTER_BASE} disk`,
  // The registry.
  'server/shared': 'errors disk http',
  'server/store': 'protocol server/shared',
  'server/auth': 'errors server/store',
  'server/bucket': `errors ${SERVER_BASE}`,
  'server/blobs': `errors disk ${SERVER_BASE} server/bucket`,
  'server/static': `errors package-id protocol ${SERVER_BASE}`,
  'server/upstream': `errors report version package-id protocol http ${SERVER_BASE}`,
  'server/server-context': `${SERVER_BASE} server/static server/upstream`,
  'server/trusted': `errors json http ${SERVER_BASE} server/auth server/server-context`,
  'server/records': `errors json version protocol disk ${SERVER_BASE} server/auth server/trusted`,
  'server/source': `errors toml disk archive ${SERVER_BASE} server/server-context`,
  'server/publish': `${PURE_BASE} license manifest protocol disk archive ${SERVER_BASE} server/server-context server/records server/source`,
  'server/admin': `errors report disk ${SERVER_BASE} server/auth server/blobs server/static server/server-context server/records`,
  'server/http': `errors json protocol ${SERVER_BASE} server/auth server/server-context server/trusted server/publish`,
  'server/pages/assets': 'errors server/shared',
  'server/pages/shared': `${PAGES_BASE} server/pages/assets`,
  'server/pages/code': `${PAGES_BASE} server/pages/shared`,
  'server/pages/readme': `${PAGES_BASE} server/pages/shared server/pages/code`,
  'server/pages/services': `${PAGES_BASE} server/pages/shared server/pages/readme`,
  'server/pages/crate': `${PAGES_BASE} server/pages/shared server/pages/readme server/pages/services`,
  'server/pages/source': `${PAGES_BASE} server/pages/shared server/pages/code server/pages/services server/pages/crate`,
  'server/pages/documentation': `${PAGES_BASE} server/pages/shared server/pages/services server/pages/source`,
  'server/pages/mirrored': `${PAGES_BASE} server/pages/shared server/pages/readme server/pages/services server/pages/crate server/pages/source`,
  'server/pages/browse': `${PAGES_BASE} server/pages/shared server/pages/services server/pages/source server/pages/mirrored`,
  'server/pages/account': `${PAGES_BASE} server/pages/shared server/pages/services`,
  'server/pages/settings': `${PAGES_BASE} server/pages/shared server/pages/services server/pages/crate`,
  'server/pages/admin': `${PAGES_BASE} server/pages/shared server/pages/services server/pages/mirrored`,
  'server/pages': `${PAGES_BASE} server/pages/shared server/pages/services server/pages/crate server/pages/source server/pages/documentation server/pages/mirrored server/pages/browse server/pages/account server/pages/settings server/pages/admin`,
  server: `errors protocol http ${SERVER_BASE} server/static server/upstream server/server-context server/records server/source server/publish server/admin server/http server/pages server/pages/readme server/pages/services server/pages/mirrored`,
  // The commands. No command imports another one: what two of them need is in `shared`.
  'commands/shared': 'errors report platform config terminal toolchain credentials',
  'commands/shared/workspace': `${DOMAIN} ${OUTSIDE_WORLD} commands/shared`,
  'commands/shared/platform': `${DOMAIN} ${OUTSIDE_WORLD} cache commands/shared`,
  'commands/shared/lock': `${DOMAIN} ${OUTSIDE_WORLD} commands/shared commands/shared/workspace commands/shared/platform`,
  'commands/shared/registry': `${DOMAIN} ${OUTSIDE_WORLD} commands/shared commands/shared/workspace`,
  'commands/shared/graph': `${DOMAIN} ${OUTSIDE_WORLD} cache commands/shared commands/shared/workspace commands/shared/platform commands/shared/lock`,
  'commands/shared/packaging': `${DOMAIN} ${OUTSIDE_WORLD} commands/shared commands/shared/workspace commands/shared/platform commands/shared/lock commands/shared/registry`,
  'commands/serve':
    'errors config terminal server/auth server/trusted server/records server/admin server/http server commands/shared',
  commands: `${DOMAIN} ${OUTSIDE_WORLD} programs cache ${SHARED_STEPS}`,
  // The program, and the library. The only part of `disk` is the input recorder for the result cache, and of `version`
  // the release of cargo.
  cli: 'errors report document tree version/cargo-release disk/input-recorder programs config toolchain terminal cache commands/shared commands/serve commands',
  library: `${DOMAIN} json disk/input-recorder config cache commands/shared commands/shared/workspace commands/shared/lock commands/shared/registry commands/shared/packaging commands`,
  'library/server':
    'errors report disk/node-files config server/shared server/store server/auth server/server-context server/admin server/http server commands/serve library',
  // src/index.ts, the public surface of the library.
  '.': 'errors report summary lockfile protocol document tree commands/shared/lock commands/shared/registry commands/shared/packaging commands library',
});

function rows(table) {
  return Object.fromEntries(
    Object.entries(table).map(([folder, imported]) => [folder, imported.split(' ').filter(Boolean)]),
  );
}

/** Modules of Node that every folder may use: they compute, and have no effect outside. */
const COMPUTING = ['buffer', 'crypto', 'path', 'path/posix', 'string_decoder', 'url', 'util', 'zlib'];

/** The other modules of Node and the packages that each folder may use. */
const OUTSIDE = {
  license: ['spdx-license-ids/deprecated.json', 'spdx-license-ids/index.json'],
  programs: ['child_process', 'fs', 'os', 'stream'],
  terminal: ['fs'],
  disk: ['async_hooks', 'fs', 'fs/promises', 'os', 'process', 'timers/promises', 'worker_threads'],
  http: ['dns', 'fs', 'http', 'http2', 'https', 'net', 'stream', 'timers/promises', 'tls'],
  git: ['fs', 'fs/promises', 'vm'],
  'web-api': ['timers/promises'],
  toolchain: ['fs', 'os', 'process'],
  config: ['fs', 'os'],
  archive: ['fs'],
  cache: ['fs'],
  credentials: ['fs', 'fs/promises', 'net', 'os', 'stream'],
  sources: ['events', 'fs', 'fs/promises', 'os', 'stream', 'timers/promises', 'worker_threads'],
  commands: [
    '@cyclonedx/cyclonedx-library/Enums',
    '@cyclonedx/cyclonedx-library/Models',
    '@cyclonedx/cyclonedx-library/Serialize',
    '@cyclonedx/cyclonedx-library/Spec',
    'diff',
    'events',
    'timers/promises',
  ],
  server: [
    '@aws-sdk/credential-providers',
    '@hono/node-server',
    'diff',
    'events',
    'fs',
    'fs/promises',
    'hono',
    'hono/cookie',
    'hono/compress',
    'http',
    'https',
    'jose',
    'libsql',
    'lucide',
    'markdown-it',
    'module',
    'net',
    'os',
    'postgres',
    'process',
    'sanitize-html',
    'stream',
    'stream/promises',
    'timers/promises',
    'tls',
    'worker_threads',
  ],
  cli: ['chalk', 'commander', 'fs'],
};

/** Returns the row that a file belongs to, and its folder if there is none. */
function rowOf(file) {
  const place = file.replace(/^(?:core|io)\//, '').replace(/\.ts$/, '');
  if (!place.includes('/')) return '.';
  const rowNames = Object.keys(LAYERS).filter((name) => place === name || place.startsWith(`${name}/`));
  return rowNames.toSorted((a, b) => b.length - a.length)[0] ?? path.posix.dirname(place);
}

/** Returns every module that `text` names in an import, an `import()` of a literal, or an `export … from`. */
function importsOf(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) return [];
  const literals = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest)),
  ];
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start, end).replace(/^['"`]|['"`]$/g, ''),
  );
  return [
    ...new Set([...literals.filter((literal) => literal !== null).map(({ value }) => value), ...dynamic]),
  ];
}

/** Returns the name of the command that a file belongs to; null for all other files, and those that commands share. */
function commandOf(file) {
  const [, command] = /^commands\/([^/]+)\//.exec(file) ?? [];
  return command === undefined || command === 'shared' ? null : command;
}

function forbiddenReason(file, specifier) {
  const row = rowOf(file);
  const allowed = LAYERS[row];
  if (allowed === undefined) return `the folder ${row} has no row in the table of imports`;
  if (specifier.startsWith('.')) {
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const imported = rowOf(target);
    const [command, other] = [commandOf(file), commandOf(target)];
    if (command !== null && other !== null && other !== command) return `a command may not import ${other}`;
    const isAllowed = [imported, target.replace(/^(?:core|io)\/|\.ts$/g, '')].some((name) =>
      allowed.includes(name),
    );
    return imported === row || isAllowed ? null : `${row} may not import ${imported}`;
  }
  const name = isBuiltin(specifier) ? specifier.replace(/^node:/, '') : specifier;
  const outside = OUTSIDE[row] ?? OUTSIDE[row.split('/')[0]] ?? [];
  const mayUse = [...(isBuiltin(specifier) ? COMPUTING : []), ...outside];
  return mayUse.includes(name) ? null : `${row} may not use ${name}`;
}

/** Returns one line for each forbidden import. `files` maps paths relative to src (with `/`) to their texts. */
export function findForbiddenImports(files) {
  const found = [];
  for (const [file, text] of files)
    for (const specifier of importsOf(file, text)) {
      const reason = forbiddenReason(file, specifier);
      if (reason !== null) found.push(`src/${file} imports ${specifier}: ${reason}`);
    }
  return found;
}

/** Returns one line for each row that names a folder which is not above it. */
export function findUpwardRows() {
  const names = Object.keys(LAYERS);
  return names.flatMap((name, row) =>
    LAYERS[name]
      .filter(
        (imported) =>
          !names.slice(0, row).some((above) => imported === above || imported.startsWith(`${above}/`)),
      )
      .map((bad) => `${name} names ${bad}`),
  );
}

/** Returns one line for each circle of imports. `files` is as for `findForbiddenImports`. */
export function findCircles(files) {
  const imported = new Map(
    [...files].map(([file, text]) => [
      file,
      importsOf(file, text)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => path.posix.join(path.posix.dirname(file), specifier)),
    ]),
  );
  const found = [];
  const done = new Set();
  function follow(file, trail) {
    if (trail.includes(file)) found.push([...trail.slice(trail.indexOf(file)), file]);
    else if (!done.has(file)) {
      for (const next of imported.get(file) ?? []) follow(next, [...trail, file]);
      done.add(file);
    }
  }
  for (const file of files.keys()) follow(file, []);
  return found.map((circle) => `a circle of imports: ${circle.map((file) => `src/${file}`).join(' -> ')}`);
}

/** Returns the texts of all TypeScript files under src, by path relative to src. */
export function readSources(root) {
  const src = path.join(root, 'src');
  return new Map(
    readdirSync(src, { recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file.split(path.sep).join('/'), readFileSync(path.join(src, file), 'utf8')]),
  );
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const sources = readSources(path.dirname(import.meta.dirname));
  const problems = [...findUpwardRows(), ...findForbiddenImports(sources), ...findCircles(sources)];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
