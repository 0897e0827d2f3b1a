// The demonstration of `npm start`: a copy of fixtures/demo, a CARGO_HOME of its own, and one `tsreg metadata`.
// Its registry dependencies come from a local registry in the fixture, so nothing is fetched from anywhere.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `bytes 1.11.0, from registry+…: features default, std` */
function describe(pkg, node) {
  const features = node.features.length === 0 ? '' : `, with ${node.features.join(' ')}`;
  const dependencies = node.deps.map((dep) => dep.name).join(', ') || 'nothing';
  return `  ${`${pkg.name} ${pkg.version}`.padEnd(18)} ${pkg.source === null ? 'workspace' : 'registry '}  needs ${dependencies}${features}`;
}

/** Runs it and says on stdout what was done. Returns the exit status. */
export function runDemo() {
  const work = path.join(root, '.tmp', 'demo');
  const home = path.join(root, '.tmp', 'demo-cargo-home');
  for (const folder of [work, home]) rmSync(folder, { recursive: true, force: true });
  cpSync(path.join(root, 'fixtures', 'demo'), work, { recursive: true });
  mkdirSync(home, { recursive: true });

  const args = ['metadata', '--format-version', '1'];
  const shown = path.relative(process.cwd(), work) || '.';
  console.log(`$ cd ${shown}\n$ tsreg ${args.join(' ')} > metadata.json`);
  const startedMs = performance.now();
  const run = spawnSync(process.execPath, [path.join(root, 'bin', 'tsreg.js'), ...args], {
    cwd: work,
    env: { ...process.env, CARGO_HOME: home },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const tookMs = Math.round(performance.now() - startedMs);
  process.stdout.write(run.stderr);
  if (run.status !== 0) {
    console.log(`tsreg ended with status ${run.status ?? run.signal}`);
    return 1;
  }

  writeFileSync(path.join(work, 'metadata.json'), run.stdout);
  const document = JSON.parse(run.stdout);
  const nodes = new Map(document.resolve.nodes.map((node) => [node.id, node]));
  const locked = readFileSync(path.join(work, 'Cargo.lock'), 'utf8').split('[[package]]').length - 1;
  console.log(`
${plural(document.packages.length, 'package')}, ${plural(document.workspace_members.length, 'workspace member')}:`);
  for (const pkg of document.packages) console.log(describe(pkg, nodes.get(pkg.id)));
  console.log(`
Resolved against the local registry of the fixture, ${plural(locked, 'package')} written to ${shown}/Cargo.lock,
${run.stdout.length} bytes of JSON written to ${shown}/metadata.json, in ${tookMs} ms.
\`npm start -- metadata --manifest-path …/Cargo.toml\` does the same for a workspace of yours; \`npm start -- --help\` says what else.`);
  return 0;
}
