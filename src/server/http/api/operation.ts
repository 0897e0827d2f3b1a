/** Descriptions of requests to the web API. The routes and the OpenAPI document are made from them. */
import type { TokenScope } from '../../store/values.ts';
import type { Schema } from './schema.ts';

/** A kind of request: a method and a path. */
export interface Operation {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** The path as a route of Hono, with parameters such as `:crate`. */
  readonly path: `/${string}`;
  readonly tag: Tag;
  /** What the request does, in a few words. */
  readonly summary: string;
  /** More about it, in Markdown. */
  readonly description?: string;
  readonly access: Access;
  readonly query?: readonly QueryParameter[];
  readonly body?: Content;
  readonly success: Success;
  /** Meanings of errors by status. Errors that follow from `access` are not repeated. */
  readonly errors: Readonly<Record<number, string>>;
}

/** A group of operations. */
export type Tag = 'crates' | 'versions' | 'owners' | 'publishing' | 'account' | 'registry' | 'badges';

/** Who may send a request: everyone, readers of the registry, or users with a token that has `scope` (null for any). */
export type Access = 'everyone' | 'reader' | { readonly scope: TokenScope | null };

/** A parameter after the `?`. All are optional. */
export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
}

/** The body of a request or response. */
export interface Content {
  readonly type:
    | 'application/json'
    | 'application/octet-stream'
    | 'application/gzip'
    | 'text/html'
    | 'image/svg+xml';
  readonly schema: Schema;
  readonly description?: string;
}

/** A response without an error. */
export interface Success {
  readonly status: 200 | 204;
  readonly description: string;
  /** Absent for a response without a body. */
  readonly content?: Content;
}

/** Returns a response with JSON. */
export function jsonResponse(description: string, schema: Schema): Success {
  return { status: 200, description, content: { type: 'application/json', schema } };
}

/** Returns a request body with JSON. */
export function jsonBody(schema: Schema): Content {
  return { type: 'application/json', schema };
}
