import type { Test } from '../../conditions.ts'
import {
  type Box,
  bind,
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
import { backdrop, banner, instead } from '../frame.ts'
import { onlyIf, unless } from '../tests.ts'

/** The scene for the end of a tournament: the champion, the final, and the way there. */

const won: Test = { path: 'item.sides.0.isWinner', op: 'eq', value: true }

/** Rays behind the champion, which open when the scene begins. */
function rays(x: number, y: number, length: number): readonly Part[] {
  return Array.from({ length: 8 }, (_, index) =>
    element(
      'shape',
      `Ray ${index + 1}`,
      [x - length, y - length, 2 * length, 2 * length],
      {
        form: 'polygon',
        fill: 'var(accent)',
        points: [
          [length, length],
          [length - length * 0.13, 0],
          [length + length * 0.13, 0],
        ],
      },
      {
        rotation: index * 45,
        opacity: 0.09,
        animation: { enter: { kind: 'scale', durationMs: 1_400, easing: 'easeOut' } },
      },
    ),
  )
}

export const winners: SceneParts = {
  name: 'Winners',
  role: 'winners',
  transition: { kind: 'fade', durationMs: 900, easing: 'easeInOut' },
  parts: [
    ...backdrop(),
    ...banner(0.5),
    group('Rays', [0, 0, 1920, 1080], rays(316, 316, 1700), { conditions: onlyWith('winners.0') }),
    group(
      'Winner picture',
      [96, 96, 440, 440],
      [
        shape('Ground', [0, 0, 440, 440], 'var(raised)'),
        text(
          'Letters',
          [0, 0, 440, 440],
          { font: 'display', size: 190, weight: 800, align: 'center', color: 'var(muted)' },
          bind('text', 'winners.0.name', [format('initials')]),
        ),
        image('Picture', [0, 0, 440, 440], 'winners.0.imageUrl'),
      ],
      {
        mask: { shape: 'rectangle', radius: 32 },
        border: { width: 8, color: 'var(accent)' },
        conditions: onlyWith('winners.0'),
        animation: { enter: { kind: 'scale', durationMs: 900, easing: 'overshoot' } },
      },
    ),
    text(
      'Label',
      [600, 96, 1224, 70],
      { text: 'Champions', font: 'display', size: 66, weight: 800, color: 'var(accent)' },
      bind('text', 'tournament.name', [format('prefix', 'Champions of ')]),
      { conditions: onlyWith('winners.0') },
    ),
    text(
      'Tournament',
      [160, 380, 1600, 60],
      { size: 40, weight: 600, align: 'center', color: 'var(accent)' },
      'tournament.name',
      { ...onlyIf({ path: 'winners.0', op: 'empty' }) },
    ),
    instead('The champions are yet to be found', { path: 'winners.0', op: 'empty' }),
    text('Winner', [600, 164, 1224, 170], { font: 'display', size: 160, weight: 800 }, 'winners.0.name', {
      animation: { enter: { kind: 'slide', direction: 'left', durationMs: 800, delayMs: 350, easing: 'easeOut' } },
    }),
    group(
      'Final',
      [600, 356, 1224, 180],
      [
        shape('Ground', [0, 0, 1224, 180], 'var(ground)', { border: { width: 3, color: 'var(accent)' } }),
        text('Round', [28, 10, 1168, 34], { size: 26, color: 'var(muted)' }, 'road.0.label'),
        ...([0, 1] as const).flatMap((side) => {
          const isWinner: Test = { path: `road.0.sides.${side}.isWinner`, op: 'eq', value: true }
          const color = { won: { when: isWinner, set: { color: 'var(text)' } } }
          const big = { font: 'display', weight: 800, color: 'var(muted)' } as const
          return [
            text(
              `Name ${side + 1}`,
              [28, 48 + side * 64, 1020, 58],
              { ...big, size: 54 },
              bind('text', `road.0.sides.${side}.name`),
              { conditions: color },
            ),
            text(
              `Score ${side + 1}`,
              [1060, 48 + side * 64, 136, 58],
              { ...big, size: 58, align: 'right' },
              bind('text', `road.0.sides.${side}.score`),
              { conditions: { won: { when: isWinner, set: { color: 'var(accent)' } } } },
            ),
          ]
        }),
      ],
      {
        conditions: onlyWith('road'),
        animation: { enter: { kind: 'fade', durationMs: 700, delayMs: 800 } },
      },
    ),
    text('Road label', [96, 574, 900, 40], { text: 'The road there', size: 30, color: 'var(muted)' }, undefined, {
      ...onlyIf({ path: 'road.1', op: 'exists' }),
    }),
    element(
      'list',
      'Road',
      [96, 622, 1728, 150],
      { source: 'road', max: 5, direction: 'left', gap: 12, align: 'start' },
      {
        ...onlyIf({ path: 'road.1', op: 'exists' }),
        inside: roadMatch([0, 0, 336, 150]),
        animation: { enter: { kind: 'wipe', direction: 'right', durationMs: 900, delayMs: 1_000 } },
      },
    ),
    ...([1, 2] as const).flatMap((place) => {
      const y = 812 + (place - 1) * 108
      const conditions = onlyWith(`winners.${place}`)
      return [
        shape(`Ground ${place + 1}`, [96, y, 828, 96], 'var(ground)', {
          border: { width: 2, color: 'var(line)' },
          conditions,
        }),
        text(
          `Place ${place + 1}`,
          [120, y, 110, 96],
          { font: 'display', size: 56, weight: 800, color: 'var(muted)' },
          bind('text', `winners.${place}.place`, [format('ordinal')]),
        ),
        image(`Picture ${place + 1}`, [236, y + 14, 68, 68], `winners.${place}.imageUrl`, {
          mask: { shape: 'rectangle', radius: 8 },
          conditions: onlyWith(`winners.${place}.imageUrl`),
        }),
        text(
          `Name ${place + 1}`,
          [324, y, 580, 96],
          { font: 'display', size: 52, weight: 800 },
          `winners.${place}.name`,
        ),
      ]
    }),
    moment([960, 812, 864, 204]),
  ],
}

/** One match of the way to the title. */
function roadMatch([, , width]: Box): readonly Part[] {
  return [
    shape('Ground', [0, 0, width, 150], 'var(ground)', {
      border: { width: 2, color: 'var(line)' },
      conditions: { last: { when: { path: 'index', op: 'eq', value: 1 }, set: { 'border.color': 'var(accent)' } } },
    }),
    text('Round', [16, 8, width - 32, 32], { size: 21, color: 'var(muted)', fit: 'shrink' }, 'item.label'),
    ...([0, 1] as const).flatMap((side) => {
      const isWinner: Test = side === 0 ? won : { path: 'item.sides.1.isWinner', op: 'eq', value: true }
      const y = 44 + side * 50
      const conditions = { won: { when: isWinner, set: { color: 'var(text)' } } }
      return [
        text(
          `Name ${side + 1}`,
          [16, y, width - 90, 46],
          { font: 'display', size: 34, weight: 700, color: 'var(muted)', fit: 'ellipsis' },
          bind('text', `item.sides.${side}.name`, [], '–'),
          { conditions },
        ),
        text(
          `Score ${side + 1}`,
          [width - 74, y, 58, 46],
          { font: 'display', size: 40, weight: 800, align: 'right', color: 'var(muted)' },
          `item.sides.${side}.score`,
          { conditions: { won: { when: isWinner, set: { color: 'var(accent)' } } } },
        ),
      ]
    }),
  ]
}

/** The best play of the tournament, once the tournament has an end. */
function moment([x, y, width, height]: Box): Part {
  const best = 'statistics.highestAccuracy'
  const wide = width - 440
  const label = { text: 'Best play of the tournament', size: 27, color: 'var(muted)' } as const
  const number = bind('text', `${best}.value`, [format('percent', 2)])
  return group(
    'Best play',
    [x, y, width, height],
    [
      shape('Ground', [0, 0, width, height], 'var(ground)', { border: { width: 2, color: 'var(line)' } }),
      text('Label', [28, 16, width - 56, 36], label),
      text('Value', [28, 58, 360, 124], { font: 'display', size: 116, weight: 800, color: 'var(accent)' }, number),
      text('Name', [412, 66, wide, 56], { font: 'display', size: 50, weight: 800 }, `${best}.name`),
      text(
        'Map',
        [412, 124, wide, 40],
        { size: 28, color: 'var(muted)' },
        bind('text', `${best}.map`, [format('prefix', 'on ')]),
      ),
    ],
    { ...unless({ any: [best, 'winners.0'].map((path): Test => ({ path, op: 'empty' })) }) },
  )
}
