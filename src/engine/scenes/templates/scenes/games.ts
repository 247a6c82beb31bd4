import type { Test } from '../../conditions.ts'
import type { SceneElement } from '../../document.ts'
import { bind, element, format, group, image, onlyWith, type Part, shape, text } from '../build.ts'
import { heldBy, onlyIf, wonBy } from '../tests.ts'

/** The games of a match as a table, whose rows fill the room however many there are. */

const [left, top, width, room] = [80, 268, 1760, 672]
/** The most games that are shown. */
const most = 11

/** The height of rows, by how many there are. */
const sizes = [
  { from: 1, to: 2, height: 300, gap: 24 },
  { from: 3, to: 5, height: 122, gap: 14 },
  { from: 6, to: 7, height: 86, gap: 11 },
  { from: 8, to: 32, height: 52, gap: 9 },
] as const

/** @param hidden when the table is not shown */
export function gamesTable(hidden?: Test): Part {
  const conditions: NonNullable<SceneElement['conditions']> = {
    ...onlyWith('games'),
    ...(hidden && { other: { when: hidden, set: { visible: false } } }),
  }
  return group('Games', [left, top - 36, width, room + 36], [labels(), ...sizes.map(rows)], { conditions })
}

/** The heads of the columns, directly above the first row, wherever in the room that is. */
function labels(): Part {
  const label = (name: string, words: string, x: number, wide: number, align: 'left' | 'right', shown?: Test) =>
    text(name, [x, 0, wide, 30], { text: words, size: 23, align, color: 'var(muted)' }, undefined, {
      ...(shown && onlyIf(shown)),
    })
  const heads = [
    label('Score label 1', 'Score', 36, 290, 'left'),
    label('Accuracy label 1', 'Accuracy', 330, 134, 'right', hasAccuracy(0)),
    label('Map label', 'Map', 560, 600, 'left'),
    label('Accuracy label 2', 'Accuracy', width - 464, 134, 'left', hasAccuracy(1)),
    label('Score label 2', 'Score', width - 326, 290, 'right'),
  ]
  const places = Array.from({ length: most - 1 }, (_, index) => [
    `of${index + 2}`,
    { when: { path: `games.${index + 1}`, op: 'exists' }, set: { y: above(index + 2) } },
  ])
  return group('Columns', [0, above(1), width, 30], heads, { conditions: Object.fromEntries(places) })
}

/** Results that are entered by hand have scores alone; a head without a value below it would be wrong. */
function hasAccuracy(side: 0 | 1): Test {
  const all = Array.from({ length: most }, (_, index): Test => {
    return { path: `games.${index}.sides.${side}.accuracy`, op: 'exists' }
  })
  // A test has at most ten parts.
  return { any: [{ any: all.slice(0, 6) }, { any: all.slice(6) }] }
}

/** Where the rows of this number of games begin, from the top of the room. */
function above(games: number): number {
  const { height, gap } = sizes.find(({ to }) => games <= to) ?? sizes[0]
  return Math.floor((room - games * height - (games - 1) * gap) / 2)
}

type Size = (typeof sizes)[number]

function rows({ from, to, height, gap }: Size): Part {
  const isOther: Test = {
    any: [
      { path: `games.${from - 1}`, op: 'empty' },
      { path: `games.${to}`, op: 'exists' },
    ],
  }
  return element(
    'list',
    `${from} to ${to} games`,
    [0, 36, width, room],
    { source: 'games', max: Math.min(to, most), direction: 'down', gap, align: 'center' },
    {
      conditions: { size: { when: isOther, set: { visible: false } } },
      inside: [
        shape('Ground', [0, 0, width, height], 'var(ground)', {
          border: { width: 2, color: 'var(line)' },
          conditions: {
            now: {
              when: { path: 'item.phase', op: 'in', value: ['playing', 'replay'] },
              set: { fill: 'var(raised)', 'border.color': 'var(accent)' },
            },
          },
        }),
        ...([0, 1] as const).flatMap((side) => sideOf(side, height)),
        ...mapOf(height),
      ],
    },
  )
}

/** What a side made of the game. A side that only holds it has the outline of an edge, and no colour. */
function sideOf(side: 0 | 1, height: number): readonly Part[] {
  const mirrored = (x: number, wide: number) => (side === 0 ? x : width - x - wide)
  const color = `var(side${side + 1})`
  const [own, other] = side === 0 ? (['left', 'right'] as const) : (['right', 'left'] as const)
  return [
    shape(`Edge ${side + 1}`, [mirrored(0, 14), 0, 14, height], color, {
      visible: false,
      conditions: {
        won: { when: wonBy(side), set: { visible: true } },
        held: {
          when: heldBy(side, true),
          set: { visible: true, fill: '#00000000', 'border.width': 3, 'border.color': color },
        },
      },
    }),
    text(
      `Score ${side + 1}`,
      [mirrored(36, 290), 0, 290, height],
      { font: 'display', size: Math.min(66, Math.round(height * 0.6)), weight: 800, align: own, color: 'var(muted)' },
      bind('text', `item.sides.${side}.score`, [format('number', 0)], '–'),
      { conditions: { won: { when: wonBy(side), set: { color } } } },
    ),
    text(
      `Accuracy ${side + 1}`,
      [mirrored(330, 134), 0, 134, height],
      { size: Math.min(34, Math.max(24, Math.round(height * 0.28))), align: other, color: 'var(muted)' },
      bind('text', `item.sides.${side}.accuracy`, [format('percent', 2)]),
    ),
  ]
}

/** The map with its number, its picker or what is still open, and its difficulty. */
function mapOf(height: number): readonly Part[] {
  const isLow = height < 80
  const margin = Math.max(5, Math.round(height * 0.09))
  const side = height - 2 * margin
  const x = 560 + side + 22
  const wide = 1262 - x
  const part = (share: number) => Math.round(height * share)
  const small = Math.min(28, Math.max(20, part(0.16)))
  const noteBox = isLow ? ([1010, 0, 140, height] as const) : ([x, part(0.06), wide, part(0.24)] as const)
  const note = (name: string, words: string, when: Test, color = 'var(muted)', path?: string) =>
    text(
      name,
      noteBox,
      { text: words, size: small, color, weight: 600, align: isLow ? 'right' : 'left' },
      path === undefined ? undefined : bind('text', path, isLow ? [] : [format('prefix', 'Pick of ')]),
      { ...onlyIf(when) },
    )
  const is = (path: string, value: string | boolean) => ({ path, op: 'eq', value }) as const
  const isFinal = is('item.phase', 'final')
  const pickedBy = (place: 0 | 1): Test => ({
    any: ([1, 2] as const).map((number) => ({
      all: [
        { path: `sides.${place}.number`, op: 'eq', value: number },
        { path: 'item.pickedBy', op: 'eq', value: number },
        isFinal,
      ],
    })),
  })
  const chip = isLow
    ? ([1164, 11, 104, height - 22] as const)
    : ([x, part(0.67), 104, Math.max(22, part(0.2))] as const)
  return [
    text(
      'Number',
      [486, 0, 64, height],
      { font: 'display', size: Math.min(64, part(0.5)), weight: 700, align: 'center', color: 'var(muted)' },
      'item.number',
    ),
    shape('Cover ground', [560, margin, side, side], 'var(raised)'),
    image('Cover', [560, margin, side, side], 'item.map.imageUrl', { mask: { shape: 'rectangle', radius: 4 } }),
    text(
      'Map',
      isLow ? [x, 0, 1004 - x, height] : [x, part(0.29), wide, part(0.38)],
      {
        font: 'display',
        size: isLow ? 28 : Math.min(60, part(0.34)),
        weight: 800,
        fit: height < 300 ? 'ellipsis' : 'shrink',
      },
      bind('text', 'item.map.name', [], 'Unknown map'),
    ),
    ...([0, 1] as const).map((place) =>
      note(`Picker ${place + 1}`, '', pickedBy(place), `var(side${place + 1})`, `sides.${place}.team.name`),
    ),
    note('Tiebreaker', 'Tiebreaker', { all: [is('item.isTiebreaker', true), isFinal] }, 'var(accent)'),
    // What is still open; nothing of a game that is final.
    text(
      'State',
      noteBox,
      { text: '', size: small, color: 'var(warning)', weight: 600, align: isLow ? 'right' : 'left' },
      bind('text', 'item.phase', [
        format('map', 'up_next', 'Up next', 'playing', 'Now playing', 'final', ''),
        format('map', 'window', isLow ? 'Not final' : 'Not final: may be replayed', 'replay', 'Replay', 'void', 'Void'),
      ]),
    ),
    shape('Difficulty ground', chip, '#00000000', {
      mask: { shape: 'rectangle', radius: 4 },
      bindings: { fill: bind('fill', 'item.map.difficulty', [format('difficultyColor')]) },
    }),
    text(
      'Difficulty',
      chip,
      { size: Math.min(24, chip[3] - 6), weight: 700, align: 'center', color: '#ffffff' },
      bind('text', 'item.map.difficulty', [format('difficultyName')]),
    ),
    ...(isLow
      ? []
      : [
          text(
            'Artist',
            [x + 120, chip[1], wide - 120, chip[3]],
            { size: small, color: 'var(muted)' },
            'item.map.artist',
          ),
        ]),
  ]
}
