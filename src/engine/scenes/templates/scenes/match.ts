import { bind, drawn, element, format, image, onlyWith, type SceneParts, shape, text } from '../build.ts'
import { backdrop, castersStrip, flavour, scoreBar } from '../frame.ts'

/** What is on air around the songs of a match. */

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
      },
    ),
    element('timer', 'Clock', [1512, 148, 360, 100], {
      ...{
        source: 'flow',
        font: 'display',
        size: 76,
        weight: 800,
        color: 'var(text)',
        align: 'right',
        warnAt: 10,
        warnColor: 'var(warning)',
      },
    }),
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
    element(
      'list',
      'Games',
      [160, 244, 1600, 690],
      { source: 'games', max: 7, direction: 'down', gap: 12, align: 'center' },
      {
        conditions: onlyWith('games'),
        inside: [
          shape('Ground', [0, 0, 1600, 88], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
          image('Cover', [490, 0, 620, 88], 'item.map.imageUrl', { opacity: 0.22 }),
          ...([0, 1] as const).flatMap((side) => {
            const mirrored = (x: number, width: number) => (side === 0 ? x : 1600 - x - width)
            const align = side === 0 ? 'left' : 'right'
            return [
              shape(`Edge ${side + 1}`, [mirrored(0, 10), 0, 10, 88], `var(side${side + 1})`, {
                conditions: {
                  lost: { when: { path: 'item.winner', op: 'ne', value: side + 1 }, set: { visible: false } },
                },
              }),
              // Scores decide, and are always known; accuracies are not where a result was reported by hand or put together of runs.
              text(
                `Score ${side + 1}`,
                [mirrored(36, 280), 8, 280, 72],
                { font: 'display', size: 62, weight: 800, align, color: 'var(muted)' },
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
                [mirrored(330, 146), 22, 146, 44],
                { size: 30, align: side === 0 ? 'right' : 'left', color: 'var(muted)' },
                bind('text', `item.sides.${side}.accuracy`, [format('percent', 2)]),
                { conditions: onlyWith(`item.sides.${side}.accuracy`) },
              ),
            ]
          }),
          text(
            'Map',
            [490, 10, 620, 44],
            { font: 'display', size: 34, weight: 700, align: 'center' },
            bind('text', 'item.map.name', [], 'Unknown map'),
          ),
          text('Mapper', [490, 52, 620, 30], { size: 21, color: 'var(muted)', align: 'center' }, 'item.map.artist'),
        ],
      },
    ),
    castersStrip([606, 962, 708, 84]),
  ],
}
