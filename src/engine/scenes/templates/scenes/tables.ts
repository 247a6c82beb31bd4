import type { Test } from '../../conditions.ts'
import { bind, drawn, format, onlyWith, type SceneParts, text } from '../build.ts'
import { backdrop, castersStrip, head, instead } from '../frame.ts'
import { onlyIf } from '../tests.ts'

/** Scenes about the whole tournament. */

const lacks = (path: string): Test => ({ path, op: 'empty' })
const hasNoMatches: Test = { all: [lacks('bracket.upcoming'), lacks('bracket.recent')] }

export const bracket: SceneParts = {
  name: 'Bracket',
  role: 'bracket',
  parts: [
    ...backdrop(),
    ...head('Bracket'),
    drawn(
      'bracket',
      'Bracket',
      [72, 220, 1776, 720],
      {},
      { animation: { enter: { kind: 'wipe', direction: 'right', durationMs: 800 } } },
    ),
    // Without a match there is no place in the bracket, but the matches before and after.
    drawn('schedule', 'Matches', [160, 220, 1600, 720], { maxRows: 8 }, { ...onlyIf(lacks('match')) }),
    instead('The bracket follows', { all: [lacks('match'), hasNoMatches] }),
    castersStrip([1140, 962, 708, 84]),
  ],
}

export const standings: SceneParts = {
  name: 'Standings',
  role: 'standings',
  parts: [
    ...backdrop(),
    ...head('Standings'),
    drawn(
      'standings',
      'Standings',
      [160, 210, 1600, 810],
      { maxRows: 16 },
      { animation: { enter: { kind: 'fade', durationMs: 500 } } },
    ),
    instead('The standings follow', lacks('standings')),
  ],
}

export const qualifier: SceneParts = {
  name: 'Qualifier',
  role: 'qualifier',
  parts: [
    ...backdrop(),
    ...head('Qualifier'),
    drawn('standings', 'Qualifier', [160, 200, 1600, 830], { source: 'qualifier', maxRows: 16, density: 'compact' }),
    instead('The results of the qualifier follow', lacks('qualifier')),
  ],
}

export const schedule: SceneParts = {
  name: 'Schedule',
  role: 'schedule',
  parts: [
    ...backdrop(),
    ...head('Schedule'),
    drawn('schedule', 'Schedule', [160, 220, 1600, 740], { maxRows: 8 }),
    text(
      'Zone',
      [160, 976, 1600, 40],
      { size: 26, color: 'var(muted)', align: 'right' },
      bind('text', 'tournament.timezone', [format('prefix', 'Times in ')]),
      { conditions: onlyWith('bracket.upcoming') },
    ),
    instead('The schedule follows', hasNoMatches),
  ],
}
