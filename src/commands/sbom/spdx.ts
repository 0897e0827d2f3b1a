/**
 * A bill of materials in the format SPDX 2.3. https://spdx.github.io/spdx-spec/v2.3/ No maintained package on npm writes
 * this format, so this file does: the document is a few objects.
 */
import { present } from '../../core/errors/assert.ts';
import { VERSION } from '../shared/version.ts';
import type { BillComponent, BillDependency, BillOfMaterials } from './bill-of-materials.ts';
import { contentUuid } from './content-uuid.ts';
import { uniqueNames } from './unique-names.ts';

/** The members of the document that tsreg writes. */
interface SpdxDocument {
  readonly spdxVersion: 'SPDX-2.3';
  readonly dataLicense: 'CC0-1.0';
  readonly SPDXID: 'SPDXRef-DOCUMENT';
  readonly name: string;
  readonly documentNamespace: string;
  readonly creationInfo: SpdxCreation;
  readonly documentDescribes: readonly string[];
  readonly packages: readonly SpdxPackage[];
  readonly relationships: readonly SpdxRelationship[];
  readonly hasExtractedLicensingInfos?: readonly SpdxLicense[];
}

interface SpdxCreation {
  readonly created: string;
  readonly creators: readonly string[];
  readonly comment: string;
}

interface SpdxPackage {
  readonly name: string;
  readonly SPDXID: string;
  readonly versionInfo: string;
  readonly primaryPackagePurpose: 'APPLICATION' | 'LIBRARY';
  /** The format has one originator, so this is the first author. */
  readonly originator?: string;
  readonly downloadLocation: string;
  readonly filesAnalyzed: false;
  readonly checksums?: readonly { readonly algorithm: 'SHA256'; readonly checksumValue: string }[];
  readonly homepage?: string;
  readonly licenseConcluded: 'NOASSERTION';
  readonly licenseDeclared: string;
  readonly copyrightText: 'NOASSERTION';
  readonly description?: string;
  readonly externalRefs: readonly {
    readonly referenceCategory: 'PACKAGE-MANAGER';
    readonly referenceType: 'purl';
    readonly referenceLocator: string;
  }[];
}

interface SpdxRelationship {
  readonly spdxElementId: string;
  readonly relationshipType: 'DESCRIBES' | 'DEPENDS_ON' | 'BUILD_DEPENDENCY_OF' | 'DEV_DEPENDENCY_OF';
  readonly relatedSpdxElement: string;
}

/** A license that is not on the SPDX list. */
interface SpdxLicense {
  readonly licenseId: string;
  readonly extractedText: string;
  readonly name: string;
}

const DOCUMENT_ID = 'SPDXRef-DOCUMENT';
const UNKNOWN = 'NOASSERTION';

/** Returns the document as JSON text. The namespace depends only on the content. An unknown creation time is 1970. */
export function spdxText(bill: BillOfMaterials): string {
  const ids = uniqueNames(
    bill.components.map(({ name, version }) => `SPDXRef-Package-${idOf(name, version)}`),
  );
  const idAt = (index: number): string => present(ids[index], 'the id of a package');
  const licenses = otherLicenses(bill.components);
  const [root, ...others] = bill.roots.map((index) => present(bill.components[index], 'a root'));
  const name = root !== undefined && others.length === 0 ? `${root.name}-${root.version}` : bill.workspace;
  const document: Omit<SpdxDocument, 'documentNamespace'> = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: DOCUMENT_ID,
    name,
    creationInfo: creation(bill),
    documentDescribes: bill.roots.map(idAt),
    packages: bill.components.map((component, index) =>
      describe(component, {
        id: idAt(index),
        isRoot: bill.roots.includes(index),
        licenseId: (license) => present(licenses.get(license), 'a license').licenseId,
      }),
    ),
    relationships: [
      ...bill.roots.map((index) => relationship(DOCUMENT_ID, 'DESCRIBES', idAt(index))),
      ...bill.components.flatMap(({ dependencies }, index) =>
        dependencies.flatMap((dependency) => relationships(idAt(index), dependency, idAt(dependency.to))),
      ),
    ],
    ...(licenses.size === 0 ? {} : { hasExtractedLicensingInfos: [...licenses.values()] }),
  };
  const namespace = `https://spdx.org/spdxdocs/${encodeURIComponent(name)}-${contentUuid(JSON.stringify(document))}`;
  // Only for the order of the keys: the namespace comes after the name.
  const { spdxVersion, dataLicense, SPDXID, ...rest } = document;
  const ordered: SpdxDocument = {
    ...{ spdxVersion, dataLicense, SPDXID, name, documentNamespace: namespace },
    ...rest,
  };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/** Returns the part of an identifier for a package: letters, digits, `.` and `-`. */
function idOf(...texts: readonly string[]): string {
  return texts.join('-').replaceAll(/[^A-Za-z0-9.-]+/g, '-');
}

function creation({ created, targets }: BillOfMaterials): SpdxCreation {
  return {
    // The format has no milliseconds.
    created: (created ?? new Date(0)).toISOString().replace('.000Z', 'Z'),
    creators: [`Tool: tsreg-${VERSION}`],
    comment: `Dependencies for ${targets === null ? 'all targets' : targets.join(', ')}`,
  };
}

/**
 * Returns the licenses that are not on the SPDX list, by name: those that expressions refer to, and those that are no
 * expressions. The specification requires all of them in the document (clause 10), with a text: the manifest has no
 * other than the name.
 */
function otherLicenses(components: readonly BillComponent[]): ReadonlyMap<string, SpdxLicense> {
  const licenses = components.flatMap(({ license }) => license ?? []);
  const references = licenses.flatMap((license) =>
    license.kind === 'expression' ? (license.expression.match(/LicenseRef-[A-Za-z0-9.-]+/g) ?? []) : [],
  );
  const named = licenses.flatMap((license) => (license.kind === 'named' ? license.name : []));
  const names = [...new Set([...references, ...named])];
  const isReference = new Set(references);
  // References come first, so that they keep their ids.
  const ids = uniqueNames(names.map((name) => (isReference.has(name) ? name : `LicenseRef-${idOf(name)}`)));
  return new Map(
    names.map((name, index) => [
      name,
      { licenseId: present(ids[index], 'the id of a license'), extractedText: name, name },
    ]),
  );
}

function describe(component: BillComponent, { id, isRoot, licenseId }: PackageContext): SpdxPackage {
  const { name, version, purl, checksum, license, homepage, description, authors } = component;
  const [author] = authors;
  return {
    name,
    SPDXID: id,
    versionInfo: version,
    primaryPackagePurpose: isRoot && component.isApplication ? 'APPLICATION' : 'LIBRARY',
    ...(author === undefined ? {} : { originator: originator(author) }),
    downloadLocation: component.downloadUrl ?? UNKNOWN,
    filesAnalyzed: false,
    ...(checksum === null ? {} : { checksums: [{ algorithm: 'SHA256', checksumValue: checksum }] }),
    ...(homepage === null ? {} : { homepage }),
    licenseConcluded: UNKNOWN,
    licenseDeclared: declared(license, licenseId),
    copyrightText: UNKNOWN,
    ...(description === null ? {} : { description }),
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
  };
}

/** What a package needs to know about the document. */
interface PackageContext {
  readonly id: string;
  readonly isRoot: boolean;
  /** Returns the identifier of a license that is not an SPDX expression. */
  readonly licenseId: (name: string) => string;
}

function declared(license: BillComponent['license'], licenseId: PackageContext['licenseId']): string {
  if (license === null) return UNKNOWN;
  return license.kind === 'expression' ? license.expression : licenseId(license.name);
}

/** Returns `Person: Name (email)` for `Name <email>`. */
function originator(author: string): string {
  const [, name = author, email] = /^(.*?)\s*<([^<>]*)>$/.exec(author) ?? [];
  return `Person: ${name}${email === undefined ? '' : ` (${email})`}`;
}

function relationships(from: string, { kinds }: BillDependency, to: string): readonly SpdxRelationship[] {
  return kinds.map((kind) => {
    if (kind === 'normal') return relationship(from, 'DEPENDS_ON', to);
    return relationship(to, kind === 'build' ? 'BUILD_DEPENDENCY_OF' : 'DEV_DEPENDENCY_OF', from);
  });
}

function relationship(
  spdxElementId: string,
  relationshipType: SpdxRelationship['relationshipType'],
  relatedSpdxElement: string,
): SpdxRelationship {
  return { spdxElementId, relationshipType, relatedSpdxElement };
}
