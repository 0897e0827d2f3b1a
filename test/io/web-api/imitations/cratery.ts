import { found, type Imitation, indexDependency, json, KeptCrates, readCall, tokenOf } from './imitation.ts';

const basic = [['WWW-Authenticate', 'Basic realm="cratery"']] as const;

/** Returns an error in the format of cratery. */
function failure(http: number, message: string, details: string | null = null): ReturnType<typeof json> {
  return json(http, { http, message, details }, http === 401 ? basic : []);
}

/**
 * cratery: everything requires a token. Errors have their own format, and 401 asks for `Basic`. A yank returns `ok`,
 * but the index does not show it, and a repeated yank is refused. A removal of owners succeeds without `msg`. Owners
 * are identified by e-mail only and have more fields. `per_page` is ignored. All features are in `features2`. A publish
 * body that is shorter than it states closes the connection.
 */
export function cratery(): Imitation {
  const crates = new KeptCrates();
  const token = 'cratery-token';
  return {
    name: 'cratery',
    index: 'sparse',
    token,
    crates,
    config: (url) => ({ dl: `${url}/dl`, api: url, 'auth-required': true }),
    files: () =>
      crates.indexFiles(({ name, vers, metadata, checksum }) => ({
        ...{
          name,
          vers,
          deps: metadata.deps.map(indexDependency),
          cksum: checksum,
          features: {},
          yanked: false,
        },
        ...{ links: metadata.links, v: 2, features2: metadata.features, rust_version: metadata.rust_version },
      })),
    answer(request, url) {
      const call = readCall(request);
      if (call.action === 'me') return { status: 302, headers: [['Location', '/webapp/index.html']] };
      if (tokenOf(request) !== token) return failure(401, 'User is not authenticated');
      switch (call.action) {
        case 'index': {
          const file =
            call.file === 'config.json' ? JSON.stringify(this.config(url)) : this.files(url).get(call.file);
          if (file === undefined) return failure(404, 'Not found');
          return { headers: [['Cache-Control', 'no-cache']], body: file };
        }
        case 'download': {
          const version = crates.find(call.name, call.vers);
          return version === undefined ? failure(404, 'Not found') : { body: version.archive };
        }
        case 'publish': {
          const sent = KeptCrates.read(request.body);
          if (sent === null) return { cut: 0 };
          if (crates.find(sent.name, sent.vers) !== undefined)
            return failure(
              400,
              'The request is invalid',
              `Package ${sent.name} already exists in version ${sent.vers}`,
            );
          crates.add(sent);
          crates.owners.set(sent.name, ['admin@example.org']);
          return json(200, { warnings: { invalid_categories: [], invalid_badges: [], other: [] } });
        }
        case 'yank':
        case 'unyank': {
          const version = crates.find(call.name, call.vers);
          if (version === undefined) return failure(400, 'The request is invalid', 'Version does not exist');
          if (version.isYanked === (call.action === 'yank'))
            return failure(400, 'The request is invalid', `Version is already ${call.action}ed`);
          version.isYanked = call.action === 'yank';
          return json(200, { ok: true });
        }
        case 'owners': {
          const owners = crates.owners.get(call.name);
          if (owners === undefined) return failure(404, 'Not found');
          if (call.method === 'GET') {
            const more = { isActive: true, roles: 'admin' };
            return json(200, {
              users: owners.map((email, id) => ({ id, email, login: email, name: 'Admin', ...more })),
            });
          }
          const { users } = JSON.parse(request.body.toString()) as { users: string[] };
          if (users.some((user) => !user.includes('@'))) return failure(404, 'Not found', 'no such e-mail');
          const left = owners.filter((login) => !users.includes(login));
          crates.owners.set(call.name, call.method === 'PUT' ? [...left, ...users] : left);
          return json(200, call.method === 'PUT' ? { ok: true, msg: 'User(s) added' } : { ok: true });
        }
        case 'search': {
          const all = found(crates, call.query.get('q') ?? '');
          return json(200, { crates: all, meta: { total: all.length } });
        }
        default:
          return failure(404, 'Not found');
      }
    },
  };
}
