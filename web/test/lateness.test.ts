import { expect, test } from 'vitest'
import type { Match } from '../../client/generated.ts'
import { eveningOf, groupsOf, isLate, latestOf, playedOf, playedTimes } from '../site/manage/rehearsal/lateness.ts'

/** What was planned against what was played, as a table. (R4) */

const at = (time: string | null) => (time === null ? null : `2027-05-01T${time}:00.000Z`)

/** A match that was to begin, began and ended at these times. */
const match = (number: number, times: readonly (string | null)[], more: Partial<Match> = {}): Match =>
  ({
    guid: `m${number}`,
    number,
    status: 'completed',
    sides: [{ bye: false }, { bye: false }],
    scheduledAt: at(times[0] ?? null),
    startedAt: at(times[1] ?? null),
    completedAt: at(times[2] ?? null),
    round: 1,
    ...more,
  }) as Match

const evening = [
  match(1, ['18:00', '18:02', '18:30']),
  match(2, ['18:00', '17:55', '18:45']),
  match(3, ['18:30', '18:50', '19:10'], { round: 2 }),
  match(4, [null, '19:10'], { round: 2, status: 'running' }),
  match(5, ['19:00', null], { round: 2, status: 'ready' }),
  match(6, ['18:00', null], { sides: [{ bye: false }, { bye: true }] as never }),
  match(7, ['17:00', null], { status: 'cancelled' }),
  match(9, ['17:00', null], { outcome: 'walkover' }),
]

test('each match is as late as it began after its time, and a match without a time is never late', () => {
  const played = playedOf(evening)
  expect(played.map(({ match: { number }, late, took }) => [number, late, took])).toEqual([
    [2, -5, 50],
    [1, 2, 28],
    [3, 20, 20],
    [4, null, null],
  ])
  expect(played.filter(isLate).map(({ match: { number } }) => number)).toEqual([3])
  expect(latestOf(played)?.match.number).toBe(3)
  expect(latestOf(playedOf([match(1, [null, '18:00'])]))).toBeUndefined()
})

test('groups tell how far they are, what was planned and what was played; byes, walkovers and cancelled matches are in none', () => {
  const groups = groupsOf([...evening].reverse(), ({ round }) => `Round ${round}`)
  expect(groups.map(({ played, latest, ...rest }) => ({ ...rest, played: played.length, late: latest?.late }))).toEqual(
    [
      {
        name: 'Round 1',
        count: 2,
        played: 2,
        planned: at('18:00'),
        began: at('17:55'),
        usual: 28,
        ended: at('18:45'),
        late: 2,
      },
      {
        name: 'Round 2',
        count: 3,
        played: 2,
        planned: at('18:30'),
        began: at('18:50'),
        usual: 20,
        ended: null,
        late: 20,
      },
    ],
  )
})

test('what was not played as planned gets the next five minutes as its time', () => {
  expect([...playedTimes(playedOf([...evening, match(8, ['18:05', '18:02'])]))]).toEqual([
    ['m2', at('17:55')],
    ['m1', at('18:05')],
    ['m3', at('18:50')],
    ['m4', at('19:10')],
  ])
})

test('an evening is from its first match to its last, as planned and as played, with the most matches of one time', () => {
  expect(eveningOf(evening)).toEqual({
    planned: { from: at('18:00'), to: at('19:00') },
    played: { from: at('17:55'), to: at('19:10'), over: at('19:10') },
    atOnce: 2,
    teams: 0,
  })
  expect(eveningOf([match(1, [null])])).toMatchObject({ planned: null, played: null, atOnce: 0 })
})
