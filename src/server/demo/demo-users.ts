/** The admin of a demo, with whom a person can sign in. */
export const DEMO_ADMIN = { login: 'demo', name: 'Demo Admin' } as const;

/** The other user of a demo, who has no password. */
export const DEMO_COLLEAGUE = { login: 'mira', name: 'Mira Okafor' } as const;

/** The team of a demo, to which both users belong. */
export const DEMO_TEAM = 'tea-house';
