import { expect, test } from 'vitest'
import { Bracket, double, refusal, type Step, shape } from '../../test/engine/brackets.ts'
import { describeChanges } from './corrections.ts'

const describedChanges = ({ before, after }: Step) =>
  describeChanges(before, after).map(({ number, change }) => [number, change])

/** A bracket of eight. Matches 1 to 4: first round; 5 and 6: semi-finals; 7: third place; 8: final. */
const eight = () => {
  const bracket = Bracket.of(shape('single_elimination', 8, { thirdPlace: true }))
  expect(bracket.match(7).section).toBe('third_place')
  return bracket
}

const playedFinal = () => {
  const bracket = double()
  for (const number of [1, 2, 3, 4, 5]) bracket.win(number, 0)
  return bracket
}

test('a first report affects nothing that anybody must be told of', () => {
  expect(describedChanges(eight().win(1, 0))).toEqual([])
})

test('a correction tells of replaced teams and of lost results, and not of the corrected match', () => {
  const bracket = eight()
  for (const number of [1, 2, 3, 4, 5]) bracket.win(number, 0)
  bracket.make({ kind: 'start', match: 6 })
  expect(describedChanges(bracket.win(1, 1))).toEqual([
    [5, 'result_voided'],
    [7, 'team_replaced'],
    [8, 'team_replaced'],
  ])
  expect(describedChanges(bracket.win(3, 1))).toEqual([[6, 'team_replaced']])
})

test('a corrected score affects nobody', () => {
  const bracket = eight()
  bracket.win(1, 0)
  expect(describedChanges(bracket.result(1, { outcome: 'score', winner: 0, scores: [2, 1] }))).toEqual([])
})

test('reopening tells of the match itself and of the teams that go', () => {
  const bracket = eight()
  bracket.win(1, 0)
  expect(describedChanges(bracket.make({ kind: 'reopen', match: 1 }))).toEqual([
    [1, 'reopened'],
    [5, 'team_replaced'],
  ])
})

test('the reset of a final is restored and cancelled', () => {
  const bracket = playedFinal()
  bracket.win(6, 0)
  expect(describedChanges(bracket.win(6, 1))).toEqual([[7, 'restored']])
  expect(describedChanges(bracket.win(6, 0))).toEqual([[7, 'cancelled']])
})

test('a reset that was played is told as a lost result when it is cancelled', () => {
  const bracket = playedFinal()
  bracket.win(6, 1)
  bracket.game(7, 1, 0)
  const step = bracket.win(6, 0)
  expect(describedChanges(step)).toEqual([[7, 'result_voided']])
  expect(step.after[1]?.status).toBe('cancelled')
})

test('a walkover against nobody is reopened when somebody comes', () => {
  const bracket = Bracket.of(shape('single_elimination', 4))
  bracket.result(1, { outcome: 'double_forfeit' })
  bracket.win(2, 0)
  expect(describedChanges(bracket.win(1, 0))).toEqual([[3, 'reopened']])
  expect(describedChanges(bracket.result(1, { outcome: 'double_forfeit' }))).toEqual([[3, 'team_replaced']])
})

test('a side that does not stay empty is told of, although no team leaves it', () => {
  const bracket = eight()
  bracket.result(1, { outcome: 'double_forfeit' })
  expect(describedChanges(bracket.make({ kind: 'reopen', match: 1 }))).toEqual([
    [1, 'reopened'],
    [5, 'team_replaced'],
  ])
})

test('undoing a correction puts every match back as it was', () => {
  const bracket = eight()
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) bracket.win(number, 0)
  const before = bracket.list()
  const step = bracket.win(1, 1)
  expect(step.after).toHaveLength(4)
  bracket.undo(step)
  expect(bracket.list()).toEqual(before)
})

test('an undo stands on what happened elsewhere, and is refused when its own matches were changed since', () => {
  const bracket = eight()
  bracket.win(1, 0)
  bracket.win(2, 0)
  const step = bracket.win(1, 1)
  bracket.win(4, 1)
  const elsewhere = bracket.copy()
  elsewhere.undo(step)
  expect([elsewhere.teams(5), elsewhere.match(4).status]).toEqual([['t1', 't4'], 'completed'])
  bracket.make({ kind: 'start', match: 5 })
  expect(refusal(() => bracket.undo(step))).toBe('conflict correction.overtaken')
})

test('an undone correction can be undone in turn, and then not twice', () => {
  const bracket = eight()
  bracket.win(1, 0)
  const corrected = bracket.win(1, 1)
  const undone = bracket.undo(corrected)
  bracket.undo(undone)
  expect(bracket.teams(5)).toEqual(['t8', null])
  expect(refusal(() => bracket.undo(undone))).toBe('conflict correction.overtaken')
})

test('a team that has left since is brought back by an undo only to forfeit', () => {
  const bracket = Bracket.of(shape('single_elimination', 4))
  bracket.win(1, 0)
  bracket.win(2, 0)
  const step = bracket.win(1, 1)
  bracket.withdraw('t1')
  bracket.undo(step)
  expect(bracket.teams(3)).toEqual(['t1', 't2'])
  expect(bracket.match(3)).toMatchObject({ status: 'completed', outcome: 'walkover' })
})
