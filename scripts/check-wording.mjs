// `npm run wording`: fails on phrases that the style of this project retires. It checks the README, docs, man pages and
// all messages, help texts and pages of src, but no code in backticks.
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { readSources } from './check-layers.mjs';
import { listMessages } from './list-messages.mjs';

/** Each phrase and its replacement. */
export const RETIRED = [
  // Noun clauses in place of nouns: name the thing or the person.
  [/\bwhoever\b/i, 'the user, the publisher, the operator, …'],
  [/\bwhat is kept\b|\bkept between runs\b/i, 'the cache'],
  [/\bwhat (?:is|was) (?:there|asked for)\b/i, 'the noun it stands for'],
  [/\bwhose (?:a|the) token is\b/i, 'which user the token belongs to'],
  // Passives and negations that sound translated: say who does what.
  [/\b(?:is|are|be) (?:had|told of|waited for|looked into|made anew|taken word)\b/i, 'an active verb'],
  [/\bnobody can be\b/i, 'cannot …'],
  [/(?<!there )\b(?:is|are) no (?:terminal|file|folder|key|name|address|signed|path)\b/i, 'is not a …'],
  [/\bdone by halves\b/i, 'completely or not at all'],
  [/\bbehind (?:the|its) (?:end|name|archive)\b|\bgoes on behind\b/i, 'after'],
  [/\bdoes not fit (?:to|any more)\b/i, 'does not match'],
  [/\bsay so with\b|\bsays which (?:are|there are)\b/i, 'pass `--flag`; `command` lists them'],
  [/\bwhere there is none\b|\bif there is none of\b/i, 'if it does not exist'],
  [/\bfor want of\b|\bas it is (?:no|to be)\b/i, 'without; because'],
  [/\btakes? the word of\b/i, 'add a trusted publisher'],
  [/\bis of no (?:crate|version)\b/i, 'belongs to no …'],
  // One word for each concept.
  [/\bset(?:s|ting)? (?:a name )?aside\b|\b(?<!its )own names?\b/i, 'reserved name'],
  [/\bregistry of (?:one's|your) own\b/i, 'private registry'],
  [/\b(?:part|registry|backend|store|upstream) (?:that )?is away\b/i, 'the failed backend; does not respond'],
  [/\bstand-?ins?\b/i, 'shim'],
  [/\bdependency forest\b|\bthe forest\b/i, 'dependency tree'],
  [/\b(?:recalled|remembered) (?:from|by|between)\b/i, 'cached'],
  [/\bfor good\b/i, 'permanently'],
  [/\bmakes? (?:a|its|their|your) (?:user|token|database|bucket)\b/i, 'create'],
];

/** Parts of names in src, with the words that replace them. */
export const RETIRED_NAMES = [
  [/patien/i, 'retry, timeout'],
  [/forest/i, 'dependency tree'],
  [/ledger/i, 'outcomes'],
  [/hoard/i, 'offline versions'],
  [/distrust/i, 'invalidate'],
  [/letGo|let-go/, 'unlock'],
  [/meanTheSame/, 'isEquivalent'],
  [/orStalled|or-stalled/, 'rejectIfEventLoopDrains'],
  [/setAside|nameAside|asideName/i, 'reserve, reserved name'],
  [/sharedTurn|shared-turn/i, 'coalesced task'],
  [/sideEnvironment|side-environment/i, 'environment of the store'],
  [/turnAway/, 'startDraining'],
  [/openQuestion|open-question/i, 'pending query'],
  [/staticHalf|static-half/i, 'static index'],
  [/glimpse|standIn\b|readAhead/, 'peek, shim, prefetch'],
];

/** Returns retired names in a source file or its path: `line` (0 for the path), `phrase` and `instead`. */
export function findRetiredNames(file, text) {
  return RETIRED_NAMES.flatMap(([pattern, instead]) =>
    [file, ...text.split('\n')].flatMap((content, line) => {
      const [phrase] = pattern.exec(content) ?? [];
      return phrase === undefined ? [] : [{ line, phrase, instead }];
    }),
  );
}

const ANY = new RegExp(RETIRED.map(([{ source }]) => source).join('|'), 'i');

/** Returns `text` with its code blanked out: fenced blocks and code spans. */
function withoutCode(text) {
  const blank = (code) => code.replace(/[^\n]/g, ' ');
  return text.replace(/^( *)```[^]*?^\1```/gm, blank).replace(/`[^`\n]*`|<code>.*?<\/code>/g, blank);
}

/** Returns the retired phrases in a text: the `line` within it, the `phrase` and what to write `instead`. */
export function findRetired(text) {
  const prose = withoutCode(text);
  return RETIRED.flatMap(([pattern, instead]) =>
    [...prose.matchAll(new RegExp(pattern.source.replaceAll(' ', '\\s+'), `${pattern.flags}g`))].map(
      ({ index, 0: phrase }) => ({
        line: prose.slice(0, index).split('\n').length,
        phrase: phrase.replace(/\s+/g, ' '),
        instead,
      }),
    ),
  );
}

/** Returns the paths of the pages to check, relative to the root. */
function pagesOf(root) {
  const below = (folder, ending) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
      .map((name) => path.join(folder, name));
  return ['README.md', 'SECURITY.md', ...below('docs', '.md'), ...below('man', '.1')];
}

/** Returns a source file without its comments, with literals that `+` joins merged into one. */
function proseOf(source) {
  return source.replace(/^ *(?:\/?\*|\/\/).*/gm, '').replace(/['"`] \+\n *['"`]/g, '');
}

function findInSources(sources) {
  // Parsing all files takes a second, and few have such a phrase outside of comments.
  const suspects = new Map([...sources].filter(([, text]) => ANY.test(proseOf(text))));
  return listMessages(suspects).flatMap(({ file, line, text, isCargos }) =>
    isCargos ? [] : findRetired(text).map((found) => ({ ...found, place: `src/${file}:${line}` })),
  );
}

if (realpathSync(process.argv[1] ?? '.') === import.meta.filename) {
  const root = path.dirname(import.meta.dirname);
  const inPages = pagesOf(root).flatMap((page) =>
    findRetired(readFileSync(path.join(root, page), 'utf8')).map((found) => ({
      ...found,
      place: `${page}:${found.line}`,
    })),
  );
  const sources = readSources(root);
  const names = [...sources].flatMap(([file, text]) =>
    findRetiredNames(file, text).map((found) => ({ ...found, place: `src/${file}:${found.line}` })),
  );
  const all = [...inPages, ...findInSources(sources), ...names];
  for (const { place, phrase, instead } of all) console.error(`${place} "${phrase}": write ${instead}`);
  process.exitCode = all.length === 0 ? 0 : 1;
}
