import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyActs, anyShape, live } from '../../../../test/engine/acts.ts'
import { Bracket, planOf } from '../../../../test/engine/brackets.ts'
import { settle } from '../../../engine/progress.ts'
import { takeBack } from '../../../engine/returning.ts'
import { readSettings } from '../../../engine/settings.ts'
import { planSwissFirstRound, planSwissRound } from '../../../engine/swiss.ts'
import type { Entrant, Format, Match, Settings } from '../../../engine/types.ts'
import { standingsOf, stateOf, toRecords } from '../../brackets/brackets/rules/plan.ts'
import type { Bracket as BracketRow } from '../../brackets/brackets/types.ts'
import type { MatchRecord } from '../../brackets/matches/types.ts'
import type { Lie, WholeBracket } from './commands/lies.ts'
import { bracketLie } from './commands/recomputing.ts'
import type { Past } from './commands/structure.ts'

/** What follows from the rows of a bracket is computed again: of random ones, and of the same with one value changed. (P6) */

const now = new Date('2026-05-01T18:00:00.000Z')
const unchanged: Past = { isUnchanged: true, hasReturned: false }

interface Facts {
  readonly format: Format
  readonly settings: Settings
  readonly entrants: readonly Entrant[]
  readonly roundsMade: number
}

/** The rows of a bracket of the engine, whose matches are not the first of their division. */
function wholeOf({ format, settings, entrants: places, roundsMade }: Facts, played: Bracket): WholeBracket {
  const matches = played.list()
  const entrants = places.map((entrant) => ({
    ...entrant,
    withdrawal: entrant.team === null ? null : (played.withdrawn.get(entrant.team) ?? null),
  }))
  const keys = { guid: randomUUID(), tournamentGuid: randomUUID(), divisionGuid: randomUUID() }
  const bracket: BracketRow = {
    ...{ ...keys, name: 'Finals', order: 1, format, settings, revision: 1, roundsMade, ruling: null },
    ...{ createdAt: now, updatedAt: now },
    ...stateOf({ format, settings, roundsMade }, entrants, matches),
  }
  const guids = matches.map(() => randomUUID())
  const records = toRecords(matches, { bracket, guids, offset: 5, now }).map((record, index): MatchRecord => {
    const { games, started } = matches[index] as Match
    return { ...record, games: games as MatchRecord['games'], startedAt: started ? now : null }
  })
  return { bracket, entrants, matches: records }
}

const lieIn = (whole: WholeBracket, past = unchanged): Lie | null => bracketLie(whole, past)

const anyPlayed = fc.tuple(anyShape, anyActs, fc.nat({ max: 39 })).map(([wanted, history, who]): WholeBracket => {
  const played = Bracket.of(wanted)
  live(played, history)
  const team = `t${(who % wanted.size) + 1}`
  // Some teams come back.
  if (played.withdrawn.has(team) && who % 2 === 0) {
    const numbers = played
      .list()
      .flatMap(({ number, sides }) => (sides.some((side) => side.team === team) ? number : []))
    const { altered } = takeBack(played.board, team, numbers)
    played.withdrawn.delete(team)
    for (const match of altered) played.matches.set(match.number, match)
  }
  const { format, size, bestOf, thirdPlace, grandFinal } = wanted
  const own = format === 'single_elimination' ? { thirdPlace } : format === 'double_elimination' ? { grandFinal } : {}
  const settings = {
    ...readSettings(format, { bestOf, ...own }, size),
    ...(format === 'round_robin' && { allowDraws: true }),
  }
  return wholeOf({ format, settings, entrants: planOf(wanted).entrants, roundsMade: 0 }, played)
})

const anySwiss = fc
  .tuple(fc.integer({ min: 2, max: 11 }), fc.array(anyActs, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([size, rounds, leaves]) => {
    const seeded = Array.from({ length: size }, (_, index) => ({ seed: index + 1, team: `t${index + 1}` }))
    const settings = readSettings('swiss', { rounds: Math.min(rounds.length + 1, Math.max(1, size - 1)) }, size)
    const { entrants, matches } = planSwissFirstRound(seeded, settings)
    const played = new Bracket(settle({ entrants, matches }, { withdrawn: new Map() }))
    let roundsMade = 1
    for (const [index, acts] of rounds.entries()) {
      live(
        played,
        acts.filter(({ act }) => !['correct', 'reopen', 'undo', 'withdraw', 'anything'].includes(act)),
      )
      if (leaves && index === 1) played.withdraw('t1')
      if (roundsMade === settings.rounds) break
      played.playOn(({ number }) => (number % 2 === 0 ? 0 : 1))
      const past = played.list()
      const withdrawn = played.withdrawn
      const rows = entrants.map((entrant) => ({ ...entrant, withdrawal: withdrawn.get(entrant.team ?? '') ?? null }))
      const standings = standingsOf({ format: 'swiss', settings }, past, rows)
      const paired = planSwissRound({ matches: past, entrants, standings, withdrawn }, settings, past.length + 1)
      for (const match of settle({ entrants, matches: paired }, { withdrawn })) played.matches.set(match.number, match)
      roundsMade += 1
    }
    return wholeOf({ format: 'swiss', settings, entrants, roundsMade }, played)
  })

test('whatever was played, the rows agree', () => {
  fc.assert(
    fc.property(anyPlayed, (whole) => {
      expect(lieIn(whole)).toBeNull()
    }),
    { numRuns: 200 },
  )
})

test('rounds of a Swiss bracket agree with the results before them', () => {
  fc.assert(
    fc.property(anySwiss, (whole) => {
      expect(lieIn(whole)).toBeNull()
      expect(lieIn(whole, { isUnchanged: false, hasReturned: true })).toBeNull()
    }),
    { numRuns: 100 },
  )
})

type Sides = MatchRecord['sides']
const onSide = (at: number, change: (side: Sides[number]) => Partial<Sides[number]>) => (record: MatchRecord) => ({
  sides: record.sides.map((side, index) => (index === at ? { ...side, ...change(side) } : side)) as unknown as Sides,
})
const another = <T>(all: readonly T[], value: T): T => all.find((each) => each !== value) as T

/** One value of a match that is another than it was. */
const flips: Readonly<Record<string, (record: MatchRecord) => Partial<MatchRecord>>> = {
  section: ({ section }) => ({ section: another(['upper', 'lower'], section) }),
  round: ({ round }) => ({ round: round + 1 }),
  group: ({ groupIndex }) => ({ groupIndex: groupIndex === null ? 0 : null }),
  conditional: ({ conditional }) => ({ conditional: !conditional }),
  'next match': ({ nextMatchGuid }) => ({ nextMatchGuid: nextMatchGuid === null ? randomUUID() : null }),
  'match of the loser': ({ loserMatchGuid }) => ({ loserMatchGuid: loserMatchGuid === null ? randomUUID() : null }),
  'number of the next match': ({ winnerTo, number }) => ({ winnerTo: { match: number, side: winnerTo?.side ?? 0 } }),
  slot: onSide(0, ({ slot }) => ({ slot: (slot ?? 0) + 1 })),
  bye: onSide(1, ({ bye }) => ({ bye: !bye })),
  team: ({ team1Guid }) => ({ team1Guid: another(['t1', 't2'], team1Guid) }),
  'no team': ({ team2Guid }) => ({ team2Guid: team2Guid === null ? 't1' : null }),
  status: ({ status }) => ({ status: another(['ready', 'completed'], status) }),
  outcome: ({ outcome }) => ({ outcome: another(['score', 'walkover'], outcome) }),
  score: onSide(0, ({ score }) => ({ score: (score ?? 0) + 1 })),
  winner: onSide(1, ({ result }) => ({ result: another(['win', 'loss'], result) })),
  'empty side': onSide(1, ({ empty }) => ({ empty: !empty })),
  length: ({ bestOf }) => ({ bestOf: bestOf + 1 }),
  start: ({ startedAt }) => ({ startedAt: startedAt === null ? now : null }),
  end: ({ completedAt }) => ({ completedAt: completedAt === null ? now : null }),
  begun: ({ started }) => ({ started: !started }),
  'decided winner': ({ decision }) => ({
    decision: {
      outcome: 'walkover',
      winner: decision !== null && 'winner' in decision && decision.winner === 0 ? 1 : 0,
    },
    started: true,
    startedAt: now,
  }),
}

test.each(Object.entries(flips))('a match with another %s is found', (what, flip) => {
  fc.assert(
    fc.property(fc.oneof(anyPlayed, anySwiss), fc.nat(), (whole, which) => {
      const matches = [...whole.matches]
      const at = which % matches.length
      const before = matches[at] as MatchRecord
      matches[at] = { ...before, ...flip(before) }
      const lie = lieIn({ ...whole, matches })
      // In a round of a Swiss bracket, either of two matches with one slot may be found, or the one after a gap.
      if (['round', 'slot'].includes(what) && whole.bracket.format === 'swiss') {
        expect(lie).not.toBeNull()
        return
      }
      // The same winner of a match that has not begun: the bracket has one more that has.
      if (what === 'decided winner' && lie?.member === 'started') return
      expect([lie?.kind, lie?.words, lie?.of.guid]).toEqual(['matches', lie?.words, before.guid])
    }),
    { numRuns: 40 },
  )
})

test('totals, slots, seeds and matches of a bracket that are others are found', () => {
  fc.assert(
    fc.property(anyPlayed, (whole) => {
      const { bracket, entrants, matches } = whole
      const [first, second, ...others] = entrants
      if (first === undefined || second === undefined) throw new Error('a bracket has two entrants')
      const found = (changed: Partial<WholeBracket>) => {
        const lie = lieIn({ ...whole, ...changed })
        return lie && `${lie.kind} ${lie.member}`
      }
      expect(found({ bracket: { ...bracket, open: bracket.open + 1 } })).toBe('brackets open')
      expect(found({ bracket: { ...bracket, started: bracket.started + 1 } })).toBe('brackets started')
      expect(found({ bracket: { ...bracket, status: 'draft' } })).toBe('brackets status')
      expect(found({ bracket: { ...bracket, roundsMade: 1 } })).toBe('brackets roundsMade')
      expect(found({ matches: matches.slice(0, -1) })).toBe('brackets null')
      expect(found({ entrants: [{ ...first, slot: 900 }, second, ...others] })).toBe('entrants slot')
      expect(found({ entrants: [{ ...first, team: second.team }, second, ...others] })).toBe('entrants teamGuid')
      expect(found({ entrants: [{ ...first, seed: second.seed }, second, ...others] })).toBe('entrants seed')
      expect(found({ entrants: [first] })).toBe('brackets null')
    }),
    { numRuns: 50 },
  )
})
