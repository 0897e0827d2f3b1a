/** The steps with which a reader starts to use the registry. */
import { html, type Html } from '../shared/html.ts';
import { copyBox, type Frame } from '../shared/layout.ts';

/** How clients reach the registry. */
export interface UsageView {
  /** URL of the index, as written in a configuration file. */
  readonly indexUrl: string;
  /** Whether every request needs a token. */
  readonly isPrivate: boolean;
}

/** Returns the section with the steps: configuration, token, first crate. */
export function howToUse(frame: Frame, { indexUrl, isPrivate }: UsageView): Html {
  const { registryName } = frame.identity;
  const provider = isPrivate ? '\ncredential-provider = ["cargo:token"]' : '';
  const config = `[registries.${registryName}]\nindex = "${indexUrl}"${provider}`;
  return html`<section class="card" aria-labelledby="use">
<h2 id="use">Use this registry</h2>
<ol class="steps">
<li><h3>Add the registry</h3>
<p>Add these lines to <code>.cargo/config.toml</code>:</p>
${copyBox('config', config, 'Lines for .cargo/config.toml')}</li>
<li><h3>Store a token</h3>
<p>${isPrivate ? 'Reading and publishing need' : 'Publishing needs'} a token. <a href="/me">Create one on your account page</a>, then run this and paste it:</p>
${copyBox('login', `cargo login --registry ${registryName}`, 'Command that stores a token')}</li>
<li><h3>Use and publish crates</h3>
<p>Add a crate to your project:</p>
${copyBox('add', `cargo add NAME --registry ${registryName}`, 'Command that adds a crate')}
<p>Publish your own crate:</p>
${copyBox('publish', `cargo publish --registry ${registryName}`, 'Command that publishes a crate')}
<p class="quiet small">Without cargo, <code>tsreg login</code> and <code>tsreg publish</code> do the same.</p></li>
</ol>
</section>`;
}
