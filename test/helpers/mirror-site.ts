import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { HttpEnv } from '../../src/server/http/http-env.ts';
import { HealthCheck } from '../../src/server/http/health-check.ts';
import { openUpstream, type UpstreamSettings } from '../../src/server/open-upstream.ts';
import type { Advisories } from '../../src/server/store/advisories.ts';
import { pagesApp } from '../../src/server/pages/pages-app.ts';
import type { ServerSettings } from '../../src/server/server-context.ts';
import type { Upstream } from '../../src/server/upstream/upstream.ts';
import { buildCrate, type CrateDecl } from './crate.ts';
import { HTTP, NO_GATES } from './mirror.ts';
import { makePagesSite, type PagesSite, TestBrowser } from './pages-site.ts';

/** The web pages of a registry with an upstream, whose cache the test fills. */
export interface MirrorSite extends PagesSite {
  readonly upstream: Upstream;
  /** Adds a crate to the cache: its index file with all versions, and the archives of some. */
  cacheCrate(
    versions: readonly CrateDecl[],
    more?: { readonly archives?: readonly string[]; readonly upstream?: string },
  ): Promise<void>;
}

const CRATES_IO = 'https://index.crates.io/';

/** Creates a site. Its upstream is crates.io unless `settings` say otherwise, and is never asked. */
export async function makeMirrorSite(
  settings: Partial<UpstreamSettings> & {
    readonly server?: Partial<ServerSettings>;
    readonly advisories?: Advisories;
  } = {},
): Promise<MirrorSite> {
  const { server, advisories, ...rest } = settings;
  const site = await makePagesSite(server, advisories === undefined ? {} : { advisories });
  const upstream = openUpstream(site.context, {
    ...{ url: 'crates-io', token: null, refreshMs: 300_000, isOffline: false, quotaBytes: null },
    ...{ fixedPauseMs: 1, gates: NO_GATES, http: HTTP },
    ...rest,
  });
  const context = { ...site.context, upstream };
  const app = new Hono<HttpEnv>().route('/', pagesApp(context, new HealthCheck(context)));
  app.notFound((c) => c.json({ errors: [{ detail: 'not found' }] }, 404));
  const close = site[Symbol.asyncDispose].bind(site);
  return Object.assign(site, {
    ...{ context, app, upstream },
    browser: () => new TestBrowser(app, context.settings.baseUrl),
    async cacheCrate(
      versions: readonly CrateDecl[],
      more: { readonly archives?: readonly string[]; readonly upstream?: string } = {},
    ): Promise<void> {
      const built = versions.map((decl) => buildCrate(decl, () => `sparse+${CRATES_IO}`));
      const body = built.map(({ indexLine }) => `${indexLine}\n`).join('');
      await site.store.records.saveMirroredIndex({
        ...{ upstream: more.upstream ?? upstream.index, body, upstreamEtag: null, upstreamModified: null },
        lowerCaseName: versions[0]?.name.toLowerCase() ?? '',
        etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
        ...{ changedAtMs: site.nowMs, checkedAtMs: site.nowMs },
      });
      for (const { decl, archive, checksum } of built) {
        if (archive === null || more.archives?.includes(decl.version) !== true) continue;
        const writer = await site.store.blobs.begin();
        await writer.write(archive);
        const { key: blobKey, size } = await writer.finish();
        const times = { mirroredAtMs: site.nowMs, usedAtMs: site.nowMs };
        await site.store.records.saveMirroredArchive({ checksum, size, blobKey, ...times });
      }
    },
    async [Symbol.asyncDispose]() {
      await upstream.close();
      await close();
    },
  });
}
