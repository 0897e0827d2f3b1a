/** The table of all requests to the web API. Only `mount` registers their routes. */
import type { Handler, Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { CRATE_OPERATIONS } from './crate-operations.ts';
import { DOCUMENTATION_OPERATIONS } from './documentation-operations.ts';
import type { Operation } from './operation.ts';
import { PUBLISH_OPERATIONS } from './publish-operations.ts';
import { REGISTRY_OPERATIONS } from './registry-operations.ts';
import { TAG_OPERATIONS } from './tag-operations.ts';

/** All operations by their name in the OpenAPI document. A path comes before those that also match it. */
export const OPERATIONS = {
  ...PUBLISH_OPERATIONS,
  ...DOCUMENTATION_OPERATIONS,
  ...CRATE_OPERATIONS,
  ...TAG_OPERATIONS,
  ...REGISTRY_OPERATIONS,
};

/** The name of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** Returns all operations with their names. */
export function allOperations(): readonly (readonly [id: string, operation: Operation])[] {
  return Object.entries(OPERATIONS);
}

/** Registers the route of an operation. */
export function mount(app: Hono<HttpEnv>, id: OperationId, handler: Handler<HttpEnv>): void {
  const { method, path } = OPERATIONS[id];
  app.on(method, path, handler);
}

/** Returns the methods of each path, for the header `Allow`. HEAD is allowed wherever GET is. */
export function allowedMethods(): ReadonlyMap<string, string> {
  const methods = new Map<string, string>();
  for (const [, { path, method }] of allOperations()) {
    const others = methods.get(path);
    methods.set(path, others === undefined ? method : `${others}, ${method}`);
  }
  return methods;
}
