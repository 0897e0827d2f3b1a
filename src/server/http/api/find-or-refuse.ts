/** Lookups that fail with crates.io's errors. */
import { ApiError } from '../api-error.ts';
import { type HttpContext, routeParam } from '../http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { Crate, Version } from '../../store/values.ts';

type Records = ServerContext['records'];

/** Finds the crate in the path. Throws a 404 if it does not exist. */
export async function requireCrate(c: HttpContext, records: Records): Promise<Crate> {
  const name = routeParam(c, 'crate');
  return (await records.findCrate(name)) ?? refuseCrate(name);
}

/** Finds the version in the path. Throws a 404 if it or its crate does not exist. */
export async function requireVersion(c: HttpContext, records: Records): Promise<Version> {
  const version = await records.findVersion(routeParam(c, 'crate'), routeParam(c, 'version'));
  if (version !== null) return version;
  const { name } = await requireCrate(c, records);
  throw new ApiError(404, `crate \`${name}\` does not have a version \`${routeParam(c, 'version')}\``);
}

/** Throws the 404 for a crate that does not exist. */
export function refuseCrate(name: string): never {
  throw new ApiError(404, `crate \`${name}\` does not exist`);
}
