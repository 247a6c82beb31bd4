import type { SceneElement } from '../document.ts'
import { type Box, bind, element, format, onlyWith, type Part, text } from './build.ts'

/** Clocks that say what they count. */

/** The clock of the session, with what it counts. */
export function flowClock([x, y, width, height]: Box): readonly Part[] {
  const small = Math.round(height * 0.3)
  const what = bind('text', 'flow.turn.action', [
    format('template', 'Time to {}'),
    format('map', 'Time to lineup', 'Line-ups due in', 'Time to ready', 'Ready in', 'Time to play', 'Map starts in'),
    format('map', 'Time to flair_pick', 'Time to pick', 'Time to flair_ban', 'Time to ban', 'Time to break', 'Break'),
    format('map', 'Time to random', 'Map is drawn in', 'Time to tiebreaker', 'Time to choose'),
  ])
  const conditions: NonNullable<SceneElement['conditions']> = {
    ...onlyWith('flow.clock'),
    replay: { when: { path: 'flow.phase', op: 'eq', value: 'window' }, set: { text: 'Time to claim a replay' } },
    start: { when: { path: 'flow.phase', op: 'eq', value: 'starting' }, set: { text: 'Match starts in' } },
    stopped: { when: { path: 'flow.clock.pausedAt', op: 'exists' }, set: { text: 'Clock paused' } },
  }
  return [
    text('Clock label', [x, y, width, small], { size: 25, align: 'right', color: 'var(muted)' }, what, { conditions }),
    element('timer', 'Clock', [x, y + small, width, height - small], {
      source: 'flow',
      font: 'display',
      size: Math.round(height * 0.7),
      weight: 800,
      color: 'var(text)',
      align: 'right',
      warnAt: 10,
      warnColor: 'var(warning)',
    }),
  ]
}

/**
 * A large clock of an instant with its label, and a line of text in its place when there is none.
 * @param words the label; the text after the instant; the text without one
 */
export function clockUntil(
  path: string,
  [x, y, width, height]: Box,
  [label, after, none]: readonly [string, string, string],
): readonly Part[] {
  const large = { font: 'display', weight: 800, color: 'var(accent)' } as const
  return [
    text(
      'Countdown label',
      [x, y, width, 44],
      { size: 36, color: 'var(muted)' },
      bind('text', path, [format('countdown'), format('map', '0:00', '', label)]),
      { conditions: onlyWith(path) },
    ),
    text(
      'Countdown',
      [x, y + 40, width, height - 40],
      { ...large, size: Math.round((height - 40) * 0.92) },
      bind('text', path, [format('countdown'), format('map', '0:00', after)]),
      { conditions: onlyWith(path) },
    ),
    text(
      'Without countdown',
      [x, y + 40, width, height - 40],
      { ...large, text: none, size: Math.round((height - 40) * 0.7) },
      undefined,
      { conditions: { counted: { when: { path, op: 'exists' }, set: { visible: false } } } },
    ),
  ]
}
