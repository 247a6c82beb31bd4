import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyActs, anyShape, live } from '../../test/engine/acts.ts'
import { Bracket } from '../../test/engine/brackets.ts'
import { faults } from '../../test/engine/faults.ts'
import { leaveAgain, takeBack } from './returning.ts'
import type { Match } from './types.ts'

/** Random brackets in which withdrawals are taken back, and that is undone, with random changes in between. (D60) */

const anyTeam = fc.nat({ max: 39 })
const standing = (bracket: Bracket, team: string) =>
  bracket
    .list()
    .filter(({ sides }) => sides.some((side) => side.team === team))
    .map(({ number }) => number)
const isBegun = ({ started, games, decision }: Match) => started || games.length > 0 || decision !== null

function giveBack(bracket: Bracket, team: string) {
  const { altered, stays } = takeBack(bracket.board, team, standing(bracket, team))
  const before = altered.map(({ number }) => bracket.match(number))
  bracket.withdrawn.delete(team)
  for (const match of altered) bracket.matches.set(match.number, match)
  return { before, after: altered, stays }
}

/** Checks the whole bracket with the independent rules. */
function check(bracket: Bracket): void {
  expect(faults(bracket.list(), bracket.withdrawn)).toEqual([])
}

test('what is taken back at once leaves everything as it was before', () => {
  fc.assert(
    fc.property(anyShape, anyActs, anyTeam, (wanted, history, who) => {
      const bracket = Bracket.of(wanted)
      live(bracket, history)
      const team = `t${(who % wanted.size) + 1}`
      if (bracket.withdrawn.has(team)) return
      const before = bracket.list()
      bracket.withdraw(team)
      expect(giveBack(bracket, team).stays).toEqual([])
      expect(bracket.list()).toEqual(before)
    }),
    { numRuns: 150 },
  )
})

test('whatever was played meanwhile keeps its result, and everything else follows as though the team had never left', () => {
  let kept = 0
  fc.assert(
    fc.property(anyShape, anyActs, anyActs, anyTeam, (wanted, history, meanwhile, who) => {
      const bracket = Bracket.of(wanted)
      live(bracket, history)
      const team = `t${(who % wanted.size) + 1}`
      if (bracket.withdrawn.has(team)) return
      bracket.withdraw(team)
      live(bracket, meanwhile)
      const before = bracket.list()
      const { stays } = giveBack(bracket, team)
      const staying = new Set(stays)
      check(bracket)
      for (const was of before) {
        const is = bracket.match(was.number)
        const isTheirs = is.sides.some((side) => side.team === team)
        // A begun match keeps its teams, its games and its decision.
        if (isBegun(was)) {
          expect([is.games, is.sides.map((side) => side.team)]).toEqual([was.games, was.sides.map((side) => side.team)])
          if (!staying.has(was.number)) expect(is.decision).toEqual(was.decision)
        }
        if (staying.has(was.number)) {
          kept += 1
          expect([is.status, is.outcome, is.sides]).toEqual([was.status, was.outcome, was.sides])
        } else if (isTheirs && is.status === 'completed' && !isBegun(is) && is.outcome !== 'bye') {
          // A match that is still decided without play is decided because the opponent is missing or withdrawn.
          const rival = is.sides.find((side) => side.team !== team)
          expect(rival?.empty === true || bracket.withdrawn.has(rival?.team ?? '')).toBe(true)
        }
      }
      // A walkover stays only because a later match was begun.
      for (const number of stays) {
        expect(reaches(bracket, number)).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
  // About 65 of 200 random brackets have such matches; far fewer would mean that the property checks nothing.
  expect(kept).toBeGreaterThan(20)
})

/** Whether the match, or a later match that its teams go to, was begun. */
function reaches(bracket: Bracket, number: number): boolean {
  const { winnerTo, loserTo, decision, started } = bracket.match(number)
  if (started || (decision !== null && decision.outcome !== 'walkover' && decision.outcome !== 'double_forfeit'))
    return true
  return [winnerTo, loserTo].some(
    (target) => target !== null && (isBegun(bracket.match(target.match)) || reaches(bracket, target.match)),
  )
}

test('undoing it gives what was there before, and is refused once one of its matches has changed', () => {
  let refused = 0
  fc.assert(
    fc.property(anyShape, anyActs, anyActs, anyActs, anyTeam, (wanted, history, meanwhile, later, who) => {
      const bracket = Bracket.of(wanted)
      live(bracket, history)
      const team = `t${(who % wanted.size) + 1}`
      if (bracket.withdrawn.has(team)) return
      bracket.withdraw(team)
      live(bracket, meanwhile)
      const before = bracket.list()
      const change = giveBack(bracket, team)
      const undo = (of: Bracket) =>
        leaveAgain(of.board, { team, policy: 'walkover', numbers: standing(of, team) }, change.before, change.after)
      const again = bracket.copy()
      for (const match of undo(again)) again.matches.set(match.number, match)
      expect(again.list()).toEqual(before)

      live(bracket, later.slice(0, 5))
      const isOvertaken = change.after.some((match) => {
        try {
          expect(bracket.match(match.number)).toEqual(match)
          return false
        } catch {
          return true
        }
      })
      if (isOvertaken) {
        refused += 1
        expect(() => undo(bracket)).toThrow('was changed since')
        return
      }
      for (const match of undo(bracket)) bracket.matches.set(match.number, match)
      bracket.withdrawn.set(team, 'walkover')
      check(bracket)
    }),
    { numRuns: 150 },
  )
  expect(refused).toBeGreaterThan(5)
})
