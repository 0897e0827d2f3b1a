/** Requests that change the documentation of versions. */
import { jsonResponse, type Operation } from './operation.ts';
import { object, ref, text } from './schema.ts';

const PATH = '/api/v1/crates/:crate/:version/docs';

/** The operations on documentation. */
export const DOCUMENTATION_OPERATIONS = {
  uploadDocumentation: {
    method: 'PUT',
    path: PATH,
    tag: 'publishing',
    summary: 'Upload the documentation of a version',
    description: 'Replaces earlier documentation of the version.',
    access: { scope: 'publish-update' },
    body: {
      type: 'application/gzip',
      schema: { type: 'string', format: 'binary' },
      description: 'A `.tar.gz` of the content of `target/doc`, the output of `cargo doc`',
    },
    success: jsonResponse(
      'The documentation is online',
      object({ ok: { type: 'boolean', const: true }, url: text('Its address') }),
    ),
    errors: {
      400: 'The archive is refused',
      404: 'The crate or the version does not exist',
      413: 'A limit is exceeded',
    },
  },
  removeDocumentation: {
    method: 'DELETE',
    path: PATH,
    tag: 'publishing',
    summary: 'Remove the documentation of a version',
    access: { scope: 'publish-update' },
    success: jsonResponse('The version has no documentation', ref('Done')),
    errors: { 404: 'The crate or the version does not exist, or the version has no documentation' },
  },
} as const satisfies Readonly<Record<string, Operation>>;
