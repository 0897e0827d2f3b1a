/** Shows badges of other sites in readmes if an admin or a flag allows it. */
import { type BadgeImage, RemoteBadges } from '../../shared/remote-badges.ts';
import type { ServerContext } from '../../server-context.ts';
import { RecentValues } from '../../shared/recent-values.ts';
import { isBadgePath, type BadgeLinks } from '../readme/badge-links.ts';
import { storedBadgeHosts } from './badge-settings.ts';

/** The sites are read again when they are this old: another server may have changed them. */
const MAX_AGE_MS = 30_000;

/** The badges that this server shows. */
export class BadgeProxy {
  readonly #context: ServerContext;
  readonly #remote: RemoteBadges;
  /** null if no badges are shown. */
  readonly #links: RecentValues<BadgeLinks | null>;

  constructor(context: ServerContext) {
    this.#context = context;
    this.#remote = new RemoteBadges(context);
    const { clock } = context;
    this.#links = new RecentValues({ clock, maxAgeMs: () => MAX_AGE_MS, maxSize: 1, sizeOf: () => 1 });
  }

  /** Returns the badges of a `ReadmeOrigin`; an empty object if this server shows none. */
  async forReadme(): Promise<{ readonly badges?: BadgeLinks }> {
    const badges = await this.#currentLinks();
    return badges === null ? {} : { badges };
  }

  /** Returns true if `badgePath` made the path with these parts, and this server still shows badges of its site. */
  async isShown(path: { readonly signature: string; readonly address: string }): Promise<boolean> {
    const links = await this.#currentLinks();
    return links !== null && isBadgePath(path, links);
  }

  /**
   * Fetches the badge at an address for which `isShown` returned true; null if that fails or badges are off meanwhile.
   */
  async find(address: string): Promise<BadgeImage | null> {
    const links = await this.#currentLinks();
    return links === null ? null : this.#remote.find(address, links.hosts);
  }

  /** Lets the next request read the sites again. Must be called after they change. */
  reload(): void {
    this.#links.clear();
  }

  #currentLinks(): Promise<BadgeLinks | null> {
    return this.#links.get('links', async () => {
      const { records, settings } = this.#context;
      const hosts = settings.badgeHosts ?? storedBadgeHosts(await records.listSettings());
      if (hosts === null || hosts.length === 0) return null;
      return { hosts, key: Buffer.from(await records.secret('badges')).toString('base64') };
    });
  }
}
