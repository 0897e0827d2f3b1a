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
 * gitea: requires `Bearer`, and refuses a token with plain text. The only owner is the namespace, even of crates that
 * do not exist. Owners cannot be changed; that refusal has no body. A publish returns `ok`. There is no ETag. Index
 * lines without `v` have features with `dep:` among the others.
 */
export function gitea(): Imitation {
  const crates = new KeptCrates();
  const token = 'Bearer gitea-token';
  return {
    name: 'gitea',
    index: 'sparse',
    token,
    crates,
    config: (url) => ({ dl: `${url}/dl`, api: url, 'auth-required': false }),
    files: () =>
      crates.indexFiles(({ name, vers, metadata, checksum, isYanked }) => ({
        ...{ name, vers, deps: metadata.deps.map(indexDependency), cksum: checksum },
        ...{ features: metadata.features, yanked: isYanked, links: metadata.links },
      })),
    answer(request, url) {
      const call = readCall(request);
      if (call.action === 'me') return text(404, 'Not found.\n');
      if (call.action === 'index') {
        const file =
          call.file === 'config.json' ? JSON.stringify(this.config(url)) : this.files(url).get(call.file);
        return file === undefined ? text(404, 'Not found.\n') : { body: file };
      }
      if (call.action === 'download') {
        const version = crates.find(call.name, call.vers);
        return version === undefined ? errors(404, 'package does not exist') : { body: version.archive };
      }
      if (call.action === 'search') {
        const all = found(crates, call.query.get('q') ?? '');
        return json(200, {
          crates: all.slice(0, Number(call.query.get('per_page'))),
          meta: { total: all.length },
        });
      }
      if (call.action === 'owners') {
        if (call.method !== 'GET') return { status: 405, headers: [['Allow', 'GET']] };
        return json(200, { users: [{ id: 1, login: 'namespace', name: 'The Name Space' }] });
      }
      if (tokenOf(request) !== token) return text(401, 'authGroup.Verify\n');
      switch (call.action) {
        case 'publish': {
          const sent = KeptCrates.read(request.body);
          if (sent === null) return errors(400, 'unexpected EOF');
          if (!/^\d+\.\d+\.\d+/.test(sent.vers)) return errors(400, 'package version is invalid');
          if (crates.find(sent.name, sent.vers) !== undefined) return errors(409, 'package already exists');
          crates.add(sent);
          return json(200, { ok: true });
        }
        case 'yank':
        case 'unyank': {
          const version = crates.find(call.name, call.vers);
          if (version === undefined) return errors(404, 'package does not exist');
          version.isYanked = call.action === 'yank';
          return json(200, { ok: true });
        }
        default:
          return text(404, 'Not found.\n');
      }
    },
  };
}
