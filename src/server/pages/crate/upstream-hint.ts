import { CRATES_IO_DOMAIN } from '../../../core/package-id/crates-io.ts';
import type { ServerContext } from '../../server-context.ts';
import { html, type HtmlValue } from '../shared/html.ts';
import { upstreamName } from '../shared/upstream-name.ts';

/**
 * Returns what the error page of a crate that is neither published nor cached here says about the upstream. Returns
 * nothing if no crate with this name can come from the upstream.
 */
export async function upstreamHint(
  { upstream }: Pick<ServerContext, 'upstream'>,
  name: string,
): Promise<HtmlValue> {
  if (upstream === null) return null;
  const { name: origin, isCratesIo } = upstreamName(upstream.index);
  switch (await upstream.cache.originOf(name)) {
    case 'elsewhere':
      return null;
    case 'blocked':
      return html`<p>This registry blocks this name. It serves no crate of ${origin} with it.</p>`;
    case 'upstream':
      return html`<p>It may be a crate of ${origin}. Its page appears here when cargo or tsreg has requested the crate from this registry.${
        isCratesIo &&
        html` <a href="https://${CRATES_IO_DOMAIN}/crates/${encodeURIComponent(name)}" rel="noopener noreferrer">Look for ${name} on ${CRATES_IO_DOMAIN}</a>`
      }</p>`;
  }
}
