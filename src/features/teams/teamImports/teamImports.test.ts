import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder, type TournamentOptions } from '../../../../test/make.ts'
import { formOf } from '../../../../test/media.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'organiser' })
})
afterAll(() => api[Symbol.asyncDispose]())

const tournament = (options: TournamentOptions = {}) => makeTournament(api, organiser, options)
const importRows = (
  cup: MadeTournament,
  rows: readonly object[],
  more: object = {},
  caller: Caller | null = organiser,
) => api.post(`/tournaments/${cup.guid}/teams/import`, caller, { rows, ...more })
const sendFile = (cup: MadeTournament, bytes: Uint8Array, fields: Record<string, string> = {}) =>
  api.call('POST', `/tournaments/${cup.guid}/teams/import`, {
    as: organiser,
    ...formOf(bytes, fields, { fileName: 'sheet.csv' }),
  })
const teamsOf = async (cup: MadeTournament) => (await api.get(`/tournaments/${cup.guid}/teams?limit=100`)).body.teams
const outcomesOf = ({ body }: Reply) => body.rows.map(({ outcome: each }: { outcome: string }) => each)
const reasonsOf = ({ body }: Reply) => body.rows.map(({ reason }: { reason: string | null }) => reason)

async function countsOf(cup: MadeTournament) {
  return (await api.get(`/tournaments/${cup.guid}`)).body.counts
}

describe('an import', () => {
  test('makes teams of people who are not here, and registers them', async () => {
    const cup = await tournament()
    const rows = [
      { teamName: 'The Quavers', captain: 'Breve', members: ['Longa', 'Minim'], register: true, seed: 2 },
      {
        teamName: 'Rests & Ties',
        teamId: 'rests',
        captain: { name: 'Crotchet', chatPlatformId: '410987654321098765' },
      },
    ]
    const reply = await importRows(cup, rows)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      dryRun: false,
      rows: [
        {
          ...{ line: 1, teamName: 'The Quavers', outcome: 'created', reason: null },
          team: { guid: expect.any(String), id: 'the-quavers', name: 'The Quavers' },
          ...{ placeholders: 3, invited: 0, joined: 0, registered: true, notes: [] },
        },
        {
          ...{ line: 2, teamName: 'Rests & Ties', outcome: 'created', reason: null },
          team: { guid: expect.any(String), id: 'rests', name: 'Rests & Ties' },
          ...{ placeholders: 1, invited: 0, joined: 0, registered: false, notes: [] },
        },
      ],
      totals: { created: 2, updated: 0, same: 0, rejected: 0, placeholders: 4, invited: 0, joined: 0, registered: 1 },
    })
    const [quavers, rests] = await teamsOf(cup)
    expect(quavers).toMatchObject({ status: 'registered', seed: 2, invited: 0, rosterLocked: true })
    expect(quavers.captain).toMatchObject({ preferredName: 'Breve', isPlaceholder: true, tournamentsPlayed: 0 })
    expect(quavers.members.map(({ user }: { user: Caller & { preferredName: string } }) => user.preferredName)).toEqual(
      ['Breve', 'Longa', 'Minim'],
    )
    expect(quavers.members.map(({ isActive }: { isActive: boolean }) => isActive)).toEqual([true, false, false])
    expect(rests.captain.chatPlatformId).toBe('410987654321098765')
    expect(await countsOf(cup)).toEqual({ teams: 2, registered: 1, qualified: 0, players: 4 })
    const types = await api.sql<{ type: string }>(
      "select type from event_log where tournament = $1 and type <> 'test.arranged' order by seq",
      [cup.guid],
    )
    expect(types.map(({ type }) => type)).toEqual([
      ...['users.placed', 'team.created', 'team.created', 'team.registered', 'teams.imported'],
    ])
  })

  test('changes nothing the second time, and what was added to the sheet the third time', async () => {
    const cup = await tournament()
    const rows = [
      { externalId: 'e1', teamName: 'One', captain: 'A', members: ['B'], register: true },
      { teamName: 'Two', captain: 'C' },
    ]
    await importRows(cup, rows)
    const before = await teamsOf(cup)
    const again = await importRows(cup, rows)
    expect(outcomesOf(again)).toEqual(['same', 'same'])
    expect(again.body.totals).toMatchObject({ created: 0, updated: 0, same: 2, placeholders: 0 })
    expect(await teamsOf(cup)).toEqual(before)
    const third = await importRows(cup, [
      { externalId: 'e1', teamName: 'Renamed', captain: 'A', members: ['B', 'D'], seed: 1 },
      { teamName: 'TWO', captain: 'C', register: true },
    ])
    expect(outcomesOf(third)).toEqual(['updated', 'updated'])
    const [one, two] = await teamsOf(cup)
    expect(one).toMatchObject({ guid: before[0].guid, name: 'Renamed', seed: 1 })
    expect(one.members).toHaveLength(3)
    expect(two).toMatchObject({ guid: before[1].guid, status: 'registered' })
    expect(await countsOf(cup)).toEqual({ teams: 2, registered: 2, qualified: 0, players: 4 })
  })

  test('leaves a team the name that its captain has given it since', async () => {
    const cup = await tournament()
    const rows = [
      { teamName: 'Sheet name', captain: 'A' },
      { externalId: 'e2', teamName: 'Another', captain: 'B' },
    ]
    await importRows(cup, rows)
    for (const [index, team] of (await teamsOf(cup)).entries()) {
      await api.patch(`/tournaments/${cup.guid}/teams/${team.guid}`, organiser, { name: `Better ${index}` })
    }
    expect(outcomesOf(await importRows(cup, rows))).toEqual(['same', 'same'])
    expect((await teamsOf(cup)).map(({ name }: { name: string }) => name)).toEqual(['Better 0', 'Better 1'])
  })

  test('of a draft leaves nothing of its people behind when the draft is deleted', async () => {
    const [draft, other] = [await tournament({ status: 'draft' }), await tournament()]
    const shared = { teamName: 'Shared', captain: '770987654321098765' }
    await importRows(draft, [
      shared,
      { teamName: 'Forgotten', captain: { name: 'Ephemeral', rankingIdA: '76561198000000777' } },
    ])
    await importRows(other, [shared])
    expect((await api.delete(`/tournaments/${draft.guid}`, organiser)).status).toBe(204)
    const left = await api.sql(
      'select chat_platform_id as id, preferred_name as name from users where made_by_tournament_guid = $1 order by anonymised_at is null',
      [draft.guid],
    )
    expect(left).toEqual([
      { id: expect.stringMatching(/^deleted:/), name: 'Deleted user' },
      { id: shared.captain, name: shared.captain },
    ])
    expect(await api.sql("select 1 from identities where external_id = '76561198000000777'")).toEqual([])
  })

  test('only previews in a dry run', async () => {
    const cup = await tournament()
    const rows = [{ teamName: 'One', captain: 'A', register: true }]
    const preview = await importRows(cup, rows, { dryRun: true })
    expect(preview.body).toMatchObject({ dryRun: true, rows: [{ outcome: 'created', team: null, registered: true }] })
    expect(await teamsOf(cup)).toEqual([])
    expect(await api.sql('select 1 from users where made_by_tournament_guid = $1', [cup.guid])).toEqual([])
    expect((await importRows(cup, rows)).body.totals).toEqual(preview.body.totals)
  })

  test('takes a file of a form', async () => {
    const cup = await tournament()
    const bytes = new TextEncoder().encode('\uFEFFTeam;Captain;Members\r\nBüro;Ämne;"Ünal | Øre"\r\n;X;\r\n')
    const reply = await sendFile(cup, bytes, { dryRun: 'false' })
    expect([reply.status, outcomesOf(reply)]).toEqual([200, ['created', 'rejected']])
    expect(reply.body.rows[1]).toMatchObject({ line: 3, reason: '`teamName` is missing.' })
    expect(reply.body.rows[0].team.id).toBe('buro')
    const none = await api.post(`/tournaments/${cup.guid}/teams/import`, organiser, {})
    expect(outcome(none)).toEqual([400, 'team_import.source_invalid'])
  })

  test('rejects rows that cannot be used, each with its reason, and takes the others', async () => {
    const cup = await tournament({ teamSize: { min: 1, max: 2, active: 1 } })
    await importRows(cup, [{ teamName: 'Theirs', teamId: 'theirs', captain: '510987654321098765', seed: 7 }])
    const reply = await importRows(cup, [
      { teamName: 'Good', captain: 'A' },
      { teamName: 'good', captain: 'B' },
      { teamName: 'Gооd', captain: 'C' },
      { teamName: 'Full', captain: 'D', members: ['E', 'F'] },
      { teamName: 'Taken', captain: '510987654321098765' },
      { teamName: 'Seeded', captain: 'G', seed: 7 },
      { teamName: 'Named', captain: 'H', teamId: 'theirs' },
      { teamName: 'Odd', captain: 'I', teamId: 'a b' },
      { teamName: 'Unasked', captain: 'J', answers: { Region: 'Europe' } },
      { teamName: 'First', captain: '610987654321098765' },
      { teamName: 'Second', captain: 'K', members: ['610987654321098765'] },
      { teamName: 'Namesake', captain: 'A' },
    ])
    expect(outcomesOf(reply)).toEqual([
      ...['created', 'rejected', 'rejected', 'rejected', 'rejected', 'rejected'],
      ...['rejected', 'rejected', 'rejected', 'created', 'rejected', 'created'],
    ])
    expect(reasonsOf(reply)).toEqual([
      null,
      'Line 1 has the same team.',
      expect.stringContaining('looks like “Good”'),
      'The team would have more than 2 members.',
      '510987654321098765 is in “Theirs” already.',
      'Seed 7 belongs to “Theirs”.',
      'Another team has the id “theirs”.',
      expect.stringContaining('letters, digits and hyphens'),
      'The tournament has no field “Region”.',
      null,
      '610987654321098765 is in “First” already.',
      null,
    ])
    expect(reply.body.rows[11].notes).toEqual(['“A” is a name in “Good”, too.'])
    expect(await countsOf(cup)).toMatchObject({ teams: 4, players: 4 })
  })

  test('enters a team that cannot be registered, and says why; a waiver lets it in', async () => {
    const cup = await tournament({ requirements: { emailVerified: true }, capacity: 2 })
    await importRows(cup, [{ teamName: 'First', captain: 'Z', register: true, waiver: 'Signed up by mail.' }])
    const row = { teamName: 'Strict', captain: 'A', register: true }
    const reply = await importRows(cup, [row])
    expect(reply.body.rows[0]).toMatchObject({ outcome: 'created', registered: false })
    expect(reply.body.rows[0].notes[0]).toMatch(/^Not registered: A has not signed in yet/)
    const waived = await importRows(cup, [
      { ...row, waiver: 'Signed up by mail.' },
      { teamName: 'Late', captain: 'B', register: true, waiver: 'Signed up by mail.' },
    ])
    expect(waived.body.rows).toMatchObject([
      { outcome: 'updated', registered: true, notes: [] },
      { outcome: 'created', registered: false, notes: [expect.stringContaining('All 2 places are taken')] },
    ])
    const [event] = await api.sql(
      "select after from event_log where tournament = $1 and type = 'team.registered' order by seq desc",
      [cup.guid],
    )
    expect(event).toMatchObject({ after: { waiver: 'Signed up by mail.' } })
  })

  test('is for the organiser and admins, until the tournament is over', async () => {
    const cup = await tournament()
    const rows = [{ teamName: 'One', captain: 'A' }]
    expect((await importRows(cup, rows, {}, null)).status).toBe(401)
    for (const caller of [await api.user(), await roleHolder(api, cup, 'role:staff')]) {
      expect(outcome(await importRows(cup, rows, {}, caller))).toEqual([403, 'role.missing'])
    }
    expect((await importRows(cup, rows, {}, await roleHolder(api, cup, 'role:admin'))).status).toBe(200)
    const over = await tournament({ status: 'completed' })
    expect(outcome(await importRows(over, rows))).toEqual([409, 'team.entries_closed'])
  })

  test('of the same sheet twice at once makes every team once', async () => {
    const cup = await tournament()
    const rows = Array.from({ length: 20 }, (_, index) => ({ teamName: `Team ${index}`, captain: `Person ${index}` }))
    const replies = await Promise.all([1, 2, 3].map(() => importRows(cup, rows)))
    expect(replies.map(({ body }) => body.totals.created).sort()).toEqual([0, 0, 20])
    expect(await countsOf(cup)).toMatchObject({ teams: 20, players: 20 })
  })

  test('of 1,024 rows takes less than five seconds', async () => {
    const cup = await tournament({ teamSize: { min: 1, max: 4, active: 3 } })
    const rows = Array.from({ length: 1_024 }, (_, index) =>
      [`Squad no ${index}`, `Cap ${index}`, `Mate ${index}|Pal ${index}`, 'yes'].join(','),
    )
    const bytes = new TextEncoder().encode(['team,captain,members,register', ...rows].join('\n'))
    const began = performance.now()
    const reply = await sendFile(cup, bytes)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(reply.body.totals).toMatchObject({ created: 1_024, placeholders: 3_072, registered: 1_024 })
  })
})

describe('known people', () => {
  const link = (user: Caller, verified: boolean) =>
    api.sql(
      `insert into identities (user_guid, platform, external_id, verified_at)
       values ($1, 'ranking-a', $2, case when $3 then now() end)`,
      [user.guid, `765611980000${String(user.guid.replace(/\D/g, '').slice(0, 5)).padEnd(5, '0')}`, verified],
    )
  const linkOf = async (user: Caller) =>
    (await api.sql<{ id: string }>('select external_id as id from identities where user_guid = $1', [user.guid]))[0]?.id

  test('are invited, by chat account or verified link, and told; the team shows how many', async () => {
    const cup = await tournament()
    const [chat, ranked, claimed] = [await api.user(), await api.user(), await api.user()]
    await link(ranked, true)
    await link(claimed, false)
    const reply = await importRows(cup, [
      { teamName: 'Mixed', captain: 'A', members: [chat.chatPlatformId, await linkOf(ranked), await linkOf(claimed)] },
    ])
    expect(reply.body.rows[0]).toMatchObject({ outcome: 'created', invited: 2, placeholders: 2 })
    const [team] = await teamsOf(cup)
    expect(team).toMatchObject({ invited: 2 })
    expect(team.members).toHaveLength(2)
    const mine = await api.get('/users/@me/invitations', chat)
    expect(mine.body).toMatchObject([{ team: { name: 'Mixed' }, status: 'pending' }])
    const told = await api.get('/users/@me/notifications', chat)
    expect(told.body.notifications).toMatchObject([{ type: 'invitation.created' }])
    expect((await api.post(`/invitations/${mine.body[0].guid}/accept`, chat, {})).status).toBe(200)
    expect((await teamsOf(cup))[0]).toMatchObject({ invited: 1 })
    const again = await importRows(cup, [
      { teamName: 'Mixed', captain: 'A', members: [chat.chatPlatformId, await linkOf(ranked), await linkOf(claimed)] },
    ])
    expect(outcomesOf(again)).toEqual(['same'])
  })

  test('who captain a team are invited, and take the place of the placeholder when they accept', async () => {
    const cup = await tournament({ teamSize: { min: 1, max: 1, active: 1 } })
    const captain = await api.user({ name: 'known-captain' })
    await importRows(cup, [{ teamName: 'Solo', captain: captain.chatPlatformId, register: true }])
    const [before] = await teamsOf(cup)
    expect(before).toMatchObject({
      status: 'registered',
      invited: 1,
      captain: { preferredName: 'known-captain', isPlaceholder: true, chatPlatformId: '' },
    })
    const [invitation] = (await api.get('/users/@me/invitations', captain)).body
    expect((await api.post(`/invitations/${invitation.guid}/accept`, captain, {})).status).toBe(200)
    const [after] = await teamsOf(cup)
    expect(after).toMatchObject({ guid: before.guid, invited: 0, captain: { guid: captain.guid } })
    expect(after.members.map(({ user }: { user: Caller }) => user.guid)).toEqual([captain.guid])
    expect(await countsOf(cup)).toEqual({ teams: 1, registered: 1, qualified: 0, players: 1 })
    expect((await api.get(`/users/${captain.guid}/card`)).body.tournamentsPlayed).toBe(1)
    expect((await api.get(`/users/${before.captain.guid}`)).status).toBe(404)
  })

  test('who captain a team of a draft are set at once, and nobody is told of the draft', async () => {
    const cup = await tournament({ status: 'draft' })
    const [captain, member] = [await api.user(), await api.user()]
    const reply = await importRows(cup, [
      { teamName: 'Early', captain: captain.chatPlatformId, members: [member.chatPlatformId] },
    ])
    expect(reply.body.rows[0]).toMatchObject({ joined: 1, invited: 1, placeholders: 0 })
    const [team] = (await api.get(`/tournaments/${cup.guid}/teams`, organiser)).body.teams
    expect(team).toMatchObject({ captain: { guid: captain.guid }, invited: 1 })
    for (const user of [captain, member]) {
      expect((await api.get('/users/@me/notifications', user)).body.notifications).toEqual([])
    }
  })

  test('who are banned, or in another team, make the row unusable', async () => {
    const cup = await tournament()
    const [banned, playing] = [await api.user(), await api.user({ name: 'playing' })]
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    await api.post(`/tournaments/${cup.guid}/teams`, playing, { captainId: playing.guid, teamName: 'Own' })
    const reply = await importRows(cup, [
      { teamName: 'One', captain: banned.chatPlatformId },
      { teamName: 'Two', captain: playing.chatPlatformId },
    ])
    expect(reasonsOf(reply)).toEqual([
      `${banned.chatPlatformId} cannot take part.`,
      `${playing.chatPlatformId} is in “Own” already.`,
    ])
  })

  test('one placeholder of a chat account serves all tournaments', async () => {
    const [one, two] = [await tournament(), await tournament()]
    const row = { teamName: 'Shared', captain: '710987654321098765' }
    await importRows(one, [row])
    expect((await importRows(two, [row])).body.rows[0]).toMatchObject({
      outcome: 'created',
      joined: 1,
      placeholders: 0,
    })
    const captains = [(await teamsOf(one))[0].captain.guid, (await teamsOf(two))[0].captain.guid]
    expect(captains[0]).toBe(captains[1])
  })
})
