import { quarter } from '../src/engine/availability.ts'
import { planElimination } from '../src/engine/elimination.ts'
import type { Answered, SchedulingMatch, SchedulingProblem } from '../src/engine/scheduling/types.ts'
import { schedule } from '../src/engine/scheduling.ts'
import { readSettings } from '../src/engine/settings.ts'
import { chance } from './engine.ts'
import { median } from './load.ts'
import { below, type Row } from './report.ts'

const hour = 4 * quarter
const day = 24 * hour
const days = 42
const turns = 3

/** A proposal for 64 matches over six weeks, with an answer of everybody for each quarter of an hour. */
export async function scheduleProposals(): Promise<Row[]> {
  return [
    proposal('64 matches of 32 teams', league(), 32),
    proposal('64 matches of a bracket of 64 teams', knockout(), 64),
  ]
}

function proposal(what: string, matches: readonly SchedulingMatch[], teams: number): Row {
  const times: number[] = []
  let placed = 0
  for (let turn = 1; turn <= turns; turn++) {
    const problem = problemOf(matches, teams, chance(turn))
    const started = performance.now()
    placed = schedule(problem).placements.length
    times.push(performance.now() - started)
  }
  return below(
    `schedule proposal, ${what}, 40 officials, engine`,
    'six weeks of answers for each quarter of an hour',
    Math.max(...times),
    5_000,
    ' ms',
    `the median ${median(times).toFixed(0)} ms, ${placed} matches placed`,
  )
}

/** Each team plays four others: all teams are known, and no team may play two matches at the same time. */
function league(): SchedulingMatch[] {
  const teams = 32
  return Array.from({ length: 64 }, (_, index) => {
    const one = index % teams
    const other = (one + 1 + Math.floor(index / teams)) % teams
    return match(index + 1, [`team ${one + 1}`, `team ${other + 1}`], [])
  })
}

/** Half of the teams are known; each match waits for the matches before it. */
function knockout(): SchedulingMatch[] {
  const entrants = Array.from({ length: 64 }, (_, index) => ({ seed: index + 1, team: `team ${index + 1}` }))
  const settings = readSettings('single_elimination', { thirdPlace: true }, entrants.length)
  return planElimination(entrants, 'single_elimination', settings).matches.map(({ number, sides }) => {
    const after = sides.flatMap(({ from }) => (from === null ? [] : [`match ${from.match}`]))
    return match(number, [sides[0].team, sides[1].team], after)
  })
}

function match(number: number, teams: SchedulingMatch['teams'], after: readonly string[]): SchedulingMatch {
  return { id: `match ${number}`, number, teams, after, notBefore: null, notAfter: null, people: [] }
}

function problemOf(matches: readonly SchedulingMatch[], teams: number, random: () => number): SchedulingProblem {
  const ids = Array.from({ length: teams }, (_, index) => `team ${index + 1}`)
  const officials = Array.from({ length: 40 }, (_, index) => `official ${index + 1}`)
  const roles = ['caster', 'referee', 'technician']
  return {
    matches,
    teams: new Map(ids.map((id) => [id, answers(random)])),
    officials: officials.map((id, index) => ({
      id,
      // Every second official has two roles.
      roles: roles
        .filter((_, role) => role === index % 3 || (index % 2 === 0 && role === (index + 1) % 3))
        .map((role) => ({ role, availability: answers(random), matches: new Map() })),
    })),
    busy: { teams: new Map(), officials: new Map(), streams: new Map() },
    rules: {
      minutesPerMatch: 60,
      minRestMinutes: 30,
      streams: ['main', 'second'],
      officialsPerMatch: { caster: 2, referee: 1, technician: 1 },
      earliest: 0,
      latest: days * day,
    },
    names: new Map(),
  }
}

/** Answers for each quarter of an hour of six weeks: some evenings, and few of them good. */
function answers(random: () => number): Answered[] {
  return Array.from({ length: days }, (_, index) => index * day).flatMap((midnight) => {
    const evening = random()
    const begin = 17 * hour + Math.floor(random() * 12) * quarter
    const length = 2 * hour + Math.floor(random() * 12) * quarter
    const willing = evening < 0.2 ? 'available' : evening < 0.3 ? 'maybe' : evening < 0.35 ? 'would_rather_not' : null
    return Array.from({ length: day / quarter }, (_, at): Answered => {
      const start = at * quarter
      const isWilling = willing !== null && start >= begin && start < begin + length
      const span = { start: midnight + start, end: midnight + start + quarter }
      return { ...span, status: isWilling ? willing : 'unavailable' }
    })
  })
}
