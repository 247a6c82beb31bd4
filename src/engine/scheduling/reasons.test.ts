import { describe, expect, test } from 'vitest'
import { all, at, can, type Given, match, propose, referee, times } from '../../../test/engine/evening.ts'
import type { Schedule } from './types.ts'

describe('the reason of a place', () => {
  const reasons = ({ placements }: Schedule) => placements.map(({ reason }) => reason)

  test('tells who can, how many slots there were, and that it is the first', () => {
    expect(reasons(propose({ matches: [match(1, ['a', 'b'])], teams: { a: all, b: [can(18, 19.5)] } }))).toEqual([
      'Both teams are available. There are 3 slots that suit the teams; this is the first choice.',
    ])
    expect(
      reasons(
        propose({
          matches: [match(1, ['a', null])],
          teams: { a: [can(18, 19.5, 'maybe')] },
          officials: [referee('r', can(18.5, 22, 'would_rather_not'))],
          rules: { officialsPerMatch: { referee: 1 } },
          names: { a: 'alpha' },
        }),
      ),
    ).toEqual([
      'alpha may be available; the other team is not known yet. The official would rather not. ' +
        'There are 3 slots that suit the team, 1 of them with officials; this is the first choice.',
    ])
  })

  test('counts the officials who are not simply available', () => {
    const found = propose({
      matches: [match(1, [null, null])],
      officials: [
        referee('r', ...all),
        referee('s', can(18, 19, 'maybe')),
        referee('t', can(18, 19, 'would_rather_not')),
      ],
      rules: { officialsPerMatch: { referee: 3 }, latest: at(19) },
    })
    expect(reasons(found)).toEqual([
      'The teams are not known yet. Of 3 officials 1 may be available and 1 would rather not. ' +
        'There is 1 slot in the window; this is the first choice.',
    ])
  })

  test('tells what became of the better slots', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['a', 'c'], { after: ['m1'] }), match(3, ['d', 'c'])],
      teams: { a: all, b: all, c: [can(18, 22)], d: [can(18, 22, 'maybe')] },
      officials: [referee('r', ...all), referee('s', can(19, 22, 'would_rather_not'))],
      rules: { officialsPerMatch: { referee: 1 }, streams: ['Main', 'Side'], minRestMinutes: 0 },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'], m3: [20, 'Main'] })
    expect(reasons(found)[2]).toBe(
      'd may be available and c is available. The official is available. There are 13 slots that suit the teams, all with ' +
        'officials; 8 better ones were passed over: 7 because a team plays or rests and 1 for want of officials.',
    )
  })

  test('counts slots at which people in it are elsewhere, in other matches or before', () => {
    const people = ['x']
    const found = propose({
      matches: [match(1, ['a', 'b'], { people }), match(2, [null, null], { people }), match(3, ['c', null])],
      teams: { a: all, b: all, c: all },
      busy: { officials: { x: [[18, 19]] } },
      rules: { streams: ['Main', 'Side'] },
    })
    expect(times(found)).toEqual({ m1: [19, 'Main'], m2: [20, 'Main'], m3: [18, 'Main'] })
    expect(reasons(found).slice(1)).toEqual([
      'Both teams are available. There are 9 slots that suit the teams and the people in it; this is the first choice.',
      'The teams are not known yet. There are 9 slots that suit the people in it; 4 better ones were passed over: ' +
        '4 because people in it are elsewhere.',
    ])
  })

  test('counts streams that are taken', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['c', 'd'])],
      teams: { a: all, b: all, c: all, d: all },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'] })
    expect(reasons(found)[1]).toBe(
      'Both teams are available. There are 13 slots that suit the teams; 4 better ones were passed over: ' +
        '4 because every stream is taken.',
    )
  })

  test('counts slots that a match before or after it forbids', () => {
    // The team of match 1 prefers 18:30, but then the other match would have no suitable time.
    const found = propose({
      matches: [match(1, ['a', null]), match(2, ['b', null], { after: ['m1'] })],
      teams: {
        a: [can(18, 18.5, 'maybe'), can(18.5, 19.5)],
        b: [can(19, 20), can(20.25, 21.25, 'would_rather_not')],
      },
      rules: { streams: ['Main', 'Side'], minRestMinutes: 0 },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'] })
    expect(reasons(found)[0]).toBe(
      'a may be available; the other team is not known yet. There are 3 slots that suit the team; ' +
        '1 better one was passed over: 1 because a match after it follows.',
    )
    const waiting = propose({
      matches: [match(1, ['a', null]), match(2, [null, null], { after: ['m1'] })],
      teams: { a: [can(18, 19, 'maybe'), can(19, 20)] },
      rules: { streams: ['Main', 'Side'], minRestMinutes: 0 },
    })
    expect(times(waiting)).toEqual({ m1: [19, 'Main'], m2: [20, 'Main'] })
    expect(reasons(waiting)[1]).toBe(
      'The teams are not known yet. There are 13 slots in the window; ' +
        '4 better ones were passed over: 4 because a match before it is not over.',
    )
  })

  test('counts slots at which somebody would put up with too much', () => {
    const found = propose({
      matches: [match(1, [null, null]), match(2, [null, null])],
      officials: [referee('r', can(18, 20, 'would_rather_not')), referee('s', can(20, 21, 'would_rather_not'))],
      rules: { officialsPerMatch: { referee: 1 } },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [20, 'Main'] })
    expect(reasons(found)[1]).toBe(
      'The teams are not known yet. The official would rather not. There are 13 slots in the window, 6 of them with ' +
        'officials; 5 better ones were passed over: 4 because every stream is taken and ' +
        '1 because people would put up with more.',
    )
  })
})

describe('a match without a place', () => {
  const refusals = (given: Given) => propose(given).unplaced.map(({ match: id, code, reason }) => [id, code, reason])
  const given = { matches: [match(1, ['a', 'b'])], teams: { a: all, b: all }, names: { a: 'Alpha', b: 'Beta' } }

  test.each<[string, Partial<Given>, string, string]>([
    [
      'a window shorter than a match',
      { rules: { latest: at(18.75) } },
      'window_too_short',
      'No match of 60 minutes fits between the earliest and the latest time.',
    ],
    [
      'a team that gave too little time',
      { teams: { a: all, b: [can(18, 18.75), can(12, 18)] } },
      'team_without_time',
      'Beta gave no time of 60 minutes in the window.',
    ],
    [
      'teams that gave no time',
      { teams: {} },
      'team_without_time',
      'Alpha and Beta gave no time of 60 minutes in the window.',
    ],
    [
      'teams whose times do not meet',
      { teams: { a: [can(18, 20)], b: [can(19.25, 22)] } },
      'no_common_time',
      'Alpha and Beta gave no time of 60 minutes in common.',
    ],
    [
      'bounds of its own that leave no time',
      { matches: [match(1, ['a', 'b'], { notBefore: at(21.25) })] },
      'order',
      'The matches before and after it leave no time that it could have.',
    ],
    [
      'teams that play elsewhere',
      { busy: { teams: { a: [[19, 21]] } } },
      'team_busy',
      'Alpha and Beta play or rest at every time that would suit.',
    ],
    [
      'people in it who are elsewhere by turns',
      {
        matches: [match(1, ['a', 'b'], { people: ['x', 'y'] })],
        busy: { officials: { x: [[18, 20]], y: [[20, 22]] } },
      },
      'people',
      'In all 13 slots that suit the teams somebody who plays or works in it is elsewhere.',
    ],
    [
      'somebody in it who is elsewhere, where no team is known',
      {
        matches: [match(1, [null, null], { people: ['x'] })],
        busy: { officials: { x: [[18, 19]] } },
        rules: { latest: at(19) },
      },
      'people',
      'In the only slot of the window somebody who plays or works in it is elsewhere.',
    ],
    [
      'streams that are taken when the people in it are not elsewhere',
      {
        matches: [match(1, ['a', 'b'], { people: ['x'] })],
        busy: { officials: { x: [[18, 20]] }, streams: { Main: [[20, 22]] } },
      },
      'streams',
      'No stream is free in all 5 slots that suit the teams and the people in it.',
    ],
    [
      'officials who play in it themselves',
      {
        matches: [match(1, ['a', 'b'], { people: ['r'] })],
        rules: { officialsPerMatch: { referee: 1 } },
        officials: [referee('r', ...all)],
      },
      'officials',
      'In all 13 slots that suit the teams officials are missing: referee (at most 0 of 1).',
    ],
    ['no stream at all', { rules: { streams: [] } }, 'streams', 'There is no stream to play on.'],
    [
      'streams that are taken',
      { busy: { streams: { Main: [[17, 23]] } } },
      'streams',
      'No stream is free in all 13 slots that suit the teams.',
    ],
    [
      'officials who are missing',
      {
        rules: { officialsPerMatch: { referee: 2 } },
        officials: [referee('r', ...all)],
        names: { referee: 'Referee' },
      },
      'officials',
      'In all 13 slots that suit the teams officials are missing: Referee (at most 1 of 2).',
    ],
    [
      'officials who are missing in different slots',
      {
        rules: { officialsPerMatch: { referee: 1, caster: 1 }, latest: at(19.5) },
        officials: [
          referee('r', can(18, 19)),
          { id: 'c', roles: [{ role: 'caster', availability: [can(18.25, 19.5)], matches: new Map() }] },
        ],
        busy: { streams: { Main: [[19.25, 23]] } },
      },
      'officials',
      'In all 2 slots that suit the teams and have a stream officials are missing: ' +
        'caster (at most 0 of 1 in 1 of them) and referee (at most 0 of 1 in 1 of them).',
    ],
    [
      'officials who are needed twice',
      {
        rules: { officialsPerMatch: { referee: 1, caster: 1 }, latest: at(19) },
        officials: [
          { id: 'r', roles: ['caster', 'referee'].map((role) => ({ role, availability: all, matches: new Map() })) },
        ],
      },
      'officials',
      'In the only slot that suits the teams the same people are needed in several roles at once.',
    ],
    [
      'a match before it that nobody knows',
      { matches: [match(1, ['a', 'b'], { after: ['m9'] })] },
      'match_before',
      'A match before it is neither scheduled nor part of this proposal.',
    ],
  ])('tells of %s', (_, more, code, reason) => {
    expect(refusals({ ...given, ...more })).toEqual([['m1', code, reason]])
  })

  test('tells of the match before it, and of a circle', () => {
    expect(
      refusals({ matches: [match(4, ['a', null]), match(7, [null, null], { after: ['m4'] })] }).map(
        ([, ...rest]) => rest,
      ),
    ).toEqual([
      ['team_without_time', 'a gave no time of 60 minutes in the window.'],
      ['match_before', 'Match 4, which must come before it, could not be placed.'],
    ])
    const circle = [match(1, [null, null], { after: ['m2'] }), match(2, [null, null], { after: ['m1'] })]
    expect(refusals({ matches: circle }).map(([, code]) => code)).toEqual(['match_before', 'match_before'])
  })

  test('tells that too little time is left after the match before it', () => {
    const chain = [1, 2, 3, 4].map((number) =>
      match(number, [null, null], { after: number === 1 ? [] : [`m${number - 1}`] }),
    )
    expect(refusals({ matches: chain })).toEqual([
      ['m4', 'order', 'The matches before and after it leave no time that it could have.'],
    ])
  })

  test('tells what the others hold', () => {
    const short = { latest: at(19.25) }
    expect(refusals({ matches: [match(1, [null, null]), match(2, [null, null])], rules: short })).toEqual([
      [
        'm2',
        'taken',
        'Other matches hold what it needs in all of its 2 possible slots: 2 because every stream is taken.',
      ],
    ])
    const one = { ...short, streams: ['Main', 'Side'], officialsPerMatch: { referee: 1 }, latest: at(19) }
    expect(
      refusals({
        matches: [match(1, [null, null]), match(2, [null, null])],
        officials: [referee('r', ...all)],
        rules: one,
      }),
    ).toEqual([['m2', 'taken', 'Other matches hold what it needs in its only possible slot: 1 for want of officials.']])
    const shared = [1, 2].map((number) => match(number, [null, null], { people: ['x'] }))
    expect(refusals({ matches: shared, rules: { ...short, streams: ['Main', 'Side'] } })).toEqual([
      [
        'm2',
        'taken',
        'Other matches hold what it needs in all of its 2 possible slots: 2 because people in it are elsewhere.',
      ],
    ])
  })
})
