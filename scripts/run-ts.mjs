// Runs a TypeScript program of this project: node scripts/run-ts.mjs FILE.ts ARGS…
// Bundles it into a temporary folder under .tmp/ (packages stay outside of the bundle) and loads it into this process,
// so that signals, streams and the exit status are the program's.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(import.meta.dirname);
const [file, ...args] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/run-ts.mjs FILE.ts ARGS…');
  process.exit(2);
}

/** Makes `import.meta.url`, `.filename` and `.dirname` refer to the source file, not the bundle. */
const sourceLocations = {
  name: 'source-locations',
  setup(builder) {
    builder.onLoad({ filter: /\.ts$/ }, (args) => {
      const text = readFileSync(args.path, 'utf8');
      const contents = text
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(args.path).href))
        .replaceAll('import.meta.filename', JSON.stringify(args.path))
        .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(args.path)));
      return { contents, loader: 'ts' };
    });
  },
};

const entry = path.resolve(file);
mkdirSync(path.join(root, '.tmp'), { recursive: true });
const outdir = mkdtempSync(path.join(root, '.tmp', 'run-'));
process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));

await build({
  entryPoints: { main: entry },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  sourcemap: 'inline',
  absWorkingDir: root,
  logLevel: 'warning',
  plugins: [sourceLocations],
});

process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], entry, ...args];
await import(pathToFileURL(path.join(outdir, 'main.mjs')).href);
