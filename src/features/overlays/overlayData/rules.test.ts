import { expect, test } from 'vitest'
import { labelOf, type Place, placeholderOf } from './rules.ts'

const place: Place = {
  division: 'Division A',
  bracket: 'Playoffs',
  format: 'double_elimination',
  section: 'upper',
  round: 2,
  lastRound: 3,
  groupIndex: null,
}

test.each([
  [place, false, 'Playoffs · Upper semi-finals'],
  [place, true, 'Division A · Playoffs · Upper semi-finals'],
  [{ ...place, section: 'lower', round: 1, lastRound: 4 }, false, 'Playoffs · Lower round 1'],
  [{ ...place, section: 'final', round: 1, lastRound: 2 }, false, 'Playoffs · Grand final'],
  [{ ...place, format: 'single_elimination', round: 3 }, false, 'Playoffs · Final'],
  [{ ...place, format: 'single_elimination', section: 'third_place', round: 1 }, false, 'Playoffs · Third place'],
  [{ ...place, format: 'round_robin', section: 'group', groupIndex: 0 }, false, 'Playoffs · Group A · Round 2'],
  [{ ...place, format: 'round_robin', section: 'group', groupIndex: 27 }, false, 'Playoffs · Group AB · Round 2'],
  [{ ...place, format: 'swiss', section: 'swiss' }, false, 'Playoffs · Round 2'],
] as const)('a match is called by where it stands', (where, hasDivisions, label) => {
  expect(labelOf(where, hasDivisions)).toBe(label)
})

test.each([
  [{ team: null, bye: false, from: { number: 12, outcome: 'winner' } }, 'Winner of match 12'],
  [{ team: null, bye: false, from: { number: 3, outcome: 'loser' } }, 'Loser of match 3'],
  [{ team: null, bye: true, from: null }, 'Bye'],
  [{ team: null, bye: false, from: null }, null],
  [{ team: {}, bye: false, from: { number: 12, outcome: 'winner' } }, null],
] as const)('a side without a team is called by where its team comes from', (side, words) => {
  expect(placeholderOf(side)).toBe(words)
})
