import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CARGO_RELEASE } from '../../src/core/version/cargo-release.ts';
import type { Program } from '../helpers/program.ts';

/**
 * The version of the crate that the reference is built from. Its minor version is one more: 0.100.0 is cargo 1.99.0.
 */
export const oracleCrate = CARGO_RELEASE.replace(
  /^1\.(\d+)\./,
  (_, minor: string) => `0.${Number(minor) + 1}.`,
);

/** The folder of the reference, in the user's cache folder. */
export const oracleFolder = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'tsreg',
  `cargo-${CARGO_RELEASE}`,
);

/** The executable of the reference. */
export const oracleFile = path.join(oracleFolder, 'bin', 'cargo');

/** Without this variable, a cargo that is built from its crate allows unstable features. */
export const STABLE_CHANNEL = { __CARGO_TEST_CHANNEL_OVERRIDE_DO_NOT_USE_THIS: 'stable' };

/**
 * Returns the reference cargo: the executable that `CARGO` names, or else the one that `npm run oracle` has built.
 * Throws if it does not exist or is another release.
 */
export function findOracle(version: string = CARGO_RELEASE): Program {
  const file = process.env['CARGO'] ?? oracleFile;
  if (!existsSync(file)) throw new Error(`no cargo ${version} at ${file}: run \`npm run oracle\``);
  const found = execFileSync(file, ['--version'], { encoding: 'utf8' }).trim();
  if (`${found} `.split(' ')[1] !== version)
    throw new Error(`the comparison needs cargo ${version}, but ${file} is ${found}`);
  const folder = compilerFolder(file);
  writeCompiler(folder, version);
  return {
    name: 'cargo',
    command: [file],
    env: { ...STABLE_CHANNEL, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
  };
}

/** Returns the folder of the `rustc` that a reference uses. */
export function compilerFolder(cargo: string): string {
  return path.join(path.dirname(cargo), 'compiler');
}

/**
 * Writes a `rustc` of the same release as cargo, because its release affects how packages resolve. It prints its
 * version from a file, which is all that most runs need, and otherwise runs the installed rustc.
 */
function writeCompiler(folder: string, release: string): void {
  const rustc = execFileSync('rustup', ['which', 'rustc'], { encoding: 'utf8' }).trim();
  const version = execFileSync(rustc, ['-vV'], { encoding: 'utf8' })
    .replace(/^release: .*/m, `release: ${release}`)
    .replace(/^rustc \S*/, `rustc ${release}`);
  const versionFile = path.join(folder, 'version');
  const script = `#!/bin/sh
case "$*" in
  -vV) exec cat '${versionFile}' ;;
  *) exec '${rustc}' "$@" ;;
esac
`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(versionFile, version);
  writeFileSync(path.join(folder, 'rustc'), script);
  chmodSync(path.join(folder, 'rustc'), 0o755);
}
