/** Whether a WebP is lossless, told by the chunk with the pixels of its first frame. */
export function isLosslessWebp(file: Buffer): boolean {
  const chunks = 12
  const frameHeader = 16
  let at = chunks
  for (let steps = 0; steps < 1_000 && at + 8 <= file.length; steps++) {
    const name = file.toString('latin1', at, at + 4)
    if (name === 'VP8L') return true
    if (name === 'VP8 ') return false
    const length = file.readUInt32LE(at + 4)
    // The chunk with the pixels is inside the chunk of its frame, after the frame header.
    at += name === 'ANMF' ? 8 + frameHeader : 8 + length + (length % 2)
  }
  return false
}
