import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PairingTeam, pairNextRound, type SwissRound } from './swiss-pairing.ts'

type Team = { team: string; points: number; opponents: string[]; byes: number; floats: number }
type Pairs = readonly (readonly [PairingTeam, PairingTeam])[]

/** A random source from a seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

function newTeams(size: number): Team[] {
  return Array.from({ length: size }, (_, index) => ({
    team: `t${index + 1}`,
    points: 0,
    opponents: [],
    byes: 0,
    floats: 0,
  }))
}

/** Plays a round with random results, and updates the teams. */
function play(teams: readonly Team[], round: SwissRound, roll: (sides: number) => number): void {
  const byName = new Map(teams.map((team) => [team.team, team]))
  const find = (name: string) => byName.get(name) ?? expect.unreachable(name)
  for (const { teams: names, pairing } of round.pairs) {
    const [one, other] = [find(names[0]), find(names[1])]
    one.opponents.push(other.team)
    other.opponents.push(one.team)
    if (pairing.floated) one.floats += 1
    const result = roll(5)
    if (result === 0) for (const team of [one, other]) team.points += 1
    else (result < 4 ? one : other).points += 3
  }
  if (round.bye === null) return
  const idle = find(round.bye.team)
  idle.byes += 1
  idle.points += 3
}

const timesMet = (one: PairingTeam, other: PairingTeam) => one.opponents.filter((name) => name === other.team).length

/** All ways to pair an even number of teams. */
function allRounds(teams: readonly PairingTeam[]): Pairs[] {
  const [first, ...rest] = teams
  if (first === undefined) return [[]]
  return rest.flatMap((other) =>
    allRounds(rest.filter((team) => team !== other)).map((pairs): Pairs => [[first, other], ...pairs]),
  )
}

/** The fewest possible rematches of a round, by trying all rounds. */
function fewestByTrying(teams: readonly PairingTeam[]): number {
  const [first, ...rest] = teams
  if (first === undefined) return 0
  return Math.min(
    ...rest.map((other) => {
      const repeat = timesMet(first, other) > 0 ? 1 : 0
      return repeat + fewestByTrying(rest.filter((team) => team !== other))
    }),
  )
}

/**
 * The fewest possible rematches of a round, from the rank of the Tutte matrix of the teams that have not met, with
 * random numbers modulo a prime as unknowns. (Lovász 1979) It uses no paths or cycles, unlike the engine.
 */
function fewestByRank(teams: readonly PairingTeam[]): number {
  const prime = 67108859
  const roll = dice(teams.length)
  const rows = teams.map(() => teams.map(() => 0))
  teams.forEach((one, row) => {
    teams.slice(0, row).forEach((other, column) => {
      if (timesMet(one, other) > 0) return
      const value = 1 + roll(prime - 1)
      set(rows, row, column, value)
      set(rows, column, row, prime - value)
    })
  })
  return (teams.length - rankModulo(rows, prime)) / 2
}

function set(rows: number[][], row: number, column: number, value: number): void {
  const line = rows[row]
  if (line) line[column] = value
}

function rankModulo(matrix: readonly number[][], prime: number): number {
  let rows = matrix.map((row) => [...row])
  let rank = 0
  for (let column = 0; column < matrix.length; column += 1) {
    const pivot = rows.find((row) => row[column] !== 0)
    if (!pivot) continue
    rank += 1
    const inverse = power(pivot[column] ?? 0, prime - 2, prime)
    rows = rows
      .filter((row) => row !== pivot)
      .map((row) => {
        const factor = ((row[column] ?? 0) * inverse) % prime
        return factor === 0 ? row : row.map((value, index) => (value + (prime - factor) * (pivot[index] ?? 0)) % prime)
      })
  }
  return rank
}

function power(base: number, exponent: number, prime: number): number {
  let result = 1
  for (let square = base, rest = exponent; rest > 0; rest = Math.floor(rest / 2), square = (square * square) % prime) {
    if (rest % 2 === 1) result = (result * square) % prime
  }
  return result
}

/** Checks rule 8 of section D for any round. */
function checkRound(
  teams: readonly Team[],
  round: SwissRound,
  fewest: (teams: readonly PairingTeam[]) => number,
): void {
  const names = [...round.pairs.flatMap((pair) => pair.teams), ...(round.bye ? [round.bye.team] : [])]
  expect(names.toSorted()).toEqual(teams.map(({ team }) => team).toSorted())
  expect(round.bye === null).toBe(teams.length % 2 === 0)
  const byName = new Map(teams.map((team) => [team.team, team]))
  const rematches = round.pairs.filter(({ teams: [one, other] }) => byName.get(one)?.opponents.includes(other)).length
  const without = (name: string | undefined) => fewest(teams.filter(({ team }) => team !== name))
  expect(rematches).toBe(without(round.bye?.team))
  if (round.bye) {
    const least = Math.min(...teams.map(({ byes }) => byes))
    const candidates = teams.filter(({ byes }) => byes === least).map(({ team }) => team)
    expect(candidates).toContain(round.bye.team)
    for (const lower of candidates.slice(candidates.indexOf(round.bye.team) + 1)) {
      expect(without(lower)).toBeGreaterThan(rematches)
    }
    if (rematches > 0) for (const candidate of candidates) expect(without(candidate)).toBeGreaterThanOrEqual(rematches)
  }
}

interface Course {
  readonly size: number
  readonly rounds: number
  readonly seed: number
  /** After each round each team withdraws with a probability of 1 in this number; 0 for never. */
  readonly leaving: number
}

function playTournament(course: Course, eachRound: (teams: readonly Team[], round: SwissRound) => void): void {
  const roll = dice(course.seed)
  const seeds = newTeams(course.size)
  let teams = seeds
  for (let number = 1; number <= course.rounds && teams.length > 1; number += 1) {
    teams = teams.toSorted((one, other) => other.points - one.points || seeds.indexOf(one) - seeds.indexOf(other))
    const round = pairNextRound({ teams, avoidRematches: true })
    eachRound(teams, round)
    play(teams, round, roll)
    if (course.leaving > 0) teams = teams.filter(() => roll(course.leaving) > 0)
  }
}

const courses = (sizes: { min: number; max: number }, maxRounds: number) =>
  fc.record({
    size: fc.integer(sizes),
    rounds: fc.integer({ min: 1, max: maxRounds }),
    seed: fc.nat(),
    leaving: fc.constantFrom(0, 6, 20, 60),
  })

test('small tournaments, even longer than there are opponents: everybody once, byes spread, as few rematches as there can be', () => {
  fc.assert(
    fc.property(courses({ min: 2, max: 8 }, 10), (course) => {
      playTournament(course, (teams, round) => checkRound(teams, round, fewestByTrying))
    }),
    { numRuns: 60 },
  )
})

test('tournaments of up to 64 teams: everybody once, byes spread, as few rematches as there can be', () => {
  fc.assert(
    fc.property(courses({ min: 5, max: 64 }, 9), (course) => {
      playTournament(course, (teams, round) => checkRound(teams, round, fewestByRank))
    }),
    { numRuns: 12 },
  )
})

test.each([
  { size: 8, rounds: 7 },
  { size: 7, rounds: 7 },
  { size: 16, rounds: 12 },
  { size: 16, rounds: 15 },
  { size: 15, rounds: 15 },
])('$size teams over $rounds rounds, when nearly everybody has met', ({ size, rounds }) => {
  for (let seed = 1; seed <= 10; seed += 1) {
    playTournament({ size, rounds, seed, leaving: 0 }, (teams, round) => checkRound(teams, round, fewestByRank))
  }
})

test('512 teams over nine rounds', () => {
  let rounds = 0
  playTournament({ size: 512, rounds: 9, seed: 1, leaving: 200 }, (teams, round) => {
    rounds += 1
    const met = new Map(teams.map(({ team, opponents }) => [team, new Set(opponents)]))
    expect(new Set(round.pairs.flatMap((pair) => pair.teams)).size).toBe(teams.length - (teams.length % 2))
    expect(round.pairs.filter(({ teams: [one, other] }) => met.get(one)?.has(other))).toEqual([])
  })
  expect(rounds).toBe(9)
})

test('equal standings and meetings make an equal round, in whatever order opponents are listed', () => {
  fc.assert(
    fc.property(courses({ min: 5, max: 40 }, 9), (course) => {
      playTournament(course, (teams, round) => {
        const again = teams.map((team) => ({ ...team, opponents: team.opponents.toReversed() }))
        expect(pairNextRound({ teams: again, avoidRematches: true })).toEqual(round)
      })
    }),
    { numRuns: 20 },
  )
})

/** Teams with random standings and past meetings, from none to many. */
const standings = (mostTeams: number, mostMeetings: number) =>
  fc
    .record({
      rows: fc.array(fc.record({ points: fc.nat(4), byes: fc.nat(1), floats: fc.nat(2) }), {
        maxLength: mostTeams,
        size: 'max',
      }),
      density: fc.nat(10),
      rolls: fc.array(fc.nat(9), { minLength: 36, maxLength: 36 }),
    })
    .map(({ rows, density, rolls }): PairingTeam[] => {
      const times = (one: number, other: number) => {
        const [low, high] = one < other ? [one, other] : [other, one]
        const value = rolls[(high * (high - 1)) / 2 + low] ?? 9
        return low === high || value >= density ? 0 : Math.min(1 + (value % 2), mostMeetings)
      }
      return rows
        .toSorted((one, other) => other.points - one.points)
        .map((row, index) => ({
          ...row,
          team: `t${index + 1}`,
          opponents: rows.flatMap((_, other) => Array<string>(times(index, other)).fill(`t${other + 1}`)),
        }))
    })

const asText = (pairs: Pairs) =>
  pairs
    .map(([one, other]) => `${one.team}-${other.team}`)
    .toSorted()
    .join(' ')

const textOf = ({ pairs }: SwissRound) =>
  pairs
    .map(({ teams }) => teams.join('-'))
    .toSorted()
    .join(' ')

test('where nobody has met, odd groups send down one team, and halves meet place by place', () => {
  fc.assert(
    fc.property(standings(64, 0), (teams) => {
      const round = pairNextRound({ teams, avoidRematches: true })
      const least = Math.min(...teams.map(({ byes }) => byes))
      const idle = teams.length % 2 === 1 ? teams.findLast(({ byes }) => byes === least) : undefined
      expect(round.bye?.team).toBe(idle?.team)
      const expected: [PairingTeam, PairingTeam][] = []
      let down: PairingTeam | undefined
      for (const points of [4, 3, 2, 1, 0]) {
        const members = teams.filter((team) => team.points === points && team !== idle)
        const arrival = down
        if (members.length === 0) continue
        const isOdd = (members.length + (arrival ? 1 : 0)) % 2 === 1
        const fewest = Math.min(...members.map(({ floats }) => floats))
        down = isOdd ? members.findLast(({ floats }) => floats === fewest) : undefined
        const [highest, ...others] = members.filter((team) => team !== down)
        if (arrival && highest) expected.push([arrival, highest])
        const group = arrival || !highest ? others : [highest, ...others]
        group.slice(group.length / 2).forEach((team, index) => {
          expected.push([group[index] ?? team, team])
        })
      }
      expect(textOf(round)).toBe(asText(expected))
      expect(round.pairs.filter(({ pairing }) => pairing.floated).length).toBe(
        expected.filter(([one, other]) => one.points !== other.points).length,
      )
    }),
    { numRuns: 300 },
  )
})

test('the rules one after the other choose the same round among all rounds that there are', () => {
  fc.assert(
    fc.property(standings(9, 2), fc.boolean(), (teams, avoidRematches) => {
      const round = pairNextRound({ teams, avoidRematches })
      const playing = teams.filter(({ team }) => team !== round.bye?.team)
      const asked = avoidRematches ? playing : playing.map((team) => ({ ...team, opponents: [] }))
      expect(textOf(round)).toBe(asText(chosen(asked, 0)))
    }),
    { numRuns: 300 },
  )
})

/** Keeps the rounds that fulfil the wish; all of them where none does. */
function prefer(
  rounds: readonly Pairs[],
  wish: (opponentOf: (team: PairingTeam) => PairingTeam) => boolean,
): readonly Pairs[] {
  const kept = rounds.filter((pairs) => wish((team) => opponentIn(pairs, team)))
  return kept.length > 0 ? kept : rounds
}

function opponentIn(pairs: Pairs, team: PairingTeam): PairingTeam {
  const found = pairs.find((members) => members.includes(team)) ?? expect.unreachable(team.team)
  return found[0] === team ? found[1] : found[0]
}

/** The expected pairing: filters the list of all rounds by one wish after the other. */
function chosen(teams: readonly PairingTeam[], repeats: number): Pairs {
  if (teams.length === 0) return []
  const isRepeat = ([one, other]: readonly [PairingTeam, PairingTeam]) => timesMet(one, other) > repeats
  const all = allRounds(teams)
  const least = Math.min(...all.map((pairs) => pairs.filter(isRepeat).length))
  let rounds: readonly Pairs[] = all.filter((pairs) => pairs.filter(isRepeat).length === least)
  for (const team of teams) rounds = prefer(rounds, (opponentOf) => !isRepeat([team, opponentOf(team)]))
  const left = teams.filter((team) => rounds.every((pairs) => isRepeat([team, opponentIn(pairs, team)])))
  const fresh = teams.filter((team) => !left.includes(team))
  const settled: [PairingTeam, PairingTeam][] = []
  const meet = (team: PairingTeam, candidates: readonly PairingTeam[]) => {
    if (settled.some((pair) => pair.includes(team))) return
    const opponent =
      candidates.find((other) => rounds.some((pairs) => opponentIn(pairs, team) === other)) ?? expect.unreachable()
    rounds = prefer(rounds, (opponentOf) => opponentOf(team) === opponent)
    settled.push([team, opponent])
  }
  const halves = (group: readonly PairingTeam[]) => {
    if (group.length === 0) return
    const [upper, lower] = [group.slice(0, group.length / 2), group.slice(group.length / 2)]
    for (const team of upper) rounds = prefer(rounds, (opponentOf) => !upper.includes(opponentOf(team)))
    const within = upper.filter((team) => rounds.every((pairs) => upper.includes(opponentIn(pairs, team))))
    for (const team of upper.filter((team) => !within.includes(team))) meet(team, lower)
    halves(within)
    halves(lower.filter((team) => !settled.some((pair) => pair.includes(team))))
  }
  let arrivals: readonly PairingTeam[] = []
  for (const points of [4, 3, 2, 1, 0]) {
    const residents = fresh.filter((team) => team.points === points)
    if (residents.length === 0) continue
    const order = [...arrivals, ...residents.toSorted((one, other) => other.floats - one.floats)]
    const next = Math.max(-1, ...fresh.map((team) => team.points).filter((value) => value < points))
    for (const team of order) rounds = prefer(rounds, (opponentOf) => opponentOf(team).points >= next)
    for (const team of order) rounds = prefer(rounds, (opponentOf) => opponentOf(team).points >= points)
    const goesDown = (team: PairingTeam) => rounds.every((pairs) => opponentIn(pairs, team).points < points)
    const stay = residents.filter((team) => !goesDown(team))
    for (const team of arrivals.filter((team) => !goesDown(team))) meet(team, stay)
    const rest = stay.filter((team) => !settled.some((pair) => pair.includes(team)))
    halves(rest)
    arrivals = fresh.filter((team) => order.includes(team) && goesDown(team))
  }
  return [...settled, ...chosen(left, repeats + 1)]
}
