import { field, fields, list, string } from '../../../../src/core/json/decode.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../../src/server/app.ts';
import { openApiDocument } from '../../../../src/server/http/api/openapi.ts';
import { allowedMethods, allOperations } from '../../../../src/server/http/api/operations.ts';
import { type Document, resolve } from '../../../helpers/matches-schema.ts';
import { openTestRegistry, type TestRegistry } from '../../../helpers/test-registry.ts';

let registry: TestRegistry;
let document: Document;

beforeAll(async () => {
  registry = await openTestRegistry();
  document = JSON.parse(JSON.stringify(openApiDocument(registry.context.settings)));
});

afterAll(() => registry[Symbol.asyncDispose]());

async function ask(path: string, method = 'GET'): Promise<Response> {
  return await createApp(registry.context).fetch(new Request(`http://127.0.0.1${path}`, { method }), {});
}

const operationsOf = (of: Document): readonly (readonly [string, Document])[] =>
  Object.entries(fields(of['paths'])).flatMap(([path, item]) =>
    Object.entries(fields(item)).map(([method, operation]): readonly [string, Document] => [
      `${method.toUpperCase()} ${path}`,
      fields(operation),
    ]),
  );

it('has every route of the web API and no other one', () => {
  // The pages show badges of other sites under this path.
  const routes = createApp(registry.context)
    .routes.filter(({ path }) => path !== '/badges/:signature')
    .filter(({ method, path }) => method !== 'ALL' && /^\/(?:api|badges)\//.test(path))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(routes.toSorted()).toEqual(
    operationsOf(document)
      .map(([route]) => route)
      .toSorted(),
  );
});

it('is served to everyone, also by a private registry', async () => {
  const answer = await ask('/api/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await answer.json()).toEqual(document);
});

it('refers only to parts that it has, and has no part without a reference', () => {
  const text = JSON.stringify(document);
  const refs = [...new Set(Array.from(text.matchAll(/"\$ref":"([^"]+)"/g), ([, ref]) => ref ?? ''))];
  for (const ref of refs) expect(resolve(document, ref), ref).toBeTypeOf('object');
  const schemas = fields(resolve(document, '#/components/schemas'));
  expect(refs.filter((ref) => ref.includes('/schemas/')).toSorted()).toEqual(
    Object.keys(schemas)
      .map((name) => `#/components/schemas/${name}`)
      .toSorted(),
  );
});

it('describes each parameter of a path, and gives each operation its own ID', () => {
  for (const [route, { parameters }] of operationsOf(document)) {
    const named = Array.from(route.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const inPath = list(parameters).filter((each) => fields(each)['in'] === 'path');
    expect(inPath.map(field('name', string)), route).toEqual(named);
  }
  const ids = operationsOf(document).map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(allOperations().length);
});

it('says who needs a token', () => {
  const settings = { ...registry.context.settings, authRequired: true };
  const closed: Document = JSON.parse(JSON.stringify(openApiDocument(settings)));
  const securityOf = (of: Document, route: string): unknown =>
    operationsOf(of).find(([each]) => each === route)?.[1]['security'];
  const token = { token: [] };
  expect(securityOf(document, 'GET /api/v1/crates/{crate}')).toEqual([{}, token]);
  expect(securityOf(closed, 'GET /api/v1/crates/{crate}')).toEqual([token]);
  expect(securityOf(document, 'PUT /api/v1/crates/new')).toEqual([token]);
  expect(securityOf(closed, 'POST /api/v1/trusted_publishing/tokens')).toEqual([]);
});

it('names the limits of this server', () => {
  const description = resolve(document, '#/info/description');
  expect(description).toContain('- a `.crate`: 1000000 bytes\n');
  expect(description).not.toContain('per minute');
  const limits = { ...registry.context.settings.limits, changesPerMinute: 9 };
  expect(openApiDocument({ ...registry.context.settings, limits })).toMatchObject({
    info: { description: expect.stringContaining('- changes: 9 per minute and user') },
  });
});

describe('a 405', () => {
  it.each([
    ['/api/v1/crates/new', 'PUT'],
    ['/api/v1/crates/foo', 'GET, PATCH'],
    ['/api/v1/crates/foo/owners', 'GET, PUT, DELETE'],
    ['/api/v1/crates/foo/1.0.0', 'GET'],
    ['/api/v1/crates/foo/1.0.0/yank', 'DELETE'],
    ['/badges/foo/version.svg', 'GET'],
  ])('at %s lists the allowed methods', async (path, methods) => {
    const answer = await ask(path, 'POST');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, methods]);
  });

  it('is possible at every path of the table', () => {
    expect([...allowedMethods().keys()].toSorted()).toEqual(
      [...new Set(allOperations().map(([, { path }]) => path))].toSorted(),
    );
  });
});
