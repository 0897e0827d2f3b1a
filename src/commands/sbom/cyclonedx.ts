/** A bill of materials in the format CycloneDX 1.6. https://cyclonedx.org/docs/1.6/json/ */
import {
  ComponentScope,
  ComponentType,
  ExternalReferenceType,
  HashAlgorithm,
  LifecyclePhase,
} from '@cyclonedx/cyclonedx-library/Enums';
import {
  Bom,
  Component,
  ExternalReference,
  ExternalReferenceRepository,
  HashDictionary,
  LicenseExpression,
  LicenseRepository,
  Metadata,
  NamedLicense,
  Property,
} from '@cyclonedx/cyclonedx-library/Models';
import { JSON as JsonFormat, JsonSerializer } from '@cyclonedx/cyclonedx-library/Serialize';
import { Spec1dot6 } from '@cyclonedx/cyclonedx-library/Spec';
import { present } from '../../core/errors/assert.ts';
import { VERSION } from '../shared/version.ts';
import type { BillComponent, BillOfMaterials } from './bill-of-materials.ts';
import { contentUuid } from './content-uuid.ts';
import { uniqueNames } from './unique-names.ts';

/**
 * Returns the document as JSON text. Its subject is the only root, or else the workspace, which then depends on all
 * roots. The serial number depends only on the content.
 */
export function cycloneDxText(bill: BillOfMaterials): string {
  const refs = uniqueNames(bill.components.map(({ purl }) => purl));
  const components = bill.components.map((component, index) =>
    describe(component, { ref: present(refs[index], 'a reference'), isRoot: bill.roots.includes(index) }),
  );
  for (const [index, { dependencies }] of bill.components.entries()) {
    const from = present(components[index], 'a component');
    for (const { to } of dependencies) from.dependencies.add(componentAt(components, to).bomRef);
  }
  const roots = bill.roots.map((root) => componentAt(components, root));
  const [first, ...others] = roots;
  const subject = first !== undefined && others.length === 0 ? first : workspace(bill.workspace, roots);
  const bom = new Bom({ metadata: metadata(bill, subject) });
  for (const component of components) if (component !== subject) bom.components.add(component);
  const serializer = new JsonSerializer(new JsonFormat.Normalize.Factory(Spec1dot6));
  bom.serialNumber = `urn:uuid:${contentUuid(serializer.serialize(bom))}`;
  return `${serializer.serialize(bom, { space: 2 })}\n`;
}

function componentAt(components: readonly Component[], index: number): Component {
  return present(components[index], 'a component');
}

/** Returns a component for the workspace that depends on `members`. */
function workspace(name: string, members: readonly Component[]): Component {
  const component = new Component(ComponentType.Application, name, { bomRef: 'workspace' });
  for (const { bomRef } of members) component.dependencies.add(bomRef);
  return component;
}

function metadata({ created, targets }: BillOfMaterials, component: Component): Metadata {
  const described = new Metadata({ component });
  if (created !== null) described.timestamp = created;
  described.lifecycles.add(LifecyclePhase.PreBuild);
  described.tools.components.add(new Component(ComponentType.Application, 'tsreg', { version: VERSION }));
  // https://github.com/CycloneDX/cyclonedx-property-taxonomy registers these names for Rust.
  const prefix = 'cdx:rustc:sbom:target';
  if (targets === null) described.properties.add(new Property(`${prefix}:all_targets`, 'true'));
  else for (const triple of targets) described.properties.add(new Property(`${prefix}:triple`, triple));
  return described;
}

function describe(
  component: BillComponent,
  { ref, isRoot }: { readonly ref: string; readonly isRoot: boolean },
): Component {
  const { name, version, purl, isApplication, isRuntime, checksum, authors, description } = component;
  const type = isRoot && isApplication ? ComponentType.Application : ComponentType.Library;
  return new Component(type, name, {
    version,
    purl,
    bomRef: ref,
    scope: isRuntime ? ComponentScope.Required : ComponentScope.Excluded,
    hashes: new HashDictionary(checksum === null ? [] : [[HashAlgorithm['SHA-256'], checksum]]),
    licenses: new LicenseRepository(licenses(component)),
    externalReferences: new ExternalReferenceRepository(references(component)),
    author: authors.length === 0 ? undefined : authors.join(', '),
    description: description ?? undefined,
  });
}

function licenses({ license }: BillComponent): readonly (LicenseExpression | NamedLicense)[] {
  if (license === null) return [];
  return [
    license.kind === 'expression'
      ? new LicenseExpression(license.expression)
      : new NamedLicense(license.name),
  ];
}

function references(component: BillComponent): readonly ExternalReference[] {
  const { documentation, homepage, repository, downloadUrl } = component;
  const addresses = [
    { url: documentation, type: ExternalReferenceType.Documentation },
    { url: homepage, type: ExternalReferenceType.Website },
    { url: repository, type: ExternalReferenceType.VCS },
    { url: downloadUrl, type: ExternalReferenceType.Distribution },
  ];
  return addresses.flatMap(({ url, type }) => (url === null ? [] : new ExternalReference(url, type)));
}
