// The only file that imports highlight.js. It is not TypeScript, since the types of the package would declare all
// globals of browsers in the whole project.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cmake from 'highlight.js/lib/languages/cmake';
import cpp from 'highlight.js/lib/languages/cpp';
import diff from 'highlight.js/lib/languages/diff';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import x86asm from 'highlight.js/lib/languages/x86asm';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

// Keep the names in step with `Language` in highlight-js.d.mts.
const LANGUAGES = {
  bash,
  c,
  cmake,
  cpp,
  diff,
  ini,
  javascript,
  json,
  makefile,
  markdown,
  python,
  rust,
  x86asm,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

export function highlight(code, language) {
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
