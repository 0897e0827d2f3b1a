import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('pack');
const elsewhere = path.join(temp.path, 'elsewhere');
const demo = path.join(temp.path, 'demo');
const env = { ...process.env, CARGO_HOME: path.join(temp.path, 'home') };

interface PackedFile {
  readonly path: string;
  readonly mode: number;
}

interface PackResult {
  readonly filename: string;
  readonly files: readonly PackedFile[];
  /** Bytes of the tarball. */
  readonly size: number;
  readonly unpackedSize: number;
}

let packed: readonly PackedFile[] = [];
let sizes = { packed: 0, unpacked: 0 };

/** On Windows, npm and the programs that it installs are scripts that only a shell finds. */
const shell = onWindows;

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd, env, encoding: 'utf8', shell });
}

function run(
  file: string,
  ...args: readonly string[]
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(file, args, { cwd: demo, env, encoding: 'utf8', shell });
}

beforeAll(() => {
  for (const folder of [elsewhere, env.CARGO_HOME]) mkdirSync(folder);
  cpSync(path.join(projectRoot, 'fixtures', 'demo'), demo, { recursive: true });
  const [result]: [PackResult] = JSON.parse(
    npm(projectRoot, 'pack', '--json', '--ignore-scripts', '--pack-destination', temp.path),
  );
  packed = result.files;
  sizes = { packed: result.size, unpacked: result.unpackedSize };
  writeFileSync(path.join(elsewhere, 'package.json'), '{"name":"elsewhere","private":true,"type":"module"}');
  npm(elsewhere, 'install', '--offline', '--no-audit', '--no-fund', path.join(temp.path, result.filename));
});

afterAll(() => temp[Symbol.dispose]());

describe('the packed package', () => {
  it('contains the program, docs, licences and bill of materials, and no unexpected files', () => {
    const names = packed.map((file) => file.path);
    expect(names).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        'CONTRIBUTING.md',
        'docs/README.md',
        'docs/images/terminal.svg',
        'bin/tsreg.js',
        'bin/package.json',
        'man/tsreg-metadata.1',
        'package.json',
      ]),
    );
    expect(names).toEqual(expect.arrayContaining(['dist/third-party-licenses.txt', 'dist/sbom.cdx.json']));
    const known =
      /^(?:bin|dist\/cli|dist\/lib)\/|^dist\/(?:third-party-licenses\.txt|sbom\.cdx\.json)$|^man\/tsreg[a-z-]*\.1$|^docs\/(?:(?:ci|decisions)\/)?[\w-]+\.md$|^docs\/images\/[\w-]+\.(?:svg|png)$|^(?:LICENSE|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md|package\.json)$/;
    expect(names.filter((name) => !known.test(name))).toEqual([]);
  });

  it('has the sizes that the README states, within 10 %', () => {
    const readme = readFileSync(path.join(projectRoot, 'README.md'), 'utf8');
    const stated = /([\d.]+) MB packed, ([\d.]+) MB unpacked/.exec(readme)?.slice(1).map(Number) ?? [];
    const ratios = [sizes.packed, sizes.unpacked].map((bytes, at) => bytes / 1e6 / (stated[at] ?? 0));
    expect(ratios.filter((ratio) => ratio < 0.9 || ratio > 1.1)).toEqual([]);
  });

  it('matches the badges of the README', () => {
    const text = readFileSync(path.join(projectRoot, 'package.json'), 'utf8');
    const manifest: { license: string; engines: { node: string }; dependencies?: object } = JSON.parse(text);
    const badge = (name: string): string =>
      readFileSync(path.join(projectRoot, 'docs', 'images', `badge-${name}.svg`), 'utf8');
    expect(badge('license')).toContain(`<title>license: ${manifest.license}</title>`);
    const [, release] = /^>=(\d+\.\d+)\.0$/.exec(manifest.engines.node) ?? [];
    expect(badge('node')).toContain(`<title>node: ${release}+</title>`);
    const count = Object.keys(manifest.dependencies ?? {}).length;
    expect(badge('dependencies')).toContain(`<title>dependencies: ${count}</title>`);
  });

  it('contains every page that its pages link to', () => {
    const installed = path.join(elsewhere, 'node_modules', 'tsreg');
    const pages = packed.map(({ path: name }) => name).filter((name) => name.endsWith('.md'));
    const links = pages.flatMap((name) => {
      const prose = readFileSync(path.join(installed, name), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
      return [...prose.matchAll(/\]\((?!https?:|#)([^)\s#]+)[^)]*\)/g)].map(([, target = '']) =>
        path.posix.join(path.posix.dirname(name), target),
      );
    });
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((file) => !existsSync(path.join(installed, file)))).toEqual([]);
  });

  it('contains the licence texts of bundled packages', () => {
    const text = readFileSync(path.join(projectRoot, 'dist', 'third-party-licenses.txt'), 'utf8');
    const parts = text.split(`\n${'-'.repeat(80)}\n\n`).map((part) => part.split('\n'));
    const names = parts.map(([title = '']) => title.split(' ')[0]);
    expect(names).toEqual(expect.arrayContaining(['commander', 'htmlparser2', 'markdown-it']));
    // These are in the public domain and have no licence text.
    expect(parts.filter((lines) => lines.length < 5).map(([title]) => title)).toEqual([
      expect.stringMatching(/^postgres [\d.]+ \(Unlicense\)$/),
      expect.stringMatching(/^spdx-license-ids [\d.]+ \(CC0-1\.0\)$/),
    ]);
  });

  it('lists only packages with a licence entry in its bill of materials', () => {
    const bill: { components: readonly { name: string; version: string; purl: string }[] } = JSON.parse(
      readFileSync(path.join(projectRoot, 'dist', 'sbom.cdx.json'), 'utf8'),
    );
    const licences = readFileSync(path.join(projectRoot, 'dist', 'third-party-licenses.txt'), 'utf8');
    expect(bill.components.length).toBeGreaterThan(20);
    for (const { name, version } of bill.components) expect(licences).toContain(`${name} ${version} (`);
    expect(bill.components.find(({ name }) => name === 'hono')?.purl).toMatch(/^pkg:npm\/hono@4\./);
  });

  it('runs no scripts when it is installed', () => {
    const text = readFileSync(path.join(elsewhere, 'node_modules', 'tsreg', 'package.json'), 'utf8');
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(text);
    // `prepare` runs only in a checkout.
    const names = ['preinstall', 'install', 'postinstall'];
    expect(names.filter((name) => name in scripts)).toEqual([]);
    expect(packed.filter(({ path: name }) => name.endsWith('.gyp'))).toEqual([]);
  });

  it('has no dependencies', () => {
    const lock: { packages: Record<string, object> } = JSON.parse(
      readFileSync(path.join(elsewhere, 'node_modules', '.package-lock.json'), 'utf8'),
    );
    expect(Object.keys(lock.packages)).toEqual(['node_modules/tsreg']);
  });

  it('runs as a command in another folder', () => {
    const { status, stdout, stderr } = run(
      path.join(elsewhere, 'node_modules', '.bin', 'tsreg'),
      'metadata',
      '--format-version',
      '1',
    );
    expect(stderr).toContain('Locking 4 packages');
    expect(status).toBe(0);
    const document: { packages: unknown[]; workspace_root: string } = JSON.parse(stdout);
    expect(document.packages).toHaveLength(6);
    expect(document.workspace_root).toBe(demo);
  });

  it('works as a library with type declarations', () => {
    const program = `import { metadata } from 'tsreg';
      const { parse } = await metadata({ cwd: ${JSON.stringify(demo)}, env: process.env, filterPlatforms: ['host-tuple'] });
      console.log(parse().workspace_root);`;
    const answer = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: elsewhere,
      env,
      encoding: 'utf8',
    });
    expect(answer.trim()).toBe(demo);
    writeFileSync(
      path.join(elsewhere, 'use.ts'),
      `import { metadata } from 'tsreg';
      import { startRegistry } from 'tsreg/server';
      const wrong: number = metadata;
      const alsoWrong: number = startRegistry;
      export { alsoWrong, wrong };\n`,
    );
    const tsc = path.join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', ''];
    const checked = spawnSync(process.execPath, [tsc, ...options, 'use.ts'], {
      cwd: elsewhere,
      encoding: 'utf8',
    });
    // The deliberate errors are the only ones, so the compiler finds complete declarations of both functions.
    expect(checked.stdout.match(/error TS\d+/g)).toEqual(['error TS2322', 'error TS2322']);
  });
});
