import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, makeMatches, makeSheet, problem, respond, says, span } from '../../../../test/availability.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makeTeam, makeTournament } from '../../../../test/make.ts'
import {
  answerFor,
  free,
  makeOfficial,
  makeTable,
  makeTeamSheet,
  placed,
  unplaced,
} from '../../../../test/schedules.ts'
import { until } from '../../../../test/waiting.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

describe('a proposal', () => {
  test('places a bracket in its order, one match at a time, where nobody was asked', async () => {
    const table = await makeTable(api)
    const proposal = await table.proposed()
    expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 19–20 Stream 1', '3 20–21 Stream 1'])
    expect(proposal).toMatchObject({ guid: expect.any(String), unplaced: [], appliedAt: null })
    expect(proposal.placements[0]).toMatchObject({
      matchGuid: table.guids.get(1),
      startsAt: at(18),
      endsAt: at(19),
      teams: ['available', 'available'],
      officials: [],
    })
    expect(proposal.placements[2].teams).toEqual([null, null])
    for (const { reason } of proposal.placements) expect(reason).toMatch(/\w+.*\.$/)
    expect(proposal.fairness.teams).toHaveLength(4)
  })

  test('is the same for the same question, and can be read again', async () => {
    const table = await makeTable(api)
    const [one, other] = [await table.proposed(), await table.proposed()]
    const { guid, createdAt, ...same } = one
    expect(other).toMatchObject(same)
    expect(other.guid).not.toBe(guid)
    expect((await api.get(`${table.proposals}/${guid.toUpperCase()}`, table.organiser)).body).toEqual(one)
  })

  test('leaves the rest between matches of a team', async () => {
    const table = await makeTable(api)
    const proposal = await table.proposed({}, { minRestMinutes: 45, streams: 2 })
    expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 18–19 Stream 2', '3 19.75–20.75 Stream 1'])
  })

  test('keeps to the times of teams that a sheet asks; one without an answer gave none', async () => {
    const table = await makeTable(api)
    const sheet = await makeTeamSheet(api, table)
    const [one, two, three, four] = table.teams
    await answerFor(api, sheet, one as never, free)
    await answerFor(api, sheet, four as never, [says('would_rather_not', 18, 20), says('available', 20, 21)])
    await answerFor(api, sheet, two as never, free)
    const proposal = await table.proposed({ sheets: [sheet.guid] })
    expect(placed(proposal)).toEqual(['1 20–21 Stream 1'])
    expect(unplaced(proposal)).toEqual(['2 team_without_time', '3 match_before'])
    expect(proposal.unplaced[0].reason).toContain(three?.name)
    expect(proposal.fairness.teams).toContainEqual({
      teamGuid: four?.guid,
      matches: 1,
      maybe: 0,
      wouldRatherNot: 0,
    })
  })

  test('takes teams for free whom the sheets do not ask, whatever they answered before', async () => {
    const table = await makeTable(api)
    const sheet = await makeTeamSheet(api, table, { teamEligibility: 'registered' })
    const [one, two, three, four] = table.teams
    for (const team of [one, two, three]) await answerFor(api, sheet, team as never, [says('available', 20, 22)])
    await answerFor(api, sheet, four as never, [says('unavailable', 18, 22)])
    await api.sql(`update teams set status = 'qualified' where guid = any($1)`, [[one?.guid, four?.guid]])
    const proposal = await table.proposed({ sheets: [sheet.guid], matches: [table.guids.get(1), table.guids.get(2)] })
    expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 20–21 Stream 1'])
  })

  test('finds officials who gave the time, none of them in two places, and spreads the burden', async () => {
    const table = await makeTable(api)
    const sheet = await makeSheet(api, table.cup, table.organiser)
    const one = await makeOfficial(api, table.cup, sheet, [says('would_rather_not', 18, 22)])
    const other = await makeOfficial(api, table.cup, sheet, [says('would_rather_not', 18, 22)])
    const caster = await makeOfficial(api, table.cup, sheet, free, 'role:caster')
    const proposal = await table.proposed(
      { sheets: [sheet.guid], matches: [table.guids.get(1), table.guids.get(2)] },
      { streams: 2, officialsPerMatch: { 'role:referee': 1, 'role:caster': 1 } },
    )
    const crews = proposal.placements.map(({ officials }: { officials: { user: { guid: string }; role: string }[] }) =>
      officials.map(({ user, role }) => [role, user.guid]),
    )
    expect(crews.map((crew: string[][]) => crew[0])).toEqual([
      ['role:caster', caster.guid],
      ['role:caster', caster.guid],
    ])
    expect(crews.map((crew: string[][]) => crew[1]?.[1]).sort()).toEqual([one.guid, other.guid].sort())
    expect(placed(proposal).map((text) => text.slice(2, 7))).toEqual(['18–19', '19–20'])
    expect(proposal.fairness.officials).toEqual(
      [
        { userGuid: one.guid, matches: 1, maybe: 0, wouldRatherNot: 1 },
        { userGuid: other.guid, matches: 1, maybe: 0, wouldRatherNot: 1 },
        { userGuid: caster.guid, matches: 2, maybe: 0, wouldRatherNot: 0 },
      ].sort((a, b) => (a.userGuid < b.userGuid ? -1 : 1)),
    )
  })

  test('takes nobody who lost the role, or whom the sheet no longer asks, and tells for want of whom', async () => {
    const table = await makeTable(api, { teams: 2 })
    const [sheet, shut] = [
      await makeSheet(api, table.cup, table.organiser),
      await makeSheet(api, table.cup, table.organiser),
    ]
    const gone = await makeOfficial(api, table.cup, sheet, free)
    await makeOfficial(api, table.cup, shut, free)
    await api.sql('delete from tournament_role_holders where user_guid = $1', [gone.guid])
    await api.sql(`update availability_sheets set roles = '{role:caster}' where guid = $1`, [shut.guid])
    const proposal = await table.proposed(
      { sheets: [sheet.guid, shut.guid] },
      { officialsPerMatch: { 'role:referee': 1 } },
    )
    expect(unplaced(proposal)).toEqual(['1 officials'])
    expect(proposal.unplaced[0].reason).toContain('referee (at most 0 of 1)')
  })

  test('hears officials who answered for matches, the worse of two answers', async () => {
    const table = await makeTable(api)
    const first = table.guids.get(1) as string
    const matchGuids = [first, table.guids.get(2) as string]
    const changes = { mode: 'matches', matchGuids }
    const [sheet, second] = [
      await makeSheet(api, table.cup, table.organiser, changes),
      await makeSheet(api, table.cup, table.organiser, changes),
    ]
    const official = await makeOfficial(
      api,
      table.cup,
      sheet,
      matchGuids.map((matchGuid) => ({ matchGuid, status: 'available' })),
    )
    const answer = [{ matchGuid: first, status: 'unavailable' }]
    expect(problem(await respond(api, second, official, answer, 'role:referee'))).toEqual([200, null])
    for (const sheets of [
      [sheet.guid, second.guid],
      [second.guid, sheet.guid],
    ]) {
      const proposal = await table.proposed(
        { sheets, matches: matchGuids },
        { officialsPerMatch: { 'role:referee': 1 } },
      )
      expect(placed(proposal)).toEqual(['2 18–19 Stream 1'])
      expect(unplaced(proposal)).toEqual(['1 officials'])
    }
  })

  test('keeps out of the way of what has a time, for teams, officials and streams', async () => {
    const table = await makeTable(api)
    const sheet = await makeSheet(api, table.cup, table.organiser)
    const official = await makeOfficial(api, table.cup, sheet, free)
    const [one] = table.teams
    const [, , hers, anybodys] = [
      ...(await makeMatches(api, table.cup, [
        {},
        { teams: [one as never, null], scheduledAt: at(18) },
        { scheduledAt: at(19) },
        { scheduledAt: at(20) },
      ])),
    ]
    await api.sql('insert into match_officials (match_guid, user_guid, role) values ($1, $2, $3)', [
      hers,
      official.guid,
      'role:host',
    ])
    const first = [table.guids.get(1)]
    const streams = ['https://tv.example/one', 'Two']
    await api.sql('update matches set stream_url = $2 where guid = $1', [anybodys, streams[0]])
    const when = async (rules: object, sheets: string[] = []) =>
      placed(await table.proposed({ matches: first, sheets }, rules))
    expect(await when({ streams: 3 })).toEqual(['1 19–20 Stream 2'])
    expect(await when({ streams: 1 })).toEqual(['1 21–22 Stream 1'])
    expect(await when({ streams: 3, minRestMinutes: 30 })).toEqual(['1 19.5–20.5 Stream 2'])
    expect(await when({ streams: 3, officialsPerMatch: { 'role:referee': 1 } }, [sheet.guid])).toEqual([
      '1 20–21 Stream 2',
    ])
    expect(await when({ streams, earliest: at(20) })).toEqual(['1 20–21 Two'])
    expect(await when({ streams: streams.slice(0, 1), earliest: at(20) })).toEqual(['1 21–22 https://tv.example/one'])
  })

  test('counts a match that goes on from when it began', async () => {
    const table = await makeTable(api)
    await api.sql(`update matches set status = 'running', started_at = $2 where guid = $1`, [
      table.guids.get(1),
      at(18.5),
    ])
    const proposal = await table.proposed({ matches: [table.guids.get(3)] }, { minRestMinutes: 15 })
    expect([placed(proposal), unplaced(proposal)]).toEqual([[], ['3 match_before']])
    const later = await table.proposed({ matches: [table.guids.get(2), table.guids.get(3)] }, { minRestMinutes: 15 })
    expect(placed(later)).toEqual(['2 19.5–20.5 Stream 1', '3 20.75–21.75 Stream 1'])
  })

  test('is between what feeds a match and what it feeds, where these have times', async () => {
    const table = await makeTable(api)
    const patch = (number: number, hour: number) =>
      api.patch(table.match(number), table.organiser, { scheduledAt: at(hour) })
    await patch(1, 18)
    await patch(2, 18.5)
    const final = [table.guids.get(3)]
    expect(placed(await table.proposed({ matches: final }, { streams: 9 }))).toEqual(['3 19.5–20.5 Stream 1'])
    await patch(3, 20)
    const again = await table.proposed(
      { matches: [table.guids.get(2)] },
      { streams: 9, earliest: at(18.75), minRestMinutes: 15 },
    )
    expect([placed(again), unplaced(again)]).toEqual([['2 18.75–19.75 Stream 2'], []])
    const tooLate = await table.proposed({ matches: [table.guids.get(2)] }, { streams: 9, earliest: at(19.25) })
    expect(unplaced(tooLate)).toEqual(['2 order'])
  })

  test('goes through byes: what comes before them comes before what they feed', async () => {
    // Three teams in a double elimination: the loser of the first match finally meets the loser of the second.
    const table = await makeTable(api, { teams: 3, format: 'double_elimination' })
    const open = await api.sql<{ number: number; is_bye: boolean }>(
      `select number, sides @> '[{"bye": true}]' as is_bye from matches
       where bracket_guid = $1 and status not in ('completed', 'cancelled') order by number`,
      [table.bracket.guid],
    )
    const played = open.filter(({ is_bye }) => !is_bye).map(({ number }) => number)
    const proposal = await table.proposed(
      { matches: played.map((number) => table.guids.get(number)) },
      { streams: 9, latest: at(42) },
    )
    expect(unplaced(proposal)).toEqual([])
    expect(placed(proposal).map((text) => Number(text.split(' ')[0]))).toEqual(played)
    const starts = proposal.placements.map(({ startsAt }: { startsAt: string }) => startsAt)
    expect(new Set(starts).size).toBe(played.length)
    for (const { number, is_bye } of open.filter((match) => match.is_bye)) {
      expect(is_bye).toBe(true)
      expect(problem(await table.propose({ matches: [table.guids.get(number)] }))).toEqual([409, 'schedule.match_over'])
    }
  })

  test('of a round takes what is still to be played in it', async () => {
    const table = await makeTable(api, { teams: 8 })
    await api.post(`${table.match(1)}/start`, table.organiser, {})
    const round = { bracketGuid: table.bracket.guid, section: 'upper', number: 1 }
    expect(placed(await table.proposed({ round }, { streams: ['A', 'B', 'C'], earliest: at(20) }))).toEqual([
      ...['2 20–21 A', '3 20–21 B', '4 20–21 C'],
    ])
    for (const number of [2, 3, 4]) await api.post(`${table.match(number)}/start`, table.organiser, {})
    expect(problem(await table.propose({ round }))).toEqual([400, 'schedule.invalid'])
    expect(problem(await table.propose({ round: { ...round, number: 9 } }))).toEqual([400, 'schedule.invalid'])
    expect(problem(await table.propose({ round: { ...round, bracketGuid: nobody } }))).toEqual([404, 'bracket.unknown'])
    expect(problem(await table.propose({ matches: [table.guids.get(1)] }))).toEqual([409, 'schedule.match_over'])
  })

  test('ends with matches whose length is no whole number of quarters of an hour at the last time', async () => {
    const table = await makeTable(api, { teams: 2 })
    const sheet = await makeTeamSheet(api, table, { windows: [span(18, 23)] })
    for (const team of table.teams) await answerFor(api, sheet, team, [says('available', 18, 23)])
    const rules = { minutesPerMatch: 50, earliest: at(21), latest: new Date(Date.parse(at(21)) + 50 * 60_000) }
    for (const sheets of [[], [sheet.guid]]) {
      expect((await table.proposed({ sheets }, rules)).placements[0].startsAt).toBe(at(21))
    }
  })

  test('of which a tournament keeps the newest twenty', async () => {
    const table = await makeTable(api, { teams: 2 })
    const first = await table.proposed()
    await api.sql(
      `insert into schedule_proposals (tournament_guid, created_by_guid, wish, schedule, digest, created_at)
       select tournament_guid, created_by_guid, wish, schedule, digest, created_at + n * interval '1 millisecond'
       from schedule_proposals, generate_series(1, 18) n where guid = $1`,
      [first.guid],
    )
    await table.proposed()
    expect((await api.get(`${table.proposals}/${first.guid}`, table.organiser)).status).toBe(200)
    await table.proposed()
    expect(problem(await api.get(`${table.proposals}/${first.guid}`, table.organiser))).toEqual([
      ...[404, 'proposal.unknown'],
    ])
  })
})

describe('working it out', () => {
  /** Creates so much data that the calculation takes a while. */
  async function makeMuch() {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser, { status: 'ongoing' })
    const captains = await Promise.all(Array.from({ length: 10 }, () => api.user()))
    const teams = await Promise.all(captains.map((captain) => makeTeam(api, cup, captain, { status: 'registered' })))
    const pairs = teams.flatMap((one, index) => teams.slice(index + 1).map((other) => [one, other] as const))
    const matches = await makeMatches(
      api,
      cup,
      pairs.map((pair) => ({ teams: pair })),
    )
    const rules = { minutesPerMatch: 60, minRestMinutes: 600, streams: 4, earliest: at(0), latest: at(24 * 40) }
    const propose = () =>
      api.post(`/tournaments/${cup.guid}/schedule/proposals`, organiser, { matches, sheets: [], rules })
    return { cup, propose }
  }

  test('lets others be answered, and takes no more than a few at once', async () => {
    const { cup, propose } = await makeMuch()
    const started = performance.now()
    let done = 0
    const replies = Array.from({ length: 16 }, async () => {
      const reply = await propose()
      done += 1
      return problem(reply)
    })
    await setTimeout(200)
    const waits: number[] = []
    while (done < 16) {
      const asked = performance.now()
      expect((await api.get(`/tournaments/${cup.guid}`)).status).toBe(200)
      waits.push(performance.now() - asked)
      await setTimeout(20)
    }
    const outcomes = await Promise.all(replies)
    const took = performance.now() - started
    expect(outcomes.filter(([status]) => status === 201).length).toBeGreaterThan(0)
    expect(outcomes.filter(([, code]) => code === 'service.busy').length).toBeGreaterThan(0)
    expect(outcomes.every(([status]) => status === 201 || status === 503)).toBe(true)
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThan(took / 16)
  })

  test('ends with the service', async () => {
    const other = await startHarness()
    const organiser = await other.user()
    const cup = await makeTournament(other, organiser, { status: 'ongoing' })
    const matches = await makeMatches(other, cup, new Array(200).fill({}))
    const rules = { minutesPerMatch: 15, streams: 16, earliest: at(0), latest: at(24 * 60) }
    const reply = other.post(`/tournaments/${cup.guid}/schedule/proposals`, organiser, { matches, sheets: [], rules })
    await until(async () => (await other.sql('select 1')).length === 1)
    await setTimeout(150)
    const started = performance.now()
    await other[Symbol.asyncDispose]()
    expect([201, 503]).toContain((await reply).status)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
