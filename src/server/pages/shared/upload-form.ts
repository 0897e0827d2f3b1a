/** Forms with files: RFC 7578. */
import { readSmallBody } from '../../http/read-body.ts';
import type { HttpContext } from '../../http/http-env.ts';

/** Maximum bytes of a form with files: more than any accepted file, so that a form can say which one is too large. */
const MAX_UPLOAD_BYTES = 1024 * 1024;

/** The fields of a form with files. */
export interface UploadForm {
  /** Returns the text of a field; null if the form has no such field, or it is a file. */
  get(name: string): string | null;
  /** Returns the content of a file; null if the user chose none. */
  file(name: string): Uint8Array | null;
}

/** Reads a form with files; null if the body is another one. Throws `ApiError` if it is too large or too slow. */
export async function readUploadForm(c: HttpContext): Promise<UploadForm | null> {
  const type = c.req.header('content-type') ?? '';
  if (!/^multipart\/form-data;/i.test(type)) return null;
  const body = new Uint8Array(await readSmallBody(c, MAX_UPLOAD_BYTES));
  const form = await new Response(body, { headers: { 'Content-Type': type } }).formData().catch(() => null);
  if (form === null) return null;
  const files = new Map<string, Uint8Array>();
  for (const [name, value] of form) {
    if (typeof value !== 'string') files.set(name, new Uint8Array(await value.arrayBuffer()));
  }
  return {
    get(name) {
      const value = form.get(name);
      return typeof value === 'string' ? value : null;
    },
    file(name) {
      const file = files.get(name);
      return file === undefined || file.length === 0 ? null : file;
    },
  };
}
