import { outlookOfQualifier } from '../src/engine/outlook/qualifier.ts'
import { outlookOfTable, type TableBoard } from '../src/engine/outlook/table.ts'
import { qualifierStandings } from '../src/engine/qualifiers.ts'
import { planRoundRobin } from '../src/engine/round-robin.ts'
import { readSettings } from '../src/engine/settings.ts'
import { standings } from '../src/engine/standings.ts'
import { planSwissFirstRound, planSwissRound } from '../src/engine/swiss.ts'
import type { Entrant, Match, Settings, Side } from '../src/engine/types.ts'
import { chance, qualifier } from './engine.ts'
import { during, inTurns, loop, median } from './load.ts'
import { below, type Row, ratio } from './report.ts'

/** Computes who can still get a place, without database and HTTP. */
export async function outlooks(): Promise<Row[]> {
  return [await groupAgainstTrying(), groups(), swiss(), ofQualifier()]
}

const nobody = new Map<string, never>()
const seeded = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ seed: index + 1, team: `team ${index + 1}` }))

function boardOf(
  format: TableBoard['format'],
  entrants: readonly Entrant[],
  matches: readonly Match[],
  settings: Settings,
): TableBoard {
  const rules = { ...settings, withdrawn: nobody, grouped: format === 'round_robin' }
  return { format, settings, matches, withdrawn: nobody, standings: standings(matches, entrants, rules) }
}

function won(match: Match, winner: 0 | 1): Match {
  const side = (index: 0 | 1): Side => ({ ...match.sides[index], result: index === winner ? 'win' : 'loss' })
  return { ...match, status: 'completed', outcome: 'score', sides: [side(0), side(1)] }
}

/** A round robin with `open` randomly chosen open matches. `upsets`: how often the better seed loses. */
function group(open: number, allowDraws: boolean, upsets: number, random: () => number): TableBoard {
  const settings = readSettings('round_robin', { allowDraws }, 8)
  const { entrants, matches } = planRoundRobin(seeded(8), settings)
  const order = matches.map((match) => ({ match, lot: random() })).toSorted((one, other) => one.lot - other.lot)
  const left = new Set(order.slice(0, open).map(({ match }) => match.number))
  const played = matches.map((match) => {
    if (left.has(match.number)) return match
    const isFirstBetter = (match.sides[0].slot ?? 0) < (match.sides[1].slot ?? 0)
    return won(match, isFirstBetter === random() > upsets ? 0 : 1)
  })
  return boardOf('round_robin', entrants, played, settings)
}

/** The maximum of open matches that are tried, with every number of places; the slowest outlook counts. */
function groups(): Row {
  const random = chance(7)
  const times: number[] = []
  for (const [open, allowDraws] of [
    [19, false],
    [12, true],
  ] as const) {
    for (const upsets of [0.5, 0.3, 0.1]) {
      for (let turn = 0; turn < 40; turn++) {
        const board = group(open, allowDraws, upsets, random)
        for (let places = 1; places < 8; places++) times.push(timeOf(() => outlookOfTable(board, places)))
      }
    }
  }
  return below(
    'outlook of a group of 8, engine',
    'the slowest, as much being open as is tried',
    Math.max(...times),
    200,
    ' ms',
    figures(times),
  )
}

async function groupAgainstTrying(): Promise<Row> {
  const board = group(19, false, 0.3, chance(1))
  const each = (work: () => void) => () =>
    loop(
      during(1, () => async () => work()),
      1,
    )
  const measured = await inTurns(
    each(() => outlookOfTable(board, 4)),
    each(() => tryAll(board, 4)),
  )
  return ratio(
    'outlook of a group of 8 with 19 open matches, engine',
    'each of the 524,288 completions, one after the other',
    measured,
    10,
  )
}

/** The statuses alone, without the effects of the next match. */
function tryAll({ standings, matches, settings }: TableBoard, places: number): string[] {
  const index = new Map(standings.map(({ team }, place) => [team, place]))
  const open = matches
    .filter(({ status }) => status !== 'completed')
    .map(({ sides }) => sides.map(({ team }) => index.get(team ?? '') ?? 0))
  const points = Int32Array.from(standings, (row) => row.points)
  const isClinched = points.map(() => 1)
  const isOut = points.map(() => 1)
  for (let completion = 0; completion < 2 ** open.length; completion++) {
    const now = points.slice()
    open.forEach((sides, match) => {
      const winner = sides[(completion >> match) & 1] ?? 0
      now[winner] = (now[winner] ?? 0) + settings.points.win
    })
    for (const [team, own] of now.entries()) {
      let [level, ahead] = [-1, 0]
      for (const other of now) {
        if (other >= own) level++
        if (other > own) ahead++
      }
      if (level >= places) isClinched[team] = 0
      if (ahead < places) isOut[team] = 0
    }
  }
  return [...isClinched].map((sure, team) => (sure ? 'clinched' : isOut[team] ? 'eliminated' : 'alive'))
}

/** Between the rounds of a whole tournament, with each round paired, for a few and for many places. */
function swiss(): Row {
  const random = chance(3)
  const settings = readSettings('swiss', {}, 128)
  const first = planSwissFirstRound(seeded(128), settings)
  const played: Match[] = []
  const times: number[] = []
  let round = first.matches
  const look = (matches: readonly Match[]) => {
    const board = boardOf('swiss', first.entrants, matches, settings)
    for (const places of [1, 8, 32, 64, 100]) times.push(timeOf(() => outlookOfTable(board, places)))
    return board
  }
  for (let number = 1; number <= settings.rounds; number++) {
    look([...played, ...round])
    played.push(...round.map((match) => won(match, random() < 0.6 ? 0 : 1)))
    const { standings } = look(played)
    if (number === settings.rounds) break
    const board = { matches: played, entrants: first.entrants, standings, withdrawn: nobody }
    round = planSwissRound(board, settings, played.length + 1)
  }
  return below(
    'outlook of a Swiss bracket of 128 teams, engine',
    'the slowest, in any round',
    Math.max(...times),
    50,
    ' ms',
    figures(times),
  )
}

/** What each entrant below the cutoff needs, in addition to the standings. */
function ofQualifier(): Row {
  const methods = ['average_accuracy', 'sum_of_scores', 'weighted_accuracy', 'top_players'] as const
  const times = methods.flatMap((method) => {
    const input = {
      ...qualifier(method, chance(1)),
      ...(method === 'top_players' ? { maps: equal(qualifier(method, chance(1)).maps) } : {}),
    }
    const standings = qualifierStandings(input)
    const attemptsOf = () => ({ left: 2, isPending: false })
    return Array.from({ length: 6 }, () =>
      timeOf(() => outlookOfQualifier({ input, standings, modifiers: 'any', isOver: false, attemptsOf })),
    ).slice(1)
  })
  return below(
    'outlook of a qualifier, 1,000 players on 10 maps, engine',
    'the slowest of its methods',
    Math.max(...times),
    100,
    ' ms',
    figures(times),
  )
}

function equal<Each extends { readonly weight: number }>(maps: readonly Each[]): Each[] {
  return maps.map((map) => ({ ...map, weight: 1 }))
}

function timeOf(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function figures(times: readonly number[]): string {
  return `${times.length} outlooks, the median ${median(times).toFixed(1)} ms`
}
