import {
  errors,
  found,
  type Imitation,
  indexDependency,
  json,
  KeptCrates,
  readCall,
  text,
  tokenOf,
} from './imitation.ts';

/**
 * ktra: the index is a git repository. A refused publish has status 200, and an accepted one has `warning` instead of
 * `warnings`. Everybody can list the owners, whose logins have a prefix. Without a token the resource "is not defined".
 * Index files do not end with a line break, and requirements are rewritten.
 */
export function ktra(): Imitation {
  const crates = new KeptCrates();
  const token = 'ktra-token';
  return {
    name: 'ktra',
    index: 'git',
    token,
    crates,
    config: (url) => ({ dl: `${url}/dl`, api: url }),
    files: () =>
      crates.indexFiles(
        ({ name, vers, metadata, checksum, isYanked }) => ({
          ...{
            name,
            vers,
            cksum: checksum,
            features: metadata.features,
            yanked: isYanked,
            links: metadata.links,
          },
          deps: metadata.deps.map((dep) => ({ ...indexDependency(dep), req: rewritten(dep.version_req) })),
        }),
        '',
      ),
    answer(request) {
      const call = readCall(request);
      if (call.action === 'me')
        return text(200, '$ curl -X POST -d \'{"password":"…"}\' …/ktra/api/v1/login/alice');
      if (call.action === 'download') {
        const version = crates.find(call.name, call.vers);
        return version === undefined ? errors(404, 'the crate is not found') : { body: version.archive };
      }
      const owners = crates.owners.get(call.name);
      if (call.action === 'owners' && call.method === 'GET') {
        if (owners === undefined) return errors(404, `crate '${call.name}' is not found`);
        const users = owners.map((login, id) => ({ id, login: `ktra-secure-auth:${login}`, name: login }));
        return json(200, { users });
      }
      if (call.action === 'search') {
        const all = found(crates, call.query.get('q') ?? '');
        return json(200, {
          crates: all.slice(0, Number(call.query.get('per_page'))),
          meta: { total: all.length },
        });
      }
      if (tokenOf(request) === null) return errors(404, 'the resource or api is not defined');
      if (tokenOf(request) !== token) return errors(403, 'the provided token is not valid');
      switch (call.action) {
        case 'publish': {
          const sent = KeptCrates.read(request.body);
          if (sent === null) return errors(200, 'invalid body length');
          const plain = (vers: string): string => vers.split('+')[0] ?? '';
          const same = (name: string): string => name.toLowerCase().replaceAll('_', '-');
          if (crates.versions.some(({ name }) => name !== sent.name && same(name) === same(sent.name)))
            return errors(200, `a crate with a similar name to '${sent.name}' exists`);
          if (
            crates.versions.some(({ name, vers }) => name === sent.name && plain(vers) === plain(sent.vers))
          )
            return errors(200, `the version '${sent.vers}' of '${sent.name}' is already published`);
          crates.add(sent);
          crates.owners.set(sent.name, ['alice']);
          return json(200, { warning: null });
        }
        case 'yank':
        case 'unyank': {
          const version = crates.find(call.name, call.vers);
          if (version === undefined) return errors(404, `version '${call.vers}' is not found`);
          version.isYanked = call.action === 'yank';
          return json(200, { ok: true });
        }
        case 'owners': {
          if (owners === undefined) return errors(404, `crate '${call.name}' is not found`);
          const { users } = JSON.parse(request.body.toString()) as { users: string[] };
          const left = owners.filter((login) => !users.includes(login));
          crates.owners.set(call.name, call.method === 'PUT' ? [...left, ...users] : left);
          return json(200, { ok: true, msg: 'the owners are updated' });
        }
        default:
          return errors(404, 'the resource or api is not defined');
      }
    },
  };
}

/** Rewrites `^0.1` as `>=0.1.0, <0.2.0`. */
function rewritten(req: string): string {
  const [, major = '', minor = '0', patch = '0'] = /^\^(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(req) ?? [];
  if (major === '') return req;
  const below = major === '0' ? `0.${Number(minor) + 1}.0` : `${Number(major) + 1}.0.0`;
  return `>=${major}.${minor}.${patch}, <${below}`;
}
