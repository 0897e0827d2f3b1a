// Builds standalone/tsreg: one executable that contains the program and a runtime, for machines without Node. The
// runtime is Bun, which stores compiled bytecode next to the source and so starts in half of Node's time.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { cacheFolder, installInCache } from './cached-package.mjs';
import { hashOfSources } from './hash-of-sources.mjs';
import { bundledPackages, licences } from './bundled-packages.mjs';
import { OPTIONAL_PACKAGES, UNUSED_PACKAGES } from './optional-packages.mjs';
import { COMMON_THREADS, SERVER_THREADS } from './worker-threads.mjs';

const root = path.dirname(import.meta.dirname);
const RUNTIME = 'bun-1.4.5';
const SUFFIX = process.platform === 'win32' ? '.exe' : '';

/** The folder of the program's files inside the compiled executable. */
const INSIDE = process.platform === 'win32' ? 'B:\\~BUN\\root\\' : '/$bunfs/root/';

const THREADS = { ...COMMON_THREADS, ...SERVER_THREADS };

/** Returns the path of the Bun executable. Installs it in the cache if needed, and throws if that fails. */
function runtime() {
  // The npm package uses this name on all systems.
  const file = path.join(cacheFolder(RUNTIME), 'node_modules', 'bun', 'bin', 'bun.exe');
  const starts = () => spawnSync(file, ['--version']).status === 0;
  if (!starts() && !(installInCache(RUNTIME, RUNTIME.replace('-', '@')) && starts()))
    throw new Error(`${RUNTIME} could not be installed in ${cacheFolder(RUNTIME)}`);
  return file;
}

/**
 * Bundles each entry into a single file, because Bun would replace some packages by its own modules. Returns the paths
 * of all modules in the bundles.
 */
async function bundle(outdir) {
  const modules = [];
  for (const [name, file] of Object.entries({ tsreg: 'src/cli/standalone.ts', ...THREADS })) {
    const build = await rolldown({
      cwd: root,
      input: { [name]: file },
      platform: 'node',
      external: OPTIONAL_PACKAGES,
      resolve: { alias: UNUSED_PACKAGES },
      transform: {
        target: 'node20.19',
        define: {
          BUILD_OF_SOURCES: JSON.stringify(hashOfSources()),
          BUNDLE_FILE: JSON.stringify(`${INSIDE}tsreg.cjs`),
          // Otherwise Bun writes the folder of this machine into the program.
          __filename: JSON.stringify(`${INSIDE}tsreg.cjs`),
          __dirname: JSON.stringify(INSIDE),
          IS_STANDALONE: 'true',
        },
      },
      checks: { ineffectiveDynamicImport: false },
    });
    const { output } = await build.write({
      dir: outdir,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      codeSplitting: false,
    });
    modules.push(...output.flatMap(({ moduleIds = [] }) => moduleIds));
    await build.close();
  }
  return modules;
}

mkdirSync(path.join(root, '.tmp'), { recursive: true });
const work = mkdtempSync(path.join(root, '.tmp', 'standalone-'));
try {
  const modules = await bundle(work);
  const program = `tsreg${SUFFIX}`;
  const compile = ['build', '--compile', '--bytecode', '--format=cjs', '--target=bun', '--outfile', program];
  const files = ['tsreg', ...Object.keys(THREADS)].map((name) => `./${name}.cjs`);
  const { status } = spawnSync(runtime(), [...compile, ...files], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('the runtime did not compile the program');
  const outdir = path.join(root, 'standalone');
  mkdirSync(outdir, { recursive: true });
  renameSync(path.join(work, program), path.join(outdir, program));
  writeFileSync(path.join(outdir, 'third-party-licenses.txt'), licences(bundledPackages(modules)));
} finally {
  rmSync(work, { recursive: true, force: true });
}
