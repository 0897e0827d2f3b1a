/** Lists of crates: all crates, those with a keyword, in a category, of a user or of a team. */
import type { CrateOrder } from '../../store/crate-records.ts';
import { teamLogin } from '../../store/team-login.ts';
import type { TeamDetails } from '../../store/team-records.ts';
import type { Crate, Team, User } from '../../store/values.ts';
import { countOf } from '../shared/format.ts';
import { crateList } from '../shared/crate-list.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import { emptyState, layout, MAX_QUERY_CHARS, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { adminTeamPath, withQuery } from '../shared/paths.ts';
import { sortLinks } from '../shared/sort-links.ts';
import { memberLinks, teamLinks } from '../shared/team-links.ts';

/** A list of crates, and its place on the site. */
export interface CrateListView extends ListPart<Crate> {
  /** The path of its first page in the default order. */
  readonly path: string;
  readonly order: CrateOrder;
  readonly defaultOrder: CrateOrder;
}

/** The texts of a list of crates. */
export interface ListTexts {
  readonly title: string;
  /** The heading, if it has more than the title. */
  readonly heading?: Html;
  /** Shown after the number of crates. */
  readonly lead?: HtmlValue;
  /** The filter of a search in this list, such as `keyword:json`; null for all crates. */
  readonly filter: string | null;
  /** A section before the list, which then gets a visible heading; absent or false for none. */
  readonly before?: Html | false;
  /** Shown after the list; absent for nothing. */
  readonly after?: HtmlValue;
}

/** Returns a page with a list of crates. */
export function crateListPage(frame: Frame, view: CrateListView, texts: ListTexts): Html {
  const { list, page, pages, path, order, defaultOrder } = view;
  const pathOf = (sort: CrateOrder, targetPage = 1): string =>
    withQuery(path, { sort: sort === defaultOrder ? null : sort, page: targetPage });
  const hasIntroduction = texts.before !== undefined && texts.before !== false;
  return layout(frame, {
    title: texts.title,
    hasOwnSearch: texts.filter !== null,
    content: html`<div class="list-head">
<div><h1>${texts.heading ?? texts.title}</h1>
<p class="quiet">${countOf(list.total, 'crate', 'crates')}${texts.lead}</p></div>
${texts.filter !== null && searchWithin(texts.filter)}
</div>
${texts.before}
${
  list.total === 0
    ? emptyState(
        'crate',
        'No crates yet',
        html`Crates appear here when someone publishes them. <a href="/">Go to the start page</a>.`,
      )
    : html`${hasIntroduction ? html`<h2>Crates</h2>` : html`<h2 class="silent">List of crates</h2>`}
${sortLinks({ current: order, pathOf: (other) => pathOf(other ?? defaultOrder) }, { isRanked: false })}
${crateList(frame, list.items)}
${pager(page, pages, (other) => pathOf(order, other))}`
}
${texts.after}`,
  });
}

/** Returns a search that begins with a filter, after which the user adds words. */
function searchWithin(filter: string): Html {
  return html`<form class="find narrow" role="search" action="/" method="get">
<label class="silent" for="within">Search in these crates</label>
<input id="within" type="search" name="q" value="${filter} " maxlength="${MAX_QUERY_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none">
<button class="plain">Search</button>
</form>`;
}

/** Returns the crates of a user, after links to their teams. */
export function userPage(
  frame: Frame,
  view: CrateListView,
  { user: { login, name }, teams }: { readonly user: User; readonly teams: readonly Team[] },
): Html {
  return crateListPage(frame, view, {
    title: name ?? login,
    heading: html`${icon('user')}${name ?? login}`,
    lead: name !== null && html` of <code>${login}</code>`,
    filter: `owner:${login}`,
    before:
      teams.length > 0 &&
      html`<section class="before" aria-labelledby="teams"><h2 id="teams">Teams</h2>${teamLinks(teams)}</section>`,
  });
}

/** Returns the crates of a team, after links to its members for signed-in viewers. */
export function teamPage(frame: Frame, view: CrateListView, { name, members }: TeamDetails): Html {
  const { viewer } = frame;
  const signIn = withQuery('/sign-in', { return: frame.path });
  return crateListPage(frame, view, {
    title: `Team ${name}`,
    heading: html`${icon('team')}${name}`,
    lead: html` of the team <code>${teamLogin(name)}</code>${viewer?.isAdmin === true && html`. <a href="${adminTeamPath(name)}">Manage this team</a>`}`,
    filter: `owner:${teamLogin(name)}`,
    before: html`<section class="before" aria-labelledby="members"><h2 id="members">Members</h2>
${viewer === null ? html`<p class="quiet"><a href="${signIn}" rel="nofollow">Sign in</a> to see who belongs to this team.</p>` : memberLinks(members)}</section>`,
  });
}
