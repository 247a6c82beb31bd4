import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicChat } from '../../../../test/chat-sign-in.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament, remembered } from '../../../../test/make.ts'

/** Handing a tournament over. (D28) */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness({ chat: publicChat })
  organiser = await api.user({ name: 'quaver' })
})
afterAll(() => api[Symbol.asyncDispose]())

const handOver = (tournament: MadeTournament, as: Caller | null, userIdentifier: unknown) =>
  api.post(`/tournaments/${tournament.id}/organiser`, as, { userIdentifier })

test('gives all rights to the new organiser, and leaves none with the old one', async () => {
  const [host, heir] = [await api.user({ name: 'breve' }), await api.user({ name: 'minim' })]
  const cup = await makeTournament(api, host)
  const roles = async (user: Caller) => (await remembered(api, `/users/${user.guid}/card`)).body.roles
  expect([await roles(host), await roles(heir)]).toEqual([['organiser'], []])
  await api.patch(`/tournaments/${cup.id}`, host, { chatWebhookUrl: 'https://discord.com/api/webhooks/1/2' })
  const reply = await handOver(cup, host, heir.guid)
  expect(reply.status).toBe(200)
  expect(reply.body.organiser).toMatchObject({ guid: heir.guid, username: 'minim', roles: ['organiser'] })
  // The answer shows only what the caller may see after the handover.
  expect(reply.body).not.toHaveProperty('chatWebhookUrl')
  expect((await api.get(`/tournaments/${cup.id}`, heir)).body.chatWebhookUrl).toBe('configured')
  expect(outcome(await api.patch(`/tournaments/${cup.id}`, host, { name: 'x' }))).toEqual([403, 'role.missing'])
  expect((await api.patch(`/tournaments/${cup.id}`, heir, { name: 'x' })).status).toBe(200)
  expect([await roles(host), await roles(heir)]).toEqual([[], ['organiser']])
  const [event] = await api.sql(
    `select type, actor, before, after from event_log where subject = $1 and type = 'tournament.handed_over'`,
    [cup.guid],
  )
  expect(event).toEqual({
    type: 'tournament.handed_over',
    actor: host.guid,
    before: { organiserGuid: host.guid },
    after: { organiserGuid: heir.guid },
  })
})

test('takes any identifier of a user (D6)', async () => {
  const heir = await api.user()
  await api.sql(
    `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', '76561198000000042', now())`,
    [heir.guid],
  )
  for (const identifier of [heir.guid.toUpperCase(), heir.chatPlatformId, '76561198000000042']) {
    const cup = await makeTournament(api, organiser)
    expect((await handOver(cup, organiser, identifier)).body.organiser.guid).toBe(heir.guid)
  }
})

test('is for the organiser and global managers, who may take it over themselves', async () => {
  const cup = await makeTournament(api, organiser)
  const [admin, staff, outsider] = await Promise.all([api.user(), api.user(), api.user()])
  await grantRole(api, cup, admin, 'role:admin')
  await grantRole(api, cup, staff, 'role:staff')
  for (const caller of [admin, staff, outsider]) {
    expect(outcome(await handOver(cup, caller, caller.guid))).toEqual([403, 'role.missing'])
    expect(outcome(await handOver(cup, caller, 5))).toEqual([403, 'role.missing'])
  }
  expect(outcome(await handOver(cup, null, admin.guid))).toEqual([401, 'token.missing'])
  const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
  expect((await handOver(cup, manager, '@me')).body.organiser.guid).toBe(manager.guid)
})

test('to nobody known is 404', async () => {
  const cup = await makeTournament(api, organiser)
  const gone = await api.user()
  await api.sql('update users set anonymised_at = now() where guid = $1', [gone.guid])
  for (const identifier of [
    '00000000-0000-4000-8000-000000000000',
    '999999999999999999',
    'quaver',
    "' or 1=1 --",
    gone.guid,
  ]) {
    expect(outcome(await handOver(cup, organiser, identifier))).toEqual([404, 'user.unknown'])
  }
})

test('to the present organiser, or to somebody who is banned, is 409', async () => {
  const cup = await makeTournament(api, organiser)
  const banned = await api.user()
  await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
  expect(outcome(await handOver(cup, organiser, organiser.guid))).toEqual([409, 'tournament.organiser_unchanged'])
  expect(outcome(await handOver(cup, organiser, '@me'))).toEqual([409, 'tournament.organiser_unchanged'])
  expect(outcome(await handOver(cup, organiser, banned.guid))).toEqual([409, 'tournament.organiser_unfit'])
  expect((await api.get(`/tournaments/${cup.id}`)).body.organiser.guid).toBe(organiser.guid)
})

test.each([{}, { userIdentifier: '' }, { userIdentifier: null }, { userIdentifier: 'x'.repeat(101) }])(
  'the body %o is refused',
  async (body) => {
    const cup = await makeTournament(api, organiser)
    expect(outcome(await api.post(`/tournaments/${cup.id}/organiser`, organiser, body))).toEqual([
      400,
      'request.invalid',
    ])
  },
)

test('to several at once reaches one of them: the next one is no longer the organiser’s to give', async () => {
  const cup = await makeTournament(api, organiser)
  const heirs = await Promise.all(Array.from({ length: 5 }, () => api.user()))
  const replies = await Promise.all(heirs.map((heir) => handOver(cup, organiser, heir.guid)))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 403, 403, 403, 403])
  const winner = replies.find(({ status }) => status === 200)?.body.organiser.guid
  expect((await api.get(`/tournaments/${cup.id}`)).body.organiser.guid).toBe(winner)
  expect(heirs.map(({ guid }) => guid)).toContain(winner)
})

test('a change under way does not outlast the right to it', async () => {
  const cup = await makeTournament(api, organiser)
  const heir = await api.user()
  const [handed, ...changes] = await Promise.all([
    handOver(cup, organiser, heir.guid),
    ...Array.from({ length: 6 }, (_, number) =>
      api.patch(`/tournaments/${cup.id}`, organiser, { summary: `${number}` }),
    ),
  ])
  expect(handed.status).toBe(200)
  const log = await api.sql<{ type: string; actor: string }>(
    'select type, actor from event_log where subject = $1 order by seq',
    [cup.guid],
  )
  const after = log.slice(log.findIndex(({ type }) => type === 'tournament.handed_over') + 1)
  expect(after).toEqual([])
  for (const change of changes) expect([200, 403]).toContain(change.status)
})
