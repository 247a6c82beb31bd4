import { describe, expect, test } from 'vitest'
import { all, at, can, match, minute, propose, referee, times } from '../../test/engine/evening.ts'
import type { Answered, Official, Schedule, Willing } from './scheduling/types.ts'

describe('times', () => {
  test('matches follow each other on a stream in the order of their numbers', () => {
    const teams = { a: all, b: all, c: all, d: all, e: all, f: all }
    const found = propose({ matches: [match(3, ['a', 'b']), match(1, ['c', 'd']), match(2, ['e', 'f'])], teams })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'], m3: [20, 'Main'] })
    expect(found.placements.map(({ match: id, end }) => [id, end])).toEqual([
      ['m1', at(19)],
      ['m2', at(20)],
      ['m3', at(21)],
    ])
  })

  test('as many matches as there are streams are played at once, the first stream first', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['c', 'd']), match(3, [null, null])],
      teams: { a: all, b: all, c: all, d: all },
      rules: { streams: ['Main', 'Side'] },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [18, 'Side'], m3: [19, 'Main'] })
  })

  test('a team rests between its matches', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['b', 'c'])],
      teams: { a: all, b: all, c: all },
      rules: { streams: ['Main', 'Side'], minRestMinutes: 20 },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19.5, 'Main'] })
  })

  test('a match follows those that feed it, after the rest of their teams', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['c', 'd']), match(3, [null, null], { after: ['m1', 'm2'] })],
      teams: { a: all, b: [can(19, 22)], c: all, d: all },
      rules: { streams: ['Main', 'Side'] },
    })
    expect(times(found)).toEqual({ m1: [19, 'Main'], m2: [18, 'Main'], m3: [20.5, 'Main'] })
  })

  test('a match keeps to its own bounds, and starts at a quarter', () => {
    const found = propose({
      matches: [
        match(1, [null, null], { notBefore: at(18) + minute }),
        match(2, [null, null], { notAfter: at(20) }),
        match(3, ['a', null]),
      ],
      teams: { a: all },
      rules: { streams: ['Main', 'Side'], earliest: at(17) + 50 * minute },
    })
    expect(times(found)).toEqual({ m1: [18.25, 'Side'], m2: [18, 'Main'], m3: [19, 'Main'] })
  })

  test('what is scheduled already keeps its teams with their rest, its officials and its stream', () => {
    const given = { matches: [match(1, ['a', 'b'])], teams: { a: all, b: all } }
    const whistle = { officials: [referee('r', can(18, 22))], rules: { officialsPerMatch: { referee: 1 } } }
    expect(times(propose({ ...given, busy: { teams: { b: [[18, 19]] } } }))).toEqual({ m1: [19.5, 'Main'] })
    expect(times(propose({ ...given, ...whistle, busy: { officials: { r: [[18, 19]] } } }))).toEqual({
      m1: [19, 'Main'],
    })
    expect(times(propose({ ...given, busy: { streams: { Main: [[18.5, 19.1]] } } }))).toEqual({ m1: [19.25, 'Main'] })
    expect(times(propose({ ...given, busy: { streams: { Main: [[17, 17.75]] } } }))).toEqual({ m1: [18, 'Main'] })
  })

  test('who has fewer slots does not go first where all have theirs in the order of the numbers', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['c', 'd'])],
      teams: { a: all, b: all, c: [can(18, 20)], d: all },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'] })
  })

  test('the match with the fewest slots does not lose them to another', () => {
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['c', 'd'])],
      teams: { a: all, b: all, c: [can(18, 19)], d: all },
    })
    expect(times(found)).toEqual({ m1: [19, 'Main'], m2: [18, 'Main'] })
  })

  test('a match that stands first moves on when that is how all find a place', () => {
    // Each match has two slots; only one assignment places all matches.
    const found = propose({
      matches: [match(1, ['a', null]), match(2, ['b', null]), match(3, ['c', null])],
      teams: { a: [can(18, 19), can(20, 21)], b: [can(18, 19), can(19, 20)], c: [can(18, 19)] },
    })
    expect(times(found)).toEqual({ m1: [20, 'Main'], m2: [19, 'Main'], m3: [18, 'Main'] })
  })

  test('two matches do not displace one that must come before a third', () => {
    const found = propose({
      matches: [
        match(1, ['a', 'b']),
        match(2, [null, null], { after: ['m1'] }),
        match(3, ['a', null], { notAfter: at(19) }),
        match(4, ['b', null], { notAfter: at(19) }),
      ],
      teams: { a: [can(18, 19)], b: [can(18, 19)] },
      rules: { streams: ['Main', 'Side'] },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19.5, 'Main'] })
  })
})

describe('answers', () => {
  test('a later time that all are available for goes before one that a team may, then before one that it would rather not', () => {
    const given = (b: Answered[]) => ({ matches: [match(1, ['a', 'b'])], teams: { a: all, b } })
    const rather = can(18, 19, 'would_rather_not')
    const maybe = can(19, 20, 'maybe')
    expect(times(propose(given([rather, maybe, can(20, 22)])))).toEqual({ m1: [20, 'Main'] })
    expect(times(propose(given([rather, maybe])))).toEqual({ m1: [19, 'Main'] })
    expect(times(propose(given([rather])))).toEqual({ m1: [18, 'Main'] })
  })

  test('one match does not get its best time where that costs another more', () => {
    const found = propose({
      matches: [match(1, ['a', null]), match(2, ['b', null])],
      teams: {
        a: [can(18, 19), can(19, 20, 'would_rather_not')],
        b: [can(18, 19), can(19, 20, 'maybe')],
      },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'] })
  })

  test('a match makes way where that is better for all together', () => {
    const found = propose({
      matches: [match(1, ['a', null]), match(2, ['b', null])],
      teams: {
        a: [can(18, 19), can(19, 20, 'maybe')],
        b: [can(18, 19), can(19, 20, 'would_rather_not')],
      },
    })
    expect(times(found)).toEqual({ m1: [19, 'Main'], m2: [18, 'Main'] })
  })

  test('officials are asked after teams', () => {
    const found = propose({
      matches: [match(1, ['a', null])],
      teams: { a: [can(18, 19, 'maybe'), can(19, 20)] },
      officials: [referee('r', can(18, 19), can(19, 20, 'would_rather_not'))],
      rules: { officialsPerMatch: { referee: 1 } },
    })
    expect(times(found)).toEqual({ m1: [19, 'Main'] })
    expect(found.placements[0]?.officials).toEqual([{ id: 'r', role: 'referee', status: 'would_rather_not' }])
  })

  test('the worst answer of a time holds, where answers overlap and where a match spans several', () => {
    const found = (...answers: Answered[]) =>
      propose({ matches: [match(1, ['a', null])], teams: { a: answers } }).placements[0]?.teams[0] ?? null
    expect(found(can(18, 22), can(18, 22, 'maybe'))).toBe('maybe')
    expect(found(can(18, 18.5), can(18.5, 19, 'would_rather_not'))).toBe('would_rather_not')
    expect(found(can(18, 19), can(18.75, 19, 'unavailable'))).toBeNull()
    expect(found(can(18, 18.75), can(19, 19.75))).toBeNull()
  })

  test('an answer for a match stands in where an official answered for no time, and never betters another', () => {
    const found = (status: Answered['status'], ...availability: Answered[]): Willing | null => {
      const roles = [{ role: 'referee', availability, matches: new Map([['m1', status]]) }]
      const officials = [{ id: 'r', roles }]
      const given = { matches: [match(1, [null, null])], officials, rules: { officialsPerMatch: { referee: 1 } } }
      return propose(given).placements[0]?.officials[0]?.status ?? null
    }
    expect(found('available')).toBe('available')
    expect(found('maybe', can(18, 22))).toBe('maybe')
    expect(found('available', can(18, 22, 'would_rather_not'))).toBe('would_rather_not')
    expect(found('available', can(18, 22, 'unavailable'))).toBeNull()
    expect(found('unavailable', can(18, 22))).toBeNull()
    expect(found('available', can(18.25, 18.5, 'unavailable'), can(18.5, 22, 'maybe'))).toBe('maybe')
  })

  test('nobody is official in two roles of a match, nor in one that they did not answer for', () => {
    const both = (id: string): Official => ({
      id,
      roles: ['caster', 'referee'].map((role) => ({ role, availability: all, matches: new Map() })),
    })
    const found = propose({
      matches: [match(1, [null, null])],
      officials: [both('x'), referee('y', ...all)],
      rules: { officialsPerMatch: { referee: 1, caster: 1 } },
    })
    expect(found.placements[0]?.officials.map(({ id, role }) => [id, role])).toEqual([
      ['x', 'caster'],
      ['y', 'referee'],
    ])
  })
})

describe('people whom a match holds already', () => {
  const two = { streams: ['Main', 'Side'] }
  const one = { officialsPerMatch: { referee: 1 } }
  const crews = ({ placements }: Schedule) =>
    Object.fromEntries(placements.map(({ match: id, officials }) => [id, officials.map((each) => each.id)]))

  test('are not its officials, as willing as they may be', () => {
    const matches = [match(1, [null, null], { people: ['x'] }), match(2, [null, null], { people: ['z'] })]
    const officials = [referee('x', can(18, 22)), referee('y', can(18, 22, 'would_rather_not'))]
    expect(crews(propose({ matches, officials, rules: one }))).toEqual({ m1: ['y'], m2: ['x'] })
  })

  test('are not its officials where they answered for that match itself', () => {
    const roles = [{ role: 'referee', availability: all, matches: new Map([['m1', 'available' as const]]) }]
    const found = propose({
      matches: [match(1, [null, null], { people: ['x'] })],
      officials: [{ id: 'x', roles }],
      rules: one,
    })
    expect(found.unplaced.map(({ code }) => code)).toEqual(['officials'])
  })

  test('are no officials of another match at that time', () => {
    const matches = [match(1, [null, null], { people: ['x'] }), match(2, [null, null], { notAfter: at(19) })]
    const given = { matches, officials: [referee('x', can(18, 19)), referee('y', can(18, 22))] }
    expect(times(propose({ ...given, rules: { ...one, ...two } }))).toEqual({ m1: [19, 'Main'], m2: [18, 'Main'] })
    const found = propose({ ...given, rules: { ...one, ...two, latest: at(19.5) } })
    expect(found.placements.length).toBe(1)
  })

  test('are not in two matches at once, and need no rest between them', () => {
    const matches = [match(1, ['a', 'b'], { people: ['host', 'u'] }), match(2, ['c', 'd'], { people: ['v', 'host'] })]
    const teams = { a: all, b: all, c: all, d: all }
    expect(times(propose({ matches, teams, rules: two }))).toEqual({ m1: [18, 'Main'], m2: [19, 'Main'] })
    const apart = matches.map((each) => ({ ...each, people: each.people.filter((id) => id !== 'host') }))
    expect(times(propose({ matches: apart, teams, rules: two }))).toEqual({ m1: [18, 'Main'], m2: [18, 'Side'] })
  })

  test('make way for a match that can be at no other time', () => {
    const found = propose({
      matches: [
        match(1, [null, null], { people: ['p'] }),
        match(2, ['a', null], { people: ['p', 'q'] }),
        match(3, [null, null], { people: ['q'], notAfter: at(20) }),
      ],
      teams: { a: [can(18, 19)] },
      rules: { ...two, latest: at(20) },
    })
    expect(times(found)).toEqual({ m1: [19, 'Main'], m2: [18, 'Main'], m3: [19, 'Side'] })
  })

  test('keep it from the times at which they are elsewhere', () => {
    const given = { matches: [match(1, ['a', 'b'], { people: ['host'] })], teams: { a: all, b: all } }
    const when = (...host: (readonly [number, number])[]) => times(propose({ ...given, busy: { officials: { host } } }))
    expect(when([17.5, 18.5])).toEqual({ m1: [18.5, 'Main'] })
    expect(when([17, 18], [19, 20])).toEqual({ m1: [18, 'Main'] })
    expect(when([18.75, 19.75], [20.5, 21])).toEqual({ m1: [21, 'Main'] })
  })

  test('carry nothing of the proposal', () => {
    const found = propose({ matches: [match(1, [null, null], { people: ['x'] })], officials: [referee('x', ...all)] })
    expect(found.officials).toEqual([{ id: 'x', matches: 0, maybe: 0, wouldRatherNot: 0 }])
  })
})

describe('fairness', () => {
  const four = [1, 2, 3, 4].map((number) => match(number, [null, null]))

  test('what officials would rather not do is spread over them', () => {
    const reluctant = [can(18, 22, 'would_rather_not')]
    const found = propose({
      matches: four,
      officials: ['x', 'y', 'z', 'w'].map((id) => referee(id, ...reluctant)),
      rules: { officialsPerMatch: { referee: 1 } },
    })
    expect(found.officials.map(({ wouldRatherNot }) => wouldRatherNot)).toEqual([1, 1, 1, 1])
  })

  test('a second time of one weighs more than the first times of three others', () => {
    const rather = (id: string, from: number, to: number) => referee(id, can(from, to, 'would_rather_not'))
    const found = propose({
      matches: [match(1, [null, null], { notAfter: at(19) }), match(2, [null, null], { notBefore: at(19) })],
      officials: [
        ...['y', 'z'].map((id) => referee(id, can(18, 20))),
        ...['u', 'v', 'w'].map((id) => rather(id, 20, 21)),
        rather('x', 18, 20),
      ],
      rules: { officialsPerMatch: { referee: 3 } },
    })
    expect(times(found)).toEqual({ m1: [18, 'Main'], m2: [20, 'Main'] })
  })

  test('what teams would rather not do is spread over them, even at a later time', () => {
    // Match 1 is possible at 18, where a would rather not play, or at 20, where b would rather not. In match 2 a has no
    // choice.
    const found = propose({
      matches: [match(1, ['a', 'b']), match(2, ['a', 'c'])],
      teams: {
        a: [can(18, 19, 'would_rather_not'), can(20, 21), can(21, 22, 'would_rather_not')],
        b: [can(18, 19), can(20, 21, 'would_rather_not')],
        c: [can(18, 19), can(21, 22)],
      },
      rules: { minRestMinutes: 0 },
    })
    expect(times(found)).toEqual({ m1: [20, 'Main'], m2: [18, 'Main'] })
    expect(found.teams).toEqual([
      { id: 'a', matches: 2, maybe: 0, wouldRatherNot: 1 },
      { id: 'b', matches: 1, maybe: 0, wouldRatherNot: 1 },
      { id: 'c', matches: 1, maybe: 0, wouldRatherNot: 0 },
    ])
  })

  test('who carries less goes before who carries more, and who is willing before both', () => {
    const found = propose({
      matches: four,
      officials: [referee('x', ...all), referee('y', ...all), referee('z', can(18, 22, 'maybe'))],
      rules: { officialsPerMatch: { referee: 1 } },
    })
    expect(found.officials).toEqual([
      { id: 'x', matches: 2, maybe: 0, wouldRatherNot: 0 },
      { id: 'y', matches: 2, maybe: 0, wouldRatherNot: 0 },
      { id: 'z', matches: 0, maybe: 0, wouldRatherNot: 0 },
    ])
  })
})

test('a problem without matches has an empty schedule', () => {
  expect(propose({ matches: [] })).toEqual({ placements: [], unplaced: [], teams: [], officials: [] })
})
