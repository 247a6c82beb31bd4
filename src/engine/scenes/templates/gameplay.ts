import { type Box, bind, drawn, element, format, onlyWith, type Part, type SceneParts, shape, text } from './build.ts'
import { backdrop, castersStrip, scoreBar } from './frame.ts'

/** What is on air while songs are played. */

const streamEdge = (side: 0 | 1) => ({ border: { width: 3, color: `var(side${side + 1})` } })

/** Two players beside each other. */
export const duel: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(900),
    ...scoreBar(),
    ...([0, 1] as const).flatMap((side) => {
      const x = side === 0 ? 24 : 972
      return [
        shape(`Stream ground ${side + 1}`, [x, 132, 924, 520], 'var(ground)'),
        element('stream', `Stream ${side + 1}`, [x, 132, 924, 520], { side: side + 1, slot: 1 }, streamEdge(side)),
        ...playerNumbers(side, [x, 690, 924, 168]),
      ]
    }),
    ...balance([24, 666, 1872, 14]),
    ...progress([24, 862, 1872, 6]),
    drawn(
      'mapCard',
      'Map',
      [24, 886, 1140, 170],
      {},
      {
        animation: { enter: { kind: 'slide', direction: 'right', durationMs: 500 }, change: { kind: 'fade' } },
      },
    ),
    ...games([1188, 886, 708, 74]),
    castersStrip([1188, 972, 708, 84]),
  ],
}

/** Of one player: accuracy large, and what goes with it. */
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
        ahead: { when: { path: 'live.lead.side', op: 'eq', value: side + 1 }, set: { fill: 'var(raised)' } },
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
          behind: { when: { path: 'live.lead.side', op: 'ne', value: side + 1 }, set: { visible: false } },
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
          // Without a song that runs there is none to be full.
          missed: { when: { not: { path: `${live}.misses`, op: 'eq', value: 0 } }, set: { visible: false } },
        },
      },
    ),
    text(
      `Replays ${side + 1}`,
      [place(690, 210), y + 110, 210, 34],
      { size: 22, align, color: 'var(muted)' },
      bind('text', `flow.seats.${side}.replaysLeft`, [format('suffix', ' replay left')]),
      {
        conditions: {
          none: {
            when: { path: `flow.seats.${side}.replaysLeft`, op: 'eq', value: 0 },
            set: { text: 'No replay left' },
          },
        },
      },
    ),
  ]
}

/** Who of two is ahead: a twentieth of all points fills the bar. */
function balance(box: Box): readonly Part[] {
  return [
    shape('Balance ground', box, 'var(raised)', { mask: { radius: 7 } }),
    element(
      'bar',
      'Balance',
      box,
      { mode: 'tug', min: 0.475, max: 0.525 },
      {
        mask: { shape: 'rectangle', radius: 7 },
        bindings: { value: bind('value', 'live.share') },
      },
    ),
  ]
}

function progress(box: Box): readonly Part[] {
  return [
    element(
      'bar',
      'Progress',
      box,
      { colors: ['var(accent)', 'var(raised)'] },
      {
        bindings: { value: bind('value', 'live.progress') },
        mask: { shape: 'rectangle', radius: 3 },
      },
    ),
  ]
}

/** Games that were played, each in the colour of who won it. */
function games([x, y, width, height]: Box): readonly Part[] {
  const wide = (width - 6 * 8) / 7
  return [
    element(
      'list',
      'Games',
      [x, y, width, height],
      { source: 'games', max: 7, direction: 'right', gap: 8, align: 'start' },
      {
        inside: [
          shape('Ground', [0, 0, wide, height], 'var(ground)', { mask: { radius: 6 } }),
          text(
            'Number',
            [0, 6, wide, 26],
            { size: 18, align: 'center', color: 'var(muted)' },
            bind('text', 'item.number', [format('prefix', 'Game ')]),
          ),
          text(
            'Map',
            [6, 32, wide - 12, 34],
            { font: 'display', size: 24, align: 'center', weight: 700, fit: 'ellipsis' },
            bind('text', 'item.map.name', [], '…'),
            {
              bindings: { color: bind('color', 'item.winner', [format('sideColor')]) },
            },
          ),
          shape('Edge', [0, height - 5, wide, 5], 'var(line)', {
            bindings: { fill: bind('fill', 'item.winner', [format('sideColor')]) },
          }),
        ],
        conditions: onlyWith('games'),
      },
    ),
  ]
}

/** Two teams of up to three. */
export const teams: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(900),
    ...scoreBar(),
    ...([0, 1] as const).flatMap((side) => teamColumn(side)),
    ...balance([24, 916, 1872, 12]),
    drawn('mapCard', 'Map', [24, 940, 900, 124], {
      parts: ['cover', 'name', 'artist', 'mapper', 'difficulty', 'stats', 'modifiers'],
    }),
    text(
      'Lead label',
      [948, 944, 420, 30],
      { text: 'Lead', size: 22, color: 'var(muted)', align: 'center' },
      undefined,
      { conditions: onlyWith('live.lead') },
    ),
    text(
      'Lead',
      [948, 968, 420, 88],
      { font: 'display', size: 76, weight: 800, align: 'center' },
      bind('text', 'live.lead.score', [format('number', 0), format('prefix', '+')]),
      {
        bindings: { color: bind('color', 'live.lead.side', [format('map', 1, 'var(side1)', 2, 'var(side2)')]) },
        animation: { change: { kind: 'count', durationMs: 250 } },
      },
    ),
    castersStrip([1392, 956, 504, 92]),
  ],
}

/** Streams outside, numbers inside; each side's sum in the head of its column. */
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
            { bindings: { slot: bind('slot', 'index') }, border: { width: 3, color } },
          ),
          text(
            'Name',
            [words + (side === 0 ? 0 : 24), 18, 436, 52],
            { font: 'display', size: 42, weight: 750, align },
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
            bind('text', 'item.misses', [format('map', 0, 'Full combo', 1, '1 miss'), format('default', '')]),
            {
              conditions: {
                missed: { when: { path: 'item.misses', op: 'gt', value: 1 }, set: { visible: true } },
                full: { when: { path: 'item.misses', op: 'eq', value: 0 }, set: { color: 'var(accent)' } },
              },
              bindings: {
                text: bind('text', 'item.misses', [
                  format('suffix', ' misses'),
                  format('map', '0 misses', 'Full combo', '1 misses', '1 miss'),
                ]),
              },
            },
          ),
          // Keeps the cells of both lists equally high.
          shape('Room', [0, 0, 924, row], '#00000000'),
        ],
      },
    ),
  ]
}

/** Up to six, each for themselves. */
export const freeForAll: SceneParts = {
  name: 'Gameplay',
  role: 'gameplay',
  parts: [
    ...backdrop(900),
    shape('Head ground', [0, 0, 1920, 88], 'var(ground)'),
    text('Tournament', [24, 14, 900, 60], { font: 'display', size: 44, weight: 800 }, 'tournament.name'),
    text('Match', [1200, 14, 696, 60], { size: 30, align: 'right', color: 'var(muted)' }, 'match.label'),
    element(
      'list',
      'Players',
      [24, 104, 1872, 812],
      { source: 'sides.0.players', max: 6, direction: 'down', columns: 3, gap: 18 },
      {
        inside: [
          shape('Ground', [0, 0, 612, 397], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
          element('stream', 'Stream', [0, 0, 612, 318], { side: 1 }, { bindings: { slot: bind('slot', 'index') } }),
          text('Name', [20, 320, 340, 76], { font: 'display', size: 36, weight: 750 }, 'item.name'),
        ],
      },
    ),
    element(
      'list',
      'Numbers',
      [24, 104, 1872, 812],
      { source: 'live.sides.0.players', max: 6, direction: 'down', columns: 3, gap: 18 },
      {
        inside: [
          text(
            'Accuracy',
            [376, 320, 216, 76],
            { font: 'display', size: 58, weight: 800, align: 'right', color: 'var(side1)' },
            bind('text', 'item.accuracy', [format('percent', 2)], '–'),
            { animation: { change: { kind: 'count', durationMs: 250 } } },
          ),
          shape('Room', [0, 0, 612, 397], '#00000000'),
        ],
      },
    ),
    ...progress([24, 924, 1872, 6]),
    drawn('mapCard', 'Map', [24, 940, 1140, 124]),
    castersStrip([1188, 956, 708, 92]),
  ],
}
