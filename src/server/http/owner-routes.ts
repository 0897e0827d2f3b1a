/** Owners of crates. Cargo Book: Registry Web API, Owners. */
import { Hono } from 'hono';
import { array, field, string } from '../../core/json/decode.ts';
import type { ServerContext } from '../server-context.ts';
import { teamNameOf } from '../store/team-login.ts';
import type { OwnersOutcome } from '../store/values.ts';
import { encodeOwner, encodeOwnerTeam } from './api/encode-user.ts';
import { refuseCrate } from './api/find-or-refuse.ts';
import { mount } from './api/operations.ts';
import { ApiError } from './api-error.ts';
import type { Authenticator } from './authenticate.ts';
import { type HttpContext, type HttpEnv, routeParam } from './http-env.ts';
import { readJson } from './read-body.ts';
import type { WriteGuard } from './write-guard.ts';

const MAX_LOGINS = 100;

const BODY = { decoder: field('users', array(string)), form: '`{"users":[…]}` with logins' };

/** Services of the owner routes, besides the context. */
export interface OwnerServices {
  readonly authenticator: Authenticator;
  readonly guard: WriteGuard;
}

/** Returns the routes `GET`, `PUT` and `DELETE` of `/api/v1/crates/{crate}/owners`. */
export function ownerRoutes(context: ServerContext, { authenticator, guard }: OwnerServices): Hono<HttpEnv> {
  const { clock, settings } = context;

  async function change(c: HttpContext, action: 'add' | 'remove'): Promise<Response> {
    const crate = routeParam(c, 'crate');
    const { actor, records } = await guard.authorize(c, { scope: 'owners', crate });
    const logins = checkLogins(await readJson(c, BODY, { maxBytes: settings.limits.maxMetadataBytes }));
    const outcome = await records.changeOwners({ crate, action, logins, atMs: clock.now(), actor });
    if (outcome.kind === 'no-crate' || outcome.kind === 'not-owner') {
      throw guard.refusal(actor, {
        crate,
        crateExists: outcome.kind === 'not-owner',
        notOwner: 'only owners have permission to modify owners',
      });
    }
    if (outcome.kind !== 'changed') throw refusal(outcome);
    return c.json({
      ok: true,
      msg: action === 'add' ? describeAdded(logins, outcome) : 'owners successfully removed',
    });
  }

  const app = new Hono<HttpEnv>();
  mount(app, 'listOwners', async (c) => {
    await authenticator.findReader(c);
    const crate = routeParam(c, 'crate');
    const { records } = context;
    const [users, teams] = await Promise.all([records.listOwners(crate), records.listOwnerTeams(crate)]);
    if (users === null || teams === null) return refuseCrate(crate);
    return c.json({
      users: [
        ...users.map((user) => encodeOwner(user, settings.baseUrl)),
        ...teams.map((team) => encodeOwnerTeam(team, settings.baseUrl)),
      ],
    });
  });
  mount(app, 'addOwners', (c) => change(c, 'add'));
  mount(app, 'removeOwners', (c) => change(c, 'remove'));
  return app;
}

/** Returns different logins. Throws a 400 if there are none, or too many. */
function checkLogins(users: readonly string[]): readonly string[] {
  const logins = [...new Set(users)];
  if (logins.length === 0) throw new ApiError(400, 'no logins were given');
  if (logins.length > MAX_LOGINS)
    throw new ApiError(400, `too many logins for one request (max ${MAX_LOGINS})`);
  return logins;
}

/** Returns the error for a change of owners that was refused for another reason than missing rights. */
function refusal(outcome: Exclude<OwnersOutcome, { kind: 'changed' | 'no-crate' | 'not-owner' }>): ApiError {
  switch (outcome.kind) {
    case 'no-user':
      return new ApiError(404, `could not find user with login \`${outcome.login}\``);
    case 'no-team':
      return new ApiError(404, `could not find team with login \`${outcome.login}\``);
    case 'not-an-owner':
      return new ApiError(404, `could not find owner with login \`${outcome.login}\``);
    case 'last-owner':
      return new ApiError(409, 'cannot remove all owners of a crate: at least one user is required');
  }
}

/** Returns the message that cargo prints. New owners do not have to accept an invitation. */
function describeAdded(
  logins: readonly string[],
  { crate, changed }: Extract<OwnersOutcome, { kind: 'changed' }>,
): string {
  const added = new Set(changed.map((login) => login.toLowerCase()));
  return logins
    .map((login) => {
      const owner = `${teamNameOf(login) === null ? 'user' : 'team'} ${login}`;
      return added.has(login.toLowerCase())
        ? `${owner} has been added as an owner of crate ${crate}`
        : `${owner} is already an owner of crate ${crate}`;
    })
    .join(', ');
}
