import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadReadmeRenderer, type ReadmeRenderer } from '../../../src/server/pages/readme.ts';
import { README_ATTACKS } from './readme-attacks.ts';

let renderer: ReadmeRenderer;

beforeAll(async () => {
  renderer = await loadReadmeRenderer();
});

const GITHUB = 'https://github.com/tidepool-rs/tidepool.git';

function render(
  markdown: string,
  repository: string | null = null,
  readmePath: string | null = null,
): string {
  return renderer.render(markdown, { repository, readmePath }).text.trim();
}

const ATTRIBUTES = /^(?:id|href|rel|class|start|colspan|rowspan|align|open|title)$/;
const TAGS =
  /^(?:h[1-6]|p|div|blockquote|pre|hr|br|[uo]l|li|dl|dt|dd|details|summary|table|thead|tbody|tfoot|t[rhd]|caption|a|span|b|strong|i|em|u|s|del|ins|mark|small|sub|sup|code|kbd|samp|var|abbr|cite|q|dfn|ruby|rt|rp|wbr)$/;

/** Checks that `text` has only harmless elements. */
function expectHarmless(text: string): void {
  const rest = text.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)(?: \/)?>/g,
    (tag, _, name: string, list: string) => {
      expect(name, tag).toMatch(TAGS);
      for (const [, attribute = '', value = ''] of list.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
        expect(attribute, tag).toMatch(ATTRIBUTES);
        if (attribute === 'href') expect(value, tag).toMatch(/^(?:https?:\/\/|mailto:|#readme-)/);
        if (attribute === 'id') expect(value, tag).toMatch(/^readme-/);
        if (attribute === 'class') expect(value, tag).toMatch(/^(?:image|hidden-character|hl-[a-z]+)$/);
      }
      return '';
    },
  );
  expect(rest).not.toMatch(/[<>]/);
}

describe('readmes', () => {
  it.each(README_ATTACKS.map((attack) => [attack.slice(0, 80), attack]))(
    'become only harmless elements: %s',
    (_, attack) => {
      expectHarmless(render(attack));
      expectHarmless(render(`# Title\n\n${attack}\n\nafter [link](https://ok.example)`, GITHUB, 'README.md'));
    },
  );

  it('become only harmless elements for random combinations of pieces', () => {
    const pieces = [
      ...[
        '<',
        '>',
        '"',
        "'",
        '/',
        '=',
        '&',
        '`',
        '[',
        ']',
        '(',
        ')',
        '!',
        '\n',
        '\n\n',
        ' ',
        '|',
        '*',
        '#',
        '<!--',
        '-->',
      ],
      ...[
        '<a href="',
        '<img src="',
        'javascript:',
        ' onerror=',
        '</a>',
        '<svg>',
        '<math>',
        '<style>',
        '</style>',
        '<p>',
        '&#106;',
      ],
      ...[
        '<script>',
        '</script>',
        'https://x.example',
        '<table>',
        '<td>',
        '<noscript>',
        '<template>',
        '```',
        '<h1 id="',
      ],
    ];
    const markdown = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(markdown, (parts) => expectHarmless(render(parts.join('')))),
      { numRuns: 300 },
    );
  });

  it('link only to web URLs, with a `rel` that endorses nothing', () => {
    expect(render('[x](https://ok.example/a?b=c&d=e)')).toBe(
      '<p><a href="https://ok.example/a?b=c&amp;d=e" rel="nofollow noopener noreferrer ugc">x</a></p>',
    );
    expect(render('[x](/sign-out) [y](docs/guide.md) [z](ftp://ok.example)')).toBe(
      '<p><a>x</a> <a>y</a> <a>z</a></p>',
    );
  });

  it('resolve relative links in the repository if its site is known', () => {
    const hrefOf = (link: string, path: string | null, repository = GITHUB): string | undefined =>
      /href="([^"]+)"/.exec(render(`[x](${link})`, repository, path))?.[1];
    const base = 'https://github.com/tidepool-rs/tidepool/blob/HEAD';
    expect(hrefOf('docs/guide.md', 'README.md')).toBe(`${base}/docs/guide.md`);
    expect(hrefOf('./docs/guide.md#a', null)).toBe(`${base}/docs/guide.md#a`);
    expect(hrefOf('../LICENSE', 'crates/core/README.md')).toBe(`${base}/crates/LICENSE`);
    expect(hrefOf('/LICENSE', 'crates/core/README.md')).toBe(`${base}/LICENSE`);
    expect(hrefOf('x.md', 'README.md', 'https://gitlab.com/a/b/')).toBe(
      'https://gitlab.com/a/b/-/blob/HEAD/x.md',
    );
    for (const outside of ['../../../evil/evil', '../../../../x', '//evil.example', 'x:y']) {
      expect(hrefOf(outside, 'README.md'), outside).toBeUndefined();
    }
    expect(hrefOf('x.md', '../../../../evil/README.md')).toBeUndefined();
    expect(hrefOf('x.md', 'README.md', 'https://git.example/a/b')).toBeUndefined();
    expect(hrefOf('x.md', 'README.md', 'javascript:alert(1)//github.com/a/b')).toBeUndefined();
  });

  it('have a prefix in their ids, and links to headings include it', () => {
    expect(render('# Getting started!\n\n[x](#getting-started)')).toBe(
      '<h1 id="readme-getting-started">Getting started!</h1>\n' +
        '<p><a href="#readme-getting-started" rel="nofollow noopener noreferrer ugc">x</a></p>',
    );
    expect(render('# Twice\n\n# Twice')).toContain('id="readme-twice-1"');
    expect(render('<a name="main"></a>')).toContain('id="readme-main"');
  });

  it('link to images instead of loading them', () => {
    expect(render('![a diagram](https://ok.example/x.png)')).toBe(
      '<p><a class="image" href="https://ok.example/x.png" rel="nofollow noopener noreferrer ugc">a diagram</a></p>',
    );
    expect(render('![a](img/x.png)', GITHUB)).toContain(
      'href="https://github.com/tidepool-rs/tidepool/raw/HEAD/img/x.png"',
    );
    expect(render('![a](img/x.png)')).toBe('<p><span class="image">a</span></p>');
    expect(render('![](https://ok.example/x.png)')).toContain('>image</a>');
    expect(render('[![build](https://ok.example/b.svg)](https://ok.example/)')).toBe(
      '<p><a href="https://ok.example/" rel="nofollow noopener noreferrer ugc"><span class="image">build</span></a></p>',
    );
  });

  it('highlight code of a known language, in a large readme only its beginning', () => {
    expect(render('```rust\nlet x = "<b>";\n```')).toBe(
      '<pre><code><span class="hl-keyword">let</span> <span class="hl-meta">x</span> = <span class="hl-string">"&lt;b&gt;"</span>;\n</code></pre>',
    );
    expect(render('```text\nlet x;\n```')).toBe('<pre><code>let x;\n</code></pre>');
    const block = `\`\`\`rust\n${'let x = 1;\n'.repeat(1400)}\`\`\`\n\n`;
    expect(render(block.repeat(3)).match(/class="hl-keyword"/g)).toHaveLength(2 * 1400);
    expect(render(block)).toContain('class="hl-keyword"');
  });

  it('can have tables, code, lists and `details` elements', () => {
    const text = render(
      '| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n```rust\nlet x = a < b;\n```\n\n3. three\n\n<details><summary>S</summary>D</details>',
    );
    expect(text).toContain('<td>1</td>');
    expect(text).toContain(
      '<span class="hl-keyword">let</span> <span class="hl-meta">x</span> = a &lt; b;\n</code></pre>',
    );
    expect(text).toContain('<ol start="3">');
    expect(text).toContain('<details><summary>S</summary>D</details>');
  });
});
