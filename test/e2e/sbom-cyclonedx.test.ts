import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { SBOM_WORKSPACE } from '../helpers/sbom-workspace.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** The executable of cargo-cyclonedx 0.5.9. It also needs cargo and rustc on the `PATH`. */
const TOOL = process.env['TSREG_CARGO_CYCLONEDX'] ?? '';
const TARGET = 'x86_64-unknown-linux-gnu';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly scope: string;
  readonly purl: string;
  readonly author?: string;
  readonly description?: string;
  readonly hashes?: unknown;
  readonly licenses?: unknown;
}

interface Bom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Returns the components with the names of their dependencies, without the differences that docs/sbom.md lists. */
function comparable({ metadata, components, dependencies }: Bom): readonly unknown[] {
  const all = [metadata.component, ...components];
  const names = new Map(all.map(({ 'bom-ref': ref, name }) => [ref, name]));
  const dependsOn = new Map(dependencies.map((each) => [each.ref, each.dependsOn ?? []]));
  return all
    .map((component) => ({
      ...{ name: component.name, version: component.version, type: component.type },
      ...{ scope: component.scope, hashes: component.hashes, author: component.author },
      description: component.description?.replaceAll(/\s+/g, ' '),
      licenses: component.name === 'lib' ? 'in a file' : component.licenses,
      purl: decodeURIComponent(component.purl.replace(/\?.*/, '')),
      dependencies: dependsOn
        .get(component['bom-ref'])
        ?.map((ref) => names.get(ref))
        .sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe.skipIf(!existsSync(TOOL))(
  'the CycloneDX document beside cargo-cyclonedx (skipped without TSREG_CARGO_CYCLONEDX)',
  { timeout: 120_000 },
  () => {
    const temp = makeTempDir('sbom-cyclonedx');
    let server: RegistryServer;
    let box: Sandbox;
    beforeAll(async () => {
      server = await startRegistryServer();
      box = new Sandbox(SBOM_WORKSPACE, path.join(temp.path, 'box'), server);
      box.start();
    });
    afterAll(async () => {
      await server.close();
      temp.remove();
    });

    it('has the same components, hashes, licenses, scopes and dependencies', async () => {
      const args = ['sbom', '-q', '--target', TARGET];
      const { stdout } = await box.ask(tsregProgram(), { name: 'sbom', args, bare: true });
      await execa(TOOL, ['cyclonedx', '-f', 'json', '--spec-version', '1.5', '--target', TARGET], {
        cwd: box.places.workspace,
        env: {
          CARGO_HOME: box.places.home,
          RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? path.join(homedir(), '.rustup'),
        },
      });
      const other: Bom = JSON.parse(
        readFileSync(path.join(box.places.workspace, 'app', 'app.cdx.json'), 'utf8'),
      );
      expect(comparable(JSON.parse(stdout))).toEqual(comparable(other));
    });
  },
);
