import type { TransportOptions } from '../http/transport.ts';

/** How a server reaches others: the proxy, certificates and limits of whoever started it. */
export type OutgoingHttp = Omit<TransportOptions, 'gitProxy' | 'offlineFlag' | 'signal'>;
