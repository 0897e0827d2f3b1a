import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/answer.ts';
import { type Program, tsregProgram } from '../helpers/program.ts';
import { projectRoot } from '../helpers/project-root.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

interface WineNode {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

const wine: { setUpWineNode(): WineNode | null; toWindowsPath(file: string): string } = await import(
  path.join(projectRoot, 'scripts', 'wine-node.mjs')
);

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

/** A workspace with the usual line endings of Windows. */
const scenario: Scenario = {
  about: 'A workspace as it may lie on a disk of Windows.',
  files: {
    'Cargo.toml': crlf('[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\nresolver = "2"\n'),
    'crates/a/Cargo.toml': crlf(
      "[package]\nname = 'a'\nversion = '0.1.0'\nedition = '2021'\nreadme = 'docs/about.md'\n[dependencies]\nb = { path = '../b', version = '0.1' }\nutil = { version = '1', registry = 'alt' }\n[[bin]]\nname = 'tool'\npath = 'tools/tool.rs'\n",
    ),
    'crates/a/src/lib.rs': '',
    'crates/a/tools/tool.rs': 'fn main() {}\r\n',
    'crates/a/docs/about.md': 'About\r\n',
    'crates/b/Cargo.toml': crlf("[package]\nname = 'b'\nversion = '0.1.0'\nedition = '2021'\n"),
    'crates/b/src/lib.rs': '',
    'crates/b/build.rs': '',
    'crates/old/Cargo.toml': crlf("[package]\nname = 'old'\n"),
  },
  registries: { alt: { kind: 'sparse' } },
  crates: [{ name: 'util', version: '1.0.0', registry: 'alt' }],
  runs: [],
};

/** Returns every string in a document. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Replaces Windows paths with those of the host of Wine. */
function ofHost(text: string): string {
  return text
    .replace(/Z:(?:\\\\?[^\\"`\s]+)+/g, (found) => found.slice(2).replaceAll(/\\\\?/g, '/'))
    .replaceAll('file:///Z:/', 'file:///')
    .replaceAll('/tsreg/unshared/', '/');
}

const isWanted = process.env['TSREG_WINE'] !== undefined;

describe.runIf(isWanted)('Node for Windows (needs TSREG_WINE)', { timeout: 240_000 }, () => {
  const onHost = tsregProgram();
  let temp: TempDir;
  let server: RegistryServer;
  let box: Sandbox;
  let inWine: Program;

  beforeAll(async () => {
    temp = makeTempDir('wine');
    const node = wine.setUpWineNode();
    if (node === null) throw new Error('TSREG_WINE is set, and there is no Wine');
    const file = wine.toWindowsPath(path.join(projectRoot, 'bin', 'tsreg.js'));
    inWine = { name: 'tsreg', command: [...node.command, file], env: node.env };
    server = await startRegistryServer();
    box = new Sandbox(scenario, path.join(temp.path, 'box'), server);
    box.start();
  }, 240_000);
  afterAll(async () => {
    await server.close();
    temp.remove();
  });

  /** Returns the results of a run on the host and in Wine, each in a fresh sandbox. */
  async function both(...args: readonly string[]): Promise<readonly [Answer, Answer]> {
    const run: RunDecl = { name: args.join(' '), bare: true, args };
    box.start();
    const host = await box.run(onHost, run);
    const crate = box.places.workspace;
    box.start();
    const env = { CARGO_HOME: wine.toWindowsPath(box.places.home), HOME: crate };
    return [host, await box.run(inWine, { ...run, env })];
  }

  it('prints the same metadata with Windows paths', async () => {
    const [host, there] = await both('metadata', '--format-version', '1');
    expect(there.status, there.stderr).toBe(0);
    const paths = textsIn(JSON.parse(there.stdout)).filter((text) => text.startsWith('Z:'));
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((text) => text.includes('/'))).toEqual([]);
    expect(JSON.parse(ofHost(there.stdout))).toEqual(JSON.parse(host.stdout));
    expect(there.lock).toBe(host.lock);
  });

  it('packs the same bytes', async () => {
    const archive = (): Buffer =>
      readFileSync(path.join(box.places.workspace, 'target', 'package', 'b-0.1.0.crate'));
    const run: RunDecl = { name: 'package', bare: true, args: ['package', '-p', 'b', '--no-verify'] };
    box.start();
    expect((await box.run(onHost, run)).status).toBe(0);
    const expected = archive();
    box.start();
    const env = { CARGO_HOME: wine.toWindowsPath(box.places.home) };
    const { status, stderr } = await box.run(inWine, { ...run, env });
    expect(status, stderr).toBe(0);
    expect(archive().equals(expected)).toBe(true);
  });

  it.each([
    ['tree'],
    ['package', '-p', 'a', '--list'],
    ['vendor', '--sync', 'crates/b/Cargo.toml', '-q'],
    ['pkgid', '-p', 'b'],
    ['metadata', '--format-version', '1', '--manifest-path', 'nowhere/Cargo.toml'],
    ['info', 'util', '--registry', 'alt', '-q'],
  ])('prints the same output: %s', async (...args) => {
    const [host, there] = await both(...args);
    expect(ofHost(there.stdout)).toBe(host.stdout);
    expect(there.status, there.stderr).toBe(host.status);
  });
});
