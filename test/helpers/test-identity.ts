import type { Identity } from '../../src/server/server-context.ts';

/** The identity of a registry whose operator chose nothing. */
export const TEST_IDENTITY: Identity = {
  siteName: 'Crate registry',
  registryName: 'mine',
  accent: [0x34, 0x51, 0xb2],
  logo: null,
  welcomeHtml: null,
};
