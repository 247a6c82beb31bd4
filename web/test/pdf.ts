import { inflateSync } from 'node:zlib'

/** The texts of a PDF that Chromium has made, page by page. It knows no more of the format than Chromium's files need. */

export function pagesOf(pdf: Buffer): readonly string[] {
  const objects = objectsOf(pdf)
  const fonts = new Map<string, Font>()
  const fontOf = (number: string) => {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(number)?.head ?? '')?.[1]
    const font = fonts.get(number) ?? readFont(objects.get(map ?? '')?.stream ?? '')
    fonts.set(number, font)
    return font
  }
  return [...objects.values()]
    .filter(({ head }) => /\/Type \/Page\b/.test(head))
    .map(({ head }) => {
      const contents = /\/Contents (\d+) 0 R/.exec(head)?.[1] ?? ''
      const numbers = new Map(
        [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', number = '']) => [name, number]),
      )
      return textOf(objects.get(contents)?.stream ?? '', (name) => fontOf(numbers.get(name) ?? ''))
    })
}

interface PdfObject {
  readonly head: string
  readonly stream: string
}

function objectsOf(pdf: Buffer): ReadonlyMap<string, PdfObject> {
  const text = pdf.toString('latin1')
  const objects = new Map<string, PdfObject>()
  for (const { 0: start, 1: number = '', index } of text.matchAll(/(?<=\n)(\d+) 0 obj\n/g)) {
    const begin = index + start.length
    const body = text.slice(begin, text.indexOf('endobj', begin))
    const at = body.indexOf('stream\n')
    const head = at === -1 ? body : body.slice(0, at)
    const from = begin + at + 'stream\n'.length
    const bytes = pdf.subarray(from, from + Number(/\/Length (\d+)/.exec(head)?.[1] ?? 0))
    // Pages and maps of characters have a filter and nothing else; fonts and pictures are not read here.
    const isText = at !== -1 && /^<<\/Filter \/FlateDecode\s+\/Length \d+>>\s*$/.test(head)
    objects.set(number, { head, stream: isText ? inflateSync(bytes).toString('latin1') : '' })
  }
  return objects
}

/** How many digits the code of a character has, and what the codes stand for. */
interface Font {
  readonly digits: number
  readonly characters: ReadonlyMap<string, string>
}

function readFont(map: string): Font {
  const digits = /begincodespacerange\n<([\dA-F]+)>/i.exec(map)?.[1]?.length ?? 4
  const characters = new Map<string, string>()
  const codeOf = (value: number) => value.toString(16).padStart(digits, '0').toUpperCase()
  for (const [, lines = ''] of map.matchAll(/beginbfchar\n(.*?)endbfchar/gs))
    for (const [, code = '', text = ''] of lines.matchAll(/<([\dA-F]+)> <([\dA-F]+)>/gi))
      characters.set(code.toUpperCase(), Buffer.from(text, 'hex').swap16().toString('utf16le'))
  for (const [, lines = ''] of map.matchAll(/beginbfrange\n(.*?)endbfrange/gs))
    for (const [, ...range] of lines.matchAll(/<([\dA-F]+)> <([\dA-F]+)> <([\dA-F]+)>/gi)) {
      const [from = 0, to = 0, text = 0] = range.map((hex) => Number.parseInt(hex, 16))
      for (let at = 0; at <= to - from; at++) characters.set(codeOf(from + at), String.fromCharCode(text + at))
    }
  return { digits, characters }
}

/** Each piece of text on a line of its own. */
function textOf(content: string, fontOf: (name: string) => Font): string {
  return [...content.matchAll(/^BT\n(.*?)^ET$/gms)]
    .map(([, piece = '']) => {
      let font = fontOf('')
      let text = ''
      for (const [, name, codes] of piece.matchAll(/\/(F\d+) [\d.]+ Tf|<([\dA-F]+)>/gi)) {
        if (name !== undefined) font = fontOf(name)
        const each = new RegExp(`.{${font.digits}}`, 'g')
        for (const code of codes?.match(each) ?? []) text += font.characters.get(code.toUpperCase()) ?? ''
      }
      return text
    })
    .join('\n')
}
