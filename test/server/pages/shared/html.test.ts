import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml, html, trustedHtml } from '../../../../src/server/pages/shared/html.ts';

it('escapes inserted values and omits null, undefined and false', () => {
  const name = '<img src=x onerror="alert(\'1\')">&amp;';
  expect(html`<p title="${name}">${name}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;">' +
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;</p>',
  );
  expect(html`a${null}b${undefined}c${false}d${0}e${''}f`.text).toBe('abcd0ef');
});

it('inserts HTML unchanged, and the elements of lists', () => {
  expect(html`<ul>${['a', 'b<'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
    '<ul><li>a</li><li>b&lt;</li></ul>',
  );
  expect(html`${[1, ['<', [html`<br>`]], null]}`.text).toBe('1&lt;<br>');
  expect(html`${trustedHtml('<b>')}`.text).toBe('<b>');
});

it('keeps every text a text in attributes and content', () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const [, inAttribute = '', inContent = ''] =
        /^<p title="([^"<>]*)">([^<>]*)<\/p>$/.exec(html`<p title="${text}">${text}</p>`.text) ?? [];
      const seen = text.replaceAll('\0', '\uFFFD');
      expect(readReferences(inAttribute)).toBe(seen);
      expect(readReferences(inContent)).toBe(seen);
    }),
  );
});

it('leaves no character that could begin a tag or end an attribute', () => {
  fc.assert(fc.property(hostileText(), (text) => !/[<>"'\0]/.test(escapeHtml(text))));
});

function hostileText(): fc.Arbitrary<string> {
  const pieces = [
    '<',
    '>',
    '"',
    "'",
    '&',
    '&lt;',
    '&#60;',
    '</p>',
    '<script>',
    '-->',
    '<!--',
    ']]>',
    '\0',
    '`',
    '=',
    ' ',
    '\n',
  ];
  return fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })), {
      maxLength: 20,
    })
    .map((parts) => parts.join('').replaceAll('\r', ''));
}

function readReferences(text: string): string {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(\w+|#39);/g, (_, name: string) => characters[name] ?? '?');
}
