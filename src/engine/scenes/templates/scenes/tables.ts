import { bind, drawn, format, type SceneParts, text } from '../build.ts'
import { backdrop, castersStrip, head } from '../frame.ts'

/** Scenes about the whole tournament. */

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
  ],
}

export const qualifier: SceneParts = {
  name: 'Qualifier',
  role: 'qualifier',
  parts: [
    ...backdrop(),
    ...head('Qualifier'),
    drawn('standings', 'Qualifier', [160, 200, 1600, 830], { source: 'qualifier', maxRows: 16, density: 'compact' }),
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
    ),
  ],
}
