import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyActs, anyShape, live } from '../../test/engine/acts.ts'
import { Bracket, planOf } from '../../test/engine/brackets.ts'
import { apply } from './progress.ts'
import { recovered, type SeenMatch } from './recovery.ts'
import type { Match } from './types.ts'
import { judged, wasPlayed } from './verdict.ts'

/** Brackets that were played at random, and that are known only as everybody sees them. */

interface Times {
  readonly startedAt: number | null
  readonly completedAt: number | null
}

/** As the service keeps them: the first change that begins or ends a match tells when it did. */
function timesAfter(match: Match, before: Times | undefined, now: number): Times {
  return {
    startedAt: match.started ? (before?.startedAt ?? now) : null,
    completedAt: match.status === 'completed' ? (before?.completedAt ?? now) : null,
  }
}

function seen({ decision: _d, started: _s, reopened: _r, winnerTo: _w, loserTo: _l, sides, ...rest }: Match) {
  const [first, second] = sides.map(({ slot: _slot, empty: _empty, ...side }) => side)
  return { ...rest, sides: [first, second] } as unknown as Omit<SeenMatch, keyof Times>
}

const structure = ({ number, winnerTo, loserTo, sides, started, status, outcome }: Match) => ({
  ...{ number, winnerTo, loserTo, sides, started, status, outcome },
})

test('the matches have their places, targets and verdicts again, and count as played as before', () => {
  fc.assert(
    fc.property(anyShape, anyActs, (wanted, history) => {
      const bracket = Bracket.of(wanted)
      const { entrants, matches } = planOf(wanted)
      const times = new Map<number, Times>()
      let now = 1
      for (const match of bracket.list()) times.set(match.number, timesAfter(match, undefined, now))
      // The service gives back the times of what is undone, which brackets in memory do not have.
      const acts = history.filter(({ act }) => act !== 'undo')
      live(bracket, acts, ({ after }) => {
        now++
        for (const match of after) times.set(match.number, timesAfter(match, times.get(match.number), now))
      })
      const told = bracket.list().map((match) => ({ ...seen(match), ...(times.get(match.number) as Times) }))
      const planned = (number: number) => matches.find((match) => match.number === number)
      const again = recovered(told, { entrants, withdrawn: bracket.withdrawn, planned })
      expect(again.map(structure)).toEqual(bracket.list().map(structure))
      expect(again.map((match) => judged(match, bracket.withdrawn))).toEqual(again)
      expect(again.map(wasPlayed)).toEqual(bracket.list().map(wasPlayed))
    }),
    { numRuns: 150 },
  )
})

test('a bracket with places that no team has taken is filled and played on', () => {
  const wanted = { format: 'double_elimination', size: 6, thirdPlace: false, grandFinal: 'reset', bestOf: 3 } as const
  const { entrants, matches } = planOf(wanted)
  const open = entrants.map((entrant) => (entrant.slot === 3 ? { ...entrant, team: null } : entrant))
  const vacant = matches.map((match) => ({
    ...seen(match),
    sides: seen(match).sides.map((side) => (side.team === entrants[2]?.team ? { ...side, team: null } : side)),
    ...{ startedAt: null, completedAt: null },
  })) as unknown as readonly SeenMatch[]
  const planned = (number: number) => matches.find((match) => match.number === number)
  const again = recovered(vacant, { entrants: open, withdrawn: new Map(), planned })
  expect(again.map(({ sides }) => sides.map(({ slot }) => slot))).toEqual(
    matches.map(({ sides }) => sides.map(({ slot }) => slot)),
  )
  const bracket = Bracket.of(wanted)
  const [first] = bracket.open()
  const number = first?.number ?? 0
  bracket.win(number, 1)
  const told = bracket
    .list()
    .map((match) => ({ ...seen(match), startedAt: match.started ? 1 : null, completedAt: null }))
  const board = new Map(
    recovered(told, { entrants, withdrawn: new Map(), planned }).map((match) => [match.number, match]),
  )
  const changed = apply(
    { match: (each) => board.get(each), withdrawn: new Map(), allowDraws: false },
    { kind: 'result', match: number, decision: { outcome: 'score', winner: 0, scores: null } },
  )
  expect(changed.length).toBeGreaterThan(1)
})

test('what no report can make stays as it was told', () => {
  const [match] = Bracket.of({
    format: 'single_elimination',
    size: 2,
    thirdPlace: false,
    grandFinal: 'none',
    bestOf: 3,
  }).list()
  const told = { ...seen(match as Match), status: 'locked', outcome: null, startedAt: null, completedAt: null } as const
  const [again] = recovered([told], { entrants: [], withdrawn: new Map(), planned: () => undefined })
  expect(again).toMatchObject({ status: 'locked', outcome: null, decision: null, reopened: false, started: false })
})
