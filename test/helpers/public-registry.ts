import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CrateDecl } from './crate.ts';
import type { Program } from './program.ts';
import { authority } from './public-registry-certificates.ts';
import { publishBody } from './publish-body.ts';
import { type RecordedRequest, startRecordingServer, type WireAnswer } from './recording-server.ts';
import { type ServedRegistry, serveRegistry } from './served-registry.ts';

/** A registry that replaces crates.io for programs with `env`. */
export interface PublicRegistry extends AsyncDisposable {
  /** Returns a new token of a user, who is created if necessary. */
  token(login: string): Promise<string>;
  /** Publishes a crate through the web API. Rejects if the registry refuses it. */
  publish(decl: CrateDecl, token: string): Promise<void>;
  /**
   * Variables that make a program use it: a proxy that responds for every host, and the trusted certificate authority.
   */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the origins of requests to hosts other than crates.io. */
  strangers(): readonly string[];
}

const SITE = 'https://crates.io';
const INDEX = 'https://index.crates.io';
/** Headers of one connection, or of a body before it was decompressed. */
const NOT_PASSED_ON =
  /^(?:connection|keep-alive|host|content-length|content-encoding|transfer-encoding|accept-encoding|expect)$/i;

/** Starts a registry with its data in `folder`, which must be empty. */
export async function startPublicRegistry(folder: string, program: Program): Promise<PublicRegistry> {
  const served = await serveRegistry(path.join(folder, 'registry'), ['--base-url', SITE], program);
  const address = await addressOf(served);
  const proxy = await startRecordingServer();
  proxy.restart(async ({ method, target, headers, body }: RecordedRequest): Promise<WireAnswer> => {
    const { origin, pathname, search } = new URL(target, 'http://none.invalid');
    if (origin !== SITE && origin !== INDEX) return { status: 404 };
    const inside = origin === INDEX ? `/index${pathname}` : pathname;
    const response = await fetch(`http://${address}${inside}${search}`, {
      method,
      headers: headers.filter(([name]) => !NOT_PASSED_ON.test(name)).map(([name, value]) => [name, value]),
      redirect: 'manual',
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    });
    const passed = [...response.headers].filter(([name]) => !NOT_PASSED_ON.test(name));
    return { status: response.status, headers: passed, body: Buffer.from(await response.arrayBuffer()) };
  });
  const trusted = path.join(folder, 'authority.pem');
  writeFileSync(trusted, authority);
  return {
    token: (login) => served.token(login),
    async publish(decl, authorization) {
      const body = new Uint8Array(publishBody(decl).bytes);
      const request = { method: 'PUT', headers: { authorization }, body };
      const response = await fetch(`http://${address}/api/v1/crates/new`, request);
      if (!response.ok) throw new Error(await response.text());
    },
    env: { CARGO_HTTP_PROXY: proxy.url, CARGO_HTTP_CAINFO: trusted },
    strangers: () =>
      proxy.requests
        .map(({ target }) => new URL(target, 'http://none.invalid').origin)
        .filter((origin) => origin !== SITE && origin !== INDEX),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await served[Symbol.asyncDispose]();
    },
  };
}

/** Returns the server's address from its log, because its public URL is the one of crates.io. */
async function addressOf(served: ServedRegistry): Promise<string> {
  for (let tries = 0; tries < 200; tries += 1) {
    const address = /"address":"([\d.:]+)"/.exec(served.log())?.[1];
    if (address !== undefined) return address;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the server says no address:\n${served.log()}`);
}
