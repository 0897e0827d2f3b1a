/** Reads the lists of `/admin/mirror`. */
import type { HttpContext } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { ReservedName } from '../../store/reserved-name-records.ts';
import type { UpstreamRuleKind } from '../../store/upstream-rule-records.ts';
import {
  type AffectedMirroredCrate,
  findAffectedMirrored,
  findMirroredNames,
} from '../mirrored/mirrored-advisories.ts';
import { type ListPart, readNamedPart } from '../shared/paging.ts';
import type { AdminMirrorView } from './admin-mirror-page.ts';
import type { ShownRule } from './mirror-rule-section.ts';

/** Few, because each crate may need a read of its index file. */
const AFFECTED_PER_PAGE = 25;
const RULES_PER_PAGE = 100;
const NAMES_PER_PAGE = 100;

/** The services of a registry with an upstream. */
interface MirrorServices {
  readonly context: ServerContext;
  readonly upstream: NonNullable<ServerContext['upstream']>;
}

/** Reads a part of the rules of a kind: first those of flags, then those of admins by name. */
export async function readRules(
  c: HttpContext,
  { context, upstream }: MirrorServices,
  kind: UpstreamRuleKind,
): Promise<ListPart<ShownRule>> {
  const { blocked, allowed } = upstream.status().gates;
  const ofFlags = (kind === 'block' ? blocked : allowed).map((selector) => {
    const [name = '', version = null] = selector.split('@');
    return { kind, name, version, reason: null, addedAtMs: null };
  });
  const options = { name: kind === 'block' ? 'blocked' : 'allowed', limit: RULES_PER_PAGE };
  return readNamedPart(c, options, async ({ limit, offset }) => {
    const firstRules = ofFlags.slice(offset, offset + limit);
    const stored = await context.records.listUpstreamRules(kind, {
      limit: limit - firstRules.length,
      offset: Math.max(0, offset - ofFlags.length),
    });
    const items = [...firstRules, ...stored.items].map(async (rule) => ({
      ...rule,
      isOverridden: kind === 'block' && (await upstream.allows(rule)),
    }));
    return { items: await Promise.all(items), total: ofFlags.length + stored.total };
  });
}

/** Reads a part of the reserved names. */
export function readReservedNames(
  c: HttpContext,
  { records }: ServerContext,
): Promise<ListPart<ReservedName>> {
  return readNamedPart(c, { name: 'reserved', limit: NAMES_PER_PAGE }, async ({ limit, offset }) => {
    const names = await records.listReservedNames();
    return { items: names.slice(offset, offset + limit), total: names.length };
  });
}

/**
 * Reads a part of the cached crates with advisories; null without an advisory database. `total` also counts crates
 * without affected versions, because only those of the part are read: a part may have fewer crates than others.
 */
export async function readAffected(
  c: HttpContext,
  { context, upstream }: MirrorServices,
): Promise<AdminMirrorView['affected']> {
  const { advisories } = context;
  if (advisories === undefined) return null;
  const services = { context, upstream, advisories };
  const names = await findMirroredNames(services);
  const options = { name: 'affected', limit: AFFECTED_PER_PAGE };
  const part = await readNamedPart(c, options, async ({ limit, offset }) => {
    const items: AffectedMirroredCrate[] = [];
    for (const name of names.slice(offset, offset + limit)) {
      const crate = await findAffectedMirrored(services, name);
      if (crate !== null) items.push(crate);
    }
    return { items, total: names.length };
  });
  return { part, advisoryCount: advisories.state.advisories };
}
