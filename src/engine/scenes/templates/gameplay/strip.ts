import type { Test } from '../../conditions.ts'
import { bind, element, format, group, onlyWith, type Part, shape, text } from '../build.ts'
import { heldBy, onlyIf, wonBy } from '../tests.ts'

/** The games of the match in a row below the players: who won them, and which one is being played. */

const [left, width, gap] = [24, 1872, 8]

/** The number of places, by the longest match that fits; longer matches show their first eleven games. */
const places = [
  { most: 5, count: 5, size: 32 },
  { most: 7, count: 7, size: 29 },
  { most: null, count: 11, size: 25 },
] as const

export function strip(y: number, height: number): readonly Part[] {
  return places.map(({ most, count, size }, index) => {
    const wide = (width - gap * (count - 1)) / count
    const least = places[index - 1]?.most ?? 0
    const isOther: Test = {
      any: [
        { path: 'match.bestOf', op: 'lte', value: least },
        ...(most === null ? [] : [{ path: 'match.bestOf', op: 'gt', value: most } as const]),
      ],
    }
    return element(
      'list',
      `Games of ${count}`,
      [left, y, width, height],
      { source: 'games', max: count, direction: 'right', gap, align: 'start' },
      {
        conditions: { ...onlyWith('games'), other: { when: isOther, set: { visible: false } } },
        inside: cell(wide, height, size),
      },
    )
  })
}

function cell(wide: number, height: number, size: number): readonly Part[] {
  const isNow: Test = { path: 'item.phase', op: 'in', value: ['playing', 'replay'] }
  return [
    shape('Ground', [0, 0, wide, height], 'var(ground)', {
      border: { width: 2, color: 'var(line)' },
      conditions: {
        now: { when: isNow, set: { fill: 'var(raised)', 'border.color': 'var(accent)', 'border.width': 4 } },
      },
    }),
    text('Number', [12, 4, 30, 28], { size: 21, color: 'var(muted)', weight: 600 }, 'item.number'),
    ...([0, 1] as const).flatMap((side) => {
      const color = `var(side${side + 1})` as const
      const winner = { size: 21, color, weight: 600, fit: 'ellipsis' } as const
      return [
        group(
          `Won by ${side + 1}`,
          [0, 0, wide, height],
          [
            shape('Edge', [0, height - 8, wide, 8], color),
            text('Winner', [46, 4, wide - 54, 28], winner, `sides.${side}.team.name`),
          ],
          { ...onlyIf(wonBy(side)) },
        ),
        shape(`Outline ${side + 1}`, [0, height - 8, wide, 8], '#00000000', {
          border: { width: 2, color },
          ...onlyIf(heldBy(side, true)),
        }),
      ]
    }),
    // What is still open; nothing of a game that is final.
    text(
      'State',
      [46, 4, wide - 54, 28],
      { text: '', size: 21, color: 'var(accent)', weight: 600, fit: 'ellipsis' },
      bind('text', 'item.phase', [
        format('map', 'up_next', 'Up next', 'playing', wide < 200 ? 'Playing' : 'Now playing', 'final', ''),
        format('map', 'window', 'Not final', 'replay', 'Replay', 'void', 'Void'),
      ]),
      {
        conditions: {
          open: { when: { path: 'item.phase', op: 'ne', value: 'playing' }, set: { color: 'var(warning)' } },
        },
      },
    ),
    text(
      'Map',
      [12, 30, wide - 24, height - 40],
      { font: 'display', size: Math.min(size, height - 44), weight: 700, fit: 'shrink' },
      'item.map.name',
    ),
  ]
}
