import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatConfig, makeVisitor, signIn } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import { makePlaceholder } from '../../../../test/placeholders.ts'

let chat: FakeChat
let api: Harness
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
  organiser = await api.user({ name: 'organiser' })
  cup = await makeTournament(api, organiser)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const enter = (tournament: MadeTournament, captainId: string, teamName: string) =>
  api.post(`/tournaments/${tournament.guid}/teams`, organiser, { captainId, teamName })

describe('a placeholder', () => {
  test('is shown as one, with no chat account where none is known, and has played nothing', async () => {
    const person = await makePlaceholder(api, cup, { name: 'Shown' })
    const known = await makePlaceholder(api, cup, { name: 'Known', chatPlatformId: '310987654321098765' })
    await api.sql('insert into appearances (user_guid, tournament_guid) values ($1, $2)', [person.guid, cup.guid])
    const card = (await api.get(`/users/${person.guid}/card`)).body
    expect(card).toMatchObject({ isPlaceholder: true, chatPlatformId: '', tournamentsPlayed: 0, emailVerified: false })
    expect((await api.get(`/users/${known.guid}`)).body).toMatchObject({
      isPlaceholder: true,
      chatPlatformId: '310987654321098765',
    })
    expect((await api.get(`/users/${organiser.guid}/card`)).body).toMatchObject({ isPlaceholder: false })
  })

  test('that waits for somebody who was not here yet is told at their first sign-in (P6)', async () => {
    const { id } = chat.users.add()
    await makePlaceholder(api, cup, { chatPlatformId: id })
    const waiting = await makePlaceholder(api, await makeTournament(api, organiser), { awaitedChatId: id })
    await signIn(api, chat, id)
    const told = () =>
      api.sql(
        `select data->>'placeholderGuid' as place, is_placeholder as "isPlaceholder" from notifications
         join users on users.guid = user_guid where type = 'claim.waiting' and chat_platform_id = $1`,
        [id],
      )
    await expect.poll(told, { interval: 20, timeout: 5_000 }).toEqual([{ place: waiting.guid, isPlaceholder: false }])
  })

  test('is in no search and no list, but for administrators', async () => {
    const person = await makePlaceholder(api, cup, { name: 'Unfindable', chatPlatformId: '310987654321098766' })
    for (const q of ['unfind', '310987654321098766']) {
      expect((await api.get(`/users?q=${q}`)).body.users, q).toEqual([])
      expect((await api.get(`/search?q=${q}`)).body.users ?? [], q).toEqual([])
    }
    const listed = (await api.get('/users?limit=100')).body.users
    expect(listed.map(({ guid }: Caller) => guid)).not.toContain(person.guid)
    const developer = await api.user({ globalRoles: ['role:dev'], scopes: ['rest:read'] })
    expect((await api.get('/admin/users?q=unfind', developer)).body.users).toMatchObject([
      { guid: person.guid, isPlaceholder: true },
    ])
  })

  test('holds no role, is not invited, and organises nothing', async () => {
    const { guid } = await makePlaceholder(api, cup, { name: 'Helpless' })
    const team = (await enter(cup, (await api.user()).guid, 'Inviting')).body.newTeam
    const replies = [
      await api.post(`/tournaments/${cup.guid}/permissions/${guid}/grant`, organiser, { role: 'role:referee' }),
      await api.post(`/tournaments/${cup.guid}/teams/${team.guid}/invitations`, organiser, { userIdentifier: guid }),
      await api.post(`/tournaments/${cup.guid}/organiser`, organiser, { userIdentifier: guid }),
    ]
    for (const reply of replies) expect(outcome(reply)[1]).toBe('user.unknown')
  })

  test('captains a team, and is sent no notification', async () => {
    const { guid } = await makePlaceholder(api, cup, { name: 'Captain' })
    expect((await enter(cup, guid, 'Absent')).status).toBe(200)
    await expect
      .poll(async () => (await api.sql('select 1 from notifications where user_guid = $1', [guid])).length)
      .toBe(0)
    expect(await api.sql('select 1 from sessions where user_guid = $1', [guid])).toEqual([])
  })
})

describe('requirements of registration', () => {
  const requirements = { emailVerified: true }
  const register = (tournament: MadeTournament, team: string, caller: Caller, body: object) =>
    api.post(`/tournaments/${tournament.guid}/register/${team}`, caller, body)

  async function entered(tournament: MadeTournament): Promise<string> {
    const { guid } = await makePlaceholder(api, tournament, { name: 'Unchecked' })
    await enter(tournament, guid, 'Unchecked')
    return (await api.sql<{ guid: string }>('select guid from teams where captain_guid = $1', [guid]))[0]?.guid ?? ''
  }

  test('are not met, and are waived by the organiser with a reason that the audit keeps', async () => {
    const strict = await makeTournament(api, organiser, { requirements })
    const team = await entered(strict)
    const refused = await register(strict, team, organiser, {})
    expect(outcome(refused)).toEqual([400, 'registration.refused'])
    expect(refused.body.eligibility.players[0].failures.map(({ code }: { code: string }) => code)).toEqual([
      'account.none',
    ])
    expect((await register(strict, team, organiser, { waiver: '  ' })).status).toBe(400)
    expect((await register(strict, team, organiser, { waiver: 'Signed up by mail' })).status).toBe(200)
    const [event] = await api.sql("select after from event_log where type = 'team.registered' and subject = $1", [team])
    expect(event).toEqual({ after: { status: 'registered', seed: null, waiver: 'Signed up by mail' } })
  })

  test('bind a placeholder only where there are any, and a waiver is for people who are not here', async () => {
    const team = await entered(cup)
    expect((await register(cup, team, organiser, {})).status).toBe(200)
    const strict = await makeTournament(api, organiser, { requirements })
    const captain = await api.user()
    const { guid } = (await enter(strict, captain.guid, 'Present')).body.newTeam
    expect(outcome(await register(strict, guid, captain, { waiver: 'Please' }))).toEqual([403, 'waiver.not_allowed'])
    expect(outcome(await register(strict, guid, organiser, { waiver: 'Please' }))).toEqual([
      400,
      'registration.refused',
    ])
  })
})

describe('the first sign-in of the chat account', () => {
  test('makes the placeholder the person, with its GUID and its places', async () => {
    const account = chat.users.add({ username: 'longa', global_name: 'Longa' })
    const { guid } = await makePlaceholder(api, cup, { name: 'Sheet name', chatPlatformId: account.id })
    await enter(cup, guid, 'Longa and friends')
    const visitor = await makeVisitor(api, chat, account.id)
    expect(visitor.user).toBe(guid)
    const card = (await api.get(`/users/${guid}/card`)).body
    expect(card).toMatchObject({ isPlaceholder: false, username: 'longa', preferredName: 'Longa' })
    expect((await api.get('/users?q=longa')).body.users).toHaveLength(1)
    const [team] = await api.sql('select captain_guid from teams where name = $1', ['Longa and friends'])
    expect(team).toEqual({ captain_guid: guid })
    const types = await api.sql<{ type: string; tournament: string | null }>(
      "select type, tournament from event_log where subject = $1 and type like 'user.%' order by seq",
      [guid],
    )
    expect(types).toEqual([
      { type: 'user.created', tournament: null },
      { type: 'user.arrived', tournament: cup.guid },
    ])
    await signIn(api, chat, account.id)
    expect((await api.get(`/users/${guid}/card`)).body.isPlaceholder).toBe(false)
  })

  test('at once in two browsers makes one person', async () => {
    const account = chat.users.add({ username: 'maxima' })
    const { guid } = await makePlaceholder(api, cup, { name: 'Twice', chatPlatformId: account.id })
    const visitors = [await makeVisitor(api, chat, account.id), await makeVisitor(api, chat, account.id)]
    expect(visitors.map(({ user }) => user)).toEqual([guid, guid])
    const arrivals = await api.sql("select 1 from event_log where subject = $1 and type = 'user.arrived'", [guid])
    expect(arrivals).toHaveLength(1)
  })

  test('of a banned one is refused, and changes nothing', async () => {
    const account = chat.users.add({ username: 'banned' })
    const { guid } = await makePlaceholder(api, cup, { name: 'Banned', chatPlatformId: account.id })
    await api.sql('update users set banned_at = now() where guid = $1', [guid])
    await expect(signIn(api, chat, account.id)).rejects.toThrow('403')
    expect((await api.get(`/users/${guid}/card`)).body.isPlaceholder).toBe(true)
  })
})
