import { bind, drawn, element, format, group, image, onlyWith, type SceneParts, text } from '../build.ts'
import { backdrop, castersStrip, flavour, head, portrait, versus } from '../frame.ts'

/** Scenes before a match and between matches. */

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
      source: 'countdown',
      font: 'display',
      size: 180,
      weight: 800,
      align: 'center',
      color: 'var(accent)',
      fit: 'shrink',
      warnAt: 10,
      warnColor: 'var(side1)',
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
    element(
      'timer',
      'Until it starts',
      [660, 800, 600, 100],
      { source: 'schedule', font: 'display', size: 84, weight: 700, align: 'center', color: 'var(accent)' },
      { conditions: { begun: { when: { path: 'match.startedAt', op: 'exists' }, set: { visible: false } } } },
    ),
    castersStrip([510, 950, 900, 92]),
  ],
}

export const pause: SceneParts = {
  name: 'Break',
  role: 'break',
  parts: [
    ...backdrop(500),
    ...head('Be right back', bind('text', 'control.flavour', [format('default', 'Be right back')])),
    element('timer', 'Countdown', [72, 300, 800, 260], {
      source: 'countdown',
      font: 'display',
      size: 250,
      weight: 800,
      color: 'var(accent)',
      align: 'left',
      fit: 'shrink',
    }),
    group(
      'Next',
      [72, 606, 800, 262],
      [
        text('Next label', [0, 0, 800, 40], { text: 'Next match', size: 30, color: 'var(muted)' }),
        ...([0, 1] as const).flatMap((side) => [
          portrait(`Picture ${side + 1}`, [0, 54 + side * 112, 96, 96], side),
          text(
            `Name ${side + 1}`,
            [120, 58 + side * 112, 680, 88],
            { font: 'display', size: 62, weight: 800 },
            bind('text', `sides.${side}.team.name`, [], 'To be decided'),
          ),
        ]),
      ],
      {
        conditions: {
          ...onlyWith('match'),
          over: { when: { path: 'match.status', op: 'eq', value: 'completed' }, set: { visible: false } },
        },
      },
    ),
    text('Later', [984, 236, 864, 44], { text: 'Coming up', size: 30, color: 'var(muted)' }, undefined, {
      conditions: onlyWith('bracket.upcoming'),
    }),
    drawn('schedule', 'Schedule', [984, 290, 864, 590], { parts: ['upcoming', 'time', 'label', 'images'], maxRows: 5 }),
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
