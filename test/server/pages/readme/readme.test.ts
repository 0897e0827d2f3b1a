import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadReadmeRenderer, type ReadmeRenderer } from '../../../../src/server/pages/readme/readme.ts';
import { withSigns, withTextSigns } from '../../../../src/server/pages/readme/readme-signs.ts';
import { IMAGE_ATTACKS, README_ATTACKS } from '../readme-attacks.ts';

let renderer: ReadmeRenderer;

beforeAll(async () => {
  renderer = await loadReadmeRenderer();
});

const NO_ORIGIN = { repository: null, readmePath: null };
const GITHUB = 'https://github.com/tidepool-rs/tidepool.git';

function render(
  markdown: string,
  repository: string | null = null,
  readmePath: string | null = null,
): string {
  return renderer.render(markdown, { repository, readmePath }).text.trim();
}

const ARCHIVE = { crate: 'reef', version: '1.0.0+b' };

/** Renders a readme whose version has an archive. */
function renderPackaged(markdown: string, readmePath: string | null = null): string {
  return renderer.render(markdown, { repository: GITHUB, readmePath, archive: ARCHIVE }).text.trim();
}

const ATTRIBUTES =
  /^(?:id|href|rel|class|start|colspan|rowspan|align|open|title|src|alt|width|height|loading|tabindex)$/;
const CLASSES =
  /^(?:image|hidden-character|hl-[a-z]+|task|anchor|back|footnotes|alert(?:-[a-z]+)?|sign-[a-z-]+)$/;
const TAGS =
  /^(?:h[1-6]|p|div|blockquote|pre|hr|br|[uo]l|li|dl|dt|dd|details|summary|table|thead|tbody|tfoot|t[rhd]|caption|a|img|span|b|strong|i|em|u|s|del|ins|mark|small|sub|sup|code|kbd|samp|var|abbr|cite|q|dfn|ruby|rt|rp|wbr)$/;

const RELATION = 'rel="nofollow noopener noreferrer ugc"';

/** Returns the link of a heading to itself. */
function anchorOf(name: string): string {
  return `<a href="#readme-${name}" ${RELATION} class="anchor"><span class="sign-heading"></span></a>`;
}

/** Checks that `text` has only harmless elements. */
function expectHarmless(text: string): void {
  const rest = text.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)(?: \/)?>/g,
    (tag, _, name: string, list: string) => {
      expect(name, tag).toMatch(TAGS);
      for (const [, attribute = '', value = ''] of list.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
        expect(attribute, tag).toMatch(ATTRIBUTES);
        if (attribute === 'href')
          expect(value, tag).toMatch(/^(?:https?:\/\/|mailto:|#readme-|\/crates\/reef\/1\.0\.0%2Bb\/source)/);
        if (attribute === 'src')
          expect(value, tag).toMatch(/^\/crates\/reef\/1\.0\.0%2Bb\/source\/[^?#]+\?raw$/);
        if (attribute === 'id') expect(value, tag).toMatch(/^readme-/);
        if (attribute === 'class') for (const name of value.split(' ')) expect(name, tag).toMatch(CLASSES);
      }
      return '';
    },
  );
  expect(rest).not.toMatch(/[<>]/);
}

describe('readmes', () => {
  it.each([...README_ATTACKS, ...IMAGE_ATTACKS].map((attack) => [attack.slice(0, 80), attack]))(
    'become only harmless elements: %s',
    (_, attack) => {
      expectHarmless(render(attack));
      expectHarmless(render(`# Title\n\n${attack}\n\nafter [link](https://ok.example)`, GITHUB, 'README.md'));
      expectHarmless(renderPackaged(attack, 'docs/README.md'));
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
      ...['\n- [x] ', '[^a]', '\n\n[^a]: ', '\n> [!NOTE]\n> ', '![a](', '.png)', '<span class="sign-note">'],
    ];
    const markdown = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(markdown, (parts) => {
        expectHarmless(render(parts.join('')));
        expectHarmless(renderPackaged(parts.join('')));
      }),
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
      `<h1 id="readme-getting-started">Getting started! ${anchorOf('getting-started')}</h1>\n` +
        '<p><a href="#readme-getting-started" rel="nofollow noopener noreferrer ugc">x</a></p>',
    );
    expect(render('# Twice\n\n# Twice')).toContain('id="readme-twice-1"');
    expect(render('<a name="main"></a>')).toContain('id="readme-main"');
  });

  it('have the ids of GitHub for headings with links, code and HTML', () => {
    const idOf = (heading: string): string | undefined =>
      /<h2 id="readme-([^"]*)"/.exec(render(heading))?.[1];
    expect(idOf('## [1.0](https://ok.example) and `a_b`')).toBe('10-and-a_b');
    expect(idOf('## <b>Big</b> _news_ ![logo](x.png)')).toBe('big-news');
    expect(idOf('## a \\_ &amp; b')).toBe('a-_--b');
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

  it('show images of the archive, at most 50, with their sizes and texts', () => {
    const source = '/crates/reef/1.0.0%2Bb/source';
    expect(renderPackaged('![a "plan"](img/x%20y.png?raw=true)')).toBe(
      `<p><img src="${source}/img/x%20y.png?raw" alt="a &quot;plan&quot;" loading="lazy" /></p>`,
    );
    expect(
      renderPackaged('<img src="/a.webp" title="t" width="40" height="50%"><img src="b.JPG" width="1e9">'),
    ).toBe(
      `<p><img src="${source}/a.webp?raw" alt="t" width="40" height="50%" loading="lazy" />` +
        `<img src="${source}/b.JPG?raw" alt="" loading="lazy" /></p>`,
    );
    expect(renderPackaged('[![logo](logo.gif)](https://ok.example/)')).toBe(
      `<p><a href="https://ok.example/" ${RELATION}><img src="${source}/logo.gif?raw" alt="logo" loading="lazy" /></a></p>`,
    );
    expect(renderPackaged('![a \\* b &copy; `c` ![*d* \\]](d.png)](x.png)')).toContain('alt="a * b © c d ]"');
    const many = renderPackaged('![a](x.png) '.repeat(60));
    expect(many.match(/<img /g)).toHaveLength(50);
    expect(many.match(new RegExp(`<a class="image" href="${source}/x.png" `, 'g'))).toHaveLength(10);
  });

  it('link to images that are no raster images or not in the archive', () => {
    const source = '/crates/reef/1.0.0%2Bb/source';
    expect(renderPackaged('![plan](x.svg)')).toBe(
      `<p><a class="image" href="${source}/x.svg" ${RELATION}>plan</a></p>`,
    );
    expect(renderPackaged('![x](https://ok.example/x.png)')).toContain(
      '<a class="image" href="https://ok.example/x.png"',
    );
    for (const outside of ['../x.png', '/../x.png', '//evil.example/x.png', 'data:image/png;base64,AA=='])
      expect(renderPackaged(`![x](${outside})`), outside).toBe('<p><span class="image">x</span></p>');
  });

  it('resolve relative links in the archive, from the folder of the readme', () => {
    const hrefOf = (link: string, path: string | null = null): string | undefined =>
      /href="([^"]+)"/.exec(renderPackaged(`[x](<${link}>)`, path))?.[1];
    const source = '/crates/reef/1.0.0%2Bb/source';
    expect(hrefOf('docs/a%20b.md')).toBe(`${source}/docs/a%20b.md`);
    expect(hrefOf('src/lib.rs?plain=1#L10-L20')).toBe(`${source}/src/lib.rs#L10-L20`);
    expect(hrefOf('examples/')).toBe(`${source}/examples`);
    expect(hrefOf('./')).toBe(source);
    expect(hrefOf('guide.md', 'docs/README.md')).toBe(`${source}/docs/guide.md`);
    expect(hrefOf('../LICENSE', 'docs/README.md')).toBe(`${source}/LICENSE`);
    expect(hrefOf('/LICENSE', 'docs/README.md')).toBe(`${source}/LICENSE`);
    // Packaging copies such a readme to the top folder.
    expect(hrefOf('LICENSE', '../README.md')).toBe(`${source}/LICENSE`);
    expect(hrefOf('#usage')).toBe('#readme-usage');
    expect(hrefOf('https://ok.example/')).toBe('https://ok.example/');
  });

  it('have no links out of the archive', () => {
    for (const outside of [
      '../x',
      '../../../x',
      '/../x',
      'a/../../x',
      '%2e%2e/x',
      'a/%2e%2e/%2E%2E/x',
      'a%2F..%2F..%2Fx',
      'a%00b',
      'a%ff',
      '..\\x',
      '//evil.example',
      'x:y',
    ])
      expect(renderPackaged(`[x](<${outside}>)`), outside).toBe('<p><a>x</a></p>');
    expect(renderPackaged('[x](../../y)', 'docs/README.md')).toBe('<p><a>x</a></p>');
  });

  it('have task lists with check boxes that cannot be changed', () => {
    const text = render('- [x] done\n- [ ] open\n- [X]\n- [y] no\n\n1. [ ] loose\n\n[x]: https://ok.example');
    expect(text).toContain('<li class="task"><span class="sign-done-task"></span>done</li>');
    expect(text).toContain('<li class="task"><span class="sign-open-task"></span>open</li>');
    expect(text).toContain('<li>[y] no</li>');
    expect(text.match(/class="task"/g)).toHaveLength(3);
    const shown = withSigns(renderer.render('- [x] done\n- [ ] open', NO_ORIGIN)).text;
    expect(shown).toContain('<input type="checkbox" checked disabled aria-label="Completed task">done');
    expect(shown).toContain('<input type="checkbox" disabled aria-label="Incomplete task">open');
  });

  it('have alerts with an icon and a word', () => {
    const shown = withSigns(renderer.render('> [!warning]\n> Save *often*.\n\nafter', NO_ORIGIN)).text;
    expect(shown).toMatch(
      /^<div class="alert alert-warning">\n<p class="alert-title"><svg [^\n]+<\/svg>Warning<\/p>\n<p>Save <em>often<\/em>\.<\/p>\n<\/div>\n<p>after<\/p>\n$/,
    );
    for (const kind of ['NOTE', 'TIP', 'IMPORTANT', 'WARNING', 'CAUTION'])
      expect(render(`> [!${kind}]\n>\n> text`)).toMatch(
        new RegExp(`^<div class="alert alert-${kind.toLowerCase()}">[^]*<p>text</p>\n</div>$`),
      );
    for (const quote of [
      '> [!OTHER]\n> a',
      '> [!NOTE] a',
      '> a\n> [!NOTE]',
      '> # [!NOTE]\n> a',
      '> [!toString]\n> a',
    ])
      expect(render(quote), quote).toMatch(/^<blockquote>/);
    expect(render('> > [!TIP]\n> > a\n>\n> b')).toMatch(
      /^<blockquote>\n<div [^]*<\/div>\n<p>b<\/p>\n<\/blockquote>$/,
    );
  });

  it('have footnotes with links back to each reference', () => {
    const text = render(
      'A[^x], B[^Y] and C[^x].\n\n[^y]: second\n[^x]: first\n\n    more\n\n[^z]: unused\n\nend',
    );
    const back = (id: string, more = ''): string =>
      `<a href="#readme-${id}" ${RELATION} class="back"><span class="sign-back"></span>${more}</a>`;
    const reference = (id: string, number: number): string =>
      `<sup><a href="#readme-fn-${number}" ${RELATION} id="readme-${id}"><span class="sign-footnote"></span>${number}</a></sup>`;
    expect(text).toBe(
      `<p>A${reference('fnref-1', 1)}, B${reference('fnref-2', 2)} and C${reference('fnref-1-2', 1)}.</p>
<p>end</p>
<div class="footnotes">
<h2>Footnotes</h2>
<ol>
<li id="readme-fn-1">
<p>first</p>
<p>more ${back('fnref-1')} ${back('fnref-1-2', '<sup>2</sup>')}</p>
</li>
<li id="readme-fn-2">
<p>second ${back('fnref-2')}</p>
</li>
</ol>
</div>`,
    );
  });

  it('have only footnotes that are defined and referred to', () => {
    expect(render('a[^x] b')).toBe('<p>a[^x] b</p>');
    expect(render('a\n\n[^x]: note')).toBe('<p>a</p>');
    // The first definition counts, and a footnote may end with something else than text.
    const text = render('a[^x]\n\n[^x]: one\n\n    - b[^y]\n\n[^x]: two\n\n[^y]: three');
    expect(text).toContain('<li>b<sup>');
    expect(text).toMatch(/<\/ul>\n<p> ?<a href="#readme-fnref-1"/);
    expect(text).toContain('<p>three ');
    expect(text).not.toContain('two');
    expect(render('no footnotes')).not.toContain('footnotes"');
  });

  it('have footnotes that directly follow another block', () => {
    for (const [block, end] of [
      ['text', '</p>'],
      ['- item', '</ul>'],
      ['> quote', '</blockquote>'],
      ['> [!NOTE]\n> alert', '</div>'],
    ] as const)
      expect(render(`${block}\n[^x]: note\n\nsee[^x]`), block).toMatch(
        new RegExp(`${end}\n<p>see<sup>[^]*<li id="readme-fn-1">\n<p>note `),
      );
  });

  it('need no stylesheet in the web API', () => {
    const text = '# A\n\n- [x] done\n- [ ] open\n\n> [!NOTE]\n> b[^1]\n\n[^1]: c';
    const shown = withTextSigns(renderer.render(text, NO_ORIGIN)).text;
    for (const part of [
      'class="anchor">#</a></h1>',
      '<li class="task">☑ done</li>',
      '☐ open',
      '>Note</p>',
      '>↩</a>',
    ])
      expect(shown).toContain(part);
    expect(shown).not.toMatch(/<(?:svg|input)/);
    expect(shown).not.toContain('sign-');
  });

  it('have at most 5000 signs, however many their text has', () => {
    const shown = withSigns(renderer.render('<span class="sign-note"></span>'.repeat(6000), NO_ORIGIN)).text;
    expect(shown.match(/<svg /g)).toHaveLength(5000);
    expect(shown).not.toContain('sign-note"></span><svg');
  });

  it('strike out text between one or two tildes, but not between different numbers of them', () => {
    expect(render('~a~ ~~b *c*~~ **~d~**')).toBe(
      '<p><s>a</s> <s>b <em>c</em></s> <strong><s>d</s></strong></p>',
    );
    for (const text of ['~a~~', '~~~a', '~5 to ~10', '~ a ~', 'a ~', '~'])
      expect(render(`x ${text}`), text).toBe(`<p>x ${text}</p>`);
    expect(render('~'.repeat(50_000))).not.toContain('<s>');
    expect(render('x ~~a ~b~ c~~')).toBe('<p>x <s>a <s>b</s> c</s></p>');
  });

  it('have links for addresses in text, but not for file names that look like domains', () => {
    expect(render('https://ok.example/a and a@ok.example.com')).toBe(
      `<p><a href="https://ok.example/a" ${RELATION}>https://ok.example/a</a> and <a href="mailto:a@ok.example.com" ${RELATION}>a@ok.example.com</a></p>`,
    );
    expect(render('see build.rs, README.md, crates.io and //ok.example')).not.toContain('<a');
  });

  it('highlight code of a known language, in a large readme only its beginning', () => {
    expect(render('```rust\nlet x = "<b>";\n```')).toBe(
      '<pre tabindex="0"><code><span class="hl-keyword">let</span> <span class="hl-meta">x</span> = <span class="hl-string">"&lt;b&gt;"</span>;\n</code></pre>',
    );
    expect(render('```text\nlet x;\n```')).toBe('<pre tabindex="0"><code>let x;\n</code></pre>');
    const block = `\`\`\`rust\n${'let x = 1;\n'.repeat(1400)}\`\`\`\n\n`;
    expect(render(block.repeat(3)).match(/class="hl-keyword"/g)).toHaveLength(2 * 1400);
    expect(render(block)).toContain('class="hl-keyword"');
  });

  it('can have tables, code, lists and `details` elements', () => {
    const text = render(
      '| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n```rust\nlet x = a < b;\n```\n\n3. three\n\n<details><summary>S</summary>D</details>',
    );
    expect(text).toContain('<table tabindex="0">');
    expect(text).toMatch(/<th align="center">a<\/th>\s*<th align="right">b<\/th>/);
    expect(text).toMatch(/<td align="center">1<\/td>\s*<td align="right">2<\/td>/);
    expect(text).toContain(
      '<span class="hl-keyword">let</span> <span class="hl-meta">x</span> = a &lt; b;\n</code></pre>',
    );
    expect(text).toContain('<ol start="3">');
    expect(text).toContain('<details><summary>S</summary>D</details>');
  });
});
