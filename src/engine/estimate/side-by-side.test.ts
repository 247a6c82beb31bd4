import { expect, test } from 'vitest'
import { planElimination } from '../elimination.ts'
import { apply, settle } from '../progress.ts'
import { planRoundRobin } from '../round-robin.ts'
import { readSettings, type SettingsInput } from '../settings.ts'
import { standings } from '../standings.ts'
import { planSwissFirstRound, planSwissRound } from '../swiss.ts'
import type { Decision, Entrant, Format, Match, Plan, Settings, WithdrawalPolicy } from '../types.ts'
import { isOver } from '../verdict.ts'
import { chanceOf, drawsOf, purposes } from './draws.ts'
import { absentees } from './estimate.ts'
import { graceSeconds, playEvening, subjectOf } from './evening.ts'
import { programmeOf } from './layout.ts'

/** Plays evenings by the engine of real brackets, and compares them with the simulated ones, run for run. */

const durations = [1080, 1320, 1500, 1620, 1860, 2400]
const draw = drawsOf('side by side')

interface Given {
  readonly format: Format
  readonly teams: number
  readonly settings: Settings
  readonly channels: number
  readonly absent: ReadonlySet<number>
  readonly run: number
}

const strengthOf = (team: number, teams: number) => 1 - team / (teams - 1)

interface Played {
  readonly seconds: number
  readonly matches: number
  readonly winners: ReadonlyMap<number, string | null>
}

function planOf(format: Format, teams: readonly Pick<Entrant, 'seed' | 'team'>[], settings: Settings): Plan {
  if (format === 'round_robin') return planRoundRobin(teams, settings)
  if (format === 'swiss') return planSwissFirstRound(teams, settings)
  return planElimination(teams, format, settings)
}

/** One evening with real brackets: the first waiting match whose teams are free takes the first free channel. */
function playForReal({ format, teams, settings, channels: count, absent, run }: Given): Played {
  const seeded = Array.from({ length: teams }, (_, team) => ({ seed: team + 1, team: String(team) }))
  const plan = planOf(format, seeded, settings)
  const withdrawn = new Map<string, WithdrawalPolicy>()
  const matches = new Map(settle(plan, { withdrawn }).map((match) => [match.number, match]))
  const channels = new Array<{ match: number; end: number } | null>(count).fill(null)
  let [now, played] = [0, 0]
  const perRound = Math.floor(teams / 2)
  /** Swiss rounds of the simulation keep a place for each table, also where fewer teams are left. */
  const indexOf = ({ number, round }: Match) => {
    if (format !== 'swiss') return number - 1
    const ofRound = [...matches.values()].filter((match) => match.round === round)
    return (round - 1) * perRound + ofRound.findIndex((match) => match.number === number)
  }
  const change = (match: number, decision: Decision) => {
    const board = { match: (number: number) => matches.get(number), withdrawn, allowDraws: false }
    for (const each of apply(board, { kind: 'result', match, decision })) matches.set(each.number, each)
  }
  const withdraw = (team: string) => {
    const own = [...matches.values()].filter(({ sides }) => sides.some((side) => side.team === team))
    const board = { match: (number: number) => matches.get(number), withdrawn, allowDraws: false }
    const numbers = own.map(({ number }) => number)
    for (const each of apply(board, { kind: 'withdraw', team, policy: 'walkover', matches: numbers })) {
      matches.set(each.number, each)
    }
    withdrawn.set(team, 'walkover')
  }
  const isAbsent = (team: string | null) => absent.has(Number(team))
  const pairNext = () => {
    const all = [...matches.values()]
    const round = Math.max(...all.map((match) => match.round))
    if (format !== 'swiss' || round >= settings.rounds || !all.every(isOver)) return
    const rules = { ...settings, withdrawn, grouped: false }
    const board = { matches: all, entrants: plan.entrants, standings: standings(all, plan.entrants, rules), withdrawn }
    const next = planSwissRound(board, settings, all.length + 1)
    for (const match of settle({ entrants: plan.entrants, matches: next }, { withdrawn })) {
      matches.set(match.number, match)
    }
    if (next.length > 0) pairNext()
  }
  for (;;) {
    const busy = new Set(
      channels.flatMap((channel) => matches.get(channel?.match ?? 0)?.sides.map(({ team }) => team) ?? []),
    )
    for (const [index, channel] of channels.entries()) {
      if (channel !== null) continue
      const next = [...matches.values()]
        .toSorted((one, other) => one.number - other.number)
        .find(({ status, sides }) => status === 'ready' && sides.every(({ team }) => !busy.has(team)))
      if (next === undefined) break
      const isPlayed = !next.sides.some(({ team }) => isAbsent(team))
      const lot = draw(run, subjectOf(0, indexOf(next)), purposes.duration)
      const seconds = isPlayed ? (durations[Math.floor(lot * durations.length)] ?? 0) : graceSeconds
      if (isPlayed) played += 1
      channels[index] = { match: next.number, end: now + seconds }
      for (const { team } of next.sides) busy.add(team)
    }
    const ends = channels.flatMap((channel) => channel?.end ?? [])
    if (ends.length === 0) break
    now = Math.min(...ends)
    for (const [index, channel] of channels.entries()) {
      if (channel?.end !== now) continue
      channels[index] = null
      const match = matches.get(channel.match) as Match
      const [first, second] = match.sides.map(({ team }) => team) as [string, string]
      const missing = [first, second].filter(isAbsent)
      if (missing.length === 2) change(match.number, { outcome: 'double_forfeit' })
      else if (missing.length === 1) change(match.number, { outcome: 'walkover', winner: missing[0] === first ? 1 : 0 })
      else {
        const chance = chanceOf(strengthOf(Number(first), teams), strengthOf(Number(second), teams))
        const winner = draw(run, subjectOf(0, indexOf(match)), purposes.winner) < chance ? 0 : 1
        change(match.number, { outcome: 'score', winner, scores: null })
      }
      for (const team of missing) withdraw(team)
      pairNext()
    }
  }
  return { seconds: now, matches: played, winners: new Map() }
}

function simulate({ format, teams, settings, channels, absent, run }: Given) {
  const places = Array.from({ length: teams }, (_, team) => team)
  const programme = programmeOf({ brackets: [{ format, settings, places, after: [] }] })
  const strengths = places.map((team) => strengthOf(team, teams))
  return playEvening(programme, { strengths, channels, durations: new Map([[3, durations]]) }, draw, run, absent)
}

const cases: readonly (readonly [Format, number, SettingsInput, number, number])[] = [
  ['single_elimination', 8, {}, 2, 0],
  ['single_elimination', 21, { thirdPlace: true }, 3, 4],
  ['double_elimination', 8, {}, 2, 2],
  ['double_elimination', 13, { seedOrdering: 'natural' }, 3, 5],
  ['double_elimination', 32, { grandFinal: 'single' }, 16, 9],
  ['double_elimination', 5, { grandFinal: 'none' }, 1, 4],
  ['double_elimination', 6, {}, 4, 5],
  ['round_robin', 9, { groups: 2 }, 3, 2],
  ['round_robin', 6, { legs: 2 }, 4, 1],
  ['swiss', 16, {}, 5, 0],
  ['swiss', 17, {}, 3, 0],
]

test.each(cases)('%s of %i teams with %o on %i channels, %i of them away', (format, teams, input, channels, away) => {
  const settings = readSettings(format, input, teams)
  for (let run = 0; run < 25; run++) {
    const absent = new Set(absentees(draw, run, teams).slice(0, away))
    const given = { format, teams, settings, channels, absent, run }
    const { seconds, matches } = simulate(given)
    const real = playForReal(given)
    expect([run, seconds, matches]).toEqual([run, real.seconds, real.matches])
  }
})

test('Swiss rounds with absent teams have as many matches, and take as long but for who meets whom', () => {
  const settings = readSettings('swiss', {}, 18)
  const found = Array.from({ length: 40 }, (_, run) => {
    const absent = new Set(absentees(draw, run, 18).slice(0, 3))
    const given = { format: 'swiss', teams: 18, settings, channels: 4, absent, run } as const
    const [own, real] = [simulate(given), playForReal(given)]
    expect([run, own.matches]).toEqual([run, real.matches])
    return own.seconds / real.seconds
  })
  expect(Math.min(...found)).toBeGreaterThan(0.9)
  expect(Math.max(...found)).toBeLessThan(1.1)
})
