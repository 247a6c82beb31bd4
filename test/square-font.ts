import { uint16, uint32 } from './media-files.ts'

/**
 * The tables of a font that browsers accept: `A` and all missing characters are a square as wide as the font size.
 * (OpenType 1.9)
 */
export function squareFont(): Readonly<Record<string, Buffer>> {
  const int16 = (...values: readonly number[]) => uint16(...values.map((value) => value & 0xffff))
  const em = 1_000
  const zeros = (count: number) => Buffer.alloc(count)
  const corners = [int16(0, 0, em, 0), int16(0, em, 0, -em)]
  const square = Buffer.concat([int16(1, 0, 0, em, em, 3, 0), Buffer.alloc(4, 1), ...corners, zeros(2)])
  const names = [1, 2, 3, 4, 6].map((id) => ({
    id,
    text: Buffer.from(id === 2 ? 'Regular' : 'Square', 'utf16le').swap16(),
  }))
  const texts = Buffer.concat(names.map(({ text }) => text))
  const nameAt = (at: number) => names.slice(0, at).reduce((sum, { text }) => sum + text.length, 0)
  const segments = Buffer.concat([
    uint16(4, 4, 1, 0),
    uint16(65, 0xffff, 0, 65, 0xffff),
    int16(1 - 65, 1),
    uint16(0, 0),
  ])
  const mapping = Buffer.concat([uint16(4, segments.length + 6, 0), segments])
  return {
    'OS/2': Buffer.concat([
      ...[uint16(4, em, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0), zeros(10), zeros(16)],
      ...[Buffer.from('TEST'), uint16(0x40, 65, 65, em, 0, 0, em, 0), zeros(8), uint16(500, 700, 0, 32, 1)],
    ]),
    cmap: Buffer.concat([uint16(0, 1, 3, 1), uint32(12), mapping]),
    glyf: Buffer.concat([square, square]),
    head: Buffer.concat([
      ...[uint16(1, 0, 1, 0), uint32(0), uint32(0x5f0f3cf5), uint16(0, em), zeros(16)],
      ...[uint16(0, 0, em, em, 0, 8, 2, 0, 0)],
    ]),
    hhea: Buffer.concat([uint16(1, 0, em, 0, 0, em, 0, 0, em, 1, 0, 0), zeros(10), uint16(2)]),
    hmtx: uint16(em, 0, em, 0),
    loca: uint16(0, square.length / 2, square.length),
    maxp: uint16(1, 0, 2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
    name: Buffer.concat([
      uint16(0, names.length, 6 + 12 * names.length),
      ...names.map(({ id, text }, at) => uint16(3, 1, 0x409, id, text.length, nameAt(at))),
      texts,
    ]),
    post: Buffer.concat([uint16(3, 0), zeros(28)]),
  }
}
