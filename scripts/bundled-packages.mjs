import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/** Returns the packages of the bundled `modules` (paths), each once, with name, version, licence and licence text. */
export function bundledPackages(modules) {
  const folders = new Set();
  for (const module of modules) {
    // The innermost package.
    const folder = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
    if (folder !== undefined && existsSync(folder)) folders.add(realpathSync(path.resolve(root, folder)));
  }
  const packages = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    // Apache-2.0 requires that copies include the notice as well.
    const files = [/^licen[cs]e/i, /^notice/i].flatMap(
      (pattern) => readdirSync(folder).find((entry) => pattern.test(entry)) ?? [],
    );
    const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
    packages.set(`${name} ${version}`, { name, version, license, text });
  }
  return [...packages.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns the licences and notices of the bundled packages as one text. They require that copies include them. */
export function licences(packages) {
  return packages
    .map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns a CycloneDX 1.6 software bill of materials with tsreg and the packages that are bundled in it. */
export function billOfMaterials(packages) {
  const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const component = ({ name, version, license }, type) => ({
    type,
    'bom-ref': purl(name, version),
    name,
    version,
    licenses: [{ license: { id: license } }],
    purl: purl(name, version),
  });
  const components = packages.map((each) => component(each, 'library'));
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component(own, 'application') },
    components,
    dependencies: [{ ref: purl(own.name, own.version), dependsOn: components.map(({ purl: ref }) => ref) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function purl(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
