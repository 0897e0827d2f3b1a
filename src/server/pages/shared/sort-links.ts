/** The orders of lists of crates, and the links that select one. */
import type { HttpContext } from '../../http/http-env.ts';
import type { CrateOrder } from '../../store/crate-records.ts';
import { html, type Html } from './html.ts';

/** The orders by their value of `?sort=`, with their names. */
const ORDERS: ReadonlyMap<CrateOrder, string> = new Map([
  ['name', 'A to Z'],
  ['downloads', 'Most downloaded'],
  ['updated', 'Recently updated'],
  ['created', 'New'],
]);

/** Returns the order that `sort` in the query selects; null for none. */
export function readOrder(c: HttpContext): CrateOrder | null {
  const requested = c.req.query('sort');
  return [...ORDERS.keys()].find((order) => order === requested) ?? null;
}

/** The selected order of a list, and its pages in other orders. */
export interface SortView {
  /** null for the best match first. */
  readonly current: CrateOrder | null;
  /** Returns the path of the first page in an order; null for the best match first. */
  readonly pathOf: (order: CrateOrder | null) => string;
}

/** Returns links to the orders; to the best match first only if a search `isRanked`. */
export function sortLinks({ current, pathOf }: SortView, { isRanked }: { readonly isRanked: boolean }): Html {
  const link = (order: CrateOrder | null, name: string): Html =>
    html`<li><a href="${pathOf(order)}"${order === current && html` aria-current="true"`}>${name}</a></li>`;
  return html`<nav class="sorts" aria-label="Order"><ul>${isRanked && link(null, 'Best match')}${[...ORDERS].map(([order, name]) => link(order, name))}</ul></nav>`;
}
