import type { Test } from '../../conditions.ts'
import { bind, drawn, format, onlyWith, type SceneParts, text } from '../build.ts'
import { flowClock } from '../clocks.ts'
import { backdrop, castersStrip, flavour, scoreBar, versusIf } from '../frame.ts'
import { onlyIf } from '../tests.ts'
import { gamesTable } from './games.ts'

/** Scenes between the songs of a match. */

const has = (path: string): Test => ({ path, op: 'exists' })
const lacks = (path: string): Test => ({ path, op: 'empty' })

/** The maps are shown as tiles while a session chooses them, and before the first game. */
const hasBoard: Test = { any: [has('flow'), { all: [lacks('games'), has('pool')] }] }
const hasTable: Test = { all: [lacks('flow'), has('games.0')] }
const hasNothing: Test = { all: [lacks('flow'), lacks('games'), lacks('pool')] }

const title = { font: 'display', size: 70, weight: 800, align: 'center' } as const

export const pickBan: SceneParts = {
  name: 'Picks and bans',
  role: 'pickBan',
  parts: [
    ...backdrop(),
    ...scoreBar(),
    drawn(
      'pickBans',
      'Picks and bans',
      [48, 144, 1824, 812],
      {},
      { animation: { enter: { kind: 'fade', durationMs: 500, delayMs: 150 } }, ...onlyIf(hasBoard) },
    ),
    ...flowClock([1412, 140, 460, 108]),
    // Without a session there are no picks: the games so far fill the time between songs.
    text('Without picks', [260, 134, 1400, 84], { ...title, text: 'The next map follows' }, undefined, {
      ...onlyIf(hasTable),
    }),
    gamesTable(has('flow')),
    versusIf(236, hasNothing),
    castersStrip([1164, 966, 708, 84]),
    flavour([48, 984, 1080, 48]),
  ],
}

export const summary: SceneParts = {
  name: 'Summary',
  role: 'summary',
  parts: [
    ...backdrop(),
    ...scoreBar(),
    ...([0, 1] as const).map((side) =>
      text(
        side === 0 ? 'Winner' : 'Winner of side 2',
        [260, 134, 1400, 84],
        { ...title, color: `var(side${side + 1})` },
        bind('text', `sides.${side}.team.name`, [format('suffix', ' wins')]),
        {
          ...onlyIf({ path: `sides.${side}.result`, op: 'eq', value: 'win' }),
          animation: { enter: { kind: 'scale', durationMs: 600, easing: 'overshoot' } },
        },
      ),
    ),
    text('So far', [260, 134, 1400, 84], { ...title, text: 'The match so far' }, undefined, {
      conditions: {
        ...onlyWith('games'),
        over: { when: { any: ([0, 1] as const).map((side) => has(`sides.${side}.result`)) }, set: { visible: false } },
      },
    }),
    ...flowClock([1412, 140, 460, 86]),
    gamesTable(),
    versusIf(236, lacks('games')),
    castersStrip([606, 966, 708, 84]),
  ],
}
