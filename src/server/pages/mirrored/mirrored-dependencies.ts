import { CRATES_IO_DOMAIN } from '../../../core/package-id/crates-io.ts';
import type { PublishedDependency } from '../../../core/protocol/publish-metadata.ts';
import { isCratesIoIndex } from '../../publish/dependency-registries.ts';
import { DEPENDENCY_KINDS, dependencyDetails, registryHost } from '../crate/dependencies-page.ts';
import { dependencyAnchor } from '../shared/feature-list.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { cratePath } from '../shared/paths.ts';
import type { UpstreamName } from '../shared/upstream-name.ts';

/** The upstream, and its crates whose pages exist here. */
interface DependencyLinks {
  readonly upstream: UpstreamName;
  /** The names of the cached crates, in lower case. */
  readonly cached: ReadonlySet<string>;
}

/** Returns the content of the page with the dependencies of a cached version. */
export function mirroredDependencies(
  dependencies: readonly PublishedDependency[],
  links: DependencyLinks,
): HtmlValue {
  if (dependencies.length === 0) return html`<p class="quiet">This version has no dependencies.</p>`;
  // A version can have the same dependency for several kinds or targets. Links lead to its first row.
  const seen = new Set<string>();
  const rowOf = (dependency: PublishedDependency): Html => {
    const key = dependency.explicitNameInToml ?? dependency.name;
    const isFirst = !seen.has(key);
    seen.add(key);
    return html`<tr${isFirst && html` id="${dependencyAnchor(key)}"`}><td class="name">${crateName(dependency, links)}</td>
<td data-label="Requirement"><code>${dependency.versionReq}</code></td>
<td>${dependencyDetails(dependency)}</td></tr>
`;
  };
  return DEPENDENCY_KINDS.map(([kind, title]) => {
    const ofKind = dependencies.filter((dependency) => dependency.kind === kind);
    return (
      ofKind.length > 0 &&
      html`<section><h2>${title}</h2>
<table class="cards deps"><thead><tr><th scope="col">Crate</th><th scope="col">Requirement</th><th scope="col">Details</th></tr></thead>
<tbody>${ofKind.map(rowOf)}</tbody></table></section>`
    );
  });
}

/** Returns the name with a link to its page here or on crates.io, or else with its registry. */
function crateName({ name, registry }: PublishedDependency, { upstream, cached }: DependencyLinks): Html {
  // In an index line, null is the registry of the line itself.
  const isOfUpstream = registry === null || registry === `sparse+${upstream.index}`;
  if (isOfUpstream && cached.has(name.toLowerCase())) return html`<a href="${cratePath(name)}">${name}</a>`;
  if (isOfUpstream ? upstream.isCratesIo : isCratesIoIndex(registry)) {
    return html`<a href="https://${CRATES_IO_DOMAIN}/crates/${encodeURIComponent(name)}" rel="noopener noreferrer">${name}</a><br><span class="quiet small">on ${CRATES_IO_DOMAIN}</span>`;
  }
  return html`${name}<br><span class="quiet small">from ${isOfUpstream ? upstream.name : registryHost(registry)}</span>`;
}
