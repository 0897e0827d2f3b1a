// Builds the reference cargo from its crate, with rustup's nightly toolchain: npm run oracle
// It stays in the user's cache folder, so later runs only print its path.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { oracleCrate, oracleFile, oracleFolder } from './oracle.ts';

if (!existsSync(oracleFile)) {
  const partial = `${oracleFolder}-partial`;
  console.error(`Building cargo ${oracleCrate} into ${oracleFolder}: about 10 minutes on two cores …`);
  const args = ['+nightly', 'install', '--locked', '--version', oracleCrate, 'cargo', '--root', oracleFolder];
  const env = { ...process.env, CARGO_TARGET_DIR: partial };
  execFileSync('cargo', args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  rmSync(partial, { recursive: true, force: true });
}
console.log(oracleFile);
