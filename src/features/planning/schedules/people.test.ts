import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { at, type MadeSheet, makeMatches, makeSheet, problem, respond } from '../../../../test/availability.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTeam, roleHolder } from '../../../../test/make.ts'
import { captainOf, free, makeOfficial, makeTable, placed, type Table, unplaced } from '../../../../test/schedules.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Semis {
  readonly table: Table
  readonly sheet: MadeSheet
  /** GUIDs of the two semi-finals: team 1 against team 4, and team 2 against team 3. */
  readonly matches: readonly string[]
}

async function makeSemis(): Promise<Semis> {
  const table = await makeTable(api)
  const sheet = await makeSheet(api, table.cup, table.organiser)
  return { table, sheet, matches: [table.guids.get(1) as string, table.guids.get(2) as string] }
}

/** A player of the team who is also a referee, and has answered as one. */
async function refereeIn({ table, sheet }: Semis, team: MadeTeam | undefined): Promise<Caller> {
  const player = await captainOf(api, team as MadeTeam)
  await api.sql(`insert into tournament_role_holders values ($1, $2, 'role:referee')`, [table.cup.guid, player.guid])
  expect(problem(await respond(api, sheet, player, free, 'role:referee'))).toEqual([200, null])
  return player
}

async function appoint(match: string | undefined, { guid }: { readonly guid: string }, role = 'role:host') {
  await api.sql('insert into match_officials (match_guid, user_guid, role) values ($1, $2, $3)', [match, guid, role])
}

const oneReferee = { officialsPerMatch: { 'role:referee': 1 }, streams: 2 }

function crews({ placements }: { placements: { number: number; officials: { user: { guid: string } }[] }[] }) {
  return new Map(placements.map(({ number, officials }) => [number, officials.map(({ user }) => user.guid)]))
}

describe('players', () => {
  test('are not officials of their own matches, whichever side they are on', async () => {
    const semis = await makeSemis()
    const { table, sheet, matches } = semis
    const player = await refereeIn(semis, table.teams[3])
    const proposal = await table.proposed({ sheets: [sheet.guid], matches }, oneReferee)
    expect(placed(proposal)).toEqual(['2 18–19 Stream 1'])
    expect(unplaced(proposal)).toEqual(['1 officials'])
    expect(crews(proposal)).toEqual(new Map([[2, [player.guid]]]))
  })

  test('are not, as substitutes either', async () => {
    const semis = await makeSemis()
    const { table, sheet } = semis
    const player = await makeOfficial(api, table.cup, sheet, free)
    await join(table.teams[0], table, player, false)
    const proposal = await table.proposed({ sheets: [sheet.guid], matches: [table.guids.get(1)] }, oneReferee)
    expect(unplaced(proposal)).toEqual(['1 officials'])
  })

  test('are not officials of another match while they play', async () => {
    const semis = await makeSemis()
    const { table, sheet, matches } = semis
    const player = await refereeIn(semis, table.teams[0])
    const other = await makeOfficial(api, table.cup, sheet, free)
    const proposal = await table.proposed({ sheets: [sheet.guid], matches }, oneReferee)
    expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 19–20 Stream 1'])
    expect(crews(proposal).get(1)).toEqual([other.guid])
    expect([[player.guid], [other.guid]]).toContainEqual(crews(proposal).get(2))
    const third = await makeOfficial(api, table.cup, sheet, free)
    const atOnce = await table.proposed({ sheets: [sheet.guid], matches }, oneReferee)
    expect(placed(atOnce)).toEqual(['1 18–19 Stream 1', '2 18–19 Stream 2'])
    expect([...crews(atOnce).values()].flat().sort()).toEqual([other.guid, third.guid].sort())
  })

  test('are not officials while they play in a match that has a time', async () => {
    const semis = await makeSemis()
    const { table, sheet } = semis
    const player = await refereeIn(semis, table.teams[0])
    await makeMatches(api, table.cup, [{ teams: [null, table.teams[0] as MadeTeam], scheduledAt: at(18) }])
    const proposal = await table.proposed({ sheets: [sheet.guid], matches: [table.guids.get(2)] }, oneReferee)
    expect(placed(proposal)).toEqual(['2 19–20 Stream 1'])
    expect(crews(proposal)).toEqual(new Map([[2, [player.guid]]]))
  })

  test('do not play while they work at a match that has a time', async () => {
    const { table } = await makeSemis()
    const [elsewhere] = await makeMatches(api, table.cup, [{ scheduledAt: at(18) }])
    await appoint(elsewhere, await captainOf(api, table.teams[0] as MadeTeam), 'role:caster')
    const proposal = await table.proposed({ matches: [table.guids.get(1)] }, { streams: 2 })
    expect(placed(proposal)).toEqual(['1 19–20 Stream 1'])
  })
})

async function join(team: MadeTeam | undefined, { cup }: Table, { guid }: Caller, isActive = true) {
  await api.sql('insert into team_members (team_guid, tournament_guid, user_guid, is_active) values ($1, $2, $3, $4)', [
    team?.guid,
    cup.guid,
    guid,
    isActive,
  ])
}

describe('officials in roles that are not looked for', () => {
  test('are not in two matches at once', async () => {
    const { table, matches } = await makeSemis()
    const host = await roleHolder(api, table.cup, 'role:host')
    for (const match of matches) await appoint(match, host)
    const proposal = await table.proposed({ matches }, { streams: 2 })
    expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 19–20 Stream 1'])
    expect((await table.apply(proposal)).status).toBe(200)
    const rows = await api.sql('select match_guid from match_officials where user_guid = $1', [host.guid])
    expect(rows).toHaveLength(2)
  })

  test('do not play at the same time', async () => {
    const { table, matches } = await makeSemis()
    await appoint(matches[0], await captainOf(api, table.teams[1] as MadeTeam))
    expect(placed(await table.proposed({ matches }, { streams: 2 }))).toEqual([
      ...['1 18–19 Stream 1', '2 19–20 Stream 1'],
    ])
  })

  test('take no other role in the match', async () => {
    const { table, sheet, matches } = await makeSemis()
    const official = await makeOfficial(api, table.cup, sheet, free)
    await appoint(matches[0], official)
    const proposal = await table.proposed({ sheets: [sheet.guid], matches: [matches[0]] }, oneReferee)
    expect(unplaced(proposal)).toEqual(['1 officials'])
  })

  test('who are looked for make way for others', async () => {
    const { table, sheet, matches } = await makeSemis()
    const former = await roleHolder(api, table.cup, 'role:referee')
    for (const match of matches) await appoint(match, former, 'role:referee')
    for (const _ of matches) await makeOfficial(api, table.cup, sheet, free)
    const proposal = await table.proposed({ sheets: [sheet.guid], matches }, oneReferee)
    expect(placed(proposal)).toEqual(['1 18–19 Stream 1', '2 18–19 Stream 2'])
  })

  test.each(['works', 'plays'])('keep the match from a time at which one of them %s elsewhere', async (does) => {
    const { table } = await makeSemis()
    const [, , third] = table.teams
    const host = does === 'plays' ? await captainOf(api, third as MadeTeam) : await api.user()
    const teams = does === 'plays' ? ([third as MadeTeam, null] as const) : undefined
    const [elsewhere] = await makeMatches(api, table.cup, [{ ...(teams && { teams }), scheduledAt: at(18) }])
    if (does === 'works') await appoint(elsewhere, host, 'role:referee')
    await appoint(table.guids.get(1), host)
    const matches = [table.guids.get(1)]
    expect(placed(await table.proposed({ matches }, { streams: 2, minRestMinutes: 30 }))).toEqual(['1 19–20 Stream 1'])
    const short = await table.proposed({ matches }, { streams: 2, latest: at(19.5) })
    expect(unplaced(short)).toEqual(['1 people'])
    expect(short.unplaced[0].reason).toBe(
      'In all 3 slots that suit the teams somebody who plays or works in it is elsewhere.',
    )
  })
})
