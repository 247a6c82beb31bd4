import type { Test } from '../../conditions.ts'
import { bind, drawn, element, format, image, onlyWith, type Part, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip, flavour, scoreBar } from '../frame.ts'

/** Scenes between the songs of a match. */

/** The greatest height of all rows of games together. */
const maxHeight = 690

const isLong: Test = { path: 'match.bestOf', op: 'gt', value: 7 }
/** A session chooses the maps, so their tiles are shown. */
const hasFlow: Test = { path: 'flow', op: 'exists' }

export const pickBan: SceneParts = {
  name: 'Picks and bans',
  role: 'pickBan',
  parts: [
    ...backdrop(900),
    ...scoreBar(),
    drawn(
      'pickBans',
      'Picks and bans',
      [48, 144, 1824, 812],
      {},
      {
        animation: { enter: { kind: 'fade', durationMs: 500, delayMs: 150 } },
        conditions: { unpicked: { when: { not: hasFlow }, set: { visible: false } } },
      },
    ),
    element('timer', 'Clock', [1512, 148, 360, 100], {
      source: 'flow',
      font: 'display',
      size: 76,
      weight: 800,
      color: 'var(text)',
      align: 'right',
      warnAt: 10,
      warnColor: 'var(warning)',
    }),
    // Without a session there are no picks: the games so far fill the time between songs.
    text(
      'Without picks',
      [260, 138, 1400, 84],
      { text: 'The next map follows', font: 'display', size: 70, weight: 800, align: 'center' },
      undefined,
      { conditions: { picked: { when: hasFlow, set: { visible: false } } } },
    ),
    games('Games', 88, 12, { any: [hasFlow, isLong] }),
    games('Games of a long match', 46, 6, { any: [hasFlow, { not: isLong }] }),
    castersStrip([1164, 972, 708, 84]),
    flavour([48, 990, 1080, 48]),
  ],
}

export const summary: SceneParts = {
  name: 'Summary',
  role: 'summary',
  parts: [
    ...backdrop(900),
    ...scoreBar(),
    text('Winner', [260, 138, 1400, 84], { font: 'display', size: 70, weight: 800, align: 'center' }, undefined, {
      bindings: { text: bind('text', 'sides.0.team.name', [format('suffix', ' wins')]) },
      conditions: {
        a: { when: { path: 'sides.0.result', op: 'ne', value: 'win' }, set: { visible: false } },
      },
    }),
    text(
      'Winner of side 2',
      [260, 138, 1400, 84],
      { font: 'display', size: 70, weight: 800, align: 'center' },
      undefined,
      {
        bindings: { text: bind('text', 'sides.1.team.name', [format('suffix', ' wins')]) },
        conditions: {
          a: { when: { path: 'sides.1.result', op: 'ne', value: 'win' }, set: { visible: false } },
        },
      },
    ),
    text(
      'So far',
      [260, 138, 1400, 84],
      { text: 'The match so far', font: 'display', size: 70, weight: 800, align: 'center' },
      undefined,
      {
        conditions: {
          over: {
            when: {
              any: [
                { path: 'sides.0.result', op: 'exists' },
                { path: 'sides.1.result', op: 'exists' },
              ],
            },
            set: { visible: false },
          },
        },
      },
    ),
    games('Games', 88, 12, isLong),
    games('Games of a long match', 46, 6, { not: isLong }),
    castersStrip([606, 962, 708, 84]),
  ],
}

/**
 * One row for each game. The rows are lower if there may be many games.
 * @param other condition under which other rows are shown instead of these
 */
function games(name: string, height: number, gap: number, other: Test): Part {
  const size = (share: number) => Math.round(height * share)
  return element(
    'list',
    name,
    [160, 244, 1600, maxHeight],
    { source: 'games', max: Math.floor((maxHeight + gap) / (height + gap)), direction: 'down', gap, align: 'center' },
    {
      conditions: { ...onlyWith('games'), other: { when: other, set: { visible: false } } },
      inside: [
        shape('Ground', [0, 0, 1600, height], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
        image('Cover', [490, 0, 620, height], 'item.map.imageUrl', { opacity: 0.22 }),
        ...([0, 1] as const).flatMap((side) => {
          const mirrored = (x: number, width: number) => (side === 0 ? x : 1600 - x - width)
          const align = side === 0 ? 'left' : 'right'
          return [
            shape(`Edge ${side + 1}`, [mirrored(0, 10), 0, 10, height], `var(side${side + 1})`, {
              conditions: {
                lost: { when: { path: 'item.winner', op: 'ne', value: side + 1 }, set: { visible: false } },
              },
            }),
            // Scores decide and are always known. Accuracies are unknown if a result was reported by hand or combined
            // from several runs.
            text(
              `Score ${side + 1}`,
              [mirrored(36, 280), size(0.09), 280, size(0.82)],
              { font: 'display', size: size(0.7), weight: 800, align, color: 'var(muted)' },
              bind('text', `item.sides.${side}.score`, [format('number', 0)], '–'),
              {
                conditions: {
                  won: {
                    when: { path: 'item.winner', op: 'eq', value: side + 1 },
                    set: { color: `var(side${side + 1})` },
                  },
                },
              },
            ),
            text(
              `Accuracy ${side + 1}`,
              [mirrored(330, 146), size(0.25), 146, size(0.5)],
              { size: Math.max(24, size(0.34)), align: side === 0 ? 'right' : 'left', color: 'var(muted)' },
              bind('text', `item.sides.${side}.accuracy`, [format('percent', 2)]),
              { conditions: onlyWith(`item.sides.${side}.accuracy`) },
            ),
          ]
        }),
        ...titleOf(height),
      ],
    },
  )
}

/** The title of the map. Low rows have room for one line only. */
function titleOf(height: number): readonly Part[] {
  const title = bind('text', 'item.map.name', [], 'Unknown map')
  const bold = { font: 'display', weight: 700, align: 'center' } as const
  if (height < 70) return [text('Map', [490, 4, 620, height - 8], { ...bold, size: 30 }, title)]
  return [
    text('Map', [490, 10, 620, 44], { ...bold, size: 34 }, title),
    text('Mapper', [490, 52, 620, 30], { size: 21, color: 'var(muted)', align: 'center' }, 'item.map.artist'),
  ]
}
