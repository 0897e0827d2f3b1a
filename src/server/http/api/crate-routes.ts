/** Requests about crates. */
import { Hono } from 'hono';
import type { ServerContext } from '../../server-context.ts';
import type { CrateDetails } from '../../store/crate-records.ts';
import type { Authenticator } from '../authenticate.ts';
import { type HttpContext, type HttpEnv, routeParam } from '../http-env.ts';
import { MAX_VERSIONS } from './crate-operations.ts';
import { encodeCrateDownloads, readDownloads } from './daily-downloads.ts';
import { encodeCategories, encodeCrate, encodeKeywords } from './encode-crate.ts';
import { encodeDependent } from './encode-dependent.ts';
import { encodeOwner, encodeOwnerTeam } from './encode-user.ts';
import { encodeVersion } from './encode-version.ts';
import { refuseCrate, requireCrate } from './find-or-refuse.ts';
import { parseInclude } from './include.ts';
import { mountReads } from './mount-reads.ts';
import { readPage } from './page-query.ts';
import { readVersionRequest } from './version-query.ts';
import { readVersions, type VersionPart } from './read-versions.ts';

/** Returns the routes that read a crate. They must be registered before those of its versions. */
export function crateRoutes(context: ServerContext, authenticator: Authenticator): Hono<HttpEnv> {
  const responses = new CrateResponses(context);
  const app = new Hono<HttpEnv>();
  mountReads(app, authenticator, [
    ['getCrate', (c) => responses.crate(c)],
    ['listVersions', (c) => responses.versions(c)],
    ['listReverseDependencies', (c) => responses.reverseDependencies(c)],
    ['getCrateDownloads', (c) => responses.downloads(c)],
    ['listUserOwners', (c) => responses.owners(c)],
    ['listTeamOwners', (c) => responses.teams(c)],
  ]);
  return app;
}

class CrateResponses {
  readonly #context: ServerContext;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  async crate(c: HttpContext): Promise<object> {
    const parts = parseInclude(c.req.query('include'));
    const name = routeParam(c, 'crate');
    const [details = refuseCrate(name)] = await this.#context.records.describeCrates([name]);
    const part = parts.has('versions') ? await this.#allVersions(details) : null;
    const versions =
      part?.versions ?? (parts.has('default_version') ? await this.#defaultVersion(details) : null);
    return {
      crate: encodeCrate(details, {
        versionIds: part?.versionIds ?? null,
        hasAllVersions: part !== null && part.nextOffset === null,
        keywords: parts.has('keywords') ? details.crate.keywords : null,
        categories: parts.has('categories') ? details.shown.metadata.categories : null,
      }),
      versions,
      keywords: parts.has('keywords') ? encodeKeywords(details) : null,
      categories: parts.has('categories') ? encodeCategories(details) : null,
    };
  }

  async versions(c: HttpContext): Promise<object> {
    const request = readVersionRequest(c);
    const { name } = await requireCrate(c, this.#context.records);
    const { versions, total, nextOffset } = await readVersions(this.#context, name, request);
    return { versions, meta: { total, next_page: nextOffset === null ? null : nextPage(c, nextOffset) } };
  }

  async reverseDependencies(c: HttpContext): Promise<object> {
    const { records, settings } = this.#context;
    const page = readPage(c);
    const { name } = await requireCrate(c, records);
    const { items, total } = await records.listDependents(name, page);
    const described = await records.describeCrates(items.map(({ crate }) => crate));
    const byCrate = new Map(described.map((details) => [details.crate.name, details]));
    const dependencies = items.flatMap((dependent) => {
      const details = byCrate.get(dependent.crate);
      return details === undefined ? [] : (encodeDependent(name, dependent, details) ?? []);
    });
    return {
      dependencies,
      versions: described.map(({ shown }) => encodeVersion(shown, settings.baseUrl)),
      meta: { total },
    };
  }

  async downloads(c: HttpContext): Promise<object> {
    const crate = await requireCrate(c, this.#context.records);
    return encodeCrateDownloads(await readDownloads(this.#context, crate.name));
  }

  async teams(c: HttpContext): Promise<object> {
    const { records, settings } = this.#context;
    const name = routeParam(c, 'crate');
    const teams = (await records.listOwnerTeams(name)) ?? refuseCrate(name);
    return { teams: teams.map((team) => encodeOwnerTeam(team, settings.baseUrl)) };
  }

  async owners(c: HttpContext): Promise<object> {
    const { records, settings } = this.#context;
    const name = routeParam(c, 'crate');
    const owners = (await records.listOwners(name)) ?? refuseCrate(name);
    return { users: owners.map((owner) => encodeOwner(owner, settings.baseUrl)) };
  }

  async #allVersions({ crate }: CrateDetails): Promise<VersionPart> {
    const request = { limit: MAX_VERSIONS, offset: 0, order: 'published' } as const;
    return await readVersions(this.#context, crate.name, request);
  }

  async #defaultVersion({ crate, shown, maxStableVersion }: CrateDetails): Promise<readonly object[]> {
    const { records, settings } = this.#context;
    const stable = maxStableVersion === null ? null : await records.findVersion(crate.name, maxStableVersion);
    return [encodeVersion(stable ?? shown, settings.baseUrl)];
  }
}

/** Returns the query (`?seek=…`) for the next part of a list, with the other parameters of this request. */
function nextPage(c: HttpContext, offset: number): string {
  const query = new URL(c.req.url).searchParams;
  query.delete('page');
  query.set('seek', String(offset));
  return `?${query.toString()}`;
}
