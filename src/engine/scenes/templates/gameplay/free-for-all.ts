import type { Test } from '../../conditions.ts'
import { bind, drawn, element, format, type Part, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip, instead } from '../frame.ts'
import { hasNoMap, hasNoPlayers } from '../tests.ts'
import { progress } from './bars.ts'

/** The gameplay scene for a free-for-all. */

/** How many columns and rows hold how many players. */
const layouts = [
  { from: 1, to: 1, columns: 1, rows: 1 },
  { from: 2, to: 2, columns: 2, rows: 1 },
  { from: 3, to: 4, columns: 2, rows: 2 },
  { from: 5, to: 6, columns: 3, rows: 2 },
] as const

/** Up to six players without teams. */
export const freeForAll: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(),
    shape('Head ground', [0, 0, 1920, 88], 'var(ground)'),
    text('Tournament', [24, 14, 900, 60], { font: 'display', size: 44, weight: 800 }, 'tournament.name'),
    text('Match', [1200, 14, 696, 60], { size: 30, align: 'right', color: 'var(muted)' }, 'match.label'),
    ...layouts.flatMap(playersOf),
    ...progress([24, 924, 1872, 6]),
    drawn('mapCard', 'Map', [24, 936, 1140, 120]),
    instead('The first map follows', hasNoMap, [24, 936, 1140, 120]),
    instead('The players follow', hasNoPlayers),
    castersStrip([1188, 950, 708, 92]),
  ],
}

function playersOf({ from, to, columns, rows }: (typeof layouts)[number]): readonly Part[] {
  const gap = 18
  const width = (1872 - gap * (columns - 1)) / columns
  const height = (812 - gap * (rows - 1)) / rows
  const foot = 80
  const isOther: Test = {
    any: [
      { path: `sides.0.players.${from - 1}`, op: 'empty' },
      // The data has six players at most.
      ...(to === 6 ? [] : [{ path: `sides.0.players.${to}`, op: 'exists' } as const]),
    ],
  }
  const list = (name: string, source: string, inside: readonly Part[]) =>
    element(
      'list',
      `${name}, ${from} to ${to}`,
      [24, 104, 1872, 812],
      { source, max: to, direction: 'down', columns, gap },
      { conditions: { other: { when: isOther, set: { visible: false } } }, inside },
    )
  return [
    list('Players', 'sides.0.players', [
      shape('Ground', [0, 0, width, height], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
      element(
        'stream',
        'Stream',
        [0, 0, width, height - foot],
        { side: 1 },
        { bindings: { player: bind('player', 'index') } },
      ),
      text(
        'Name',
        [20, height - foot + 2, width - 272, foot - 4],
        { font: 'display', size: 40, weight: 700 },
        'item.name',
      ),
    ]),
    list('Numbers', 'live.sides.0.players', [
      text(
        'Accuracy',
        [width - 236, height - foot + 2, 216, foot - 4],
        { font: 'display', size: 60, weight: 800, align: 'right', color: 'var(side1)' },
        bind('text', 'item.accuracy', [format('percent', 2)], '–'),
        { animation: { change: { kind: 'count', durationMs: 250 } } },
      ),
      shape('Room', [0, 0, width, height], '#00000000'),
    ]),
  ]
}
