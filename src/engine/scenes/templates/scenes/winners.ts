import { bind, format, group, image, onlyWith, type SceneParts, shape, text } from '../build.ts'
import { backdrop } from '../frame.ts'

/** The scene for the end of a tournament. */

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
    group(
      'Winner picture',
      [830, 186, 260, 260],
      [
        shape('Ground', [0, 0, 260, 260], 'var(raised)'),
        text(
          'Letters',
          [0, 0, 260, 260],
          { font: 'display', size: 116, weight: 800, align: 'center', color: 'var(muted)' },
          bind('text', 'winners.0.name', [format('initials')]),
        ),
        image('Picture', [0, 0, 260, 260], 'winners.0.imageUrl'),
      ],
      {
        mask: { shape: 'rectangle', radius: 24 },
        border: { width: 5, color: 'var(accent)' },
        conditions: onlyWith('winners.0'),
        animation: { enter: { kind: 'scale', durationMs: 800, easing: 'overshoot' } },
      },
    ),
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
      // If there is no third place, the second is shown in the middle.
      const alone = (at: number) =>
        place === 1 ? { alone: { when: { path: 'winners.2', op: 'empty' as const }, set: { x: at + 340 } } } : {}
      return [
        shape(`Ground ${place + 1}`, [x, 656, 640, 120], 'var(ground)', {
          border: { width: 2, color: 'var(line)' },
          conditions: { ...onlyWith(`winners.${place}`), ...alone(x) },
        }),
        text(
          `Place ${place + 1}`,
          [x + 24, 664, 96, 104],
          { font: 'display', size: 56, weight: 800, color: 'var(muted)' },
          bind('text', `winners.${place}.place`, [format('ordinal')]),
          { conditions: alone(x + 24) },
        ),
        text(
          `Name ${place + 1}`,
          [x + 136, 664, 480, 104],
          { font: 'display', size: 54, weight: 800 },
          `winners.${place}.name`,
          { conditions: alone(x + 136) },
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
