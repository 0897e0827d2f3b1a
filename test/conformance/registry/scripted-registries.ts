import { createHash } from 'node:crypto';
import { buildCrate, indexFiles, indexPath } from '../../helpers/crate.ts';
import {
  headerOf,
  type RecordedRequest,
  type Responder,
  type WireAnswer,
} from '../../helpers/recording-server.ts';
import type { Answer, RegistryScript } from './session.ts';

const json = [['Content-Type', 'application/json']] as const;

/**
 * Returns a responder for registries with an index at `/NAME/index/`, archives at `/NAME/dl` and a web API at `/NAME`.
 * `expand` replaces the variables of a session.
 */
export function respondFor(
  scripts: Readonly<Record<string, RegistryScript>>,
  expand: (text: string) => string,
): Responder {
  const registries = new Map(
    Object.entries(scripts).map(([name, script]) => [name, new ScriptedRegistry(name, script, expand)]),
  );
  return (request) => {
    const [, name = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(ownTarget(request.target)) ?? [];
    return registries.get(name)?.answer(request, rest) ?? { status: 404, body: 'no such registry' };
  };
}

/** Maps the hosts of crates.io to the paths of a registry. */
function ownTarget(target: string): string {
  return target
    .replace('https://index.crates.io/', '/crates-io/index/')
    .replace('https://static.crates.io/crates/', '/crates-io/dl/')
    .replace('https://crates.io/', '/crates-io/');
}

/** Returns the URL of a registry's index. */
export function indexOf(name: string): string {
  return `sparse+$S/${name}/index/`;
}

class ScriptedRegistry {
  readonly #script: RegistryScript;
  readonly #expand: (text: string) => string;
  readonly #files: Map<string, Buffer>;
  readonly #answers: {
    readonly pattern: RegExp;
    readonly answers: readonly (Answer | null)[];
    used: number;
  }[];
  /** Index lines of published versions, and how often the index still omits each. */
  readonly #published: { readonly file: string; readonly line: string; left: number }[] = [];

  constructor(name: string, script: RegistryScript, expand: (text: string) => string) {
    this.#script = script;
    this.#expand = expand;
    const places =
      name === 'crates-io'
        ? { dl: 'https://static.crates.io/crates', api: 'https://crates.io' }
        : { dl: `$S/${name}/dl`, api: `$S/${name}` };
    const config = { ...places, ...script.config };
    const fields: Record<string, unknown> = Object.fromEntries(
      Object.entries(config).filter(([, value]) => value !== null),
    );
    if (script.auth !== undefined) fields['auth-required'] = true;
    const crates = (script.crates ?? []).map((decl) => buildCrate(decl, (other) => expand(indexUrl(other))));
    this.#files = new Map([
      ['/index/config.json', Buffer.from(expand(JSON.stringify(fields)))],
      // The page for getting a token, which cargo names without a request.
      ['/me', Buffer.from('sign in')],
      ...[...indexFiles(crates)].map(([file, text]): [string, Buffer] => [
        `/index/${file}`,
        Buffer.from(text),
      ]),
      ...crates.flatMap(({ decl, archive }): [string, Buffer][] =>
        archive === null ? [] : [[`/dl/${decl.name}/${decl.version}/download`, archive]],
      ),
    ]);
    this.#answers = Object.entries(script.answers ?? {}).map(([pattern, answer]) => ({
      pattern: new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`),
      answers: Array.isArray(answer) ? answer : [answer as Answer],
      used: 0,
    }));
  }

  answer(request: RecordedRequest, rest: string): WireAnswer {
    const wanted = `${request.method} ${rest}`;
    const scripted = this.#answers.find(({ pattern }) => pattern.test(wanted));
    if (scripted !== undefined) {
      const answer = scripted.answers[Math.min(scripted.used, scripted.answers.length - 1)] ?? null;
      scripted.used += 1;
      if (answer !== null) return this.#full(answer);
    }
    const { auth } = this.#script;
    if (auth !== undefined && headerOf(request, 'authorization') !== auth.token) {
      const challenge = auth.challenge ?? ['Cargo login_url="https://login.test/me"'];
      const headers = challenge.map((value): [string, string] => ['WWW-Authenticate', value]);
      return { status: 401, headers, body: 'no' };
    }
    if (rest.startsWith('/api/v1/')) return this.#api(request, rest);
    return this.#file(rest);
  }

  #full(answer: Answer): WireAnswer {
    if (typeof answer === 'number') return { status: answer };
    if (typeof answer === 'string') return { headers: json, body: this.#expand(answer) };
    const expanded = answer.headers?.map(([name, value]): [string, string] => [name, this.#expand(value)]);
    return {
      ...answer,
      ...(expanded === undefined ? {} : { headers: expanded }),
      ...(typeof answer.body === 'string' ? { body: this.#expand(answer.body) } : {}),
    };
  }

  #file(rest: string): WireAnswer {
    for (const one of this.#published) {
      if (one.file !== rest) continue;
      one.left -= 1;
      if (one.left < 0 && !this.#text(rest).includes(one.line)) {
        this.#files.set(rest, Buffer.from(`${this.#text(rest)}${one.line}\n`));
      }
    }
    const body = this.#files.get(rest);
    return body === undefined ? { status: 404, body: 'not found' } : { body };
  }

  #text(file: string): string {
    return this.#files.get(file)?.toString('utf8') ?? '';
  }

  #api({ method, body }: RecordedRequest, rest: string): WireAnswer {
    const path = rest.replace(/\?.*/, '').slice('/api/v1/'.length);
    const reply = (value: unknown): WireAnswer => ({ headers: json, body: JSON.stringify(value) });
    if (/^crates\/[^/]+\/[^/]+\/(?:yank|unyank)$/.test(path)) return reply({ ok: true });
    if (method === 'PUT' && path === 'crates/new') {
      this.#publish(body);
      return reply({ warnings: { invalid_categories: [], invalid_badges: [], other: [] } });
    }
    if (/^crates\/[^/]+\/owners$/.test(path)) {
      if (method === 'GET') return reply({ users: [{ id: 1, login: 'alice', name: 'Alice A' }] });
      return reply({ ok: true, msg: 'the owners are changed' });
    }
    if (method === 'GET' && path === 'crates') {
      const found = { name: 'hoare', max_version: '0.1.1', description: 'Design by contract' };
      return reply({ crates: [found], meta: { total: 1 } });
    }
    return { status: 404, headers: json, body: '{"errors":[{"detail":"no such route"}]}' };
  }

  /** Adds a version, which appears in the index after `lag` requests. */
  #publish(body: Buffer): void {
    const length = body.readUInt32LE(0);
    const sent = JSON.parse(body.toString('utf8', 4, 4 + length)) as PublishedMetadata;
    const archive = body.subarray(8 + length);
    const deps = sent.deps.map(({ version_req: req, explicit_name_in_toml: alias, ...dep }) => ({
      ...dep,
      req,
      ...(alias === undefined ? {} : { name: alias, package: dep.name }),
    }));
    const cksum = createHash('sha256').update(archive).digest('hex');
    const { name, vers, features, links } = sent;
    const line = JSON.stringify({ name, vers, deps, cksum, features, yanked: false, links });
    this.#published.push({ file: `/index/${indexPath(name)}`, line, left: this.#script.lag ?? 0 });
    this.#files.set(`/dl/${name}/${vers}/download`, archive);
  }
}

/** The fields of an index line. */
interface PublishedMetadata {
  readonly name: string;
  readonly vers: string;
  readonly deps: readonly {
    readonly name: string;
    readonly version_req: string;
    readonly explicit_name_in_toml?: string;
  }[];
  readonly features: unknown;
  readonly links: string | null;
}

function indexUrl(registry: string): string {
  return registry === 'crates-io' ? 'https://github.com/rust-lang/crates.io-index' : indexOf(registry);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
