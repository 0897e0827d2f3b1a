/** The OpenAPI document, made from the table of operations. */
import { present } from '../../../core/errors/assert.ts';
import type { ServerSettings } from '../../server-context.ts';
import type { Access, Content, Operation } from './operation.ts';
import { allOperations } from './operations.ts';
import { ref } from './schema.ts';
import { SCHEMAS } from './schemas.ts';

/** The version of the web API, which is also in its paths. */
const API_VERSION = '1';

/** Schemas of the parameters in paths. */
const PATH_PARAMETERS: Readonly<Record<string, object>> = {
  crate: {
    description: 'The name of a crate. Case does not matter, and `-` and `_` are equal',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  version: {
    description: 'A complete version number',
    schema: { type: 'string', minLength: 5, maxLength: 150 },
  },
  keyword: { description: 'A keyword. Case does not matter', schema: { type: 'string', minLength: 1 } },
  category: {
    description: 'The slug of a category, such as `development-tools::ffi`',
    schema: { type: 'string', minLength: 1 },
  },
  login: { description: 'The login of a user', schema: { type: 'string', minLength: 1 } },
};

const INVALID_TOKEN = 'The token is invalid';
const ERROR_CONTENT = { 'application/json': { schema: ref('Errors') } };

/** Returns the OpenAPI 3.1 document for a server with these settings. */
export function openApiDocument(settings: ServerSettings): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [id, operation] of allOperations()) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(id, operation, settings),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Crate registry', version: API_VERSION, description: describeLimits(settings) },
    servers: [{ url: settings.baseUrl }],
    paths,
    components: {
      schemas: SCHEMAS,
      responses: { Error: { description: 'Another error', content: ERROR_CONTENT } },
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'A token, with or without `Bearer` before it',
        },
      },
    },
  };
}

function describeOperation(id: string, operation: Operation, settings: ServerSettings): object {
  const { summary, description, tag, body, success } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...describedBy(description),
    security: securityOf(operation, settings),
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, ...describedBy(body.description), content: contentOf(body) } }),
    responses: {
      [success.status]: {
        description: success.description,
        ...(success.content === undefined ? {} : { content: contentOf(success.content) }),
      },
      ...errorsOf(operation, settings),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

function describedBy(description: string | undefined): object {
  return description === undefined ? {} : { description };
}

/** Returns the parameters in path and query. */
function parametersOf({ path, query = [] }: Operation): readonly object[] {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => present(name, 'the name of a parameter'));
  return [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      ...present(PATH_PARAMETERS[name], `the schema of the parameter \`${name}\``),
    })),
    ...query.map((parameter) => ({ ...parameter, in: 'query' })),
  ];
}

function securityOf({ access }: Operation, { authRequired }: ServerSettings): readonly object[] {
  if (access === 'everyone') return [];
  const token = { token: [] };
  return access === 'reader' && !authRequired ? [{}, token] : [token];
}

/** Returns the documented errors: those of the operation, and those that follow from its access. */
function errorsOf({ access, errors, success }: Operation, { authRequired }: ServerSettings): object {
  const isOptional = access === 'reader' && !authRequired;
  const descriptions: Readonly<Record<number, string>> = {
    ...(access === 'everyone'
      ? {}
      : {
          ...(isOptional ? {} : { 401: 'The request has no token' }),
          403: isOptional ? INVALID_TOKEN : describeForbidden(access),
          429: 'Too many requests with invalid tokens, or too many changes. See `Retry-After`',
        }),
    ...errors,
    503: 'A backend does not respond, or the registry is read-only. See `Retry-After`',
  };
  // A badge's 404 has a badge as its body, too.
  const isImage = success.content?.type === 'image/svg+xml';
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, content: isImage && status === '404' ? contentOf(success.content) : ERROR_CONTENT },
    ]),
  );
}

function describeForbidden(access: Exclude<Access, 'everyone'>): string {
  const scope = access === 'reader' ? 'read' : access.scope;
  return scope === null ? INVALID_TOKEN : `${INVALID_TOKEN}, or lacks the scope \`${scope}\``;
}

function contentOf({ type, schema }: Content): object {
  return { [type]: { schema } };
}

function describeLimits({ limits }: ServerSettings): string {
  return [
    'The web API of a crate registry. Requests, names and types are those of crates.io.',
    '',
    'Limits:',
    '',
    `- a \`.crate\`: ${limits.maxCrateBytes} bytes`,
    `- metadata of a publish, and other JSON bodies: ${limits.maxMetadataBytes} bytes`,
    `- an unpacked \`.crate\`: ${limits.maxUnpackedBytes} bytes and ${limits.maxFiles} files`,
    ...(limits.changesPerMinute === 0 ? [] : [`- changes: ${limits.changesPerMinute} per minute and user`]),
  ].join('\n');
}
