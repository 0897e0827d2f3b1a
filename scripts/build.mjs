// Makes dist/: the command line as CommonJS, the library as ESM with its types. Everything that they need is
// inside, so that the package has no dependencies. Built beside dist/ and put in its place at the end.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { hashOfSources } from './hash-of-sources.mjs';
import { joinChunks, OPTIONAL_PACKAGES, toCommonJs } from './commonjs-chunks.mjs';
import { lazyBuiltins } from './lazy-builtins.mjs';
import { lazyPackages } from './lazy-packages.mjs';
import { licences } from './licences.mjs';

const root = path.dirname(import.meta.dirname);

const shared = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: '[name]-[hash]',
  external: OPTIONAL_PACKAGES,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  define: { BUILD_OF_SOURCES: JSON.stringify(hashOfSources()) },
};

/** What starts the program, by itself, before anything else is loaded. */
const START = { 'open-files': 'src/start/open-files.ts' };

/** Of the command line: what starts a thread, and what that one loads, so that what V8 makes of it can be kept. */
const KEPT_THREADS = {
  'read-ahead-worker': 'src/cli/read-ahead-worker.ts',
  'read-ahead': 'src/ops/graph/read-manifests.ts',
};

/** Programs of threads, each a file beside the others. */
const THREADS = {
  'unpack-worker': 'src/sources/unpack-worker.ts',
  'read-ahead-worker': 'src/ops/graph/read-ahead-worker.ts',
};

/** Programs of the server's threads, which the library does without. */
const SERVER_THREADS = {
  'key-worker': 'src/server/key-worker.ts',
  'readme-worker': 'src/server/pages/readme-worker.ts',
  'archive-worker': 'src/server/publish/archive-worker.ts',
};

/**
 * Files of the command line that hold all that is loaded with the modules named here: what a common run needs, and the
 * flags of all other commands, which are small.
 */
const JOINED = {
  main: ['src/cli/main.ts'],
  // The thread is to start before the files below are loaded.
  metadata: ['src/cli/commands/metadata.ts', 'src/ops/metadata.ts', 'src/ops/graph/read-ahead-thread.ts'],
  'read-manifests': [
    'src/ops/metadata/metadata-after-edits.ts',
    'src/ops/metadata/reread-metadata.ts',
    'src/ops/graph/open-run.ts',
  ],
  'load-metadata': [
    'src/ops/metadata/load-metadata.ts',
    'src/ops/metadata/resolve-recalled.ts',
    'src/ops/graph/read-ahead.ts',
  ],
  commands: filesIn('src/cli/commands'),
};

function filesIn(folder) {
  return readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`);
}

async function buildCommandLine(outdir) {
  const options = {
    ...shared,
    define: { ...shared.define, BUNDLE_FILE: '__filename', BUNDLE_FOLDER: '__dirname' },
    outdir,
    outExtension: { '.js': '.mjs' },
    supported: { 'top-level-await': false },
    plugins: [lazyBuiltins, lazyPackages],
    write: false,
  };
  const [program, others] = await Promise.all([
    build({ ...options, entryPoints: { main: 'src/cli/main.ts' } }),
    // Neither loads anything that the program has loaded, so they share no files either.
    build({
      ...options,
      entryPoints: { ...START, ...THREADS, ...SERVER_THREADS, ...KEPT_THREADS },
      splitting: false,
    }),
  ]);
  const chunks = new Map(
    [...program.outputFiles, ...others.outputFiles].map(({ path: file, text }) => {
      const name = path.basename(file, '.mjs');
      return [name, toCommonJs(text, `${name}.cjs`)];
    }),
  );
  mkdirSync(outdir, { recursive: true });
  for (const [name, text] of joinChunks(chunks, joinedChunks(program.metafile)))
    writeFileSync(path.join(outdir, `${name}.cjs`), text);
  return [program.metafile, others.metafile];
}

/** For each file of `JOINED` the names of its chunks: all that it imports and that no file before it has. */
function joinedChunks({ outputs }) {
  const taken = new Set();
  return Object.entries(JOINED).map(([group, sources]) => {
    const names = [];
    const take = (output) => {
      if (taken.has(output)) return;
      taken.add(output);
      names.push(path.basename(output, '.mjs'));
      for (const { path: imported, kind, external } of outputs[output].imports)
        if (kind === 'import-statement' && external !== true) take(imported);
    };
    for (const [output, { entryPoint }] of Object.entries(outputs))
      if (sources.includes(entryPoint)) take(output);
    if (names.length === 0)
      throw new Error(`no file of the command line begins with ${sources.join(' or ')}`);
    return [group, names];
  });
}

async function buildLibrary(outdir) {
  const { metafile } = await build({
    ...shared,
    entryPoints: { index: 'src/index.ts', ...THREADS },
    define: { ...shared.define, BUNDLE_FILE: 'bundleFile' },
    outdir,
    plugins: [lazyPackages],
    // Packages that are CommonJS ask for Node's modules by `require`, which can be had from any path. Programs that
    // bundle this into a file of CommonJS have no `import.meta`: so they have no threads either.
    banner: {
      js: [
        "import { createRequire } from 'node:module';",
        'const require = createRequire(import.meta.url ?? process.execPath);',
        'const bundleFile = import.meta.filename;',
      ].join('\n'),
    },
  });
  return metafile;
}

/** Declarations of `src/index.ts` and of the files that its own declarations name; no others. */
function buildTypes(outdir) {
  const all = `${outdir}-all`;
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', all], {
    cwd: root,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`no declarations:\n${run.stdout}${run.stderr}`);
  const queue = ['index.d.ts'];
  const taken = new Set(queue);
  for (const file of queue) {
    const text = readFileSync(path.join(all, file), 'utf8').replace(
      /((?:from |import\()['"])(\.[^'"]*)\.ts(['"])/g,
      (_, before, target, after) => {
        const next = path.join(path.dirname(file), `${target}.d.ts`);
        if (!taken.has(next)) queue.push(next);
        taken.add(next);
        return `${before}${target}.js${after}`;
      },
    );
    mkdirSync(path.dirname(path.join(outdir, file)), { recursive: true });
    writeFileSync(path.join(outdir, file), text);
  }
  rmSync(all, { recursive: true });
}

mkdirSync(path.join(root, '.tmp'), { recursive: true });
const work = mkdtempSync(path.join(root, '.tmp', 'build-'));
try {
  const fresh = path.join(work, 'dist');
  const metafiles = await Promise.all([
    buildCommandLine(path.join(fresh, 'cli')),
    buildLibrary(path.join(fresh, 'lib')),
  ]);
  buildTypes(path.join(fresh, 'lib/types'));
  writeFileSync(path.join(fresh, 'third-party-licenses.txt'), licences(metafiles.flat()));
  const dist = path.join(root, 'dist');
  if (existsSync(dist)) renameSync(dist, path.join(work, 'old'));
  renameSync(fresh, dist);
} finally {
  rmSync(work, { recursive: true, force: true });
}
