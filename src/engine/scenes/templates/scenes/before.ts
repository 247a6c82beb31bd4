import type { Test } from '../../conditions.ts'
import {
  bind,
  drawn,
  element,
  format,
  group,
  image,
  onlyWith,
  type Part,
  type SceneParts,
  shape,
  text,
} from '../build.ts'
import { clockUntil } from '../clocks.ts'
import { backdrop, banner, castersStrip, flavour, head, instead, portrait, versus } from '../frame.ts'
import { onlyIf } from '../tests.ts'

/** Scenes before a match and between matches. */

const hasNext: Test = { path: 'bracket.upcoming.0', op: 'exists' }

/** A match is shown that is not over. */
const isOpen = {
  all: [
    { path: 'match', op: 'exists' },
    { path: 'match.status', op: 'ne', value: 'completed' },
  ],
} as const satisfies Test

function nextMatch(label: string, [x, y]: readonly [number, number], shown: ReturnType<typeof onlyIf>): Part {
  const sides = ([0, 1] as const).flatMap((side) => [
    portrait(`Picture ${side + 1}`, [0, 54 + side * 112, 96, 96], side),
    text(
      `Name ${side + 1}`,
      [120, 58 + side * 112, 690, 88],
      { font: 'display', size: 62, weight: 800 },
      bind('text', `sides.${side}.team.name`, [], 'To be decided'),
    ),
  ])
  const title = text('Next label', [0, 0, 800, 40], { text: label, size: 32, color: 'var(muted)' })
  return group('Next', [x, y, 832, 262], [title, ...sides], shown)
}

export const start: SceneParts = {
  name: 'Start',
  role: 'start',
  parts: [
    ...backdrop(),
    ...banner(),
    image('Tournament picture', [96, 130, 200, 200], 'tournament.imageUrl', {
      mask: { shape: 'rectangle', radius: 28 },
      conditions: onlyWith('tournament.imageUrl'),
      animation: { enter: { kind: 'scale', durationMs: 700 } },
    }),
    text('Tournament', [96, 360, 840, 150], { font: 'display', size: 128, weight: 800 }, 'tournament.name', {
      animation: { enter: { kind: 'slide', direction: 'up', durationMs: 700, delayMs: 100 } },
    }),
    ...clockUntil('control.countdownTo', [96, 536, 840, 270], ['Starting in', 'Any moment now', 'Starting soon']),
    flavour([96, 826, 840, 50]),
    text('First label', [984, 116, 864, 44], { text: 'First matches', size: 32, weight: 600 }, undefined, {
      ...onlyIf(hasNext),
    }),
    drawn('schedule', 'First matches', [984, 176, 864, 700], {
      parts: ['upcoming', 'time', 'label', 'images'],
      maxRows: 5,
    }),
    nextMatch(
      'First match',
      [984, 360],
      onlyIf({ all: [isOpen.all[0], isOpen.all[1], { path: 'bracket.upcoming', op: 'empty' }] }),
    ),
    castersStrip([96, 940, 900, 96]),
  ],
}

const isSolo = { path: 'sides.0.team.isSolo', op: 'eq', value: true } as const
/** While the match has not begun. */
const begun = { begun: { when: { path: 'match.startedAt', op: 'exists' }, set: { visible: false } } } as const

/** The title says whether the match is still to come. */
function titled(part: Part): Part {
  if (part.name !== 'Title') return part
  const now = { when: { path: 'match.startedAt', op: 'exists' }, set: { text: 'Now playing' } } as const
  const over = { when: { path: 'match.status', op: 'eq', value: 'completed' }, set: { text: 'Just played' } } as const
  return { ...part, conditions: { ...part.conditions, now, over } }
}

/** A player with their picture, or the initials where there is none. */
function playerLine(): readonly Part[] {
  const small = { size: 22, weight: 700, align: 'center', color: 'var(muted)' } as const
  const mask = { shape: 'rectangle', radius: 8 } as const
  return [
    shape('Ground', [0, 0, 54, 54], 'var(raised)', { mask }),
    text('Letters', [0, 0, 54, 54], small, bind('text', 'item.name', [format('initials')])),
    image('Picture', [0, 0, 54, 54], 'item.avatarUrl', { mask }),
    text('Player', [68, 0, 287, 54], { size: 30, weight: 600 }, 'item.name'),
  ]
}

export const teamIntro: SceneParts = {
  name: 'Match',
  role: 'teamIntro',
  transition: { kind: 'fade', durationMs: 450 },
  parts: [
    ...backdrop(),
    ...banner(0.3),
    ...head('Up next').map(titled),
    ...versus(176),
    // A team of one has its player as its name.
    ...([0, 1] as const).map((side) =>
      element(
        'list',
        `Players ${side + 1}`,
        [side === 0 ? 132 : 1068, 720, 720, 192],
        { source: `sides.${side}.players`, max: 6, direction: 'down', columns: 2, gap: 10 },
        {
          conditions: {
            alone: { when: { path: `sides.${side}.team.isSolo`, op: 'eq', value: true }, set: { visible: false } },
          },
          inside: playerLine(),
        },
      ),
    ),
    text(
      'Until it starts label',
      [660, 930, 600, 40],
      { size: 30, align: 'center', color: 'var(muted)' },
      bind('text', 'match.scheduledAt', [format('countdown'), format('map', '0:00', '', 'Starts in')]),
      { conditions: { ...onlyWith('match.scheduledAt'), ...begun, alone: { when: isSolo, set: { y: 760 } } } },
    ),
    text(
      'Until it starts',
      [660, 964, 600, 90],
      { font: 'display', size: 84, weight: 700, align: 'center', color: 'var(accent)' },
      bind('text', 'match.scheduledAt', [format('countdown'), format('map', '0:00', 'Starts now')]),
      { conditions: { ...begun, alone: { when: isSolo, set: { y: 794 } } } },
    ),
    // Without a time, or once that is past, it is said how long the match is.
    text(
      'Best of',
      [660, 952, 600, 80],
      { font: 'display', size: 60, weight: 700, align: 'center', color: 'var(accent)' },
      bind('text', 'match.bestOf', [format('prefix', 'Best of ')]),
      {
        ...onlyIf({
          any: [
            { path: 'match.scheduledAt', op: 'empty' },
            { path: 'match.startedAt', op: 'exists' },
          ],
        }),
      },
    ),
    castersStrip([1288, 960, 560, 84]),
  ],
}

export const pause: SceneParts = {
  name: 'Break',
  role: 'break',
  parts: [
    ...backdrop(),
    ...banner(0.45),
    ...head('Be right back', bind('text', 'control.flavour', [format('default', 'Be right back')])),
    ...clockUntil('control.countdownTo', [72, 228, 832, 330], ['Back in', 'Any moment now', 'Back soon']),
    nextMatch('The match', [72, 606], onlyIf(isOpen)),
    text('Later', [984, 226, 864, 44], { text: 'Coming up', size: 32, color: 'var(muted)' }, undefined, {
      ...onlyIf(hasNext),
    }),
    drawn('schedule', 'Schedule', [984, 290, 864, 600], { parts: ['upcoming', 'time', 'label', 'images'], maxRows: 5 }),
    castersStrip([1048, 946, 800, 92]),
  ],
}

export const casters: SceneParts = {
  name: 'Casters',
  role: 'casters',
  parts: [
    ...backdrop(),
    ...banner(0.35),
    ...head('Your casters'),
    drawn(
      'casters',
      'Casters',
      [160, 220, 1600, 660],
      {},
      { animation: { enter: { kind: 'slide', direction: 'up', durationMs: 600 } } },
    ),
    instead('With you in a moment', { path: 'casters', op: 'empty' }),
    flavour([260, 930, 1400, 60], 'center'),
  ],
}
