import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { expect, it } from 'vitest'
import { plainText, renderMarkdown, sanitiseMarkdown } from './text.ts'

const frag = [
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '<b>',
  '</b>',
  '<script>',
  '</script>',
  '<script src=x>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:x">',
  '<svg/onload=x>',
  '<x y=z>',
  '<x>',
  '<name>',
  '<!X',
  '<?',
  '?>',
  '<![CDATA[',
  ']]>',
  '"',
  "'",
  '`',
  '``',
  '```',
  '\n```\n',
  '~~~\n',
  '\n',
  '\n\n',
  '\r\n',
  '\t',
  '    ',
  '\n    ',
  '\n- ',
  '\n1. ',
  '\n> ',
  '> ',
  '\n# ',
  '|',
  '\n|-|-|\n',
  '\n|a|b|\n|-|-|\n|',
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
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  'java\nscript:',
  '&#106;avascript:',
  'javascript&colon;',
  'javascript\\:',
  'data:text/html,x',
  'vbscript:x',
  'foo:bar',
  'https://a.b/c',
  'http://',
  'mailto:a@b.c',
  'ftp://a.b',
  '<https://a.b>',
  '<https://a/onclick=x>',
  '<javascript:x>',
  '<a@b.c>',
  'alert(1)',
  'a',
  'b ',
  ' ',
  '\\',
  '*',
  '_',
  '**',
  '~~',
  '&lt;',
  '&#60;',
  '&gt;',
  '<br>',
  '<div',
  '<p>',
  '</p>',
  '=',
  '//',
  '\u0000',
  '\u200b',
  '==',
  '---\n',
  '\n===\n',
  '"t"',
  '(t)',
  '#',
  '<style>',
  '</style>',
  '<pre>',
  '</pre>',
  '<code>',
  '<textarea>',
  '<b',
  'i>',
  '\f',
  '\u2028',
  '[^1]:',
  '{: onclick=x}',
  'on',
  '/on',
  'x=',
]
const md = fc.array(fc.constantFrom(...frag), { maxLength: 24 }).map((a) => a.join(''))
const rs = [
  new MarkdownIt({ html: true, linkify: true }),
  new MarkdownIt('commonmark'),
  new MarkdownIt('commonmark', { linkify: true }).enable('linkify'),
  new MarkdownIt({ html: true }),
  new MarkdownIt({ html: true }).disable(['code', 'fence']),
  new MarkdownIt({ html: true, linkify: true, breaks: true, typographer: true }),
]
for (const r of rs) r.validateLink = () => true
rs[5]!.linkify.set({ fuzzyLink: true })
const OK = new Set(
  'h1 h2 h3 h4 h5 h6 p br hr blockquote pre code ul ol li strong em s a img table thead tbody tr th td'.split(' '),
)
function check(html: string) {
  sanitizeHtml(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    onOpenTag: (n, a) => {
      if (!OK.has(n) && !/^(name|x|b|i|code|br)$/.test(n)) throw new Error('element ' + n)
      for (const [k, v] of Object.entries(a)) {
        if (k === 'href' || k === 'src') {
          if (!/^(https?|mailto|ftp):/i.test(v) && /^[\s\x00-\x20]*[a-z][a-z0-9+.\t\n\r-]*:/i.test(v))
            throw new Error('url ' + v)
        } else if (
          !(
            ['title', 'alt', 'start'].includes(k) ||
            (n === 'code' && k === 'class' && v.startsWith('language-')) ||
            (k === 'style' && /^text-align:(left|right|center)$/.test(v))
          )
        )
          throw new Error('attr ' + n + ' ' + k + '=' + v)
      }
    },
  })
}
const runs = Number(process.env.RUNS ?? 20000)
it('inv', () => {
  fc.assert(
    fc.property(md, (x) => {
      const y = sanitiseMarkdown(x)
      for (const r of rs) check(r.render(y))
      expect(sanitiseMarkdown(y)).toBe(y)
      // raw dump
      sanitizeHtml(y, {
        allowedTags: false,
        allowedAttributes: false,
        allowVulnerableTags: true,
        onOpenTag: (n, a) => {
          if (/^(script|style|img|a|svg|div|p|pre|textarea)$/.test(n)) throw new Error('raw ' + n)
          for (const [k, v] of Object.entries(a)) if (v !== '' && /^on|^style$/.test(k)) throw new Error('rawattr ' + k)
        },
      })
      const p = plainText(x)
      expect(p).not.toMatch(/<[a-z!?]|<\/[a-z]/i)
    }),
    { numRuns: runs },
  )
}, 1e9)
it('ren', () => {
  fc.assert(
    fc.property(md, (x) => {
      const h = renderMarkdown(x)
      sanitizeHtml(h, {
        allowedTags: false,
        allowedAttributes: false,
        allowVulnerableTags: true,
        onOpenTag: (n, a) => {
          if (!OK.has(n) && !/^(name|x|b|i|code|br)$/.test(n)) throw new Error(n)
          for (const [k, v] of Object.entries(a)) {
            if (k === 'href') {
              if (!/^(https?:|mailto:)/i.test(v)) throw new Error(v)
            } else if (k === 'src') {
              if (!/^https:/i.test(v)) throw new Error(v)
            } else if (!['title', 'alt', 'start', 'rel'].includes(k)) throw new Error(k)
          }
        },
      })
    }),
    { numRuns: runs },
  )
}, 1e9)
