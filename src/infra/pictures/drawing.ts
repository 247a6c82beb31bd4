import { createHash } from 'node:crypto'

/**
 * A picture for a record without one, drawn from its name: four by four blocks with shapes in five colours that go
 * together. The same name always gives the same picture. The SVG contains only numbers from the name, and no fonts.
 */

const cells = 4
const cell = 64
const side = cells * cell

export function drawingOf(name: string, pixels: number): string {
  const seed = createHash('sha256').update(name.normalize('NFC')).digest()
  const colours = paletteOf(seed)
  const blocks = Array.from({ length: cells * cells }, (_, index) => blockOf(seed, index, colours))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${side} ${side}">`,
    `<rect width="${side}" height="${side}" fill="${colours[0]}"/>`,
    ...blocks,
    '</svg>',
  ].join('')
}

type Colours = readonly [string, string, string, string, string]

/** Four colours from dark to light around one hue, and one from the opposite side of the colour wheel. */
function paletteOf(seed: Buffer): Colours {
  const hue = (seed.readUInt16BE(0) / 0x10000) * 360
  const neighbour = hue + 25 + (byteAt(seed, 2) % 40)
  const across = hue + 150 + (byteAt(seed, 3) % 60)
  return [hsl(hue, 50, 15), hsl(hue, 52, 30), hsl(neighbour, 70, 52), hsl(across, 82, 62), hsl(neighbour, 55, 90)]
}

/** Two bytes for each block: what it shows, how it is turned, and its two colours. */
function blockOf(seed: Buffer, index: number, colours: Colours): string {
  // Each byte of the digest is used twice, the second time at an offset; the first four bytes are the palette's.
  const what = byteAt(seed, 4 + index)
  const how = byteAt(seed, (20 + index) % 32) ^ (index * 37)
  const ground = what % 2
  // Never the colour of the ground; the dark tones are rarer than the bright ones.
  const figure = [2, 3, 4, 2, 3, 1 - ground, 2, 4][(what >> 1) % 8] ?? 2
  const second = [4, 3, 2][how % 3] ?? 4
  const shape = shapes[(how >> 2) % shapes.length] ?? shapes[0]
  const turn = ((what >> 5) % 4) * 90
  const [x, y] = [(index % cells) * cell, Math.floor(index / cells) * cell]
  const other = second === figure ? 1 - ground : second
  return (
    `<g transform="translate(${x} ${y}) rotate(${turn} 32 32)"><path fill="${colours[ground]}" d="M0 0h64v64h-64z"/>` +
    `${shape(`fill="${colours[figure]}"`, `fill="${colours[other]}"`)}</g>`
  )
}

type Shape = (fill: string, other: string) => string

const shapes: readonly [Shape, ...Shape[]] = [
  (fill) => `<path ${fill} d="M0 0h64a64 64 0 0 1-64 64z"/>`,
  (fill, other) => `<path ${fill} d="M0 0h64a64 64 0 0 1-64 64z"/><path ${other} d="M0 0h30a30 30 0 0 1-30 30z"/>`,
  (fill) => `<path ${fill} d="M0 0h64v32a32 32 0 0 1-64 0z"/>`,
  (fill) => `<path ${fill} d="M0 0h64l-64 64z"/>`,
  (fill, other) => `<path ${fill} d="M0 0h64l-32 32z"/><path ${other} d="M0 64h64l-32-32z"/>`,
  (fill, other) => `<circle ${fill} cx="32" cy="32" r="26"/><circle ${other} cx="32" cy="32" r="11"/>`,
  (fill) => `<path ${fill} d="M0 0a64 64 0 0 1 64 64a64 64 0 0 1-64-64z"/>`,
  (fill) => `<path ${fill} d="M0 0h16v64h-16zM32 0h16v64h-16z"/>`,
  (fill, other) => `<path ${fill} d="M0 0h64v64z"/><circle ${other} cx="20" cy="44" r="11"/>`,
]

function byteAt(bytes: Buffer, index: number): number {
  return bytes[index] ?? 0
}

/** As `#rrggbb`, from a hue in degrees and two percentages. */
function hsl(hue: number, saturation: number, lightness: number): string {
  const light = lightness / 100
  const spread = (saturation / 100) * Math.min(light, 1 - light)
  const channel = (offset: number) => {
    const k = (offset + hue / 30) % 12
    const value = light - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}
