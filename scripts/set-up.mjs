// Prepares the checkout for the other scripts: installs packages according to the lock file, and builds dist/ from the
// current sources. Does nothing if both are up to date. Prints only to stderr.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const inRoot = (...names) => path.join(root, ...names);

const BUILD_INPUTS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'scripts',
  'src',
];
const BUILD_STAMP = inRoot('.tmp', 'built-from');
const BUILD_OUTPUTS = [inRoot('dist', 'cli', 'main.cjs'), inRoot('dist', 'lib', 'index.js')];

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/**
 * Returns whether the packages of the lock file are installed, according to npm's own list in node_modules. Optional
 * packages may be missing, as those for other platforms are.
 */
function isInstalled(folder) {
  const wanted = readJson(path.join(folder, 'package-lock.json')).packages;
  const present = readJson(path.join(folder, 'node_modules', '.package-lock.json'))?.packages;
  if (present === undefined) return false;
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === '' || present[name]?.version === version || (optional && !present[name]),
  );
}

function hashInputs() {
  const hash = createHash('sha256').update(process.version);
  for (const input of BUILD_INPUTS) {
    const entries = input.includes('.')
      ? [inRoot(input)]
      : readdirSync(inRoot(input), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(entry.parentPath, entry.name))
          .sort();
    for (const file of entries) hash.update(`${path.relative(root, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

function run(what, command, args, cwd = root) {
  process.stderr.write(`${what} …\n`);
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    // On Windows npm is a script with a file extension, which only a shell finds. Node needs no shell, and its path may
    // contain a blank.
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status === 0) return true;
  process.stderr.write(stdout ?? '');
  process.stderr.write(`${what}: failed (${error?.message ?? `exit status ${status}`})\n`);
  return false;
}

/**
 * Installs the packages that the lock file of `folder` names, if one is missing. Returns false if that fails, after
 * reporting it.
 */
export function installPackages(folder) {
  // `npm install --global .` runs this in `prepare` and passes its options on.
  const install = ['ci', '--no-global', '--loglevel=error', '--no-audit', '--no-fund'];
  return isInstalled(folder) || run('Installing packages', 'npm', install, folder);
}

/** Installs and builds if needed. Returns false if that fails, after reporting it. */
export function setUp() {
  if (!installPackages(root)) return false;
  const hash = hashInputs();
  const stamp = existsSync(BUILD_STAMP) ? readFileSync(BUILD_STAMP, 'utf8') : '';
  if (stamp === hash && BUILD_OUTPUTS.every((file) => existsSync(file))) return true;
  if (!run('Building', process.execPath, [inRoot('scripts', 'build.mjs')])) return false;
  mkdirSync(path.dirname(BUILD_STAMP), { recursive: true });
  writeFileSync(BUILD_STAMP, hash);
  return true;
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename && !setUp()) process.exitCode = 1;
