import { lazily } from './lazily.ts'
import { parserClass } from './markdown-parser.ts'

const guids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi
/** A percent-encoded printable character in an address. */
const encoded = /%([2-7][\da-f])/gi
/** Characters that browsers drop from addresses. */
const dropped = /[\t\n\r]/g

const utils = lazily(() => new (parserClass())().utils)

/**
 * The GUIDs that a Markdown text names, each once and in lower case. An address can be spelt in many ways (`HTTP://`,
 * without its origin, around `./`, with character references), and renderers differ in what they read as a link or a
 * picture; but in every reading the GUID is in the text. So this finds too many rather than too few, needs no parser,
 * and takes linear time.
 */
export function namedGuids(text: string): string[] {
  return [...new Set(Array.from(plainly(text).matchAll(guids), ([guid]) => guid.toLowerCase()))]
}

/** A part of a Markdown text with its escapes and encodings decoded. */
export function plainly(text: string): string {
  const plain = /[&\\]/.test(text) ? utils().unescapeAll(text) : text
  return plain
    .replace(dropped, '')
    .replace(encoded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
