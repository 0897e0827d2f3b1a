/** Registers routes that return JSON to readers of the registry. */
import type { Hono } from 'hono';
import type { Authenticator } from '../authenticate.ts';
import type { HttpContext, HttpEnv } from '../http-env.ts';
import { mount, type OperationId } from './operations.ts';

/** An operation, and the function that returns the body of its response. */
export type ReadRoute = readonly [id: OperationId, respond: (c: HttpContext) => Promise<object>];

/** Registers routes that check whether the sender may read the registry, and then respond with JSON. */
export function mountReads(
  app: Hono<HttpEnv>,
  authenticator: Authenticator,
  routes: readonly ReadRoute[],
): void {
  for (const [id, respond] of routes) {
    mount(app, id, async (c) => {
      await authenticator.findReader(c);
      return c.json(await respond(c));
    });
  }
}
