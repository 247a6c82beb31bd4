import type { Test } from '../../conditions.ts'
import type { Binding } from '../../document.ts'
import { bind, drawn, element, format, group, onlyWith, type Part, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip, instead, scoreBar, versusIf } from '../frame.ts'
import { hasNoMap, hasNoPlayers, onlyIf, unless } from '../tests.ts'
import { balance, progress } from './bars.ts'
import { strip } from './strip.ts'

/** The gameplay scene for two players. */

const streamEdge = (side: 0 | 1) => ({ border: { width: 3, color: `var(side${side + 1})` as const } })

const isSong: Test = { path: 'live', op: 'exists' }
const sliding: NonNullable<Part['animation']> = {
  enter: { kind: 'slide', direction: 'right', durationMs: 500 },
  change: { kind: 'fade' },
}

/** The two players are shown next to each other. */
export const duel: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(),
    ...scoreBar(),
    group(
      'Players',
      [0, 0, 1920, 1080],
      [
        ...([0, 1] as const).flatMap((side) => {
          const x = side === 0 ? 24 : 972
          const box = [x, 128, 924, 492] as const
          return [
            shape(`Stream ground ${side + 1}`, box, 'var(ground)'),
            element('stream', `Stream ${side + 1}`, box, { side: side + 1, player: 1 }, streamEdge(side)),
            // Numbers are seen while there are any.
            group(`Numbers ${side + 1}`, [x, 652, 924, 160], playerNumbers(side), { ...onlyIf(isSong) }),
            replaysLeft(side),
          ]
        }),
        ...balance([24, 630, 1872, 14]),
      ],
      { ...unless(hasNoPlayers) },
    ),
    ...progress([24, 818, 1872, 6]),
    ...strip(832, 84),
    drawn('mapCard', 'Map', [24, 926, 1140, 130], {}, { animation: sliding, ...onlyIf(isSong) }),
    // While no song runs, the map has the room of the numbers.
    drawn('mapCard', 'Next map', [24, 652, 1872, 160], {}, { animation: sliding, ...onlyIf({ not: isSong }) }),
    instead('The first map follows', hasNoMap, [24, 656, 1872, 240]),
    versusIf(260, hasNoPlayers),
    castersStrip([1188, 946, 708, 90]),
  ],
}

/** The numbers of one player: the accuracy in large type, and the other values. */
function playerNumbers(side: 0 | 1): readonly Part[] {
  const [width, height] = [924, 160]
  const live = `live.sides.${side}`
  const place = (at: number, wide: number) => (side === 0 ? at : width - at - wide)
  const align = side === 0 ? 'left' : 'right'
  const label = (name: string, words: string, at: number, wide: number) =>
    text(name, [place(at, wide), 16, wide, 30], { text: words, size: 22, align, color: 'var(muted)' })
  const value = (name: string, path: string, at: number, wide: number) =>
    text(
      name,
      [place(at, wide), 46, wide, 56],
      { font: 'display', size: 50, weight: 700, align },
      bind('text', path, [format('number', 0)], '–'),
      {
        animation: { change: { kind: 'count', durationMs: 250 } },
      },
    )
  return [
    shape(`Numbers ground ${side + 1}`, [0, 0, width, height], 'var(ground)', {
      border: { width: 2, color: 'var(line)' },
      conditions: {
        ahead: { when: { path: 'live.lead.place', op: 'eq', value: side + 1 }, set: { fill: 'var(raised)' } },
      },
    }),
    text(
      `Accuracy ${side + 1}`,
      [place(28, 400), 12, 400, 124],
      { font: 'display', size: 124, weight: 800, align, color: `var(side${side + 1})` },
      bind('text', `${live}.accuracy`, [format('percent', 2)], '–'),
      { animation: { change: { kind: 'count', durationMs: 250 } } },
    ),
    text(
      `Ahead ${side + 1}`,
      [place(28, 400), 128, 400, 32],
      { size: 24, align, color: 'var(text)', weight: 600 },
      bind('text', 'live.lead.score', [format('number', 0), format('prefix', '+')]),
      {
        conditions: {
          behind: { when: { path: 'live.lead.place', op: 'ne', value: side + 1 }, set: { visible: false } },
        },
      },
    ),
    label(`Score label ${side + 1}`, 'Score', 452, 220),
    value(`Score now ${side + 1}`, `${live}.score`, 452, 220),
    label(`Combo label ${side + 1}`, 'Combo', 690, 110),
    value(`Combo ${side + 1}`, `${live}.combo`, 690, 110),
    label(`Misses label ${side + 1}`, 'Misses', 808, 92),
    value(`Misses ${side + 1}`, `${live}.misses`, 808, 92),
    text(
      `Full combo ${side + 1}`,
      [place(452, 300), 110, 300, 34],
      { text: 'Full combo', size: 24, weight: 700, align, color: 'var(accent)' },
      undefined,
      {
        conditions: {
          // While no song runs, there is no full combo either.
          missed: { when: { not: { path: `${live}.misses`, op: 'eq', value: 0 } }, set: { visible: false } },
        },
      },
    ),
    text(
      `Replays ${side + 1}`,
      [place(690, 210), 110, 210, 34],
      { size: 22, align, color: 'var(muted)' },
      replaysOf(side),
    ),
  ]
}

function replaysOf(side: 0 | 1): Binding {
  return bind('text', `flow.seats.${side}.replaysLeft`, [
    format('suffix', ' replays left'),
    format('map', '1 replays left', '1 replay left', '0 replays left', 'No replay left'),
  ])
}

/** How often a side may still have a map replayed, on the left of the foot while the map is shown above. */
function replaysLeft(side: 0 | 1): Part {
  const y = 936 + side * 50
  const name = bind('text', `sides.${side}.team.name`)
  const color = `var(side${side + 1})` as const
  const small = { size: 28, weight: 600 } as const
  return group(
    `Replays ${side + 1}`,
    [48, y, 1092, 46],
    [
      text('Name', [0, 0, 560, 46], { ...small, color, fit: 'ellipsis' }, name),
      text('Left', [580, 0, 512, 46], { ...small, color: 'var(muted)' }, replaysOf(side)),
    ],
    {
      conditions: {
        ...onlyWith(`flow.seats.${side}.replaysLeft`),
        song: { when: isSong, set: { visible: false } },
      },
    },
  )
}
