import type { Test } from '../conditions.ts'
import type { SceneDocument } from '../document.ts'
import { type Box, bind, drawn, element, format, group, image, onlyWith, type Part, shape, text } from './build.ts'
import { onlyIf } from './tests.ts'

/**
 * The parts that the built-in scenes share: a head, a foot, and colours as variables, so that one change applies to all
 * scenes.
 */

export const canvas: SceneDocument['canvas'] = { width: 1920, height: 1080, background: 'transparent' }

export const variables: NonNullable<SceneDocument['variables']> = {
  page: '#0c1210',
  ground: '#161f1c',
  raised: '#22302b',
  line: '#32423c',
  text: '#f3f6f4',
  muted: '#a8b8b0',
  accent: '#53d3a5',
  side1: '#ffb454',
  side2: '#82b4ff',
  warning: '#ff8f85',
  useTeamColors: false,
}

/** A background that fills the canvas, with five lines like those of sheet music, below everything that is read. */
export function backdrop(): readonly Part[] {
  const lines = Array.from({ length: 5 }, (_, index) =>
    shape(`Line ${index + 1}`, [0, index * 4, 1920, 1], 'var(accent)'),
  )
  const gradient = {
    angle: 165,
    stops: [
      { at: 0, color: '#172420' },
      { at: 0.6, color: '#0f1714' },
      { at: 1, color: '#0a0f0d' },
    ],
  }
  return [
    shape('Ground', [0, 0, 1920, 1080], 'var(page)', { props: { gradient } }),
    group('Stave', [0, 1060, 1920, 17], lines, { opacity: 0.35 }),
  ]
}

/** The banner of the tournament as the ground of a scene, darker where texts are. */
export function banner(opacity = 0.6): readonly Part[] {
  const stops = [
    { at: 0, color: '#0a0f0d66' },
    { at: 0.55, color: '#0a0f0dd9' },
    { at: 1, color: '#0a0f0d' },
  ]
  const conditions = onlyWith('tournament.bannerUrl')
  return [
    image('Banner', [0, 0, 1920, 1080], 'tournament.bannerUrl', { opacity, conditions }),
    shape('Banner shade', [0, 0, 1920, 1080], '#0a0f0d80', { props: { gradient: { angle: 180, stops } }, conditions }),
  ]
}

/** The head of a scene: the tournament, and the title of the scene. */
export function head(title: string, path?: Parameters<typeof text>[3]): readonly Part[] {
  return [
    image('Tournament picture', [72, 56, 88, 88], 'tournament.imageUrl', {
      mask: { shape: 'rectangle', radius: 14 },
      conditions: onlyWith('tournament.imageUrl'),
    }),
    text('Tournament', [72, 56, 900, 34], { size: 26, color: 'var(muted)', weight: 600 }, 'tournament.name', {
      conditions: { pictured: { when: { path: 'tournament.imageUrl', op: 'exists' }, set: { x: 184 } } },
    }),
    text('Title', [72, 88, 1300, 70], { text: title, font: 'display', size: 62, weight: 800 }, path, {
      conditions: { pictured: { when: { path: 'tournament.imageUrl', op: 'exists' }, set: { x: 184 } } },
    }),
    text('Match', [1200, 96, 648, 48], { size: 30, align: 'right', color: 'var(muted)', fit: 'shrink' }, 'match.label'),
  ]
}

/** The two teams of a match next to each other, as large as there is room for. */
export function versus(y: number): readonly Part[] {
  return [
    ...([0, 1] as const).flatMap((side) => teamBlock(side, y)),
    text('Against', [860, y + 96, 200, 90], {
      text: 'vs',
      font: 'display',
      size: 64,
      weight: 600,
      align: 'center',
      color: 'var(muted)',
    }),
  ]
}

function teamBlock(side: 0 | 1, y: number): readonly Part[] {
  const x = side === 0 ? 132 : 1068
  const align = side === 0 ? 'right' : 'left'
  return [
    portrait(`Picture ${side + 1}`, [side === 0 ? 492 : 1068, y, 360, 360], side),
    text(
      `Name ${side + 1}`,
      [x, y + 384, 720, 96],
      { font: 'display', size: 84, weight: 800, align },
      bind('text', `sides.${side}.team.name`, [], 'To be decided'),
      {
        conditions: {
          open: { when: { path: `sides.${side}.team`, op: 'empty' }, set: { color: 'var(muted)' } },
        },
      },
    ),
    text(
      `Seed ${side + 1}`,
      [x, y + 484, 720, 40],
      { size: 28, align, color: `var(side${side + 1})`, weight: 600 },
      bind('text', `sides.${side}.team.seed`, [format('prefix', 'Seed ')]),
    ),
  ]
}

/** A picture with an edge in the side’s colour, and the initials of the name behind it. */
export function portrait(name: string, [x, y, width, height]: Box, side: 0 | 1): Part {
  const color = `var(side${side + 1})`
  const edge = Math.max(4, Math.round(height / 36))
  return group(
    name,
    [x, y, width, height],
    [
      shape('Ground', [0, 0, width, height], 'var(raised)'),
      text(
        'Letters',
        [0, 0, width, height],
        { font: 'display', size: Math.round(height * 0.42), weight: 800, align: 'center', color: 'var(muted)' },
        bind('text', `sides.${side}.team.name`, [format('initials')], '?'),
      ),
      image('Picture', [0, 0, width, height], `sides.${side}.team.imageUrl`),
      shape('Edge', [side === 0 ? 0 : width - edge, 0, edge, height], color),
    ],
    { mask: { shape: 'rectangle', radius: Math.round(height / 26) } },
  )
}

/** The score of the match, at the top of all scenes in which it is played: names outside, numbers in the middle. */
export function scoreBar(): readonly Part[] {
  return [
    shape('Score ground', [0, 0, 1920, 116], 'var(ground)'),
    shape('Score line', [0, 114, 1920, 2], 'var(line)'),
    ...([0, 1] as const).flatMap((side) => {
      const mirrored = (x: number, width: number) => (side === 0 ? x : 1920 - x - width)
      const align = side === 0 ? 'left' : 'right'
      return [
        portrait(`Picture ${side + 1}`, [mirrored(24, 84), 16, 84, 84], side),
        text(
          `Name ${side + 1}`,
          [mirrored(128, 520), 12, 520, 62],
          { font: 'display', size: 50, weight: 800, align },
          bind('text', `sides.${side}.team.name`, [], 'To be decided'),
        ),
        text(
          `Seed ${side + 1}`,
          [mirrored(128, 140), 72, 140, 30],
          { size: 21, align, color: 'var(muted)' },
          bind('text', `sides.${side}.team.seed`, [format('prefix', 'Seed ')]),
        ),
        element(
          'pips',
          `Games won ${side + 1}`,
          [mirrored(280, 240), 78, 240, 18],
          { filled: `var(side${side + 1})`, shape: 'parallelogram', gap: 6, direction: side === 0 ? 'right' : 'left' },
          {
            bindings: {
              total: bind('total', 'match.winsNeeded'),
              value: bind('value', `sides.${side}.score`),
            },
          },
        ),
        text(
          `Score ${side + 1}`,
          [mirrored(664, 140), 4, 140, 108],
          { font: 'display', size: 104, weight: 800, align: 'center', color: `var(side${side + 1})` },
          bind('text', `sides.${side}.score`, [], '0'),
          { animation: { change: { kind: 'roll', direction: 'up', durationMs: 500 } } },
        ),
      ]
    }),
    text('Match', [816, 18, 288, 34], { size: 25, align: 'center', weight: 600 }, 'match.label'),
    text(
      'Best of',
      [816, 54, 288, 30],
      { size: 22, align: 'center', color: 'var(muted)' },
      bind('text', 'match.bestOf', [format('prefix', 'Best of ')]),
    ),
    text(
      'Match point',
      [816, 82, 288, 28],
      { text: 'Match point', size: 20, weight: 700, align: 'center', color: 'var(accent)' },
      undefined,
      {
        conditions: {
          ...onlyWith('flow.matchPoint'),
          over: { when: { path: 'match.status', op: 'eq', value: 'completed' }, set: { visible: false } },
        },
      },
    ),
  ]
}

/** Large words in place of what a scene is about, while there is nothing of it. */
export function instead(words: string, when: Test, box: Box = [160, 440, 1600, 160]): Part {
  const look = { font: 'display', size: 76, weight: 700, align: 'center', color: 'var(muted)' } as const
  return text('Nothing yet', box, { text: words, ...look }, undefined, { ...onlyIf(when) })
}

/** The two teams in place of what a scene is about, while the test holds. */
export function versusIf(y: number, when: Test): Part {
  return group('Teams', [0, 0, 1920, 1080], versus(y), { ...onlyIf(when) })
}

export function castersStrip(box: Box): Part {
  return drawn('casters', 'Casters', box, {}, { conditions: onlyWith('casters') })
}

/** The text that controllers write below the picture. */
export function flavour(box: Box, align: 'left' | 'center' | 'right' = 'left'): Part {
  return text('Flavour', box, { size: 30, align, color: 'var(muted)' }, 'control.flavour', {
    animation: { change: { kind: 'fade', durationMs: 300 } },
  })
}
