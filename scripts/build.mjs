// Builds dist/: the command line as CommonJS, the library as ESM with its types. They contain everything that they
// need, so the package has no dependencies. The build runs in a temporary folder, which replaces dist/ at the end.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { hashOfSources } from './hash-of-sources.mjs';
import { billOfMaterials, bundledPackages, licences } from './bundled-packages.mjs';
import { OPTIONAL_PACKAGES, UNUSED_PACKAGES } from './optional-packages.mjs';
import { COMMON_THREADS, SERVER_THREADS } from './worker-threads.mjs';

const root = path.dirname(import.meta.dirname);

/** Further entry points of the command line, each a separate file: the threads, and the program that runs first. */
const PROGRAMS = { ...COMMON_THREADS, lookup: 'src/cli/lookup.ts', ...SERVER_THREADS };

/** The entry points of the library: `tsreg` and `tsreg/server`. Keep `exports` in package.json the same. */
const LIBRARY = { index: 'src/index.ts', server: 'src/library/server/index.ts' };

/**
 * Files of the command line that have many modules, because each file takes Node half a millisecond. A group has the
 * modules that match, and all modules that they import, except those in a group with a higher `priority`.
 */
const GROUPS = [
  // Every run: parses the command line, reads the configuration, and prints messages.
  { name: 'program', tags: ['$initial'], priority: 5 },
  // The flags of commands, which help and completion load too.
  {
    name: 'flags',
    test: /\/src\/(?:commands\/shared\/(?:version|[a-z]+\/(?:command-options|lock-flags|workspace-flags))|io\/terminal\/interruption)\.ts/,
    priority: 4,
  },
  // Asks one registry.
  {
    name: 'registry',
    test: /\/src\/commands\/shared\/registry\/(?:open-registry|ask-account|registry-document)\.ts/,
    priority: 3,
  },
  // Sends HTTP/1.1 requests.
  { name: 'http', test: /\/src\/io\/http\/(?:h1-channel|single-use-channel)\.ts/, priority: 3 },
  // Reads workspaces.
  { name: 'workspace', test: /\/src\/commands\/shared\/workspace\/open-workspace\.ts/, priority: 2 },
  // Finds and fetches packages.
  { name: 'sources', test: /\/src\/io\/sources\/catalog\.ts/, priority: 2 },
  // Describes one package.
  {
    name: 'package',
    test: /\/src\/commands\/shared\/(?:graph\/package-(?:entry|view)|lock\/rust-version)\.ts/,
    priority: 2,
  },
  // Resolves.
  {
    name: 'graph',
    test: /\/src\/commands\/shared\/(?:lock\/resolve-workspace|graph\/load-graph)\.ts/,
    priority: 1,
  },
];

/**
 * Bundles the entries of `input` into `outdir` and returns the paths of all bundled modules. Throws if a bundle would
 * import a package at run time.
 */
async function bundle(input, { outdir, define, plugins = [], resolve = {}, ...output }) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    plugins,
    resolve,
    external: OPTIONAL_PACKAGES,
    transform: {
      target: 'node20.19',
      define: { BUILD_OF_SOURCES: JSON.stringify(hashOfSources()), ...define },
    },
    // The warning is about an `import()` of a module that is loaded anyway. Such an import is there for the other
    // programs.
    checks: { ineffectiveDynamicImport: false },
  });
  const extension = output.format === 'cjs' ? 'cjs' : 'js';
  const { output: files } = await build.write({
    dir: outdir,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name]-[hash].${extension}`,
    // Node parses every file that it loads. Names stay, for the stack traces of bugs.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    ...output,
  });
  await build.close();
  for (const { imports = [] } of files)
    for (const name of imports)
      if (!files.some(({ fileName }) => fileName === name) && !isBuiltin(name))
        throw new Error(`the bundle would need the package ${name} when it runs`);
  return files.flatMap(({ moduleIds = [] }) => moduleIds);
}

async function buildCommandLine(outdir) {
  const options = { outdir, format: 'cjs', define: { BUNDLE_FILE: '__filename' } };
  const program = await bundle(
    { main: 'src/cli/main.ts' },
    { ...options, codeSplitting: { groups: GROUPS }, resolve: { alias: UNUSED_PACKAGES } },
  );
  // None of them loads anything that the program has loaded, so they share no files either.
  const others = [];
  for (const [name, file] of Object.entries(PROGRAMS))
    others.push(...(await bundle({ [name]: file }, { ...options, codeSplitting: false })));
  return [...program, ...others];
}

async function buildLibrary(outdir) {
  const options = {
    ...{ outdir, format: 'esm' },
    // A program that bundles the library into CommonJS has no `import.meta`, and therefore no worker threads.
    define: { BUNDLE_FILE: 'import.meta.filename' },
    // The bundler's own `require` needs the path of the file, so packages get Node's modules by `import`.
    plugins: [esmExternalRequirePlugin({ external: [/^node:/] })],
  };
  return bundle({ ...LIBRARY, ...COMMON_THREADS, ...SERVER_THREADS }, options);
}

/**
 * Writes the declarations of `LIBRARY` and of the files that they reference, and no others. Throws if tsc fails.
 */
function buildTypes(outdir) {
  const all = `${outdir}-all`;
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', all], {
    cwd: root,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`no declarations:\n${run.stdout}${run.stderr}`);
  const queue = Object.values(LIBRARY).map((file) => path.relative('src', file).replace(/\.ts$/, '.d.ts'));
  const taken = new Set(queue);
  // The queue grows while the loop runs.
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
  const modules = await Promise.all([
    buildCommandLine(path.join(fresh, 'cli')),
    buildLibrary(path.join(fresh, 'lib')),
  ]);
  buildTypes(path.join(fresh, 'lib/types'));
  const packages = bundledPackages(modules.flat());
  writeFileSync(path.join(fresh, 'third-party-licenses.txt'), licences(packages));
  writeFileSync(path.join(fresh, 'sbom.cdx.json'), billOfMaterials(packages));
  const dist = path.join(root, 'dist');
  if (existsSync(dist)) renameSync(dist, path.join(work, 'old'));
  renameSync(fresh, dist);
} finally {
  rmSync(work, { recursive: true, force: true });
}
