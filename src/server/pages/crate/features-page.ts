import type { PublishMetadata } from '../../../core/protocol/publish-metadata.ts';
import { formatFeatureValue } from '../../../core/summary/feature-value.ts';
import type { FeatureValue } from '../../../core/summary/summary.ts';
import { crateLayout, type CrateView } from '../shared/crate-frame.ts';
import {
  dependencyAnchor,
  featureAnchor,
  type ListedFeature,
  listFeatures,
  optionalDependencies,
} from '../shared/feature-list.ts';
import { html, joined, type Html, type HtmlValue } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { cratePath } from '../shared/paths.ts';

/** Returns the features of a version, with links to the features and the optional dependencies that each enables. */
export function featuresPage(frame: Frame, view: CrateView): Html {
  const { metadata, version } = view.version;
  const path = view.isVersionChosen ? cratePath(view.crate.name, version) : cratePath(view.crate.name);
  return crateLayout(frame, view, { tab: 'features', content: featureContent(metadata, path) });
}

/** Returns the features of a version with the page at `path`. */
export function featureContent(
  metadata: Pick<PublishMetadata, 'features' | 'dependencies'>,
  path: string,
): HtmlValue {
  const features = listFeatures(metadata);
  const optional = optionalDependencies(metadata.dependencies);
  const links = new FeatureLinks(features, `${path}/dependencies`);
  return [
    features.length === 0
      ? html`<p class="quiet">This version has no features.</p>`
      : html`<h2 class="silent">Features</h2>
<table class="cards features"><thead><tr><th scope="col">Feature</th><th scope="col">Enables</th></tr></thead>
<tbody>${features.map((feature) => featureRow(feature, links))}</tbody></table>`,
    optional.length > 0 &&
      html`<h2>Optional dependencies</h2><p>${commas(optional.map((name) => links.dependency(name, name)))}</p>`,
  ];
}

function featureRow({ name, isDefault, values }: ListedFeature, links: FeatureLinks): Html {
  return html`<tr id="${featureAnchor(name)}"><td class="name"><code>${name}</code>${isDefault && name !== 'default' && html` <span class="badge good">default</span>`}</td>
<td data-label="Enables">${values.length === 0 ? html`<span class="quiet">nothing else</span>` : commas(values.map((value) => links.value(value)))}</td></tr>
`;
}

function commas(parts: readonly Html[]): HtmlValue {
  return joined(parts, ', ');
}

/** Links from features to other features, and to dependencies on their own page. */
class FeatureLinks {
  readonly #features: ReadonlySet<string>;
  readonly #dependenciesPath: string;

  constructor(features: readonly ListedFeature[], dependenciesPath: string) {
    this.#features = new Set(features.map(({ name }) => name));
    this.#dependenciesPath = dependenciesPath;
  }

  /** Returns the value as a manifest has it, with a link unless it is a feature that does not exist. */
  value(value: FeatureValue): Html {
    const text = formatFeatureValue(value);
    if (value.kind !== 'feature') return this.dependency(value.dep, text);
    return this.#features.has(value.feature)
      ? html`<a href="#${encodeURIComponent(featureAnchor(value.feature))}"><code>${text}</code></a>`
      : html`<code>${text}</code>`;
  }

  /** Returns `text` with a link to the first row of the dependency that the manifest calls `name`. */
  dependency(name: string, text: string): Html {
    return html`<a href="${this.#dependenciesPath}#${encodeURIComponent(dependencyAnchor(name))}"><code>${text}</code></a>`;
  }
}
