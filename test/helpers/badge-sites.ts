import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServerContext } from '../../src/server/server-context.ts';
import { HTTP } from './mirror.ts';
import { authority } from './public-registry-certificates.ts';
import { startRecordingServer, type RecordingServer } from './recording-server.ts';
import { makeTempDir } from './temp-dir.ts';

/** Imitated sites with badges: a proxy that responds in place of every host, with a certificate for `BADGE_HOSTS`. */
export interface BadgeSites extends AsyncDisposable {
  readonly server: RecordingServer;
  /** HTTP settings that lead to the proxy. */
  readonly http: ServerContext['http'];
}

/** The names in the certificate. */
export const BADGE_HOSTS = ['token.example', 'crates.io'];

/** Starts the sites. */
export async function startBadgeSites(): Promise<BadgeSites> {
  const dir = makeTempDir('badges');
  const caFile = path.join(dir.path, 'authority.pem');
  writeFileSync(caFile, authority);
  const server = await startRecordingServer();
  return {
    server,
    http: { ...HTTP, proxy: server.url, caFile, timeoutMs: 30_000 },
    async [Symbol.asyncDispose]() {
      await server.close();
      dir.remove();
    },
  };
}
