/** The tokens and crates of a user, on the account page and on the page of the user for admins. */
import { tokenState } from '../../auth/tokens.ts';
import type { HttpContext } from '../../http/http-env.ts';
import type { ServedRecords } from '../../store/store.ts';
import type { Crate, Token, User } from '../../store/values.ts';
import { codes, countOf, minuteElement, timeElement } from './format.ts';
import { crateList } from './crate-list.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { csrfField, namedPager, type Frame } from './layout.ts';
import { type ListPart, readNamedPart } from './paging.ts';
import { withQuery } from './paths.ts';

const ITEMS_PER_PAGE = 50;

/** Parts of both lists. */
export interface UserLists {
  readonly tokens: ListPart<Token>;
  readonly crates: ListPart<Crate>;
  /** The path of the page with the lists. A POST to `PATH/tokens/ID/revoke` revokes a token. */
  readonly path: string;
}

/** Reads the parts that `tokens` and `crates` in the query select. */
export async function readUserLists(
  c: HttpContext,
  records: ServedRecords,
  { user, path }: { readonly user: User; readonly path: string },
): Promise<UserLists> {
  const [tokens, crates] = await Promise.all([
    readNamedPart(c, { name: 'tokens', limit: ITEMS_PER_PAGE }, (page) =>
      records.listTokenPage(user.id, page),
    ),
    readNamedPart(c, { name: 'crates', limit: ITEMS_PER_PAGE }, (page) =>
      records.listOwnedCratePage(user.id, page),
    ),
  ]);
  return { tokens, crates, path };
}

/** Returns the table of tokens, with `empty` instead of one without rows. */
export function tokenSection(frame: Frame, lists: UserLists, empty: HtmlValue): Html {
  const { list, page, pages } = lists.tokens;
  if (list.total === 0) return html`<p class="quiet">${empty}</p>`;
  return html`<p class="quiet">${countOf(list.total, 'token', 'tokens')}, the newest first.</p>
<table class="cards"><thead><tr><th scope="col">Token</th><th scope="col">Permissions</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col"><span class="silent">Actions</span></th></tr></thead>
<tbody>${list.items.map((token) => tokenRow(frame, token, lists))}</tbody></table>
${namedPager({ page, pages }, { label: 'Pages of tokens', pathOf: (other) => `${pathOf(lists, { tokens: other })}#tokens` })}`;
}

/** Returns the list of crates, with `empty` instead of one without items. */
export function crateSection(frame: Frame, lists: UserLists, empty: HtmlValue): Html {
  const { list, page, pages } = lists.crates;
  if (list.total === 0) return html`<p class="quiet">${empty}</p>`;
  return html`${crateList(frame, list.items)}
${namedPager({ page, pages }, { label: 'Pages of crates', pathOf: (other) => `${pathOf(lists, { crates: other })}#crates` })}`;
}

/** Returns the path of the page with another part of one list, and the same part of the other. */
function pathOf(
  { tokens, crates, path }: UserLists,
  target: { readonly tokens?: number; readonly crates?: number },
): string {
  const unlessFirst = (page: number): number | null => (page === 1 ? null : page);
  return withQuery(path, {
    tokens: unlessFirst(target.tokens ?? tokens.page),
    crates: unlessFirst(target.crates ?? crates.page),
  });
}

function tokenRow(frame: Frame, token: Token, { tokens, path }: UserLists): Html {
  const state = tokenState(token, frame.nowMs);
  const revokePath = withQuery(`${path}/tokens/${token.id}/revoke`, {
    tokens: tokens.page === 1 ? null : tokens.page,
  });
  return html`<tr><td class="name"><strong>${token.name}</strong>${BADGES[state]}
<br><span class="quiet small"><code>${token.prefix}…</code> created ${timeElement(token.createdAtMs, frame)}</span></td>
<td data-label="Permissions">${token.scopes.join(', ')}${token.cratePatterns.length > 0 && html`<br><span class="quiet small">crates: ${codes(token.cratePatterns)}</span>`}</td>
<td data-label="Last used">${token.lastUsedAtMs === null ? 'never' : minuteElement(token.lastUsedAtMs)}</td>
<td data-label="Expires">${token.expiresAtMs === null ? 'never' : timeElement(token.expiresAtMs, frame)}</td>
<td class="acts">${state !== 'revoked' && html`<form class="inline" method="post" action="${revokePath}">${csrfField(frame)}<button class="danger slim">Revoke<span class="silent"> ${token.name}</span></button></form>`}</td></tr>
`;
}

const BADGES = {
  usable: null,
  expired: html` <span class="badge mark">expired</span>`,
  revoked: html` <span class="badge bad">revoked</span>`,
};
