import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { projectRoot } from './project-root.ts';

const LIBRARY = path.dirname(
  createRequire(import.meta.url).resolve('@cyclonedx/cyclonedx-library/package.json'),
);
const validators = { cyclonedx: cycloneDxValidator(), spdx: spdxValidator() };

/** Returns the errors of a document by the official schema of its format; none if it is valid. */
export function schemaErrors(format: 'cyclonedx' | 'spdx', document: unknown): readonly string[] {
  const validate = validators[format];
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function cycloneDxValidator(): ValidateFunction {
  const read = (name: string): object =>
    JSON.parse(readFileSync(path.join(LIBRARY, 'res', 'schema', `${name}.SNAPSHOT.schema.json`), 'utf8'));
  const ajv = makeAjv();
  // The schema names its parts by their files.
  for (const name of ['spdx', 'jsf-0.82']) {
    const url = `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`;
    ajv.addSchema({ ...read(name), $id: url }, url);
  }
  return ajv.compile(read('bom-1.6'));
}

function spdxValidator(): ValidateFunction {
  const file = path.join(projectRoot, 'fixtures', 'sbom', 'spdx-2.3.schema.json');
  return makeAjv().compile(JSON.parse(readFileSync(file, 'utf8')));
}

function makeAjv(): Ajv {
  return new Ajv({
    strict: false,
    formats: {
      'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
      'iri-reference': (text: string) =>
        URL.canParse(text, 'http://base.example') && !/[\s<>"{}|\\^`]/.test(text),
      uri: (text: string) => URL.canParse(text),
      'idn-email': /^[^@\s]+@[^@\s]+$/,
    },
  });
}
