/**
 * Tickets: a part of the address of documentation that nobody can guess. Pages of documentation run foreign scripts, so
 * browsers treat them as pages of no site, and request their scripts, styles and fonts without the reader's cookie. The
 * ticket in the address shows that the reader may have them. It also keeps other sites from reading documentation
 * through the browser of somebody who can reach the registry.
 */
import type { DocumentationBlob } from '../../store/documentation-records.ts';
import { dayOf } from '../../shared/days.ts';
import { equalTexts, sign } from '../shared/form-proof.ts';

/** Tickets begin with it, so that they differ from folders of rustdoc. */
const MARK = '~';
/** More than any ticket has, so that long input is not compared. */
const MAX_TICKET_CHARS = 80;

/** The key that signs tickets, and the time of the request. */
export interface TicketOptions {
  readonly key: Uint8Array;
  readonly nowMs: number;
}

/** Returns true for a component of a path that has the form of a ticket. */
export function isTicketShaped(component: string): boolean {
  return component.startsWith(MARK);
}

/**
 * Returns the ticket for a blob, which is valid for one to two days. It stays the same during a day, so that browsers can
 * cache files.
 */
export function makeTicket(packed: DocumentationBlob, { key, nowMs }: TicketOptions): string {
  return ticketUntil(packed, { key, day: dayOf(nowMs) + 2 });
}

/** Returns true for a ticket of this blob that has not expired. */
export function isTicket(ticket: string, packed: DocumentationBlob, { key, nowMs }: TicketOptions): boolean {
  // `~` is `MARK`. Day 0 has long expired.
  const day = Number(/^~(\d{1,7})\./.exec(ticket)?.[1] ?? 0);
  if (day <= dayOf(nowMs) || ticket.length > MAX_TICKET_CHARS) return false;
  return equalTexts(ticket, ticketUntil(packed, { key, day }));
}

/** Returns the ticket that is valid before `day`, in days since 1970: `~DAY.SIGNATURE`. */
function ticketUntil(
  { blobKey }: DocumentationBlob,
  { key, day }: { readonly key: Uint8Array; readonly day: number },
): string {
  return `${MARK}${day}.${sign(key, `${day} ${blobKey}`)}`;
}
