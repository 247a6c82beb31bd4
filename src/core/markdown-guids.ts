import { lazily } from './lazily.ts'
import { parserClass } from './markdown-parser.ts'

const guids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi
/** A printable character that an address may hold as its number. */
const encoded = /%([2-7][\da-f])/gi
/** What browsers drop from addresses. */
const dropped = /[\t\n\r]/g

const utils = lazily(() => new (parserClass())().utils)

/**
 * The GUIDs that a Markdown text names, each once and in lower case. An address can be spelt in many ways (`HTTP://`, without its
 * origin, around `./`, by character references), and what is a link or a picture differs between renderers; but whatever any of
 * them shows, its GUID stands there. So this finds too many rather than too few, asks no parser, and takes linear time.
 */
export function namedGuids(text: string): string[] {
  return [...new Set(Array.from(plainly(text).matchAll(guids), ([guid]) => guid.toLowerCase()))]
}

/** What a part of a Markdown text says, however it is spelt. */
export function plainly(text: string): string {
  const plain = /[&\\]/.test(text) ? utils().unescapeAll(text) : text
  return plain
    .replace(dropped, '')
    .replace(encoded, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
