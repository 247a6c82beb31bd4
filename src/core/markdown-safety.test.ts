import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { describe, expect, test } from 'vitest'
import { sanitiseMarkdown } from './markdown-safety.ts'
import { cleanText, readMarkdown } from './text.ts'

describe('keeps', () => {
  const kept: [what: string, source: string][] = [
    ['comparisons and hearts', 'a < b, x > y, a <= b, 1<2, <3 </3 <- >_<'],
    ['emphasis and headings', '# A\n\n**b** _c_ ~~d~~\n\nSetext\n======'],
    ['lists, quotes and rules', '- a\n  - b\n\n1. c\n\n> d\n> e\n\n---'],
    ['tables', '| a | b |\n|:--|--:|\n| `c` | d |'],
    ['links and images', '[a](https://a.example/?b=c&d "t") ![e](http://f.example/g.png)'],
    ['mail, relative and ftp links', '[a](mailto:a@b.example) [b](/rules#x) [c](ftp://d.example) [d](?a:b) [e](#f:g)'],
    ['addresses in parentheses and angle brackets', '[a](https://a.example/b_(c)) [d](<https://a.example/e f>)'],
    ['autolinks', '<https://a.example/b?c=d> <MAILTO:a@b.example> <a.b+c@d.example>'],
    ['link definitions', '[a][b] [c]\n\n[b]: https://a.example "t"\n[c]: <https://a.example>'],
    ['code that holds bare formatting', '`<b>` and ``<br/> ` </b>``\n\n```html\n<b>x</b>\n```\n\n    <i>x</i>'],
    [
      'placeholders',
      'Type !bsr <key>, <team> vs <team>, <Team A> meets <Team B>, <key=value>, <your\nname>, </key> <!join x> <?>',
    ],
    ['comparisons without spaces', 'accuracy a<b means b goes on, c>d means c; 1<b\n2>c, -> <3, x<script'],
    ['tags without end that end nowhere', 'a <b and <script'],
    [
      'what the chat platform reads',
      '<t:1798761600:F> <t:-1> <@1> <@!1> <@&1> <#1> <:name:1> <a:name:1> </command:1> </register team:1> <id:guide>',
    ],
    ['escaped formatting', '\\<b>x\\</b>'],
    ['unknown elements, whatever they carry that does nothing', '<x-y a=b c="d">e</x-y>'],
    ['placeholders and types in code', '`!join <name>` `List<T>` `Map<string, number>` `/verify <ranking-id>`'],
    ['code in lists', '- a\n\n  ```\n  <b>\n  ```\n'],
    ['character references', '&lt;script&gt; &amp; &copy; &#60;'],
    ['prose about scripts and data', 'Written in JavaScript: fun. Match data: see below. [1] (data: 5)'],
    ['bracketed times', '[Round 1]: 18:00 UTC\n\n[10:30] Finals'],
    ['line ends, spaces and emptiness', ' a  \r\n\r\n\tb \n'],
    ['nothing', ''],
  ]
  test.each(kept)('%s', (_what, source) => {
    expect(sanitiseMarkdown(source)).toBe(source)
  })
})

describe('removes', () => {
  const cleaned: [what: string, source: string, result: string][] = [
    ['tags, not what they hold', '<b>hi</b> <span class="x">you</span>', 'hi you'],
    ['scripts and styles with what they hold', 'a<script>alert(1)</script>b<STYLE>*{}</style x>c', 'abc'],
    ['only the tag of a script without end', 'a <script src="//x">b', 'a b'],
    ['comments', 'a<!-- <b> -->b<!-->c', 'abc'],
    ['declarations and instructions', '<!DOCTYPE html>a<?php x ?>b<![CDATA[x]]>c<!ENTITY a "b">', 'abc'],
    ['event handlers behind a quoted angle bracket', '<img src=">" onerror=alert(1)>a', 'a'],
    ['tags over several lines', '<a\nhref="x"\nonclick="y">a</a\n>', 'a'],
    ['tags without spaces', '<svg/onload=alert(1)>a', 'a'],
    ['unknown elements that would act', '<x-y onclick=alert(1)>a</x-y>', 'a</x-y>'],
    ['unknown elements that would hide the page', '<x-y style="position:fixed">a', 'a'],
    ['elements of SVG and MathML', '<circle r=1><mtext>a</mtext>', 'a'],
    ['elements straight behind a word, in their line', 'a<b>c</b>, 1<img src=x>2', 'ac, 12'],
    ['handlers straight behind a word, wherever they end', 'a<img\nsrc=x onerror=alert(1)>b<x a onclick=y>', 'ab'],
    ['breaks, without gluing words', 'a<br>b<br/><br>c <br> d', 'a b c  d'],
    ['script autolinks', 'a <javascript:alert(1)> <data:text/html,x>', 'a  '],
    ['script targets', '[a](javascript:alert(1)) ![b](data:image/png;base64,AA==)', '[a](#) ![b](#)'],
    ['script targets with a title', '[a](vbscript:x "t")', '[a](# "t")'],
    ['script definitions', '[a]\n\n[a]: javascript:alert(1) "t"', '[a]\n\n[a]: # "t"'],
    ['script definitions on the next line of a quote', '> [a]:\n> JavaScript:x', '> [a]:\n> #'],
    ['autolinks that HTML would take for handlers', '<https://a.example/onclick=b> <http://a onclick=b>', ' '],
    ['files and blobs', '[a](file:///etc/passwd) [b](blob:https://a/b)', '[a](#) [b](#)'],
  ]
  test.each(cleaned)('%s', (_what, source, result) => {
    expect(sanitiseMarkdown(source)).toBe(result)
  })

  test.each([
    'JaVaScRiPt:alert(1)',
    ' \t javascript:alert(1)',
    '\njavascript:alert(1)',
    '<javascript:alert(1)>',
    '< javascript:alert(1)>',
    'java\tscript:alert(1)',
    '<java\nscript:alert(1)>',
    '\u0001javascript:alert(1)',
    'java\0script:alert(1)',
    '\u200Bjava\u00ADscript:alert(1)',
    'javascript\\:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    'javascript&#x3A;alert(1)',
    '&#106;avascript:alert(1)',
    '&#0000106avascript:alert(1)',
    'java&Tab;script:alert(1)',
    'java&NewLine;script:alert(1)',
    '&amp;#106;avascript:alert(1)',
    'data&colon;text/html,x',
  ])('a target that hides its scheme: %j', (target) => {
    expect(sanitiseMarkdown(`[a](${target})`)).toMatch(/^\[a\]\(\s*#?\)$/)
  })
})

describe('defuses', () => {
  const defused: [what: string, source: string, result: string][] = [
    ['tags without end that carry something', 'a <b c=d', 'a < b c=d'],
    ['tags without end that begin a block', 'a\n\n> <div', 'a\n\n> < div'],
    ['comments without end', 'a <!-- b', 'a < !-- b'],
    ['tags that appear by the removal of others', '<<b>script>a', '< script>a'],
    ['escaped tags', '\\<div>', '\\< div>'],
    ['elements in code', '`<script>` `<div>`', '`< script>` `< div>`'],
    ['attributes in code', '```\n<a href="x">\n```', '```\n< a href="x">\n```'],
    ['links to unknown schemes', '[Get](mod-installer://1)', '[Get]\\(mod-installer://1)'],
    ['definitions with unknown schemes', '[a]: foo:bar', '[a]\\: foo:bar'],
    ['unknown schemes behind an escape', '[a]: foo\\:bar', '[a]\\: foo\\:bar'],
    ['nothing where code shows a link', '`[a](foo:bar)`', '`[a](foo:bar)`'],
  ]
  test.each(defused)('%s', (_what, source, result) => {
    expect(sanitiseMarkdown(source)).toBe(result)
  })
})

describe('takes for prose what some renderer does not see as code', () => {
  const misleading: [what: string, source: string, result: string][] = [
    ['a table cell ends code', '|a|b|\n|-|-|\n|`c|<i>`|', '|a|b|\n|-|-|\n|`c|`|'],
    ['without tables, code spans cells', '|`|x|\n|-|-|\n|`<i>`|', '|`|x|\n|-|-|\n|``|'],
    ['a list goes on below its item', '- a\n\n    <i>', '- a\n\n    '],
    ['an address swallows a backtick', 'http://a.example/`<i>`', 'http://a.example/``'],
    ['a rule ends the paragraph', '`a\n***\n<i>`', '`a\n***\n`'],
  ]
  test.each(misleading)('%s', (_what, source, result) => {
    expect(sanitiseMarkdown(source)).toBe(result)
  })
})

/** Pieces of Markdown and HTML that change how their neighbours are read. */
const pieces = [
  ...[
    '<',
    '>',
    '</',
    '<!--',
    '-->',
    '<!X',
    '<?',
    '?>',
    '<![CDATA[',
    ']]>',
    '<b',
    '<div',
    'i>',
    '"',
    "'",
    '=',
    '/on',
    'x=',
  ],
  ...['<b>', '</b>', '<br>', '<p>', '</p>', '<x>', '<name>', '<x y=z>', '<pre>', '</pre>', '<code>', '<textarea>'],
  ...[
    '<script>',
    '</script>',
    '<style>',
    '</style>',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=x>',
    '<a href="foo:x">',
  ],
  ...['`', '``', '```', '\n```\n', '~~~\n', '    ', '\n    ', '\t', '|', '\n|-|-|\n', '\n|a|b|\n|-|-|\n|'],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\f',
    '\u2028',
    '\n- ',
    '\n1. ',
    '\n> ',
    '> ',
    '\n# ',
    '---\n',
    '\n===\n',
    '*',
    '_',
    '**',
    '~~',
  ],
  ...[
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '[a]',
    '[a]:',
    '\n[a]: ',
    '\n[a]:\n',
    '[^1]:',
    '"t"',
    '(t)',
    '#',
    '\\',
    '\0',
    '\u200b',
  ],
  ...[
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    'java\nscript:',
    '&#106;avascript:',
    'javascript&colon;',
    'javascript\\:',
  ],
  ...[
    'data:text/html,x',
    'vbscript:x',
    'foo:bar',
    'https://a.b/c',
    'http://',
    'mailto:a@b.c',
    'ftp://a.b',
    '//',
    'e.com',
  ],
  ...[
    '<https://a.b>',
    '<https://a/onclick=x>',
    '<javascript:x>',
    '<a@b.c>',
    'alert(1)',
    'a',
    'b ',
    ' ',
    '&lt;',
    '&#60;',
  ],
]
const hostileMarkdown = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''))

/** Renderers that accept HTML and every address. */
const renderers = {
  plain: new MarkdownIt({ html: true }),
  linking: new MarkdownIt({ html: true, linkify: true, breaks: true, typographer: true }),
  commonmark: new MarkdownIt('commonmark'),
  'linking commonmark': new MarkdownIt('commonmark', { linkify: true }).enable('linkify'),
}
for (const renderer of Object.values(renderers)) {
  renderer.validateLink = () => true
  renderer.linkify
    .set({ fuzzyLink: true })
    .add('ftp:', { validate: (text, at) => /^\/\/\S*/.exec(text.slice(at))?.[0].length ?? 0 })
}

type Visit = (element: string, attributes: Readonly<Record<string, string>>) => void

/** Calls `visit` for every element that an HTML parser finds, with character references in attributes resolved. */
function parseHtml(html: string, visit: Visit): void {
  sanitizeHtml(html, { allowedTags: false, allowedAttributes: false, allowVulnerableTags: true, onOpenTag: visit })
}

const ofMarkdown = /^(?:h[1-6]|p|br|hr|blockquote|pre|code|[uo]l|li|strong|em|s|a|img|table|thead|tbody|t[rhd])$/
/** Attributes that a browser acts upon; all others are harmless. */
const hostile = /^(?:on|style$|src|href|xlink|action|formaction|background|poster|data$)/
/**
 * An address is harmless if it is relative and begins with nothing that a browser skips, or has one of four schemes.
 */
const harmless = /^(?:(?:https?|mailto|ftp):|(?![\0-\u0020])(?![a-z][a-z0-9+.\t\r\n-]*:))/i
/** In angle brackets an unknown scheme stays, because the chat platform may read it. */
const unlinked = /^(?!javascript|data|vbscript)/i
const ofMarkdownAttributes: Record<string, RegExp> = {
  href: harmless,
  src: harmless,
  title: /^/,
  alt: /^/,
  start: /^\d+$/,
  class: /^language-/,
  style: /^text-align:(?:left|center|right)$/,
}

/**
 * Expects only what Markdown with HTML enabled may produce: elements and addresses of Markdown, words in angle brackets
 * that no browser knows, and, between two comparison signs, elements that do nothing.
 */
function expectOnlyMarkdown(html: string): void {
  parseHtml(html, (element, attributes) => {
    const isOfMarkdown = ofMarkdown.test(element)
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'href' && unlinked.test(value)) continue
      if (isOfMarkdown && name in ofMarkdownAttributes) expect(value).toMatch(ofMarkdownAttributes[name] ?? /$^/)
      else expect(value === '' ? '' : name).not.toMatch(hostile)
    }
  })
}

describe('whatever the source', () => {
  test.each(Object.entries(renderers))(
    'a %s renderer shows only elements and addresses of Markdown',
    (_name, renderer) => {
      fc.assert(
        fc.property(hostileMarkdown, (source) => {
          expectOnlyMarkdown(renderer.render(sanitiseMarkdown(source)))
        }),
        { numRuns: 2_000 },
      )
    },
  )

  test('even shown as HTML, nothing in it acts or loads anything', () => {
    fc.assert(
      fc.property(hostileMarkdown, (source) => {
        parseHtml(sanitiseMarkdown(source), (element, attributes) => {
          const acting = Object.entries(attributes).filter(([name, value]) => hostile.test(name) && value !== '')
          expect(acting).toEqual([])
          if (/^(?:script|style|textarea)$/.test(element)) expect.unreachable(element)
        })
      }),
      { numRuns: 5_000 },
    )
  })

  test('of what stands in angle brackets, only what is HTML goes', () => {
    const other = fc.constantFrom(
      ...['<key>', '<team>', '<Team A>', '<your name>', '</key>', '<!join>', '<?>', '<key=value>', '<3', '->', '<-'],
      ...['<t:1798761600:F>', '<@1>', '<@&1>', '<#1>', '<:name:1>', '<a:name:1>', '</command:1>', '<id:guide>'],
      ...[
        '<https://a.b>',
        '<a@b.c>',
        'a<b',
        'x < y > z',
        '1<2',
        'a<b c',
        '*',
        '_',
        '**',
        '`',
        '|',
        '\n',
        '\n\n',
        '\n- ',
        '\n> ',
      ],
    )
    fc.assert(
      fc.property(fc.array(other, { maxLength: 20 }), (parts) => {
        const source = parts.join(' ')
        expect(sanitiseMarkdown(source)).toBe(source)
      }),
      { numRuns: 5_000 },
    )
  })

  test('cleaning twice is cleaning once', () => {
    fc.assert(
      fc.property(fc.oneof(hostileMarkdown, fc.string({ unit: 'binary' })), (source) => {
        const once = sanitiseMarkdown(source)
        expect(sanitiseMarkdown(once)).toBe(once)
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('as it is stored', () => {
  const length = (text: string) => Array.from(text).length
  const marks = fc.constantFrom('\u0338', '\u0301', '\u200d', 'é', '\u3000')
  const text = fc
    .oneof(
      hostileMarkdown,
      fc.array(fc.oneof(fc.constantFrom(...pieces), marks), { maxLength: 24 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    )
    .map(cleanText)
    .filter((cleaned) => cleaned.ok)
    .map((cleaned) => cleaned.value)

  test.each([
    ['with room for it', (source: string) => 2 * length(source)],
    ['with no room to grow', (source: string) => length(source)],
  ])('it is within its limit, and storing what was read changes nothing, %s', (_how, limitOf) => {
    fc.assert(
      fc.property(text, (source) => {
        const limit = limitOf(source)
        const stored = readMarkdown(source, limit)
        expect(length(stored)).toBeLessThanOrEqual(limit)
        expect(cleanText(stored)).toEqual({ ok: true, value: stored })
        expect(readMarkdown(stored, limit)).toBe(stored)
        for (const renderer of Object.values(renderers)) expectOnlyMarkdown(renderer.render(stored))
      }),
      { numRuns: 2_000 },
    )
  })

  const stored: [why: string, source: string, limit: number, result: string][] = [
    ['keeps code and placeholders', '`<b>` <name>', 20, '`<b>` <name>'],
    ['has no space left at the ends', '<p> a </p>', 20, 'a'],
    ['composes what a tag stood between', 'e<i></i>\u0301', 20, 'é'],
    [
      'leaves an autolink that loses its end',
      '<https://a.example/b><i></i>\u0338x="y">',
      40,
      '<https://a.example/b≯x="y">',
    ],
    ['sees code lose its indentation', '<p>\n\n    <i>a</i></p>', 40, 'a'],
    ['keeps words where there is no room for more', 'a <name> `<x-y>`', 16, 'a <name> `<x-y>`'],
    ['takes the bracket where a space has no room', '\\<div> a', 8, '\\ div> a'],
    ['takes the bracket of a tag that begins only by that', '<div<!--', 8, 'div !--'],
    ['sees a tag begin behind an address that is one no more', '[a]:vbscript:x<b//=', 40, '[a]:#< b//='],
    ['takes the address where a backslash has no room', '[a](foo:bar)', 12, '[a](#)'],
    ['removes tags all the same', '<b>a</b> <name>', 15, 'a <name>'],
  ]
  test.each(stored)('it %s', (_why, source, limit, result) => {
    expect(readMarkdown(source, limit)).toBe(result)
  })

  test.each(['<a=', '<p ', '![<a ', '<!--', '<?', '</a ', '](foo:x) ', '<name> '])(
    'a field full of %j stays within 20,000 characters',
    (unit) => {
      const result = readMarkdown(unit.repeat(20_000 / unit.length), 20_000)
      expect(length(result)).toBeLessThanOrEqual(20_000)
      expect(length(result)).toBeGreaterThan(5_000)
      expect(readMarkdown(result, 20_000)).toBe(result)
    },
  )
})
