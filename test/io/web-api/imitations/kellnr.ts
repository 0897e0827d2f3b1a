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

const challenge = [['WWW-Authenticate', 'Basic, Bearer']] as const;

/**
 * kellnr 6: reading requires a token too. 401 has no body. Yanking a missing version returns 500. The ETag has no
 * quotes and does not change when a version is yanked. `Last-Modified` is not a valid HTTP date. It never responds with
 * 304. `warnings` is null.
 */
export function kellnr(): Imitation {
  const crates = new KeptCrates();
  const token = 'kellnr-token';
  return {
    name: 'kellnr',
    index: 'sparse',
    token,
    crates,
    config: (url) => ({ dl: `${url}/dl`, api: url, 'auth-required': true }),
    files: () =>
      crates.indexFiles(({ name, vers, metadata, checksum, isYanked }) => ({
        ...{ name, vers, deps: metadata.deps.map(indexDependency), cksum: checksum },
        ...{ features: metadata.features, yanked: isYanked, links: metadata.links },
        ...{ pubtime: '2026-11-21T09:41:24Z', v: 1, rust_version: metadata.rust_version },
      })),
    answer(request, url) {
      const call = readCall(request);
      if (call.action === 'me') return text(200, '<!doctype html><title>kellnr</title><div id="app"></div>');
      if (tokenOf(request) !== token) return { status: 401, headers: challenge };
      switch (call.action) {
        case 'index': {
          const file =
            call.file === 'config.json' ? JSON.stringify(this.config(url)) : this.files(url).get(call.file);
          const stamps = [
            ['ETag', '8a2f61'],
            ['Last-Modified', '2026-11-21 09:41:24'],
          ] as const;
          return file === undefined ? text(404, 'Not Found') : { headers: stamps, body: file };
        }
        case 'download': {
          const version = crates.find(call.name, call.vers);
          return version === undefined ? text(404, 'Not Found') : { body: version.archive };
        }
        case 'publish': {
          const sent = KeptCrates.read(request.body);
          if (sent === null) return errors(400, 'ERROR: Invalid min length. 10/45 bytes');
          const plain = sent.vers.split('+')[0];
          const same = (name: string): string => name.toLowerCase().replaceAll('_', '-');
          if (crates.versions.some(({ name }) => name !== sent.name && same(name) === same(sent.name)))
            return errors(400, 'ERROR: Crate name differs only in case or in dashes and underscores');
          if (crates.versions.some(({ name, vers }) => name === sent.name && vers.split('+')[0] === plain))
            return errors(400, `ERROR: Crate with version already exists: ${sent.name}-${sent.vers}`);
          crates.add(sent);
          crates.owners.set(sent.name, ['admin']);
          return json(200, { warnings: null });
        }
        case 'yank':
        case 'unyank': {
          const version = crates.find(call.name, call.vers);
          if (version === undefined) return errors(500, 'ERROR: Database error: record not found');
          version.isYanked = call.action === 'yank';
          return json(200, { ok: true });
        }
        case 'owners': {
          const owners = crates.owners.get(call.name);
          if (owners === undefined) return errors(404, `ERROR: Crate not found: ${call.name}`);
          if (call.method === 'GET')
            return json(200, { users: owners.map((login, id) => ({ id, login, name: null })) });
          const { users } = JSON.parse(request.body.toString()) as { users: string[] };
          const left = owners.filter((login) => !users.includes(login));
          crates.owners.set(call.name, call.method === 'PUT' ? [...left, ...users] : left);
          return json(200, { ok: true, msg: 'Users have been changed.' });
        }
        case 'search': {
          const all = found(crates, call.query.get('q') ?? '');
          const some = all.slice(0, Number(call.query.get('per_page') ?? 10));
          return json(200, { crates: some, meta: { total: all.length } });
        }
        default:
          return text(404, 'Not Found');
      }
    },
  };
}
