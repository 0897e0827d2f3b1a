import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BillComponent, BillOfMaterials } from '../../../src/commands/sbom/bill-of-materials.ts';
import { cycloneDxText } from '../../../src/commands/sbom/cyclonedx.ts';
import { spdxText } from '../../../src/commands/sbom/spdx.ts';
import { schemaErrors } from '../../helpers/sbom-schemas.ts';

const APP: BillComponent = {
  name: 'app',
  version: '0.1.0',
  purl: 'pkg:cargo/app@0.1.0?download_url=file://.',
  isApplication: true,
  isRuntime: true,
  checksum: null,
  downloadUrl: null,
  license: { kind: 'named', name: 'Our License' },
  authors: ['Alice <alice@example.com>', 'Bob'],
  description: 'Boils water',
  homepage: 'https://example.com/',
  repository: 'https://git.example/app',
  documentation: 'https://docs.example/app',
  dependencies: [
    { to: 1, kinds: ['normal', 'dev'] },
    { to: 2, kinds: ['build'] },
  ],
};

const KETTLE: BillComponent = {
  ...APP,
  name: 'kettle',
  version: '1.0.0',
  purl: 'pkg:cargo/kettle@1.0.0',
  checksum: 'ab'.repeat(32),
  downloadUrl: 'https://static.crates.io/crates/kettle/1.0.0/download',
  license: { kind: 'expression', expression: 'MIT OR Apache-2.0' },
  authors: [],
  description: null,
  homepage: null,
  repository: null,
  documentation: null,
  dependencies: [],
};

const CC: BillComponent = {
  ...KETTLE,
  name: 'c_c',
  purl: 'pkg:cargo/c_c@1.0.0',
  isRuntime: false,
  license: null,
};

const BILL: BillOfMaterials = {
  workspace: 'house',
  roots: [0],
  components: [APP, KETTLE, CC],
  targets: ['x86_64-unknown-linux-gnu'],
  created: new Date(1_700_000_000_000),
};

describe('the CycloneDX document', () => {
  it('describes the root, its dependencies and where they come from', () => {
    const document = JSON.parse(cycloneDxText(BILL));
    expect(schemaErrors('cyclonedx', document)).toEqual([]);
    const { metadata, components, dependencies } = document;
    expect(metadata.timestamp).toBe('2023-11-14T22:13:20.000Z');
    expect(metadata.tools.components).toEqual([expect.objectContaining({ name: 'tsreg' })]);
    expect(metadata.properties).toEqual([
      { name: 'cdx:rustc:sbom:target:triple', value: 'x86_64-unknown-linux-gnu' },
    ]);
    expect(metadata.component).toMatchObject({
      type: 'application',
      name: 'app',
      version: '0.1.0',
      author: 'Alice <alice@example.com>, Bob',
      description: 'Boils water',
      licenses: [{ license: { name: 'Our License' } }],
      externalReferences: [
        { type: 'documentation', url: 'https://docs.example/app' },
        { type: 'website', url: 'https://example.com/' },
        { type: 'vcs', url: 'https://git.example/app' },
      ],
    });
    expect(components).toEqual([
      {
        type: 'library',
        name: 'kettle',
        version: '1.0.0',
        'bom-ref': 'pkg:cargo/kettle@1.0.0',
        scope: 'required',
        hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }],
        licenses: [{ expression: 'MIT OR Apache-2.0' }],
        purl: 'pkg:cargo/kettle@1.0.0',
        externalReferences: [
          { type: 'distribution', url: 'https://static.crates.io/crates/kettle/1.0.0/download' },
        ],
      },
      expect.objectContaining({ name: 'c_c', scope: 'excluded' }),
    ]);
    expect(dependencies).toEqual([
      { ref: APP.purl, dependsOn: [KETTLE.purl, CC.purl] },
      { ref: KETTLE.purl },
      { ref: CC.purl },
    ]);
  });

  it('has expressions that refer to licenses outside of the SPDX list', () => {
    const license = { kind: 'expression', expression: 'MIT AND LicenseRef-Own' } as const;
    const document = JSON.parse(cycloneDxText({ ...BILL, components: [APP, { ...KETTLE, license }, CC] }));
    expect(schemaErrors('cyclonedx', document)).toEqual([]);
    expect(document.components[0].licenses).toEqual([{ expression: 'MIT AND LicenseRef-Own' }]);
  });

  it('is about the workspace if there are several roots', () => {
    const { metadata, components, dependencies } = JSON.parse(
      cycloneDxText({ ...BILL, roots: [0, 1], targets: null, created: null }),
    );
    expect(metadata.component).toEqual({ type: 'application', name: 'house', 'bom-ref': 'workspace' });
    expect(metadata).not.toHaveProperty('timestamp');
    expect(metadata.properties).toEqual([{ name: 'cdx:rustc:sbom:target:all_targets', value: 'true' }]);
    expect(components.map(({ name, type }: BillComponent & { type: string }) => [name, type])).toEqual([
      ['app', 'application'],
      ['kettle', 'application'],
      ['c_c', 'library'],
    ]);
    expect(dependencies[0]).toEqual({ ref: 'workspace', dependsOn: [APP.purl, KETTLE.purl] });
  });
});

describe('the SPDX document', () => {
  it('describes the root, its dependencies and where they come from', () => {
    const document = JSON.parse(spdxText(BILL));
    expect(schemaErrors('spdx', document)).toEqual([]);
    expect(Object.keys(document).slice(0, 5)).toEqual([
      'spdxVersion',
      'dataLicense',
      'SPDXID',
      'name',
      'documentNamespace',
    ]);
    const { packages, relationships, hasExtractedLicensingInfos, ...head } = document;
    expect(head).toMatchObject({
      name: 'app-0.1.0',
      documentNamespace: expect.stringMatching(/^https:\/\/spdx\.org\/spdxdocs\/app-0\.1\.0-[0-9a-f-]{36}$/),
      creationInfo: {
        created: '2023-11-14T22:13:20Z',
        comment: 'Dependencies for x86_64-unknown-linux-gnu',
      },
      documentDescribes: ['SPDXRef-Package-app-0.1.0'],
    });
    expect(packages[0]).toMatchObject({
      primaryPackagePurpose: 'APPLICATION',
      originator: 'Person: Alice (alice@example.com)',
      downloadLocation: 'NOASSERTION',
      licenseDeclared: 'LicenseRef-Our-License',
    });
    expect(packages[1]).toMatchObject({
      primaryPackagePurpose: 'LIBRARY',
      downloadLocation: 'https://static.crates.io/crates/kettle/1.0.0/download',
      checksums: [{ algorithm: 'SHA256', checksumValue: 'ab'.repeat(32) }],
      licenseDeclared: 'MIT OR Apache-2.0',
      externalRefs: [{ referenceLocator: 'pkg:cargo/kettle@1.0.0' }],
    });
    expect(packages[2]).toMatchObject({
      SPDXID: 'SPDXRef-Package-c-c-1.0.0',
      licenseDeclared: 'NOASSERTION',
    });
    expect(hasExtractedLicensingInfos).toEqual([
      { licenseId: 'LicenseRef-Our-License', extractedText: 'Our License', name: 'Our License' },
    ]);
    const app = 'SPDXRef-Package-app-0.1.0';
    const kettle = 'SPDXRef-Package-kettle-1.0.0';
    const related = relationships.map(Object.values);
    expect(related).toEqual([
      ['SPDXRef-DOCUMENT', 'DESCRIBES', app],
      [app, 'DEPENDS_ON', kettle],
      [kettle, 'DEV_DEPENDENCY_OF', app],
      ['SPDXRef-Package-c-c-1.0.0', 'BUILD_DEPENDENCY_OF', app],
    ]);
  });

  it('describes the licenses that expressions refer to, and names others differently', () => {
    const expression = 'MIT AND (LicenseRef-Own OR LicenseRef-Our-License)';
    const components = [APP, { ...KETTLE, license: { kind: 'expression', expression } as const }, CC];
    const document = JSON.parse(spdxText({ ...BILL, components }));
    expect(schemaErrors('spdx', document)).toEqual([]);
    const { packages, hasExtractedLicensingInfos: infos } = document;
    expect(packages[0].licenseDeclared).toBe('LicenseRef-Our-License-2');
    expect(packages[1].licenseDeclared).toBe(expression);
    expect(infos).toEqual([
      { licenseId: 'LicenseRef-Own', extractedText: 'LicenseRef-Own', name: 'LicenseRef-Own' },
      {
        licenseId: 'LicenseRef-Our-License',
        extractedText: 'LicenseRef-Our-License',
        name: 'LicenseRef-Our-License',
      },
      { licenseId: 'LicenseRef-Our-License-2', extractedText: 'Our License', name: 'Our License' },
    ]);
  });

  it('describes each root, and has 1970 as an unknown creation time', () => {
    const document = JSON.parse(spdxText({ ...BILL, roots: [0, 1], targets: null, created: null }));
    expect(document).toMatchObject({
      name: 'house',
      creationInfo: { created: '1970-01-01T00:00:00Z', comment: 'Dependencies for all targets' },
      documentDescribes: ['SPDXRef-Package-app-0.1.0', 'SPDXRef-Package-kettle-1.0.0'],
    });
  });
});

/** Any component, as far as manifests can contain anything. */
const anyComponent: fc.Arbitrary<BillComponent> = fc.record({
  name: fc.string({ unit: 'binary' }),
  version: fc.string(),
  purl: fc.constantFrom('pkg:cargo/a@1.0.0', 'pkg:cargo/b@1.0.0'),
  isApplication: fc.boolean(),
  isRuntime: fc.boolean(),
  checksum: fc.option(fc.constant('0f'.repeat(32))),
  downloadUrl: fc.option(fc.webUrl()),
  license: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('named' as const), name: fc.string({ unit: 'binary', minLength: 1 }) }),
      fc.record({
        kind: fc.constant('expression' as const),
        expression: fc.constantFrom('MIT', 'LicenseRef-a', 'MIT AND (LicenseRef-a OR LicenseRef-b)'),
      }),
    ),
  ),
  authors: fc.array(fc.string({ unit: 'binary', minLength: 1 })),
  description: fc.option(fc.string({ unit: 'binary' })),
  homepage: fc.option(fc.webUrl({ withQueryParameters: true })),
  repository: fc.option(fc.webUrl({ withFragments: true })),
  documentation: fc.option(fc.webUrl()),
  dependencies: fc.constant([]),
});

/** Expects exactly one description of each license outside of the SPDX list that a package declares. */
function expectDescribedLicenses({
  packages,
  hasExtractedLicensingInfos: infos = [],
}: {
  readonly packages: readonly { readonly licenseDeclared: string }[];
  readonly hasExtractedLicensingInfos?: readonly { readonly licenseId: string }[];
}): void {
  const declared = packages.flatMap(
    ({ licenseDeclared }) => licenseDeclared.match(/LicenseRef-[^\s()]+/g) ?? [],
  );
  expect(infos.map(({ licenseId }) => licenseId).sort()).toEqual([...new Set(declared)].sort());
}

it('is valid and the same each time, whatever the manifests contain', () => {
  fc.assert(
    fc.property(
      fc.array(anyComponent, { minLength: 1, maxLength: 5 }),
      fc.string({ unit: 'binary' }),
      (components, workspace) => {
        const roots = components.length % 2 === 0 ? [0, 1] : [0];
        const bill = { ...BILL, components, workspace, roots };
        for (const [format, text] of [
          ['cyclonedx', cycloneDxText(bill)],
          ['spdx', spdxText(bill)],
        ] as const) {
          expect(schemaErrors(format, JSON.parse(text))).toEqual([]);
          expect(format === 'spdx' ? spdxText(bill) : cycloneDxText(bill)).toBe(text);
        }
        const ids = JSON.parse(spdxText(bill)).packages.map(({ SPDXID: id }: { SPDXID: string }) => id);
        expect(new Set(ids).size).toBe(components.length);
        expectDescribedLicenses(JSON.parse(spdxText(bill)));
        for (const id of ids) expect(id).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
      },
    ),
  );
});
