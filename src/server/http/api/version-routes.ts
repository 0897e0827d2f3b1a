/** Requests about one version of a crate. */
import { Hono } from 'hono';
import type { ServerContext } from '../../server-context.ts';
import type { Version } from '../../store/values.ts';
import { ApiError } from '../api-error.ts';
import type { Authenticator } from '../authenticate.ts';
import type { HttpContext, HttpEnv } from '../http-env.ts';
import { encodeVersionDownloads, readVersionDownloads } from './daily-downloads.ts';
import { encodeDependencies, encodeVersion } from './encode-version.ts';
import { requireVersion } from './find-or-refuse.ts';
import { mountReads } from './mount-reads.ts';
import { mount } from './operations.ts';

/** Services of the routes of a version, besides the context. */
export interface VersionServices {
  readonly authenticator: Authenticator;
  readonly renderReadme: RenderReadme;
}

/** Returns a readme as HTML without scripts, styles, forms and frames, which loads nothing. */
export type RenderReadme = (markdown: string, origin: ReadmeSource) => Promise<string>;

/** The origin of a readme, to resolve its links. */
export interface ReadmeSource {
  readonly repository: string | null;
  /** Path of the readme in the package. */
  readonly readmePath: string | null;
}

/** Readmes are untrusted: even with a flaw in the renderer, nothing in them runs or loads. */
const README_HEADERS = {
  'Content-Security-Policy':
    "sandbox; default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/** Returns the routes that read a version. */
export function versionRoutes(context: ServerContext, services: VersionServices): Hono<HttpEnv> {
  const { records, settings } = context;
  const { authenticator, renderReadme } = services;
  const app = new Hono<HttpEnv>();
  const find = (c: HttpContext): Promise<Version> => requireVersion(c, records);
  mountReads(app, authenticator, [
    ['getVersion', async (c) => ({ version: encodeVersion(await find(c), settings.baseUrl) })],
    ['getDependencies', async (c) => ({ dependencies: encodeDependencies(await find(c)) })],
    ['getAuthors', async (c) => ({ users: [], meta: { names: (await find(c)).metadata.authors } })],
    [
      'getVersionDownloads',
      async (c) => encodeVersionDownloads(await readVersionDownloads(context, await find(c))),
    ],
  ]);
  mount(app, 'getReadme', async (c) => {
    await authenticator.findReader(c);
    const { crate, version, metadata } = await find(c);
    const markdown = await records.findReadme(crate, version);
    if (markdown === null) throw new ApiError(404, `crate \`${crate}\` version \`${version}\` has no readme`);
    const { repository, readmeFile } = metadata;
    return c.html(await renderReadme(markdown, { repository, readmePath: readmeFile }), 200, README_HEADERS);
  });
  return app;
}
