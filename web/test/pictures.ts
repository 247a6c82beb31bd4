import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import type { ElementType, SceneElement } from '../../src/engine/scenes/document.ts'
import type { SamplePreset } from '../../src/engine/scenes/samples/samples.ts'
import type { ControlState } from '../../src/engine/scenes/tree.ts'

/**
 * The approved pictures of each type of element: what they show, and how a new picture is compared. (overlays: What
 * proves it, 10)
 */

export type Element = Partial<SceneElement> & Pick<SceneElement, 'type'>

export interface Shown {
  readonly preset: SamplePreset
  /** The size of the picture, from the corner of the canvas. */
  readonly size: readonly [width: number, height: number]
  readonly elements: Readonly<Record<string, Element>>
  /** The differences from the sample. */
  readonly control?: Partial<ControlState>
}

/** The time at which the samples are drawn. */
export const picturedAt = Date.UTC(2025, 10, 24, 19, 12, 0)

/** A background like that of a game, neither dark nor light. */
export const pictureBackground = '#3d5468'

export const pictureVariables = { side1: '#ff9f43', side2: '#54a0ff' }

const media = '00000000-0000-4000-8000-0000000000'
const [solo, teams] = ['solo', 'teams'] as const
const rounded = { shape: 'rectangle', radius: 12 } as const
const line = { type: 'text', x: 16, width: 388, height: 40 } as const
const shape = { type: 'shape', y: 16, width: 88, height: 88 } as const
const bar = { type: 'bar', x: 16, width: 288, height: 20 } as const
const pip = { type: 'pips', x: 16, width: 208, height: 28 } as const
const clock = { type: 'timer', y: 12, width: 150, height: 56 } as const
const whole = (width: number, height: number) => ({ x: 12, y: 12, width: width - 24, height: height - 24 })

/** Includes long names, which cause most faults. */
export const shownOf: Readonly<Record<ElementType, Shown>> = {
  text: {
    preset: teams,
    size: [420, 300],
    elements: {
      heading1: {
        ...line,
        y: 12,
        props: { text: 'Semi-final', font: 'display', weight: 750, size: 40, case: 'upper', letterSpacing: 3 },
      },
      shrunken: {
        ...line,
        y: 60,
        props: { size: 30, weight: 600, fit: 'shrink', color: 'var(side2)' },
        bindings: { a: { property: 'text', path: 'sides.1.team.name' } },
      },
      ellipsis: {
        ...line,
        y: 104,
        props: { size: 30, fit: 'ellipsis' },
        bindings: { a: { property: 'text', path: 'map.name' } },
      },
      outlined: {
        ...line,
        y: 150,
        props: { size: 36, weight: 700, align: 'right', outline: { width: 3, color: '#101820' } },
        bindings: { a: { property: 'text', path: 'live.sides.0.score', format: [{ name: 'number' }] } },
      },
      wrapping: {
        ...line,
        y: 196,
        height: 92,
        props: {
          text: 'A line that is too long for the room there is goes on below, in the middle, jumping quickly by pairs.',
          size: 20,
          fit: 'wrap',
          align: 'center',
          verticalAlign: 'top',
          lineHeight: 1.4,
          italic: true,
        },
      },
    },
  },
  image: {
    preset: solo,
    size: [556, 140],
    elements: {
      cover001: {
        type: 'image',
        x: 16,
        y: 16,
        width: 108,
        height: 108,
        mask: { shape: 'ellipse' },
        border: { width: 5, color: '#ffffff' },
        props: { fit: 'cover' },
        bindings: { a: { property: 'address', path: 'sides.0.team.imageUrl' } },
      },
      tinted01: {
        type: 'image',
        x: 140,
        y: 16,
        width: 136,
        height: 108,
        mask: { shape: 'parallelogram', skew: 14 },
        props: { media: `${media}01`, fit: 'cover', flip: 'vertical', tint: '#e04040' },
      },
      tinted02: {
        type: 'image',
        x: 428,
        y: 16,
        width: 112,
        height: 108,
        props: { media: `${media}05`, tint: '#54a0ff' },
      },
      contain1: {
        type: 'image',
        x: 292,
        y: 16,
        width: 112,
        height: 108,
        mask: rounded,
        shadow: { x: 4, y: 4, blur: 6, color: '#000000a0' },
        props: { media: `${media}02`, fit: 'contain' },
      },
    },
  },
  video: {
    preset: solo,
    size: [232, 142],
    elements: {
      video001: {
        type: 'video',
        ...whole(232, 142),
        mask: rounded,
        border: { width: 4, color: '#53d3a5' },
        props: { media: `${media}03`, fit: 'cover' },
      },
    },
  },
  shape: {
    preset: solo,
    size: [536, 120],
    elements: {
      rect0001: {
        ...shape,
        x: 16,
        mask: { shape: 'rectangle', radius: 16 },
        shadow: { x: 3, y: 5, blur: 4, color: '#000000' },
        props: {
          gradient: {
            angle: 90,
            stops: [
              { at: 0, color: '#f6d365' },
              { at: 1, color: '#e4572e' },
            ],
          },
        },
      },
      ellipse1: {
        ...shape,
        x: 120,
        border: { width: 6, color: '#ffffff' },
        mask: { shape: 'ellipse' },
        props: { form: 'ellipse', fill: '#17bebb' },
        bindings: { a: { property: 'border.color', path: 'sides.0.nothing', fallback: '#ffc914' } },
      },
      line0001: { ...shape, x: 224, y: 56, height: 8, rotation: -30, props: { form: 'line', fill: '#ffffff' } },
      polygon1: {
        ...shape,
        x: 328,
        opacity: 0.6,
        props: {
          form: 'polygon',
          fill: 'var(side1)',
          points: [
            [44, 0],
            [88, 88],
            [0, 60],
          ],
        },
      },
      leaning1: { ...shape, x: 432, mask: { shape: 'parallelogram', skew: -20 }, props: { fill: 'var(side2)' } },
    },
  },
  group: {
    preset: solo,
    size: [330, 130],
    elements: {
      clipping: {
        type: 'group',
        x: 16,
        y: 16,
        width: 140,
        height: 98,
        props: { clip: true },
        mask: rounded,
        border: { width: 3, color: '#ffffff' },
      },
      inside01: { type: 'shape', parent: 'clipping', x: 70, y: 40, width: 120, height: 98, props: { fill: '#e4572e' } },
      inside02: {
        type: 'text',
        parent: 'clipping',
        x: 12,
        y: 6,
        width: 120,
        height: 30,
        props: { text: 'Clipped', size: 24 },
      },
      turned01: { type: 'group', x: 176, y: 36, width: 130, height: 60, rotation: 12, opacity: 0.7 },
      inside03: { type: 'shape', parent: 'turned01', width: 130, height: 60, props: { fill: '#141b19' } },
      inside04: {
        type: 'text',
        parent: 'turned01',
        width: 130,
        height: 60,
        props: { text: 'Turned', size: 28, align: 'center', font: 'display', weight: 700 },
      },
    },
  },
  list: {
    preset: 'finished',
    size: [430, 232],
    elements: {
      games001: { type: 'list', ...whole(430, 232), props: { source: 'games', gap: 8, direction: 'down' } },
      ground01: { type: 'shape', parent: 'games001', width: 406, height: 46, props: { fill: '#141b19d9' } },
      number01: {
        type: 'text',
        parent: 'games001',
        x: 12,
        width: 30,
        height: 46,
        props: { size: 26, font: 'display', weight: 700, color: '#53d3a5' },
        bindings: { a: { property: 'text', path: 'item.number' } },
      },
      mapname1: {
        type: 'text',
        parent: 'games001',
        x: 46,
        width: 220,
        height: 46,
        props: { size: 20, fit: 'ellipsis' },
        bindings: { a: { property: 'text', path: 'item.map.name' } },
      },
      accuracy: {
        type: 'text',
        parent: 'games001',
        x: 280,
        width: 112,
        height: 46,
        props: { size: 22, align: 'right', weight: 600 },
        bindings: { a: { property: 'text', path: 'item.sides.0.accuracy', format: [{ name: 'percent' }] } },
        conditions: {
          a: { when: { path: 'item.winner', op: 'eq', value: 2 }, set: { color: '#a8b6b0', weight: 400 } },
        },
      },
    },
  },
  bar: {
    preset: solo,
    size: [400, 152],
    elements: {
      progress: { ...bar, y: 16, mask: { radius: 10 }, bindings: { a: { property: 'value', path: 'live.progress' } } },
      leftward: { ...bar, y: 48, props: { value: 30, max: 120, colors: ['#e4572e', '#141b19'], direction: 'left' } },
      ground01: { ...bar, type: 'shape', y: 80, height: 52, props: { fill: '#141b19' }, mask: { radius: 8 } },
      tugahead: { ...bar, y: 80, props: { mode: 'tug', value: 0.72, colors: ['#ff9f43', '#54a0ff'] } },
      tugbehin: { ...bar, y: 112, props: { mode: 'tug', value: 0.35 } },
      upright1: { ...bar, x: 324, y: 16, width: 20, height: 116, props: { value: 0.6, direction: 'up' } },
      downward: {
        ...bar,
        x: 364,
        y: 16,
        width: 20,
        height: 116,
        props: { mode: 'tug', value: 0.2, direction: 'down' },
      },
    },
  },
  pips: {
    preset: solo,
    size: [240, 168],
    elements: {
      circle01: {
        ...pip,
        y: 16,
        props: { gap: 10 },
        bindings: {
          a: { property: 'value', path: 'sides.0.score' },
          b: { property: 'total', path: 'match.winsNeeded' },
        },
      },
      rectang1: { ...pip, y: 52, props: { value: 1, total: 3, shape: 'rectangle', filled: 'var(side2)' } },
      diamond1: { ...pip, y: 88, props: { value: 3, total: 5, shape: 'diamond', empty: '#00000080' } },
      leaning1: { ...pip, y: 124, props: { value: 2, total: 4, shape: 'parallelogram', direction: 'left', gap: 0 } },
    },
  },
  timer: {
    preset: 'break',
    size: [508, 80],
    elements: {
      countdn1: { ...clock, x: 16, props: { source: 'countdown', size: 48, font: 'display', weight: 750 } },
      warning1: {
        ...clock,
        x: 180,
        props: { source: 'schedule', size: 40, format: 'h:mm:ss', warnAt: 300, warnColor: '#ff5c5c', align: 'center' },
      },
      seconds1: { ...clock, x: 342, props: { source: 'countdown', size: 40, format: 'seconds', align: 'right' } },
    },
  },
  mapCard: {
    preset: solo,
    size: [560, 330],
    elements: {
      card0001: { type: 'mapCard', x: 12, y: 12, width: 536, height: 126 },
      card0002: { type: 'mapCard', x: 12, y: 150, width: 280, height: 168 },
      card0003: { type: 'mapCard', x: 304, y: 150, width: 120, height: 168 },
    },
  },
  pickBans: { preset: 'pick_ban', size: [540, 300], elements: { picks001: { type: 'pickBans', ...whole(540, 300) } } },
  bracket: { preset: teams, size: [720, 300], elements: { brack001: { type: 'bracket', ...whole(720, 300) } } },
  standings: {
    preset: solo,
    size: [560, 300],
    elements: { stand001: { type: 'standings', ...whole(560, 300), props: { maxRows: 6 } } },
  },
  schedule: {
    preset: solo,
    size: [520, 410],
    elements: { sched001: { type: 'schedule', ...whole(520, 410), props: { maxRows: 6 } } },
  },
  casters: {
    preset: solo,
    size: [560, 260],
    control: {
      casters: [
        {
          name: 'Andante',
          pronouns: 'she/her',
          handle: '@andante',
          userGuid: null,
          imageUrl: '/media/sample/caster-1',
        },
        { name: 'Basso', pronouns: null, handle: null, userGuid: null, imageUrl: null },
        {
          name: 'Somebody with a Very Long Name',
          pronouns: 'they/them',
          handle: '@and_a_handle_just_as_long',
          userGuid: null,
          imageUrl: null,
        },
      ],
    },
    elements: {
      casts001: { type: 'casters', x: 12, y: 12, width: 536, height: 150 },
      casts002: { type: 'casters', x: 12, y: 174, width: 536, height: 72 },
    },
  },
  stream: {
    preset: teams,
    size: [520, 140],
    elements: {
      stream01: { type: 'stream', x: 12, y: 12, width: 240, height: 116, props: { side: 1, player: 1 } },
      stream02: {
        type: 'stream',
        x: 268,
        y: 12,
        width: 240,
        height: 116,
        mask: rounded,
        border: { width: 4, color: '#54a0ff' },
        props: { side: 2, player: 2, fallback: `${media}04` },
      },
    },
  },
}

const folder = path.join(import.meta.dirname, 'pictures')

/** In levels of 255, for the tile that differs most. */
interface Difference {
  readonly brightness: number
  /** How much the difference of one channel exceeds that of another. */
  readonly hue: number
}

/** The side of a tile in pixels: about the width of a word. */
const tile = 16

/**
 * The maximum mean difference of a tile. Another version of Chromium or another machine draws letters and edges
 * slightly differently: without hinting, the largest such change, tiles are 11 levels lighter or darker, and 7 levels
 * of another hue. Another colour, size, place or text exceeds this in its tiles, even a single digit.
 */
const most: Difference = { brightness: 18, hue: 11 }

/** @returns null for pictures of different sizes */
async function differenceOf(one: Buffer, other: Buffer): Promise<Difference | null> {
  const [left, right] = await Promise.all([one, other].map(levelsOf))
  if (left === undefined || right === undefined) return null
  const { width, height } = left.info
  if (right.info.width !== width || right.info.height !== height) return null
  const most = { brightness: 0, hue: 0 }
  for (let y = 0; y < height; y += tile) {
    for (let x = 0; x < width; x += tile) {
      const [end, bottom] = [Math.min(width, x + tile), Math.min(height, y + tile)]
      const sums = [0, 0, 0]
      for (let row = y; row < bottom; row++) {
        for (let at = (row * width + x) * 3; at < (row * width + end) * 3; at++) {
          sums[at % 3] = (sums[at % 3] ?? 0) + (left.data[at] ?? 0) - (right.data[at] ?? 0)
        }
      }
      const means = sums.map((sum) => sum / ((end - x) * (bottom - y)))
      const brightness = Math.abs(means.reduce((sum, mean) => sum + mean, 0) / 3)
      most.brightness = Math.max(most.brightness, brightness)
      most.hue = Math.max(most.hue, Math.max(...means) - Math.min(...means))
    }
  }
  return most
}

function levelsOf(picture: Buffer) {
  return sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
}

/**
 * The fault of a picture compared with the approved one; null without a fault. With `GENERATE=1` the new picture is
 * saved instead, and somebody must look at it.
 */
export async function faultOf(name: string, drawn: Buffer): Promise<string | null> {
  const file = path.join(folder, `${name}.png`)
  const kept = await readFile(file).catch(() => null)
  const difference = kept === null ? null : await differenceOf(kept, drawn)
  if (difference !== null && difference.brightness <= most.brightness && difference.hue <= most.hue) return null
  if (process.env.GENERATE === '1') {
    await mkdir(folder, { recursive: true })
    await writeFile(file, await sharp(drawn).removeAlpha().png({ effort: 10, adaptiveFiltering: true }).toBuffer())
    return null
  }
  const seen = path.join(tmpdir(), `downbeat-${name}.png`)
  await writeFile(seen, drawn)
  const numbers =
    difference === null
      ? 'none is kept of its size'
      : `by ${difference.brightness.toFixed(1)} levels of brightness and ${difference.hue.toFixed(1)} of hue where most`
  return `${name} looks different (${numbers}): see ${seen}, and GENERATE=1 if it is as it should be`
}

/** The names of the approved pictures. */
export async function keptPictures(): Promise<string[]> {
  const names = await readdir(folder)
  return names.map((name) => path.basename(name, '.png')).sort()
}
