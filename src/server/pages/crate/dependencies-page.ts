import { CRATES_IO_DOMAIN } from '../../../core/package-id/crates-io.ts';
import type { PublishedDependency } from '../../../core/protocol/publish-metadata.ts';
import { isCratesIoIndex } from '../../publish/dependency-registries.ts';
import type { CrateVersions } from '../../store/browse-records.ts';
import { canonicalName } from '../../store/canonical-name.ts';
import { crateLayout, type CrateView } from '../shared/crate-frame.ts';
import { dependencyAnchor } from '../shared/feature-list.ts';
import { codes } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { cratePath } from '../shared/paths.ts';
import { type SelectVersion, versionSelector } from '../shared/select-version.ts';

/** The crates of this registry by canonical name. */
export type CratesByName = ReadonlyMap<string, CrateVersions>;

/** A crate of this registry. */
interface OwnCrate {
  readonly name: string;
  /** null if its versions were not read: see `listVersionsOf`. */
  readonly select: SelectVersion | null;
}

/** The kinds of dependencies in the order of the page, with their headings. */
export const DEPENDENCY_KINDS = [
  ['normal', 'Dependencies'],
  ['build', 'Build dependencies'],
  ['dev', 'Development dependencies'],
] as const;

/** Returns the dependencies of a version, each with the version of this registry that it selects today. */
export function dependenciesPage(frame: Frame, view: CrateView, crates: CratesByName): Html {
  const { dependencies } = view.version.metadata;
  const ownCrates = new Map(
    [...crates].map(([key, { name, versions }]): readonly [string, OwnCrate] => [
      key,
      { name, select: versions === null ? null : versionSelector(versions) },
    ]),
  );
  // A version can have the same dependency for several kinds or targets. Links lead to its first row.
  const seen = new Set<string>();
  const rowOf = (dependency: PublishedDependency): Html => {
    const key = dependency.explicitNameInToml ?? dependency.name;
    const isFirst = !seen.has(key);
    seen.add(key);
    return dependencyRow(dependency, ownCrates, { anchor: isFirst ? dependencyAnchor(key) : null });
  };
  return crateLayout(frame, view, {
    tab: 'dependencies',
    content:
      dependencies.length === 0
        ? html`<p class="quiet">This version has no dependencies.</p>`
        : DEPENDENCY_KINDS.map(([kind, title]) => {
            const ofKind = dependencies.filter((dependency) => dependency.kind === kind);
            return ofKind.length > 0 && dependencyTable(title, ofKind.map(rowOf));
          }),
  });
}

function dependencyTable(title: string, rows: readonly Html[]): Html {
  return html`<section><h2>${title}</h2>
<table class="cards deps"><thead><tr><th scope="col">Crate</th><th scope="col">Requirement</th><th scope="col">Selects today</th><th scope="col">Details</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

function dependencyRow(
  dependency: PublishedDependency,
  ownCrates: ReadonlyMap<string, OwnCrate>,
  { anchor }: { readonly anchor: string | null },
): Html {
  const crate = dependency.registry === null ? (ownCrates.get(canonicalName(dependency.name)) ?? null) : null;
  return html`<tr${anchor !== null && html` id="${anchor}"`}><td class="name">${crateName(dependency, crate)}</td>
<td data-label="Requirement"><code>${dependency.versionReq}</code></td>
<td data-label="Selects today">${crate !== null && selection(dependency, crate)}</td>
<td>${dependencyDetails(dependency)}</td></tr>
`;
}

/** Returns the name with links and, for a crate that is not in this registry, its place. */
function crateName({ name, registry, versionReq }: PublishedDependency, crate: OwnCrate | null): Html {
  if (crate !== null) return html`<a href="${cratePath(crate.name)}">${crate.name}</a>`;
  if (registry === null) return html`${name}<br><span class="quiet small">not published here</span>`;
  if (!isCratesIoIndex(registry))
    return html`${name}<br><span class="quiet small">from ${registryHost(registry)}</span>`;
  const escaped = encodeURIComponent(name);
  const docs = `https://docs.rs/${escaped}/${encodeURIComponent(versionReq)}`;
  return html`<a href="https://${CRATES_IO_DOMAIN}/crates/${escaped}" rel="noopener noreferrer">${name}</a><br><span class="quiet small">from ${CRATES_IO_DOMAIN} · <a href="${docs}" rel="noopener noreferrer">docs.rs<span class="silent"> for ${name}</span></a></span>`;
}

function selection({ versionReq }: PublishedDependency, { name, select }: OwnCrate): HtmlValue {
  if (select === null) return null;
  const version = select(versionReq);
  return version === null
    ? html`<span class="badge bad">no version</span>`
    : html`<a href="${cratePath(name, version)}">${version}</a>`;
}

/** Returns the settings of a dependency besides its requirement; nothing if it has none. */
export function dependencyDetails({
  optional,
  explicitNameInToml,
  target,
  defaultFeatures,
  features,
}: PublishedDependency): HtmlValue {
  const parts: readonly HtmlValue[] = [
    optional && html`<span class="badge">optional</span>`,
    explicitNameInToml !== null && html`<span>renamed to <code>${explicitNameInToml}</code></span>`,
    target !== null && html`<span>for <code>${target}</code></span>`,
    !defaultFeatures && html`<span>without default features</span>`,
    features.length > 0 && html`<span>with ${codes(features)}</span>`,
  ].filter((part) => part !== false);
  return parts.length > 0 && html`<div class="tags">${parts}</div>`;
}

/** Returns an index URL without its kind, scheme and credentials. */
export function registryHost(index: string): string {
  return index.replace(/^[a-z]+\+/, '').replace(/^[a-z+.-]+:\/\/(?:[^/@]*@)?/i, '');
}
