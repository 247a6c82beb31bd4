/** The chunks of a WebP that hold pixels, and say how they are shown. Others hold profiles, texts and places. */
const shown: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'])

const headBytes = 12
const chunkHead = 8

/** Whether a file is a WebP with nothing in it but its picture, and nothing after its end. */
export function isPlainWebp(file: Buffer): boolean {
  if (
    file.length < headBytes ||
    file.toString('latin1', 0, 4) !== 'RIFF' ||
    file.toString('latin1', 8, headBytes) !== 'WEBP'
  )
    return false
  if (file.readUInt32LE(4) + chunkHead !== file.length) return false
  let at = headBytes
  while (at + chunkHead <= file.length) {
    const length = file.readUInt32LE(at + 4)
    if (!shown.has(file.toString('latin1', at, at + 4))) return false
    at += chunkHead + length + (length % 2)
  }
  return at === file.length
}
