import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, type MadeSheet, makeMatches, makeSheet, problem, respond, says } from '../../../../test/availability.ts'
import { addBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { type MadeTeam, roleHolder } from '../../../../test/make.ts'
import {
  answerFor,
  captainOf,
  free,
  makeOfficial,
  makeTable,
  makeTeamSheet,
  placed,
  type Table,
  unplaced,
} from '../../../../test/schedules.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const outdated = [409, 'schedule.outdated']
const crew = { 'role:referee': 1, 'role:caster': 1 }

interface Set {
  readonly table: Table
  readonly teamSheet: MadeSheet
  readonly staffSheet: MadeSheet
  readonly referee: Caller
  readonly caster: Caller
  readonly proposal: { readonly guid: string }
  readonly one: MadeTeam
}

/** Teams and officials with answers, and a proposal for the two semi-finals. */
async function makeSet(): Promise<Set> {
  const table = await makeTable(api)
  const [teamSheet, staffSheet] = await Promise.all([
    makeTeamSheet(api, table),
    makeSheet(api, table.cup, table.organiser),
  ])
  const [referee, caster] = await Promise.all([
    makeOfficial(api, table.cup, staffSheet, free),
    makeOfficial(api, table.cup, staffSheet, free, 'role:caster'),
    ...table.teams.map((team) => answerFor(api, teamSheet, team, free)),
  ])
  const proposal = await table.proposed(
    { sheets: [teamSheet.guid, staffSheet.guid], matches: [table.guids.get(1), table.guids.get(2)] },
    { officialsPerMatch: crew },
  )
  expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 19–20 Stream 1'])
  return { table, teamSheet, staffSheet, referee, caster, proposal, one: table.teams[0] as MadeTeam }
}

const stored = (table: Table) =>
  api.sql<{ number: number; scheduled_at: Date | null; stream_url: string | null }>(
    'select number, scheduled_at, stream_url from matches where bracket_guid = $1 order by number',
    [table.bracket.guid],
  )

const officialsOf = async (table: Table, number: number) => {
  const rows = await api.sql<{ role: string; user_guid: string }>(
    'select role, user_guid from match_officials where match_guid = $1 order by role',
    [table.guids.get(number)],
  )
  return rows.map(({ role, user_guid }) => [role, user_guid])
}

describe('applying a proposal', () => {
  test('writes times and officials, and tells when; a second time it is refused', async () => {
    const { table, proposal, referee, caster } = await makeSet()
    const before = (await api.get(`/tournaments/${table.cup.guid}/brackets/${table.bracket.guid}`)).body
    const reply = await table.apply(proposal)
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ guid: proposal.guid, appliedAt: expect.stringMatching(/Z$/) })
    expect(await stored(table)).toEqual([
      { number: 1, scheduled_at: new Date(at(18)), stream_url: null },
      { number: 2, scheduled_at: new Date(at(19)), stream_url: null },
      { number: 3, scheduled_at: null, stream_url: null },
    ])
    expect(await officialsOf(table, 1)).toEqual([
      ['role:caster', caster.guid],
      ['role:referee', referee.guid],
    ])
    const match = (await api.get(table.match(1))).body
    expect(match).toMatchObject({ scheduledAt: at(18), revision: before.matches[0].revision + 1 })
    expect(match.officials.map(({ user }: { user: { guid: string } }) => user.guid).sort()).toEqual(
      [referee.guid, caster.guid].sort(),
    )
    const after = (await api.get(`/tournaments/${table.cup.guid}/brackets/${table.bracket.guid}`)).body
    expect(after.revision).toBe(before.revision + 1)
    expect(after.matches[0].scheduledAt).toBe(at(18))
    expect(problem(await table.apply(proposal))).toEqual([409, 'schedule.applied'])
    expect((await api.get(`${table.proposals}/${proposal.guid}`, table.organiser)).body).toEqual(reply.body)
  })

  test('sets addresses of streams, keeps others, and leaves officials of other roles', async () => {
    const table = await makeTable(api, { teams: 4 })
    const sheet = await makeSheet(api, table.cup, table.organiser)
    const referee = await makeOfficial(api, table.cup, sheet, free)
    const [host, former] = [await roleHolder(api, table.cup, 'role:host'), await api.user()]
    const patched = await api.patch(table.match(1), table.organiser, {
      streamUrl: 'https://tv.example/old',
      officials: [
        { user: host.guid, role: 'role:host' },
        { user: former.guid, role: 'role:referee' },
      ],
    })
    expect(patched.status).toBe(200)
    const matches = [table.guids.get(1), table.guids.get(2)]
    const ask = (streams: string[]) =>
      table.proposed({ sheets: [sheet.guid], matches }, { streams, officialsPerMatch: { 'role:referee': 1 } })
    expect((await table.apply(await ask(['Main']))).status).toBe(200)
    expect((await stored(table)).map(({ stream_url }) => stream_url)).toEqual(['https://tv.example/old', null, null])
    expect(await officialsOf(table, 1)).toEqual([
      ['role:host', host.guid],
      ['role:referee', referee.guid],
    ])
    expect((await table.apply(await ask(['https://tv.example/new']))).status).toBe(200)
    expect((await stored(table)).map(({ stream_url }) => stream_url)).toEqual([
      ...['https://tv.example/new', 'https://tv.example/new', null],
    ])
  })

  test('takes the time of matches that it could not place, for others have it now', async () => {
    const table = await makeTable(api, { teams: 4 })
    await api.patch(table.match(2), table.organiser, { scheduledAt: at(18) })
    const proposal = await table.proposed(
      { matches: [table.guids.get(1), table.guids.get(2)] },
      { earliest: at(18), latest: at(19) },
    )
    expect([placed(proposal), unplaced(proposal)]).toEqual([['1 18–19 Stream 1'], ['2 taken']])
    expect((await table.apply(proposal)).status).toBe(200)
    expect((await stored(table)).map(({ scheduled_at }) => scheduled_at)).toEqual([new Date(at(18)), null, null])
  })

  test('of some matches changes these alone', async () => {
    const table = await makeTable(api, { teams: 4 })
    await api.patch(table.match(2), table.organiser, { scheduledAt: at(21) })
    const proposal = await table.proposed({ matches: [table.guids.get(1), table.guids.get(2)] })
    const others = [{ matches: [table.guids.get(3)] }, { matches: ['7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'] }]
    for (const body of others) {
      expect(problem(await table.apply(proposal, table.organiser, body))).toEqual([400, 'schedule.invalid'])
    }
    const first = { matches: [(table.guids.get(1) as string).toUpperCase()] }
    expect((await table.apply(proposal, table.organiser, first)).status).toBe(200)
    expect((await stored(table)).map(({ scheduled_at }) => scheduled_at)).toEqual([
      new Date(at(18)),
      new Date(at(21)),
      null,
    ])
    expect(problem(await table.apply(proposal))).toEqual([409, 'schedule.applied'])
  })

  test('that places nothing changes nothing', async () => {
    const table = await makeTable(api, { teams: 2 })
    const proposal = await table.proposed({}, { latest: at(18.5) })
    expect(unplaced(proposal)).toEqual(['1 window_too_short'])
    expect((await table.apply(proposal)).status).toBe(200)
    expect((await stored(table)).map(({ scheduled_at }) => scheduled_at)).toEqual([null])
  })

  test('reaches matches of several brackets', async () => {
    const table = await makeTable(api, { teams: 2 })
    const [first, second] = [await makeMatches(api, table.cup, [{}]), await makeMatches(api, table.cup, [{}])]
    const proposal = await table.proposed({ matches: [...first, ...second, table.guids.get(1)] })
    expect(new Set(placed(proposal))).toEqual(new Set(['1 18–19 Stream 1', '1 19–20 Stream 1', '1 20–21 Stream 1']))
    expect((await table.apply(proposal)).status).toBe(200)
  })
})

const join = ({ cup }: Table, team: MadeTeam, { guid }: Caller) =>
  api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3)', [
    ...[team.guid, cup.guid, guid],
  ])

describe('applying is refused once something has changed:', () => {
  const answer = (set: Set) => answerFor(api, set.teamSheet, set.one, [says('available', 18, 21)])
  const changes: Record<string, (set: Set) => Promise<unknown>> = {
    'a team answered otherwise': answer,
    'a team answered worse for the same time': ({ teamSheet, one }) =>
      answerFor(api, teamSheet, one, [says('maybe', 18, 22)]),
    'an official answered otherwise': ({ staffSheet, referee }) =>
      respond(api, staffSheet, referee, [says('available', 18, 21)], 'role:referee'),
    'an official took the answers back': ({ staffSheet, caster }) =>
      respond(api, staffSheet, caster, [], 'role:caster'),
    'somebody more answered': ({ table, staffSheet }) => makeOfficial(api, table.cup, staffSheet, free),
    'a sheet asks for less time': ({ table, staffSheet }) =>
      api.put(staffSheet.address, table.organiser, {
        title: 'Finals',
        mode: 'days',
        timezone: 'UTC',
        windows: [{ startsAt: at(18), endsAt: at(20) }],
      }),
    'a sheet no longer asks the role': ({ table, staffSheet }) =>
      api.put(staffSheet.address, table.organiser, {
        title: 'Finals',
        mode: 'days',
        timezone: 'UTC',
        roles: ['role:host'],
        windows: [{ startsAt: at(18), endsAt: at(22) }],
      }),
    'a sheet is gone': ({ table, staffSheet }) => api.delete(staffSheet.address, table.organiser),
    'a role was taken away': ({ table, referee }) =>
      api.delete(`/tournaments/${table.cup.guid}/permissions/${referee.guid}/revoke`, table.organiser, {
        role: 'role:referee',
      }),
    'an account was deleted': ({ referee }) => api.delete('/users/@me', referee),
    'a team is asked no more': ({ one }) =>
      api.sql(`update teams set status = 'unregistered' where guid = $1`, [one.guid]),
    'a match has another time': ({ table }) => api.patch(table.match(1), table.organiser, { scheduledAt: at(21) }),
    'a match has other officials': ({ table, caster }) =>
      api.patch(table.match(2), table.organiser, { officials: [{ user: caster.guid, role: 'role:host' }] }),
    'a match has begun': ({ table }) => api.post(`${table.match(1)}/start`, table.organiser, {}),
    'a match is over': ({ table }) =>
      api.put(`${table.match(1)}/result`, table.organiser, { outcome: 'score', winner: 1, scores: [2, 0] }),
    'a team has left': ({ table, one }) =>
      api.post(`/tournaments/${table.cup.guid}/teams/${one.guid}/withdraw`, table.organiser, {
        policy: 'walkover',
        reason: 'Ill',
      }),
    'the matches were made anew': ({ table }) =>
      api.post(`/tournaments/${table.cup.guid}/brackets/${table.bracket.guid}/generate`, table.organiser, {
        entrants: { source: 'manual', teamGuids: table.teams.map(({ guid }) => guid) },
      }),
    'the bracket is gone': ({ table }) =>
      api.delete(`/tournaments/${table.cup.guid}/brackets/${table.bracket.guid}`, table.organiser),
    'what they feed has a time': ({ table }) => api.patch(table.match(3), table.organiser, { scheduledAt: at(21) }),
    'another match of a team is at that time': ({ table, one }) =>
      makeMatches(api, table.cup, [{ teams: [one, null], scheduledAt: at(20) }]),
    'an official plays in one of the teams': ({ table, one, referee }) => join(table, one, referee),
    'another match is on the stream': ({ table }) => makeMatches(api, table.cup, [{ scheduledAt: at(20) }]),
  }
  test.each(Object.entries(changes))('%s', async (_, change) => {
    const set = await makeSet()
    const result = await change(set)
    if (typeof result === 'object' && result !== null && 'status' in result) expect(result.status).toBeLessThan(300)
    const before = await stored(set.table)
    expect(problem(await set.table.apply(set.proposal))).toEqual(outdated)
    expect(await stored(set.table)).toEqual(before)
  })

  const harmless: Record<string, (set: Set) => Promise<unknown>> = {
    'the same answers again': ({ teamSheet, one }) => answerFor(api, teamSheet, one, free),
    'answers to another sheet': async ({ table, one }) =>
      answerFor(api, await makeTeamSheet(api, table), one, [says('unavailable', 18, 22)]),
    'answers in a role that it did not ask for': ({ table, staffSheet }) =>
      makeOfficial(api, table.cup, staffSheet, free, 'role:host'),
    'another name of a team': ({ one }) => api.sql(`update teams set name = 'Others' where guid = $1`, [one.guid]),
    'matches far away in time': ({ table, one }) =>
      makeMatches(api, table.cup, [{ teams: [one, null], scheduledAt: at(48) }]),
    'somebody more in a team': async ({ table, one }) => join(table, one, await api.user()),
    'another title of a sheet': ({ table, staffSheet }) =>
      api.put(staffSheet.address, table.organiser, {
        title: 'Other',
        mode: 'days',
        timezone: 'UTC',
        windows: [{ startsAt: at(18), endsAt: at(22) }],
      }),
    'another proposal': ({ table }) => table.proposed(),
  }
  test.each(Object.entries(harmless))('but not by %s', async (_, change) => {
    const set = await makeSet()
    await change(set)
    expect(problem(await set.table.apply(set.proposal))).toEqual([200, null])
  })

  test('a player works at another match; but not by a stranger who does', async () => {
    const { table, one } = await makeSet()
    const [other] = await makeMatches(api, table.cup, [{ scheduledAt: at(21) }])
    const matches = [table.guids.get(1)]
    const proposals = [await table.proposed({ matches }), await table.proposed({ matches })]
    const appoint = ({ guid }: Caller) =>
      api.sql(`insert into match_officials (match_guid, user_guid, role) values ($1, $2, 'role:host')`, [other, guid])
    await appoint(await captainOf(api, one))
    expect(problem(await table.apply(proposals[0]))).toEqual(outdated)
    await api.sql('delete from match_officials where match_guid = $1', [other])
    await appoint(await api.user())
    expect(problem(await table.apply(proposals[1]))).toEqual([200, null])
  })

  test('the other of two proposals that were worked out for the same matches', async () => {
    const { table } = await makeSet()
    const [one, other] = [await table.proposed(), await table.proposed()]
    expect((await table.apply(one)).status).toBe(200)
    expect(problem(await table.apply(other))).toEqual(outdated)
  })
})

describe('at the same time', () => {
  test('one of many applies, and the others are told', async () => {
    const { table, proposal } = await makeSet()
    const replies = await Promise.all(Array.from({ length: 6 }, () => table.apply(proposal)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(new Set(replies.map((reply) => reply.headers.get('problem-code')))).toEqual(
      new Set([null, 'schedule.applied']),
    )
  })

  test('proposals for one stream, each with a match of its own: one', async () => {
    const table = await makeTable(api)
    const each = [1, 2].map((number) => table.proposed({ matches: [table.guids.get(number)] }))
    const proposals = await Promise.all(each)
    const replies = await Promise.all(proposals.map((proposal) => table.apply(proposal)))
    expect(replies.map(problem).sort()).toEqual([[200, null], outdated])
  })

  test('an answer that comes first counts', async () => {
    const { table, teamSheet, one, proposal } = await makeSet()
    const captain = await captainOf(api, one)
    // Answering locks the user's account. While another transaction holds that lock, the answer is begun but not saved.
    await whileHeld(api, ['select 1 from users where guid = $1 for update', captain.guid], async (waiting) => {
      const answering = api.put(`${teamSheet.address}/teams/${one.guid}/responses`, captain, {
        responses: [says('unavailable', 18, 22)],
      })
      await waiting(1)
      const applying = table.apply(proposal)
      await waiting(2)
      later = { answering, applying }
    })
    expect((await later?.answering)?.status).toBe(200)
    expect(problem((await later?.applying) as never)).toEqual(outdated)
  })
  let later: { answering: ReturnType<Harness['put']>; applying: ReturnType<Table['apply']> } | undefined

  test('work at a match of another bracket that is given first counts', async () => {
    const { table, proposal, referee } = await makeSet()
    const other = await addBracket(api, table, { division: 'main', format: 'round_robin' })
    const [match] = other.matches
    const work = { scheduledAt: at(18), officials: [{ user: referee.guid, role: 'role:host' }] }
    // The test holds the other bracket's lock, so that the request that assigns the official waits before the proposal.
    await whileHeld(api, ['select 1 from brackets where guid = $1 for update', other.guid], async (waiting) => {
      const given = api.patch(`${table.path}/matches/${match.guid}`, table.organiser, work)
      await waiting(1)
      const applied = table.apply(proposal)
      await waiting(2)
      later = { answering: given, applying: applied }
    })
    expect((await later?.answering)?.status).toBe(200)
    expect(problem((await later?.applying) as never)).toEqual(outdated)
  })

  test('an account that is deleted first is nobody’s official', async () => {
    const { table, referee, proposal } = await makeSet()
    const [deleting, applying] = await Promise.all([api.delete('/users/@me', referee), table.apply(proposal)])
    expect(deleting.status).toBeLessThan(300)
    expect([200, 409]).toContain(applying.status)
    expect((await officialsOf(table, 1)).map(([, guid]) => guid)).not.toContain(referee.guid)
  })

  test('a result and a schedule: either comes first', async () => {
    const { table, proposal } = await makeSet()
    const [reported, applied] = await Promise.all([
      api.put(`${table.match(1)}/result`, table.organiser, { outcome: 'score', winner: 1, scores: [2, 0] }),
      table.apply(proposal),
    ])
    expect(reported.status).toBe(200)
    expect([200, 409]).toContain(applied.status)
  })
})
