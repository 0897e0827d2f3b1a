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
import { OPTIONAL_PACKAGES } from './optional-packages.mjs';
import { COMMON_THREADS, SERVER_THREADS } from './worker-threads.mjs';

const root = path.dirname(import.meta.dirname);

/** Further entry points of the command line, each a separate file: the threads, and the program that runs first. */
const PROGRAMS = { ...COMMON_THREADS, lookup: 'src/cli/lookup.ts', ...SERVER_THREADS };

/**
 * Modules that many commands load, grouped into a few files, because each file takes Node half a millisecond.
 * If you move a module, change its path here. A module goes into the matching group with the highest `priority`, if at
 * least `minShareCount` entry chunks use it.
 */
const GROUPS = [
  // Parses the command line, and prints messages.
  {
    name: 'command-line',
    test: /\/src\/(?:cli\/(?:aliases|check-flag-relations|parse-arguments|program-grammar)|io\/programs\/program-file|io\/terminal\/(?!confirm|interruption|read-secret)[a-z-]+|commands\/shared\/(?:command|flag|common-flags|identity|unstable-flags|usage-error))\.ts/,
    priority: 3,
    minShareCount: 2,
  },
  // Reads configuration and workspaces.
  {
    name: 'workspace',
    test: /\/src\/(?:core\/(?:errors|files|report|toml|version|platform|package-id|summary|manifest|document)|io\/(?:disk|config|workspace)|cache)\/|\/commands\/shared\/(?:version|workspace\/(?:open-workspace|workspace-run)|graph\/package-view)\.ts/,
    priority: 2,
    minShareCount: 2,
  },
  // Resolves and fetches.
  {
    name: 'graph',
    test: /\/src\/(?:core\/(?:resolve|lockfile|json|protocol)|io\/(?:sources|git|credentials|programs|http)|commands\/shared\/(?:lock|graph|platform))\//,
    priority: 1,
    minShareCount: 2,
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
    { ...options, codeSplitting: { groups: GROUPS } },
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
    plugins: [esmExternalRequirePlugin({ external: [/^node:(?!sqlite$)/] })],
    // Node 20 does not have it. undici stores responses in it, and only on request.
    resolve: { alias: { 'node:sqlite': false } },
  };
  return bundle({ index: 'src/index.ts', ...COMMON_THREADS }, options);
}

/**
 * Writes the declarations of `src/index.ts` and of the files that they reference, and no others. Throws if tsc fails.
 */
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
