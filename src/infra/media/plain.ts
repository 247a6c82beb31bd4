/** The chunks of a WebP that hold pixels, and say how they are shown. Others hold profiles, texts and places. */
const shown: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'])
const shownInFrames: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'ALPH'])

const headBytes = 12
const chunkHead = 8
/** What a frame of an animation says of its place and time, before its chunks. */
const frameHead = 16

/** Whether a file is a WebP with nothing in it but its picture, and nothing after its end. */
export function isPlainWebp(file: Buffer): boolean {
  if (
    file.length < headBytes ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, headBytes) !== 'WEBP'
  )
    return false
  return file.readUInt32LE(4) + chunkHead === file.length && arePlain(file.subarray(headBytes), shown)
}

/** Whether these are whole chunks of the allowed kinds, and nothing else. */
function arePlain(chunks: Buffer, allowed: ReadonlySet<string>): boolean {
  let at = 0
  while (at + chunkHead <= chunks.length) {
    const [kind, length] = [chunks.toString('latin1', at, at + 4), chunks.readUInt32LE(at + 4)]
    const content = chunks.subarray(at + chunkHead, at + chunkHead + length)
    if (!allowed.has(kind)) return false
    if (kind === 'ANMF' && !arePlain(content.subarray(frameHead), shownInFrames)) return false
    at += chunkHead + length + (length % 2)
  }
  return at === chunks.length
}
