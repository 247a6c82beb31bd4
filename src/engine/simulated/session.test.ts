import { describe, expect, test } from 'vitest'
import { FlowTable, poolOf, referee, teamOf } from '../../../test/flow-table.ts'
import { mapsNeeded, presets } from '../flows/presets.ts'
import { courseOf } from './course.ts'
import { moveOf } from './session.ts'
import type { PlayableMatch, Players } from './types.ts'

/** Sessions of flows that simulated players play. (R4) */

const ofTwo = presets.filter(({ flow }) => flow.seats === 2)

function playersOf(seed: string, claim: number): Players {
  const strengths = new Map([
    ['team-1', 0.7],
    ['team-2', 0.4],
  ])
  return { seed, strengths, durations: new Map(), rates: { crash: 0, late: 0, claim }, absent: new Set() }
}

/** Plays a preset from its beginning until no player does anything any more. */
function playOut(name: string, seed: string, claim: number) {
  const preset = ofTwo.find((each) => each.name === name)
  if (preset === undefined) throw new Error(name)
  const bestOf = preset.flow.bestOf ?? 5
  const flow = { ...preset.flow, bestOf: preset.flow.bestOf ?? (preset.flow.rules.play.mode === 'play_all' ? null : 5) }
  const maps = mapsNeeded(preset, bestOf) + 1
  const isFlagged = JSON.stringify(flow).includes('"flagged"')
  const teams = [1, 2].map((seat) => teamOf(seat, (flow.rules.map.players ?? 1) + 1))
  const pool = poolOf(maps, (number) => ({ isTiebreaker: isFlagged && number === maps }))
  const table = new FlowTable({ flow, pool, teams })
  const match: PlayableMatch = {
    ...{ division: 'a', number: 1, run: 0, bracket: 'b', bestOf, status: 'running', teams: ['team-1', 'team-2'] },
    ...{ scheduledAt: null, startedAt: table.now, completedAt: null, games: 0, isTheirs: true },
  }
  const players = playersOf(seed, claim)
  for (let steps = 0; steps < 400; steps++) {
    const next = moveOf(table.machine, match, players)
    if (next === null) break
    table.now = Math.max(table.now, next.at)
    const { move } = next
    if (move.kind === 'act') table.act(referee, move.act)
    else if (move.kind === 'scores') table.report(move.scores)
    else if (move.kind === 'claim') table.claim(referee, { seat: move.seat })
    else if (move.kind === 'ruling') table.override(move.ruling)
    else if (move.kind === 'resume') table.clock('resume')
    else table.lapse()
  }
  return { table, course: courseOf(match, players), startedAt: match.startedAt ?? 0 }
}

describe.each(ofTwo.map(({ name }) => name))('%s', (name) => {
  test('is played to its end, and equally with the same seed', () => {
    const winners = new Set<number | null>()
    for (let round = 0; round < 12; round++) {
      const claim = round % 2
      const { table } = playOut(name, `${round}`, claim)
      expect(table.state.status).toBe('over')
      expect(table.rows.some(({ kind }) => kind === 'lapse')).toBe(false)
      winners.add(table.state.winner)
      if (round < 2) expect(playOut(name, `${round}`, claim).table.rows).toEqual(table.rows)
    }
    expect([...winners]).toEqual(expect.arrayContaining([1, 2]))
  })
})

test('without replays the maps are won, and end, as the course of the match says', () => {
  const { table, course, startedAt } = playOut('accsaber-bo3', 'course', 0)
  const games = table.state.games.filter(({ phase }) => phase === 'final')
  expect(games.map(({ winner }) => winner)).toEqual(course.slice(0, games.length).map(({ winner }) => winner + 1))
  const told = table.rows.filter(({ kind }) => kind === 'scores').map(({ at }) => (at - startedAt) / 1_000)
  for (const [index, seconds] of told.entries()) {
    expect(seconds).toBeGreaterThanOrEqual(course[index]?.endsAfter ?? 0)
  }
})

test('replays are claimed as often as asked for', () => {
  const claims = (rate: number) => {
    const rounds = Array.from({ length: 20 }, (_, round) => playOut('accsaber-bo3', `claims ${round}`, rate).table)
    return rounds.reduce((sum, { rows }) => sum + rows.filter(({ kind }) => kind === 'claim').length, 0)
  }
  expect(claims(0)).toBe(0)
  expect(claims(1)).toBeGreaterThan(claims(0.3))
  expect(claims(0.3)).toBeGreaterThan(0)
})
