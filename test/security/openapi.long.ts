import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../helpers/program.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** The fuzzer for OpenAPI: https://schemathesis.readthedocs.io. */
const SCHEMATHESIS = process.env['TSREG_SCHEMATHESIS'];
const NEEDS_IT =
  SCHEMATHESIS === undefined ? ' (skipped: TSREG_SCHEMATHESIS does not name the program `st`)' : '';
/** Without those that expect every generated crate, token or archive to be accepted. */
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance';

const temp = makeTempDir('openapi');
afterAll(() => temp.remove());

describe.skipIf(SCHEMATHESIS === undefined)(`generated requests to the web API${NEEDS_IT}`, () => {
  it('get only responses that the OpenAPI document describes, and no server error', async () => {
    await using registry = await serveRegistry(path.join(temp.path, 'data'), ['--demo']);
    const token = await registry.token('demo');
    const { status, stdout } = await runProgram(
      { name: 'schemathesis', command: [SCHEMATHESIS ?? ''], env: {} },
      [
        ...['run', `${registry.url}/api/openapi.json`, '--url', registry.url],
        ...['--checks', CHECKS, '--max-examples', '20', '--seed', '1', '-H', `Authorization: ${token}`],
        // It cannot generate archives.
        ...['--exclude-operation-id', 'uploadDocumentation'],
      ],
      { cwd: temp.path, env: { PATH: process.env['PATH'] ?? '', HOME: temp.path } },
    );
    const summary = stdout.slice(stdout.indexOf('SUMMARY'));
    expect(summary).toMatch(/Test cases:\s+\d{3,} generated/);
    expect([status, summary]).toEqual([0, summary]);
  }, 300_000);
});
