// `node scripts/audit-bundled.mjs`: asks the npm registry for known vulnerabilities. Fails if a package that ships has
// one. A package ships if it is in the bundles of dist/ or an optional peer. Prints vulnerabilities of development
// tools, which do not fail it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const inRoot = (...names) => path.join(root, ...names);

/**
 * Returns the names of the packages that ship: the bundled ones, the optional peers, and all dependencies of those
 * peers. `sbom` is the parsed `sbom.cdx.json`, `lock` the parsed lock file.
 */
export function shippedPackages(sbom, lock) {
  const names = new Set(sbom.components.map(({ name }) => name));
  const queue = Object.keys(lock.packages[''].peerDependencies ?? {});
  for (const name of queue) {
    if (names.has(name)) continue;
    names.add(name);
    const { dependencies, optionalDependencies } = lock.packages[`node_modules/${name}`] ?? {};
    queue.push(...Object.keys({ ...dependencies, ...optionalDependencies }));
  }
  return names;
}

/**
 * Returns the vulnerable packages in the output of `npm audit --json`, one line each: those that ship, and the others.
 */
export function sortFindings({ vulnerabilities }, shipped) {
  const describe = ([name, { severity, range, via }]) => {
    const causes = via.map((cause) => (typeof cause === 'string' ? cause : `${cause.title} ${cause.url}`));
    return `${name} ${range} (${severity}): ${causes.join('; ')}`;
  };
  const found = Object.entries(vulnerabilities);
  return {
    shipped: found.filter(([name]) => shipped.has(name)).map(describe),
    others: found.filter(([name]) => !shipped.has(name)).map(describe),
  };
}

function main() {
  const shipped = shippedPackages(
    JSON.parse(readFileSync(inRoot('dist', 'sbom.cdx.json'), 'utf8')),
    JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')),
  );
  const { stdout } = spawnSync('npm', ['audit', '--json', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
  const report = JSON.parse(stdout);
  // Without a response nothing is known, which must not look like "nothing found".
  if (report.vulnerabilities === undefined) {
    console.error(`npm audit failed: ${report.message ?? 'its document has no vulnerabilities'}`);
    return 1;
  }
  const findings = sortFindings(report, shipped);
  for (const line of findings.others) console.log(`development only: ${line}`);
  for (const line of findings.shipped) console.error(`ships: ${line}`);
  console.log(`${findings.shipped.length} vulnerable packages among the ${shipped.size} that ship`);
  return findings.shipped.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = main();
