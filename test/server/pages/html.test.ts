import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml, html, trustedHtml } from '../../../src/server/pages/html.ts';

it('escapes what is put in, and leaves out what is nothing', () => {
  const name = '<img src=x onerror="alert(\'1\')">&amp;';
  expect(html`<p title="${name}">${name}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;">' +
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;</p>',
  );
  expect(html`a${null}b${undefined}c${false}d${0}e${''}f`.text).toBe('abcd0ef');
});

it('takes HTML as it is, and lists of anything', () => {
  expect(html`<ul>${['a', 'b<'].map((item) => html`<li>${item}</li>`)}</ul>`.text).toBe(
    '<ul><li>a</li><li>b&lt;</li></ul>',
  );
  expect(html`${[1, ['<', [html`<br>`]], null]}`.text).toBe('1&lt;<br>');
  expect(html`${trustedHtml('<b>')}`.text).toBe('<b>');
});

it('keeps every text a text, wherever it stands', () => {
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

it('has no form of a text that a tag or the end of an attribute could be in', () => {
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
