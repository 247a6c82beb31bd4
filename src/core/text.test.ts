import fc from 'fast-check'
import sanitizeHtml from 'sanitize-html'
import { describe, expect, it, test } from 'vitest'
import { isEasyToParse } from './markdown-effort.ts'
import { sanitiseMarkdown } from './markdown-safety.ts'
import { beginning, cleanText, excerpt, oneLine, plainText, readMarkdown, renderMarkdown } from './text.ts'

const codePoints = (text: string) => [...text].length
const anyText = fc.string({ unit: 'binary', maxLength: 200 })

describe('cleanText', () => {
  const cleaned: [why: string, input: string, output: string][] = [
    ['trims spaces', '  Saber Squad ', 'Saber Squad'],
    ['trims Unicode white space', '\u00A0\u2003Saber\u3000\u2028', 'Saber'],
    ['keeps newline and tab inside', 'a\n\tb', 'a\n\tb'],
    ['turns CRLF into LF', 'a\r\nb\r\n', 'a\nb'],
    ['composes', 'Cafe\u0301', 'Café'],
    ['composes Hangul', '\u1112\u1161\u11ab', '한'],
    ['keeps compatibility characters', 'ﬁ ①', 'ﬁ ①'],
    ['keeps emoji joined', '👩\u200D🚀 and 👨‍👩‍👧‍👦', '👩\u200D🚀 and 👨‍👩‍👧‍👦'],
    ['keeps an emoji joined to a variation', '❤️\u200D🔥', '❤️\u200D🔥'],
    ['keeps the Persian non-joiner', 'می\u200Cخواهم', 'می\u200Cخواهم'],
    ['keeps tags of a subdivision flag', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['drops joiners between ASCII letters', 'ad\u200Dmin\u200C', 'admin'],
    ['drops what has neither width nor content', '\uFEFFad\u200Bm\u2060i\u00ADn', 'admin'],
    ['is empty when nothing visible is left', ' \u200B\u200D ', ''],
    ['keeps direction marks', 'a\u200Eb\u200Fc', 'a\u200Eb\u200Fc'],
    ['keeps 30 marks', `z${'\u{1E8D0}'.repeat(30)}`, `z${'\u{1E8D0}'.repeat(30)}`],
  ]
  test.each(cleaned)('%s', (_why, input, output) => {
    expect(cleanText(input)).toEqual({ ok: true, value: output })
  })

  const refused: [why: string, input: string, reason: RegExp][] = [
    ['NUL', 'a\0b', /control/],
    ['NUL at the end, where trimming could hide it', 'a\0', /control/],
    ['escape', '\u001b[31m', /control/],
    ['a lone carriage return', 'a\rb', /control/],
    ['form feed', 'a\fb', /control/],
    ['DEL', 'a\u007f', /control/],
    ['C1 next line, even at the end', 'a\u0085', /control/],
    ['a high surrogate alone', 'a\ud83d', /Unicode/],
    ['surrogates in wrong order', '\udc00\ud800', /Unicode/],
    ['right-to-left override', 'user\u202Egpj.exe', /direction/],
    ['embedding', '\u202Aa', /direction/],
    ['isolate', 'a\u2066b\u2069', /direction/],
    ['31 marks on one letter', `z${'\u0301'.repeat(31)}`, /30 marks/],
    ['31 marks of two units each', `a${'\u{1E8D0}'.repeat(31)}`, /30 marks/],
    ['30 marks on a letter that is taken apart into a letter and a mark', `\u0958${'\u0301'.repeat(30)}`, /30 marks/],
  ]
  test.each(refused)('refuses %s', (_why, input, reason) => {
    expect(cleanText(input)).toEqual({ ok: false, reason: expect.stringMatching(reason) })
  })

  test('takes no time by the square of what a hostile text piles up', () => {
    const began = process.cpuUsage()
    for (const text of [
      '\u0301'.repeat(250_000) + '\u0316'.repeat(250_000),
      `z${'\u0301\u0316'.repeat(15)}`.repeat(20_000),
    ]) {
      cleanText(`a${text}`)
    }
    const { user, system } = process.cpuUsage(began)
    // For a megabyte; quadratic time took minutes.
    expect((user + system) / 1000).toBeLessThan(2_000)
  })

  test('gives NFC without control characters or outer space, and is then content with its own result', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const result = cleanText(input)
        if (!result.ok) return
        expect(result.value).toBe(result.value.normalize('NFC'))
        expect(result.value).not.toMatch(/^\s|\s$|[^\P{Cc}\n\t]/u)
        expect(cleanText(result.value)).toEqual(result)
      }),
    )
  })
})

const mediaOrigin = 'http://own.example'

describe('renderMarkdown', () => {
  const guid = '9b2e6f0c-9d0e-4e5c-8f6a-2f1f7f3a1b10'
  const own = `http://own.example/media/${guid}`
  const rel = 'rel="nofollow ugc noopener noreferrer"'
  const rendered: [why: string, source: string, html: string][] = [
    ['paragraphs and emphasis', 'a **b** *c* ~~d~~', '<p>a <strong>b</strong> <em>c</em> <s>d</s></p>'],
    ['headings', '## Rules', '<h2>Rules</h2>'],
    ['links', '[x](https://a.example "T")', `<p><a href="https://a.example" title="T" ${rel}>x</a></p>`],
    ['mail links', '<a@b.example>', `<p><a href="mailto:a@b.example" ${rel}>a@b.example</a></p>`],
    ['bare addresses', 'http://a.example', `<p><a href="http://a.example" ${rel}>http://a.example</a></p>`],
    ['own media', `![alt](${own}/1024.webp "T")`, `<p><img src="${own}/1024.webp" alt="alt" title="T" /></p>`],
    [
      'own media in a link',
      `[![alt](${own}/64.png)](https://a.example)`,
      `<p><a href="https://a.example" ${rel}><img src="${own}/64.png" alt="alt" /></a></p>`,
    ],
    [
      'other pictures as links',
      '![alt](https://a.example/i.png)',
      `<p><a href="https://a.example/i.png" ${rel}>alt</a></p>`,
    ],
    [
      'what else is at our origin as a link',
      '![](http://own.example/i.png)',
      `<p><a href="http://own.example/i.png" ${rel}>http://own.example/i.png</a></p>`,
    ],
    [
      'what the origin only begins like as a link',
      `![a](http://own.example.evil/media/${guid}/full.webp)`,
      `<p><a href="http://own.example.evil/media/${guid}/full.webp" ${rel}>a</a></p>`,
    ],
    [
      'other pictures in a link by their words',
      '[![a](https://a.example/i.png) b](https://b.example)',
      `<p><a href="https://b.example" ${rel}>a b</a></p>`,
    ],
    [
      'other pictures behind a link as links',
      '[b](https://b.example) ![a *c* <](http://a.example/i)',
      `<p><a href="https://b.example" ${rel}>b</a> <a href="http://a.example/i" ${rel}>a c &lt;</a></p>`,
    ],
    [
      'hostile addresses as text',
      '![a](https://a.example/"onload=x)',
      `<p><a href="https://a.example/%22onload=x" ${rel}>a</a></p>`,
    ],
    ['the words of relative pictures', '![a](/media/remote/x)', '<p>a</p>'],
    ['the words of relative links', '[x](/rules) [y](#z) [z](//a.example)', '<p>x y z</p>'],
    ['the words of ftp links', '[x](ftp://a.example)', '<p>x</p>'],
    [
      'a time of the chat platform as an instant',
      'At <t:1798761600:F>, <t:-1> `<t:1>`',
      '<p>At <time datetime="2027-01-01T00:00:00.000Z">2027-01-01 00:00 UTC</time>, <time datetime="1969-12-31T23:59:59.000Z">1969-12-31 23:59 UTC</time> <code>&lt;t:1&gt;</code></p>',
    ],
    [
      'no time that is none',
      '<t:x> <t:9999999999999> <t:1:FF>',
      '<p>&lt;t:x&gt; &lt;t:9999999999999&gt; &lt;t:1:FF&gt;</p>',
    ],
    [
      'other forms of the chat platform, and words, as text',
      '<@1> <@&1> <#1> <:n:1> <a:n:1> </c:1> <id:guide> <key> a<b',
      '<p>&lt;@1&gt; &lt;@&amp;1&gt; &lt;#1&gt; &lt;:n:1&gt; &lt;a:n:1&gt; &lt;/c:1&gt; &lt;id:guide&gt; &lt;key&gt; a&lt;b</p>',
    ],
    ['HTML as text', '<b onclick="x">y</b>', '<p>&lt;b onclick="x"&gt;y&lt;/b&gt;</p>'],
    ['code without class', '```js\n<b>\n```', '<pre><code>&lt;b&gt;\n</code></pre>'],
    ['numbered lists from any number', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    [
      'tables without style',
      '|a|\n|:-:|\n|b|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
    ],
  ]
  test.each(rendered)('renders %s', (_why, source, html) => {
    expect(renderMarkdown(source, mediaOrigin).trim()).toBe(html)
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](data:text/html,x)',
    '![x](data:image/png;base64,AAAA)',
    '<javascript:alert(1)>',
    '[x]\n\n[x]: vbscript:x',
  ])('makes no element of %s', (source) => {
    expect(renderMarkdown(source, mediaOrigin)).not.toMatch(/<(?!\/?p>)/)
  })
})

describe('plainText', () => {
  const plain: [why: string, source: string, text: string][] = [
    ['emphasis, links and images', '**a** [b](https://x.example) ![c *d*](https://x.example/i.png)', 'a b c d'],
    ['links whatever their address', '[a](javascript:alert(1)) [b](foo:bar)', 'a b'],
    ['blocks, kept apart', '# A\n\n- b\n- c\n\n> d\n\n---\n\n1. e', 'A b c d e'],
    ['tables', '|a|b|\n|-|-|\n|c|d|', 'a b c d'],
    ['code', '`a < b`\n\n```js\nc\n```\n\n    d', 'a < b c d'],
    ['HTML', '<p>a<br>b</p><script>c</script><!-- d -->', 'a b'],
    ['HTML spelt with character references', '&lt;script&gt;a&lt;/script&gt;&#60;b&#62;c&lt;/b&gt;', 'c'],
    ['line breaks', 'a\nb  \nc', 'a b c'],
    ['escapes and references', '\\*a\\* &amp; &copy;', '*a* & ©'],
    ['nothing of what is not markup', 'a < b, x > y, I <3 u, a<b, <key>', 'a < b, x > y, I <3 u, a<b, <key>'],
    [
      'nothing of what the chat platform reads',
      '<t:1:F> <@1> <:n:1> <id:guide> **a**',
      '<t:1:F> <@1> <:n:1> <id:guide> a',
    ],
  ]
  test.each(plain)('strips %s', (_why, source, text) => {
    expect(plainText(source)).toBe(text)
  })

  test('shows nothing when taken for HTML', () => {
    const fragments = fc.constantFrom(
      '<',
      '&lt;',
      '/',
      'b',
      'script',
      '>',
      '`',
      '<b>',
      '<script>',
      '<https://a.b>',
      '!--',
      '\\',
      ' ',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 20 }), (parts) => {
        // Two comparison signs may enclose a letter, but never an element that acts.
        sanitizeHtml(plainText(parts.join('')), { onOpenTag: (name) => expect(name).not.toBe('script') })
      }),
    )
  })
})

describe('excerpt', () => {
  test('leaves a text that fits as it is', () => {
    expect(excerpt('**twelve** ones', 11)).toBe('twelve ones')
  })
  test('cuts between words and counts the ellipsis', () => {
    expect(excerpt('the quick brown fox', 10)).toBe('the quick…')
    expect(excerpt('the quick brown fox', 12)).toBe('the quick…')
  })
  test('cuts inside a word that would take more than half with it', () => {
    expect(excerpt('a Donaudampfschifffahrt', 12)).toBe('a Donaudamp…')
  })
  test('counts code points, not UTF-16 units', () => {
    expect(excerpt('🎵🎵🎵🎵', 4)).toBe('🎵🎵🎵🎵')
    expect(excerpt('🎵🎵🎵🎵', 3)).toBe('🎵🎵…')
  })
  test('never cuts a grapheme', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(codePoints(family)).toBe(7)
    expect(excerpt(family + family, 8)).toBe(`${family}…`)
    expect(excerpt(family + family, 7)).toBe('…')
    expect(excerpt('e\u0301e\u0301e\u0301', 4)).toBe('e\u0301…')
  })
  test('never cuts what the chat platform reads as one', () => {
    const source = 'Finals begin at <t:1798761600:F> for <@123456789012345678>'
    expect(excerpt(source, 30)).toBe('Finals begin at…')
    expect(excerpt(source, 36)).toBe('Finals begin at <t:1798761600:F>…')
    expect(excerpt(source, 45)).toBe('Finals begin at <t:1798761600:F> for…')
    const command = 'Now go on with </tournament register team:123456789012345678>'
    for (const cut of [excerpt, beginning]) {
      expect(cut(`${command}, please`, 62)).toBe('Now go on with </tournament register team:123456789012345678>…')
      expect(cut(`Go </tournament register team:123456789012345678>next`, 52)).toBe(
        'Go </tournament register team:123456789012345678>ne…',
      )
    }
  })
  test('has room for nothing', () => {
    expect(excerpt('abc', 1)).toBe('…')
    expect(excerpt('abc', 0)).toBe('')
    expect(excerpt('', 0)).toBe('')
  })

  test('never exceeds the maximum, and is the whole or a beginning of it', () => {
    const source = fc.string({ unit: 'grapheme', maxLength: 60 })
    fc.assert(
      fc.property(source, fc.nat(40), (text, maximum) => {
        const whole = plainText(text)
        const cut = excerpt(text, maximum)
        expect(codePoints(cut)).toBeLessThanOrEqual(maximum)
        if (cut !== whole) expect(whole.startsWith(cut.replace(/…$/, ''))).toBe(true)
      }),
    )
  })
})

/** Texts of about n characters that make backtracking parsers slow. */
const hostile: Record<string, (n: number) => string> = {
  brackets: (n) => '['.repeat(n),
  'nested brackets': (n) => '['.repeat(n / 2) + ']'.repeat(n / 2),
  'open links': (n) => '[a]('.repeat(n / 4),
  'open angle targets': (n) => '](<'.repeat(n / 3),
  'nested links': (n) => '['.repeat(n / 5) + '](b)'.repeat(n / 5),
  'nested script targets': (n) => '](javascript:'.repeat(n / 13),
  'open parentheses': (n) => `[a](javascript:${'('.repeat(n)}`,
  'open definitions': (n) => '[a]: b "'.repeat(n / 8),
  'gaps after a bracket': (n) => '] '.repeat(n / 2) + ' '.repeat(n),
  'less-than signs': (n) => '<'.repeat(n),
  'open tags': (n) => '<a '.repeat(n / 3),
  'open tags in code': (n) => `\`${'<a '.repeat(n / 3)}\``,
  'open attributes': (n) => '<a b="'.repeat(n / 6),
  'open comments': (n) => '<!--'.repeat(n / 4),
  'open scripts': (n) => '<script>'.repeat(n / 8),
  'open script ends': (n) => `<script>${'</script '.repeat(n / 9)}`,
  'open autolinks': (n) => '<http://a'.repeat(n / 9),
  'open mail addresses': (n) => '<a@'.repeat(n / 3),
  'attributes in an address': (n) => `<https://a${'/on'.repeat(n / 3)}>`,
  backticks: (n) => '`'.repeat(n),
  'growing backticks': (n) => Array.from({ length: Math.sqrt(2 * n) }, (_, i) => '`'.repeat(i + 1)).join(' '),
  'unequal backticks': (n) => '` `` '.repeat(n / 5),
  backslashes: (n) => `${'\\'.repeat(n)}<b>`,
  emphasis: (n) => '*'.repeat(n),
  'open emphasis': (n) => '*a '.repeat(n / 3),
  'mixed emphasis': (n) => '*_'.repeat(n / 2),
  'crossing emphasis': (n) => '*a**b'.repeat(n / 5),
  strikethrough: (n) => '~~a '.repeat(n / 4),
  quotes: (n) => '>'.repeat(n),
  lists: (n) => '- '.repeat(n / 2),
  fences: (n) => '~~~ a\n'.repeat(n / 6),
  references: (n) => '&#'.repeat(n / 2),
  spaces: (n) => `${' '.repeat(n)}x`,
  'blank lines': (n) => '\n'.repeat(n),
  'table cells': (n) => `|a|b|\n|-|-|\n${'|'.repeat(n)}`,
  'table rows': (n) => `|a|b|\n|-|-|\n${'|x|\n'.repeat(n / 4)}`,
  addresses: (n) => 'http://'.repeat(n / 7),
  'mail domains': (n) => `${'a.'.repeat(n / 2)}@`,
  'open tags in images': (n) => '![<a '.repeat(n / 5),
  'open tags that hold values': (n) => '<a='.repeat(n / 3),
  'open tags on lines': (n) => '<a\n'.repeat(n / 3),
  'open instructions': (n) => '<?'.repeat(n / 2),
  'open declarations': (n) => '<![CDATA['.repeat(n / 9),
  'open paragraphs': (n) => '<p '.repeat(n / 3),
  'quotes that swallow quotes': (n) => `<a ${`="='`.repeat(n / 4)}>`,
  'tags without end before a closed one': (n) => `${'<x '.repeat(n / 3)}>`,
  'elements in code': (n) => '`<b>`'.repeat(n / 5),
  'code between paragraphs': (n) => '`<b>`\n\n'.repeat(n / 7),
  'code in cells': (n) => `|a|b|\n|-|-|\n${'|`<b>`\n'.repeat(n / 7)}`,
  'code beside addresses': (n) => '`<b>` http://a.b '.repeat(n / 17),
  'open images': (n) => '!['.repeat(n / 2),
  'open references': (n) => '[a]['.repeat(n / 4),
  'nested images': (n) => '!['.repeat(n / 6) + '](b)'.repeat(n / 6),
  'unknown schemes': (n) => '](foo:'.repeat(n / 6),
  'many tables': (n) => '|a|b|\n|-|-|\n|x|\n'.repeat(n / 16),
  'cells that are filled up': (n) => `${'|a'.repeat(99)}|\n${'|-'.repeat(99)}|\n${'a\n'.repeat(n / 2)}`,
  'lines below quotes': (n) => `${'>'.repeat(99)}a\n${'b\n'.repeat(n / 2)}`,
  'quotes between lines': (n) => 'b\n> >---\n'.repeat(n / 9),
  'items of lists': (n) => '  - a\n'.repeat(n / 6),
  paragraphs: (n) => 'a\n\n'.repeat(n / 3),
  'mail addresses': (n) => 'a@b.c '.repeat(n / 6),
  'addresses without a scheme': (n) => '//a.co '.repeat(n / 7),
  'character references': (n) => '&amp; '.repeat(n / 6),
  quotations: (n) => '"a" '.repeat(n / 4),
  'forms of the chat platform': (n) => '<t:1> '.repeat(n / 6),
  'tags with handlers that never end': (n) => '<x on='.repeat(n / 6),
  joiners: (n) => '\u200D'.repeat(n),
  'one grapheme': (n) => `a${'\u0301'.repeat(n)}`,
}

describe('time grows no faster than the text', () => {
  const operations = {
    cleanText,
    sanitiseMarkdown,
    readMarkdown: (text: string) => readMarkdown(text, text.length),
    renderMarkdown: (text: string) => renderMarkdown(text, mediaOrigin),
    plainText,
    excerpt: (text: string) => excerpt(text, 140),
  }

  describe.each(Object.entries(operations))('in %s', (_name, operate) => {
    it.each(Object.entries(hostile))('for %s', { retry: 3 }, (_what, make) => {
      const once = milliseconds(operate, make(20_000))
      const double = milliseconds(operate, make(40_000))
      // Quadratic growth would be fourfold; the constant covers the clock and the garbage collector.
      expect(double).toBeLessThan(3 * once + 25)
    })
  })
})

/** Processor time, so that a busy machine does not matter. */
function milliseconds(operate: (text: string) => unknown, text: string): number {
  const runs = [1, 2].map(() => {
    const start = process.cpuUsage()
    operate(text)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}

describe('a field of 20,000 characters is stored within 40 ms', () => {
  const store = (text: string) => [readMarkdown(text, 20_000), excerpt(text, 140)]
  /** A quiet machine needs half of this limit; this one may be busy. */
  const most = 100

  it.each(Object.entries(hostile))('full of %s', { retry: 3 }, (_what, make) => {
    expect(milliseconds(store, make(20_000).slice(0, 20_000))).toBeLessThan(most)
  })

  it.each(Object.entries(hostile))('as full of %s as a parser is still asked about', { retry: 3 }, (_what, make) => {
    const withCode = (n: number) => `|a|\`<b>\`|\n|-|-|\n|http://a.example|\n\n${make(n)}`.slice(0, 20_000)
    let [easy, hard] = [0, 20_001]
    while (hard - easy > 1) {
      const middle = Math.floor((easy + hard) / 2)
      if (isEasyToParse(withCode(middle))) easy = middle
      else hard = middle
    }
    expect(milliseconds(store, withCode(easy))).toBeLessThan(most)
  })
})

test.each(['a@b.c ', '//a.co ', '&amp; ', '"a" ', 'www.a.co '])(
  'a field full of %j is shown at some dozen times the cost of plain words',
  { retry: 3 },
  (unit) => {
    const show = (text: string) => renderMarkdown(text, mediaOrigin)
    const words = milliseconds(show, 'Word '.repeat(4_000))
    expect(milliseconds(show, unit.repeat(20_000 / unit.length))).toBeLessThan(40 * Math.max(words, 0.5))
  },
)

describe('a text that is too much for a parser', () => {
  const source = `*Words*, [linked](https://a.example). ${'!['.repeat(9_000)}<b>`

  test('is none that people write', () => {
    const written = [
      '## Rules',
      'Every match is played to **three** won maps, and both captains are _at the desk_ ten minutes before it starts. Ask in [the chat](https://chat.example/rules) if you are late; type `!late <minutes>` there.',
      '1. The team with the better seed bans a map first.\n2. The other one bans a map, then picks one.\n3. The rest is picked in turns.',
      '| Round | Maps | Date |\n|---|---|---|\n| Quarter-finals | 3 | Friday |\n| Finals | 5 | Sunday |',
      '> Whoever leaves the match without a word loses it.',
    ].join('\n\n')
    expect(isEasyToParse(`${written}\n\n`.repeat(40).slice(0, 20_000))).toBe(true)
    expect(isEasyToParse(source)).toBe(false)
  })
  test('is shown as it was written', () => {
    expect(renderMarkdown(source, mediaOrigin)).toBe(`<p>${source.replace('<b>', '&lt;b&gt;')}</p>`)
  })
  test('gives its words', () => {
    expect(plainText(source)).toBe('Words , linked https: a.example . b')
  })
  test('is cleaned as though it held no code', () => {
    expect(sanitiseMarkdown(`\`<b>\` ${'!['.repeat(9_000)}`)).toBe(`\`\` ${'!['.repeat(9_000)}`)
  })
})

test('one line is what white space of any kind is between', () => {
  expect(oneLine(' a\n\tb\u2028c\u00A0 d\u3000')).toBe(' a b c d ')
})

test('plain words on one line are what reading them as Markdown gives', () => {
  const words = fc.array(
    fc.constantFrom('fast', 'é', '1', '2.', 'x.org', '!', '?', ',', ' ', '  ', '.', '...', 'www.a.b', 'Ω9'),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(words, (parts) => {
      const source = `a${parts.join('')}`
      // A text with a character reference is never plain, so this is parsed as Markdown.
      expect(plainText(source)).toBe(plainText(`&#97;${source.slice(1)}`))
    }),
  )
})
