import type { Session } from './session.ts';
import { answerSessions } from './sessions/answers.ts';
import { credentialSessions } from './sessions/credentials.ts';
import { infoSessions } from './sessions/info.ts';
import { loginSessions } from './sessions/login.ts';
import { ownerSessions } from './sessions/owner.ts';
import { publicRegistrySessions } from './sessions/public-registry.ts';
import { publishSessions } from './sessions/publish.ts';
import { publishWorkspaceSessions } from './sessions/publish-workspace.ts';
import { registryChoiceSessions } from './sessions/registry-choice.ts';
import { searchSessions } from './sessions/search.ts';
import { transportSessions } from './sessions/transport.ts';
import { yankSessions } from './sessions/yank.ts';

/** Every session, by subject. */
export const sessionsBySubject: ReadonlyMap<string, readonly Session[]> = new Map([
  ['yank', yankSessions],
  ['owner', ownerSessions],
  ['search', searchSessions],
  ['answers', answerSessions],
  ['registry choice', registryChoiceSessions],
  ['transport', transportSessions],
  ['login', loginSessions],
  ['credentials', credentialSessions],
  ['publish', publishSessions],
  ['publish a workspace', publishWorkspaceSessions],
  ['info', infoSessions],
  ['crates.io', publicRegistrySessions],
]);
