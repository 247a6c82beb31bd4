/**
 * Removes the comments from the three headers of a Vorbis track (Matroska: laced in one block), where they are the
 * second header.
 * @throws where the headers are not laced so
 */
export function withoutComments(headers: Uint8Array): Uint8Array {
  const given = Buffer.from(headers)
  if (given[0] !== 2) throw new Error('no Vorbis headers')
  let at = 1
  const lengths = [0, 0].map(() => {
    let length = 0
    for (let byte = 255; byte === 255; length += byte) byte = given[at++] ?? 0
    return length
  })
  const [first = 0, second = 0] = lengths
  const identification = given.subarray(at, at + first)
  const setup = given.subarray(at + first + second)
  if (setup.length === 0) throw new Error('no Vorbis headers')
  // An empty comment header: no vendor, no comments, and the framing bit.
  const comments = Buffer.concat([Buffer.from('\x03vorbis', 'latin1'), Buffer.alloc(8), Buffer.from([1])])
  return Buffer.concat([Buffer.from([2]), laced(first), laced(comments.length), identification, comments, setup])
}

function laced(length: number): Buffer {
  return Buffer.from([...Array<number>(Math.floor(length / 255)).fill(255), length % 255])
}
