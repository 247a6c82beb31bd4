import { codeLookup, type Region } from './markdown-code.ts'

/** Removes dangerous addresses from Markdown links, images and link definitions. (D36) */

const listedSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'ftp'])
const scriptSchemes: ReadonlySet<string> = new Set(['javascript', 'jscript', 'livescript', 'mocha', 'vbscript', 'vbs'])
/** Schemes of addresses that are documents themselves, or that reach the reader's own files. */
const contentSchemes: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'data',
  'file',
  'filesystem',
  'jar',
  'view-source',
])

type SchemeClass = 'listed' | 'active' | 'other' | 'none'

/**
 * The safety class of an address's scheme: `listed` is allowed in stored text; `active` runs script or carries a
 * document of its own; `other` may be shown but not linked. `ftp` is listed, although our own HTML does not link it,
 * because linkifiers make a harmless link of a bare ftp address.
 */
export function schemeClass(address: string): SchemeClass {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'none'
  if (listedSchemes.has(scheme)) return 'listed'
  return scriptSchemes.has(scheme) || contentSchemes.has(scheme) ? 'active' : 'other'
}

/** What precedes an address: `](` of a link or image, `]:` of a definition; some renderers allow a gap in `] (`. */
const targetOpening = /\](?:([ \t]*)\(|:)/g
/** What may be between the opening and the address: white space and, after a line break, quote marks. */
const lead = /[^\S\n]*(?:\n[^\S\n]*(?:>[^\S\n]*)*)?/y
/** Characters that browsers or some renderers drop from an address, so that they can hide a scheme: `java\tscript:`. */
const dropped = /[\p{White_Space}\p{Cc}\p{Cf}<>\\]/u
const entity = /&(?:#|[a-z][a-z0-9]*;)/iy

/**
 * Replaces the address by `#` where its scheme is active or hidden by character references. Where the scheme is merely
 * unknown and not in code, breaks the link with a backslash, which is not rendered. Does not decide whether there
 * really is a link: the result is safe in every parser's reading.
 * @param manner `tight` replaces unknown schemes too, so that the text does not grow
 */
export function neutraliseTargets(text: string, code: readonly Region[], manner?: 'tight'): string {
  const isCode = codeLookup(code)
  let out = ''
  let kept = 0
  for (const opening of text.matchAll(targetOpening)) {
    if (opening.index < kept) continue
    lead.lastIndex = opening.index + opening[0].length
    const start = lead.lastIndex + (lead.exec(text)?.[0].length ?? 0)
    const { verdict, end } = judge(text, start, (opening[1] ?? '') !== '')
    if (verdict === 'safe' || (verdict === 'unknown' && isCode(opening.index))) continue
    if (verdict === 'unsafe' || manner === 'tight') {
      out += `${text.slice(kept, start)}#`
      kept = endOfAddress(text, start, end)
    } else {
      out += `${text.slice(kept, opening.index)}]\\`
      kept = opening.index + 1
    }
  }
  return out + text.slice(kept)
}

interface Judgement {
  readonly verdict: 'safe' | 'unsafe' | 'unknown'
  /** The offset where the reading stopped. */
  readonly end: number
}

/** Reads an address up to the end of its scheme, as leniently as the most careless renderer and browser. */
function judge(text: string, start: number, afterGap: boolean): Judgement {
  let scheme = ''
  /** White space inside an address ends it unless it is an attack: the text after its colon is prose. */
  let broken = false
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '\n' && scheme === '') break
    if (dropped.test(char)) {
      broken ||= scheme !== '' && /\s/.test(char)
      continue
    }
    if (char === '&' && !afterGap) {
      entity.lastIndex = at
      return { verdict: entity.test(text) ? 'unsafe' : 'safe', end: at }
    }
    if (char === ':') return { verdict: judgeScheme(scheme, broken, afterGap), end: at + 1 }
    if (!/[a-z0-9+.-]/i.test(char)) break
    scheme += char
  }
  return { verdict: 'safe', end: start }
}

function judgeScheme(scheme: string, broken: boolean, afterGap: boolean): Judgement['verdict'] {
  // `] (` is ordinary prose in CommonMark, so here only script schemes count.
  if (afterGap) return scriptSchemes.has(scheme.toLowerCase()) ? 'unsafe' : 'safe'
  const kind = schemeClass(`${scheme}:`)
  if (kind === 'active') return 'unsafe'
  return kind === 'other' && !broken ? 'unknown' : 'safe'
}

/** The end of an address, at the latest at white space, an angle bracket or the parenthesis that closes the link. */
function endOfAddress(text: string, start: number, from: number): number {
  if (text[start] === '<') {
    const end = /[\n<>]/g
    end.lastIndex = Math.max(from, start + 1)
    return end.test(text) && text[end.lastIndex - 1] === '>' ? end.lastIndex : from
  }
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    if (/[\s<>]/.test(char)) return at
    if (char === '(') depth++
    if (char === ')' && depth-- === 0) return at
  }
  return text.length
}
