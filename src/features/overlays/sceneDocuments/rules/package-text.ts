/** Parses the bytes of a file, and limits the memory that this can take. */

/** Above the depth of any package. Deep nesting is expensive to parse. */
const maxDepth = 40
/** Maximum number of brackets, commas and colons outside of texts. No document of an allowed size has more. */
const maxMarks = 1_200_000

export type ReadText = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string }

/** Parses JSON in UTF-8. `reason` is the end of a sentence that begins with "The body". (D9) */
export function readText(bytes: Uint8Array): ReadText {
  const fault = shapeFault(bytes)
  if (fault !== null) return { ok: false, reason: fault }
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { ok: false, reason: 'is not valid UTF-8' }
  }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, reason: 'is not valid JSON' }
  }
}

const [quote, backslash] = [0x22, 0x5c]
/** `[` and `{` */
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b])
/** `]` and `}` */
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d])
/** `,` and `:` */
const between: ReadonlySet<number> = new Set([0x2c, 0x3a])

/** Refuses a text that would take far more memory than its bytes once it is parsed. */
function shapeFault(bytes: Uint8Array): string | null {
  let depth = 0
  let marks = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) {
      at = endOfText(bytes, at)
      continue
    }
    if (opening.has(byte)) depth++
    else if (closing.has(byte)) depth--
    else if (!between.has(byte)) continue
    marks++
    if (depth > maxDepth) return `is deeper than ${maxDepth} levels`
    if (marks > maxMarks) return 'has more members than a package can have'
  }
  return null
}

/** Returns the end of the text that begins at `start`; the end of the file if it has no end. */
function endOfText(bytes: Uint8Array, start: number): number {
  let end = start
  do {
    end = bytes.indexOf(quote, end + 1)
    if (end === -1) return bytes.length
  } while (isEscaped(bytes, end))
  return end
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let slashes = 0
  while (bytes[at - 1 - slashes] === backslash) slashes++
  return slashes % 2 === 1
}
