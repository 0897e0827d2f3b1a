import { maskStderr } from '../../helpers/answer.ts';
import { archiveLines } from '../../helpers/packaged.ts';
import { headerOf, type RecordedRequest } from '../../helpers/recording-server.ts';
import type { Played, PlayedStep } from './play.ts';

/** A part of a session's result. */
export type Part = 'status' | 'stdout' | 'stderr' | 'wire' | 'files';

/** The mode of the subject: cargo's, or its own. */
export type Form = 'compat' | 'plain';

/** An accepted difference. Any other difference is an error. */
interface Allowance {
  readonly why: string;
  /** The part whose lines `apply` changes. */
  readonly part: Part;
  /** The mode in which it is accepted; both by default. */
  readonly form?: Form;
  /** Removes the difference. `reference` is the expected result, for text that may only be added. */
  apply(text: string, reference: string): string;
}

/** In the headers of every request to the web API, even after a redirect. */
const acceptsJson = /^accept: application\/json$/m;

/** Hints at the end of the output. */
const hints = /(?:\n(?:\u001b\[\d+m)*help(?:\u001b\[0m)?: .*\n)+$/;

const allowances: readonly Allowance[] = [
  {
    part: 'wire',
    why: 'cargo offers to go on with HTTP/2 without encryption, as its library does; tsreg has no use for that',
    apply: (text) =>
      text.replace(/^(?:connection: Upgrade, HTTP2-Settings|upgrade: h2c|http2-settings: .*)\n/gm, ''),
  },
  {
    part: 'wire',
    form: 'plain',
    why: 'tsreg looks whether the page is there before it sends a person to it for a token',
    apply: (text) => text.replace(/(?:^|\n)GET (?!\S*\/api\/)\S*\/me\n(?:.+\n)*/g, ''),
  },
  {
    part: 'wire',
    why: 'the connection is kept in HTTP/1.1 whether that is said or not',
    apply: (text) => text.replace(/^connection: keep-alive\n/gm, ''),
  },
  {
    part: 'wire',
    why: 'how an archive is compressed is left open, and with it its size and its checksum',
    apply: (text) => text.replace(/^(content-length): .*(?=\n(?:.*\n)*?body: publish\n)/gm, '$1: N'),
  },
  {
    part: 'stdout',
    why: 'checksums of archives, which a provider prints',
    apply: maskChecksums,
  },
  {
    part: 'files',
    why: 'checksums of archives, in what a provider was asked and in the index',
    apply: maskChecksums,
  },
  {
    part: 'files',
    why: 'cargo writes the tables of tokens in any order',
    apply: (text) =>
      text.replace(/^(\$H\/credentials\S* \d+\n)((?: {2}\| .*\n)+)/gm, (_, head: string, lines: string) => {
        const tables = lines.replaceAll('  | \n', '').split(/^(?= {2}\| \[)/m);
        return `${head}${tables.sort().join('')}`;
      }),
  },
  {
    part: 'files',
    why: 'tsreg notes which index a token was stored for, for the eyes of its user alone',
    apply: (text) => text.replace(/(?:^|\n)\$H\/tsreg\/token-bindings\.json 600(?:\n {2}\| .*)*/g, ''),
  },
  {
    part: 'stderr',
    form: 'plain',
    why: 'only as cargo does tsreg ask to report errors to its authors',
    apply: (text) =>
      text.replace(
        /^note: this is an unexpected cargo internal error\nnote: we would appreciate a bug report: .*\nnote: cargo .*\n/m,
        '',
      ),
  },
  {
    part: 'stdout',
    why: 'what others say moves no cursor to the beginning of a line',
    apply: (text) => text.replaceAll('\r', ' '),
  },
  {
    part: 'stderr',
    why: 'further lines of an answer about owners are indented, so that none passes for a line of the program',
    apply: (text) =>
      text.replace(/^ {7}Owner .*\n(?:\n| {4}\S.*\n)+/gm, (lines) => lines.replace(/^ {4}(?=\S)/gm, '')),
  },
  {
    part: 'stderr',
    why: 'the answer of a proxy that lets a request through is not shown',
    apply: (text) => text.replaceAll('  \tHTTP/1.1 200 Connection established\n  \t\n', ''),
  },
  {
    part: 'stderr',
    why: 'what stands in a file of tokens is not shown',
    apply: (text) => (text.includes('/credentials.toml`') ? text.replace(/^( *\d+ \| ).*$/gm, '$1') : text),
  },
  {
    part: 'stderr',
    form: 'plain',
    why: 'tsreg says its own name, does several crates at once, and publishes archives that are there',
    apply: (text) =>
      text
        .replace(/^Usage: (?:cargo|tsreg) /gm, 'Usage: ')
        .replace(/(`(?:\u001b\[\d+m)*)tsreg (?=[a-z])/g, '$1cargo ')
        .replace(' while Cargo supports ', ' while tsreg supports ')
        .replace('error kind; try updating Cargo?', 'error kind; update tsreg')
        .replace(/^(Usage: publish .*) \[FILE\.crate\]$/gm, '$1')
        .replace(/^(Usage: (?:yank|owner) .*[[<]CRATE[\]>])\.\.\.$/gm, '$1'),
  },
  {
    part: 'stderr',
    why: 'times, and sizes of compressed archives',
    apply: (text) => maskStderr(text.replace(/^(.*Packaged.* \d+ files?, \S+) \(\S+ compressed\)$/gm, '$1')),
  },
  {
    part: 'stderr',
    form: 'plain',
    why: 'tsreg may say what to do now, behind all that cargo says',
    apply: (text, reference) =>
      text.replace(hints, (found) => {
        const [expected = ''] = hints.exec(reference) ?? [];
        return found.startsWith(expected) ? expected : found;
      }),
  },
  {
    part: 'wire',
    form: 'plain',
    why: 'every request to the web API has the three headers of its description: `faultsOfHeaders` looks at them',
    apply: (text) =>
      text.replace(/^\S+ (\S+)\n(?:\S+: .*\n)*/gm, (head, target: string) =>
        target.includes('/api/') || acceptsJson.test(head)
          ? head.replace(/^(?:content-type|accept|user-agent): .*\n/gm, '')
          : head,
      ),
  },
  {
    part: 'status',
    form: 'plain',
    why: 'there is one exit status for every failure',
    apply: (status) => (status === '1' ? '101' : status),
  },
];

function maskChecksums(text: string): string {
  return text.replace(/\b[0-9a-f]{64}\b/g, 'CHECKSUM');
}

/** The parts of a played step that are compared as texts. */
type StepTexts = Record<Exclude<Part, 'files'>, string>;

/**
 * Returns the parts of a played step as texts, which must equal those of `reference`, cargo's step; null for cargo's
 * step itself.
 */
export function stepTexts(
  step: PlayedStep,
  form: Form,
  { reference }: { readonly reference: StepTexts | null },
): StepTexts {
  const wire = sortedWaves(step.requests).map(describeRequest).join('\n');
  const texts = { status: String(step.status), stdout: step.stdout, stderr: step.stderr, wire };
  const allowedText = (part: keyof StepTexts): string =>
    allowancesFor(part, form).reduce(
      (left, one) => one.apply(left, reference === null ? left : reference[part]),
      texts[part],
    );
  return {
    status: allowedText('status'),
    stdout: allowedText('stdout'),
    stderr: allowedText('stderr'),
    wire: allowedText('wire'),
  };
}

/** Returns the files that a session left, as a text that must be equal. */
export function filesText(played: Played, form: Form): string {
  return allowancesFor('files', form).reduce((left, one) => one.apply(left, left), played.files.join('\n'));
}

function allowancesFor(part: Part, form: Form): readonly Allowance[] {
  return allowances.filter((one) => one.part === part && (one.form ?? form) === form);
}

/** Returns whether a request goes to the web API, and not to an index or for an archive. */
function isApi({ target }: RecordedRequest): boolean {
  return target.includes('/api/');
}

/** Returns the errors in the headers that every request to the web API has in tsreg's own mode. */
export function faultsOfHeaders(step: PlayedStep, userAgent: RegExp): string[] {
  const wanted: readonly (readonly [string, RegExp])[] = [
    ['content-type', /^application\/json$/],
    ['accept', /^application\/json$/],
    ['user-agent', userAgent],
  ];
  return step.requests.filter(isApi).flatMap((request) =>
    wanted.flatMap(([name, value]) => {
      const all = request.headers.filter(([known]) => known.toLowerCase() === name);
      const isRight = all.length === 1 && value.test(all[0]?.[1] ?? '');
      return isRight ? [] : [`${request.method} ${request.target}: ${name} is ${JSON.stringify(all)}`];
    }),
  );
}

/** Sorts the requests between two to the web API. Several are sent at once, so they may arrive in any order. */
function sortedWaves(requests: readonly RecordedRequest[]): RecordedRequest[] {
  const waves: RecordedRequest[][] = [[]];
  for (const request of requests) {
    if (isApi(request)) waves.push([request], []);
    else waves.at(-1)?.push(request);
  }
  return waves
    .map(withoutPolls)
    .flatMap((wave) => wave.sort((a, b) => (a.target < b.target ? -1 : Number(a.target > b.target))));
}

/** Reduces many repeated requests to one each: how often a program polls in a minute depends on its speed. */
function withoutPolls(wave: readonly RecordedRequest[]): RecordedRequest[] {
  if (wave.length < 60) return [...wave];
  return [...new Map(wave.map((request) => [request.target, request])).values()];
}

/**
 * Returns a request as text. The case of header names does not matter (RFC 9110, section 5.1) and depends on the HTTP
 * library.
 */
function describeRequest(request: RecordedRequest): string {
  const { method, target, headers, body } = request;
  const lines = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return [`${method} ${target}`, ...lines, ...describeBody(request, body), ''].join('\n');
}

function describeBody(request: RecordedRequest, body: Buffer): string[] {
  if (body.length === 0) return [];
  if (!request.target.endsWith('/crates/new')) return ['body:', body.toString('utf8')];
  const length = body.readUInt32LE(0);
  const json = body.toString('utf8', 4, 4 + length);
  const archive = body.subarray(8 + length);
  const size = body.readUInt32LE(4 + length);
  const rest = size === archive.length ? [] : [`says ${size} bytes, has ${archive.length}`];
  const isFramed = headerOf(request, 'content-length') === String(body.length);
  return ['body: publish', ...(isFramed ? [] : ['another length']), json, ...rest, ...archiveLines(archive)];
}
