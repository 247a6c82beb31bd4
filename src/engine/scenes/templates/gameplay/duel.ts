import { type Box, bind, drawn, element, format, type Part, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip, scoreBar } from '../frame.ts'
import { balance, progress } from './bars.ts'
import { strip } from './strip.ts'

/** The gameplay scene for two players. */

const streamEdge = (side: 0 | 1) => ({ border: { width: 3, color: `var(side${side + 1})` } })

/** The two players are shown next to each other. */
export const duel: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(),
    ...scoreBar(),
    ...([0, 1] as const).flatMap((side) => {
      const x = side === 0 ? 24 : 972
      return [
        shape(`Stream ground ${side + 1}`, [x, 128, 924, 492], 'var(ground)'),
        element('stream', `Stream ${side + 1}`, [x, 128, 924, 492], { side: side + 1, player: 1 }, streamEdge(side)),
        ...playerNumbers(side, [x, 652, 924, 160]),
      ]
    }),
    ...balance([24, 630, 1872, 14]),
    ...progress([24, 818, 1872, 6]),
    ...strip(832, 84),
    drawn(
      'mapCard',
      'Map',
      [24, 926, 1140, 130],
      {},
      {
        animation: { enter: { kind: 'slide', direction: 'right', durationMs: 500 }, change: { kind: 'fade' } },
      },
    ),
    castersStrip([1188, 946, 708, 90]),
  ],
}

/** The numbers of one player: the accuracy in large type, and the other values. */
function playerNumbers(side: 0 | 1, [x, y, width, height]: Box): readonly Part[] {
  const live = `live.sides.${side}`
  const place = (at: number, wide: number) => (side === 0 ? x + at : x + width - at - wide)
  const align = side === 0 ? 'left' : 'right'
  const label = (name: string, words: string, at: number, wide: number) =>
    text(name, [place(at, wide), y + 16, wide, 30], { text: words, size: 22, align, color: 'var(muted)' })
  const value = (name: string, path: string, at: number, wide: number) =>
    text(
      name,
      [place(at, wide), y + 46, wide, 56],
      { font: 'display', size: 50, weight: 700, align },
      bind('text', path, [format('number', 0)], '–'),
      {
        animation: { change: { kind: 'count', durationMs: 250 } },
      },
    )
  return [
    shape(`Numbers ground ${side + 1}`, [x, y, width, height], 'var(ground)', {
      border: { width: 2, color: 'var(line)' },
      conditions: {
        ahead: { when: { path: 'live.lead.place', op: 'eq', value: side + 1 }, set: { fill: 'var(raised)' } },
      },
    }),
    text(
      `Accuracy ${side + 1}`,
      [place(28, 400), y + 12, 400, 124],
      { font: 'display', size: 124, weight: 800, align, color: `var(side${side + 1})` },
      bind('text', `${live}.accuracy`, [format('percent', 2)], '–'),
      { animation: { change: { kind: 'count', durationMs: 250 } } },
    ),
    text(
      `Ahead ${side + 1}`,
      [place(28, 400), y + 128, 400, 32],
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
      [place(452, 300), y + 110, 300, 34],
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
      [place(690, 210), y + 110, 210, 34],
      { size: 22, align, color: 'var(muted)' },
      bind('text', `flow.seats.${side}.replaysLeft`, [
        format('suffix', ' replays left'),
        format('map', '1 replays left', '1 replay left', '0 replays left', 'No replay left'),
      ]),
    ),
  ]
}
