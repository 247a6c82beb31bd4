import { bind, drawn, element, format, image, onlyWith, type SceneParts, shape, text } from './build.ts'
import { backdrop, castersStrip, flavour, head, portrait, scoreBar, versus } from './frame.ts'

/** What is on air between songs. */

export const start: SceneParts = {
  name: 'Start',
  role: 'start',
  parts: [
    ...backdrop(780),
    image('Tournament picture', [840, 120, 240, 240], 'tournament.imageUrl', {
      mask: { shape: 'rectangle', radius: 32 },
      conditions: onlyWith('tournament.imageUrl'),
      animation: { enter: { kind: 'scale', durationMs: 700 } },
    }),
    text(
      'Tournament',
      [160, 384, 1600, 150],
      { font: 'display', size: 136, weight: 800, align: 'center' },
      'tournament.name',
      {
        animation: { enter: { kind: 'slide', direction: 'up', durationMs: 700, delayMs: 100 } },
      },
    ),
    text(
      'Starting',
      [560, 556, 800, 44],
      { text: 'Starting in', size: 34, align: 'center', color: 'var(muted)' },
      undefined,
      {
        conditions: onlyWith('control.countdownTo'),
      },
    ),
    element('timer', 'Countdown', [560, 592, 800, 190], {
      ...{
        source: 'countdown',
        font: 'display',
        size: 180,
        weight: 800,
        align: 'center',
        color: 'var(accent)',
        fit: 'shrink',
      },
      ...{ warnAt: 10, warnColor: 'var(side1)' },
    }),
    flavour([260, 800, 1400, 46], 'center'),
    castersStrip([510, 930, 900, 96]),
  ],
}

export const teamIntro: SceneParts = {
  name: 'Match',
  role: 'teamIntro',
  transition: { kind: 'fade', durationMs: 450 },
  parts: [
    ...backdrop(860),
    ...head('Up next'),
    ...versus(240),
    element('timer', 'Until it starts', [660, 800, 600, 100], {
      ...{ source: 'schedule', font: 'display', size: 84, weight: 700, align: 'center', color: 'var(accent)' },
    }),
    castersStrip([510, 950, 900, 92]),
  ],
}

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
      { parts: ['turn', 'order', 'difficulty'] },
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
              text(
                `Accuracy ${side + 1}`,
                [mirrored(36, 230), 8, 230, 72],
                { font: 'display', size: 62, weight: 800, align, color: 'var(muted)' },
                bind('text', `item.sides.${side}.accuracy`, [format('percent', 2)], '–'),
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
                `Score ${side + 1}`,
                [mirrored(276, 200), 24, 200, 42],
                { size: 28, align, color: 'var(muted)' },
                bind('text', `item.sides.${side}.score`, [format('number', 0)]),
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

export const pause: SceneParts = {
  name: 'Break',
  role: 'break',
  parts: [
    ...backdrop(500),
    ...head('Be right back', bind('text', 'control.flavour', [], 'Be right back')),
    element('timer', 'Countdown', [72, 300, 800, 260], {
      ...{
        source: 'countdown',
        font: 'display',
        size: 250,
        weight: 800,
        color: 'var(accent)',
        align: 'left',
        fit: 'shrink',
      },
    }),
    text('Next label', [72, 606, 800, 40], { text: 'Next match', size: 30, color: 'var(muted)' }, undefined, {
      conditions: onlyWith('match'),
    }),
    ...([0, 1] as const).flatMap((side) => [
      portrait(`Picture ${side + 1}`, [72, 660 + side * 112, 96, 96], side),
      text(
        `Name ${side + 1}`,
        [192, 664 + side * 112, 680, 88],
        { font: 'display', size: 62, weight: 800 },
        bind('text', `sides.${side}.team.name`, [], 'To be decided'),
      ),
    ]),
    text('Later', [984, 236, 864, 44], { text: 'Coming up', size: 30, color: 'var(muted)' }, undefined, {
      conditions: onlyWith('bracket.upcoming'),
    }),
    drawn('schedule', 'Schedule', [984, 290, 864, 590], { parts: ['upcoming', 'label'], maxRows: 5 }),
    castersStrip([1048, 940, 800, 92]),
  ],
}

export const casters: SceneParts = {
  name: 'Casters',
  role: 'casters',
  parts: [
    ...backdrop(880),
    ...head('Your casters'),
    drawn(
      'casters',
      'Casters',
      [210, 250, 1500, 560],
      {},
      { animation: { enter: { kind: 'slide', direction: 'up', durationMs: 600 } } },
    ),
    flavour([260, 912, 1400, 60], 'center'),
  ],
}

export const bracket: SceneParts = {
  name: 'Bracket',
  role: 'bracket',
  parts: [
    ...backdrop(900),
    ...head('Bracket'),
    drawn(
      'bracket',
      'Bracket',
      [72, 220, 1776, 720],
      {},
      { animation: { enter: { kind: 'wipe', direction: 'right', durationMs: 800 } } },
    ),
    castersStrip([1140, 962, 708, 84]),
  ],
}

export const standings: SceneParts = {
  name: 'Standings',
  role: 'standings',
  parts: [
    ...backdrop(900),
    ...head('Standings'),
    drawn(
      'standings',
      'Standings',
      [160, 210, 1600, 810],
      { maxRows: 16 },
      { animation: { enter: { kind: 'fade', durationMs: 500 } } },
    ),
  ],
}

export const qualifier: SceneParts = {
  name: 'Qualifier',
  role: 'qualifier',
  parts: [
    ...backdrop(900),
    ...head('Qualifier'),
    drawn('standings', 'Qualifier', [160, 200, 1600, 830], { source: 'qualifier', maxRows: 16, density: 'compact' }),
  ],
}

export const schedule: SceneParts = {
  name: 'Schedule',
  role: 'schedule',
  parts: [
    ...backdrop(900),
    ...head('Schedule'),
    drawn('schedule', 'Schedule', [160, 220, 1600, 740], { maxRows: 8 }),
    text(
      'Zone',
      [160, 976, 1600, 40],
      { size: 26, color: 'var(muted)', align: 'right' },
      bind('text', 'tournament.timezone', [format('prefix', 'Times in ')]),
    ),
  ],
}

export const winners: SceneParts = {
  name: 'Winners',
  role: 'winners',
  parts: [
    ...backdrop(820),
    text(
      'Tournament',
      [160, 64, 1600, 48],
      { size: 34, align: 'center', color: 'var(muted)', weight: 600 },
      'tournament.name',
    ),
    text('Label', [160, 110, 1600, 60], {
      text: 'Champions',
      font: 'display',
      size: 52,
      weight: 700,
      align: 'center',
      color: 'var(accent)',
    }),
    image('Winner picture', [830, 186, 260, 260], 'winners.0.imageUrl', {
      mask: { shape: 'rectangle', radius: 24 },
      border: { width: 5, color: 'var(accent)' },
      conditions: onlyWith('winners.0.imageUrl'),
      animation: { enter: { kind: 'scale', durationMs: 800, easing: 'overshoot' } },
    }),
    text(
      'Winner',
      [160, 462, 1600, 150],
      { font: 'display', size: 136, weight: 800, align: 'center' },
      'winners.0.name',
      {
        animation: { enter: { kind: 'slide', direction: 'up', durationMs: 700, delayMs: 200 } },
      },
    ),
    ...([1, 2] as const).flatMap((place) => {
      const x = place === 1 ? 300 : 980
      return [
        shape(`Ground ${place + 1}`, [x, 656, 640, 120], 'var(ground)', {
          border: { width: 2, color: 'var(line)' },
          conditions: onlyWith(`winners.${place}`),
        }),
        text(
          `Place ${place + 1}`,
          [x + 24, 664, 96, 104],
          { font: 'display', size: 56, weight: 800, color: 'var(muted)' },
          bind('text', `winners.${place}.place`, [format('ordinal')]),
        ),
        text(
          `Name ${place + 1}`,
          [x + 136, 664, 480, 104],
          { font: 'display', size: 54, weight: 800 },
          `winners.${place}.name`,
        ),
      ]
    }),
    ...(
      [
        ['Highest accuracy', 'highestAccuracy', [format('percent', 2)]],
        ['Most misses', 'mostMisses', [format('number', 0)]],
        ['Longest match', 'longest', [format('duration')]],
      ] as const
    ).flatMap(([words, name, formats], index) => {
      const x = 300 + index * 448
      const conditions = onlyWith(`statistics.${name}`)
      return [
        text(`${words} label`, [x, 824, 424, 34], { text: words, size: 25, color: 'var(muted)' }, undefined, {
          conditions,
        }),
        text(
          words,
          [x, 856, 424, 80],
          { font: 'display', size: 70, weight: 800, color: 'var(accent)' },
          bind('text', `statistics.${name}.value`, formats),
        ),
        text(`${words} name`, [x, 936, 424, 36], { size: 27, weight: 600 }, `statistics.${name}.name`),
      ]
    }),
  ],
}
