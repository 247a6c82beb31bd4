import { bind, drawn, element, format, onlyWith, type Part, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip, scoreBar } from '../frame.ts'
import { balance } from './bars.ts'

/** The gameplay scene for teams. */

/** Two teams of up to three. */
export const teams: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(900),
    ...scoreBar(),
    ...([0, 1] as const).flatMap((side) => teamColumn(side)),
    ...balance([24, 916, 1872, 12]),
    drawn('mapCard', 'Map', [24, 940, 720, 124], {
      parts: ['cover', 'title', 'artist', 'mapper', 'difficulty', 'duration', 'bpm', 'nps', 'stars', 'modifiers'],
    }),
    ...([0, 1] as const).flatMap((side) => teamTotal(side)),
    text(
      'Lead label',
      [972, 944, 192, 30],
      { text: 'Lead', size: 22, color: 'var(muted)', align: 'center' },
      undefined,
      { conditions: onlyWith('live.lead') },
    ),
    text(
      'Lead',
      [972, 976, 192, 76],
      { font: 'display', size: 44, weight: 800, align: 'center' },
      bind('text', 'live.lead.score', [format('number', 0), format('prefix', '+')]),
      {
        bindings: { color: bind('color', 'live.lead.place', [format('map', 1, 'var(side1)', 2, 'var(side2)')]) },
        animation: { change: { kind: 'count', durationMs: 250 } },
      },
    ),
    castersStrip([1392, 956, 504, 92]),
  ],
}

/** The total of a side’s players, on either side of the leader. */
function teamTotal(side: 0 | 1): readonly Part[] {
  const x = side === 0 ? 756 : 1184
  const align = side === 0 ? 'right' : 'left'
  const conditions = onlyWith('live')
  return [
    text(
      `Total label ${side + 1}`,
      [x, 944, 196, 30],
      { text: 'Total', size: 22, color: 'var(muted)', align },
      undefined,
      { conditions },
    ),
    text(
      `Total ${side + 1}`,
      [x, 976, 196, 76],
      { font: 'display', size: 52, weight: 800, align, color: `var(side${side + 1})` },
      bind('text', `live.sides.${side}.score`, [format('number', 0)], ''),
      { conditions, animation: { change: { kind: 'count', durationMs: 250 } } },
    ),
  ]
}

/** The column of a side: streams outside, numbers inside. */
function teamColumn(side: 0 | 1): readonly Part[] {
  const x = side === 0 ? 24 : 972
  const [stream, words] = side === 0 ? [0, 464] : [476, 0]
  const align = side === 0 ? 'left' : 'right'
  const row = 250
  const color = `var(side${side + 1})`
  return [
    element(
      'list',
      `Players ${side + 1}`,
      [x, 132, 924, 776],
      { source: `sides.${side}.players`, max: 3, direction: 'down', gap: 12, align: 'center' },
      {
        inside: [
          shape('Ground', [0, 0, 924, row], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
          element(
            'stream',
            'Stream',
            [stream, 0, 448, row],
            { side: side + 1 },
            { bindings: { player: bind('player', 'index') }, border: { width: 3, color } },
          ),
          text(
            'Name',
            [words + (side === 0 ? 0 : 24), 18, 436, 52],
            { font: 'display', size: 42, weight: 700, align },
            'item.name',
          ),
        ],
      },
    ),
    element(
      'list',
      `Numbers ${side + 1}`,
      [x, 132, 924, 776],
      { source: `live.sides.${side}.players`, max: 3, direction: 'down', gap: 12, align: 'center' },
      {
        inside: [
          text(
            'Accuracy',
            [words + (side === 0 ? 0 : 24), 68, 436, 98],
            { font: 'display', size: 92, weight: 800, align, color },
            bind('text', 'item.accuracy', [format('percent', 2)], '–'),
            { animation: { change: { kind: 'count', durationMs: 250 } } },
          ),
          text(
            'Score',
            [words + (side === 0 ? 0 : 24), 168, 436, 36],
            { size: 28, align },
            bind('text', 'item.score', [format('number', 0)]),
            { animation: { change: { kind: 'count', durationMs: 250 } } },
          ),
          text(
            'Combo',
            [words + (side === 0 ? 0 : 24), 204, 436, 32],
            { size: 23, align, color: 'var(muted)' },
            bind('text', 'item.misses', [
              format('suffix', ' misses'),
              format('map', '0 misses', 'Full combo', '1 misses', '1 miss'),
            ]),
            {
              conditions: {
                full: { when: { path: 'item.misses', op: 'eq', value: 0 }, set: { color: 'var(accent)' } },
                out: {
                  when: { path: 'item.state', op: 'eq', value: 'failed' },
                  set: { text: 'Failed', color: 'var(warning)' },
                },
              },
            },
          ),
          // Keeps the cells of both lists at the same height.
          shape('Room', [0, 0, 924, row], '#00000000'),
        ],
      },
    ),
  ]
}
