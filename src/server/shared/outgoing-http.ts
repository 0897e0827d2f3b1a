import type { HttpSettings } from '../../io/http/transport.ts';

/** HTTP settings for the requests of a server to others: proxy, certificates and limits. */
export type OutgoingHttp = HttpSettings;
