import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { notifier } from '../src/features/people/notifications/followers.ts'
import { pushFollower } from '../src/features/people/pushDevices/followers.ts'
import { announcementsFollower } from '../src/features/tournaments/announcements/followers.ts'
import { allKinds } from './announcements.ts'
import { caughtUp } from './event-log.ts'
import { type Caller, type Harness, outcome, startHarness } from './harness.ts'
import { makeTeam } from './make.ts'
import { showOverlay } from './overlay-rows.ts'
import { makeMaps, makePool } from './pools.ts'
import { makeStage, type Stage } from './stage.ts'

/** Nothing in a rehearsal reaches another service: a listener is behind every address that there is. (R3) */

let api: Harness
let outside: Server
let connections = 0
let address: string
let organiser: Caller
let stage: Stage
beforeAll(async () => {
  outside = createServer((socket) => {
    connections++
    socket.on('error', () => {})
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`
  address = `http://${host}`
  const { chat } = readConfig({})
  api = await startHarness({
    chat: { ...chat, apiUrl: address, cdnUrl: address },
    ...{ rankingAUrl: address, rankingBUrl: address, gameSignInUrl: address, catalogueUrl: address },
    ...{ mail: { url: `smtp://${host}`, from: 'cup@example.org' }, webhookAllowPrivate: true },
  })
  organiser = await api.user({ name: 'maestro' })
  stage = await makeStage(api, organiser, { teams: 4, status: 'ongoing' })
  await stage.bracket()
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  await api.sql(
    `insert into push_devices (user_guid, endpoint, endpoint_digest, p256dh, auth)
     select guid, e, sha256(e::bytea), $2, $3 from users cross join lateral (select $1::text || guid::text as e) named`,
    [`https://${host}/push/`, ecdh.getPublicKey('base64url'), randomBytes(16).toString('base64url')],
  )
  await api.sql(
    `update users set email = guid::text || '@example.org', email_verified_at = now(), avatar_url = $1::text || '/avatar.png'`,
    [address],
  )
  await api.sql(`update teams set image_url = $1::text || '/team.png'`, [address])
  await makeTeam(api, stage.cup, await api.user())
  const maps = (await makeMaps(api, 9)).map(({ guid }) => ({ mapGuid: guid }))
  await makePool(api, stage.cup.guid, { name: 'Finals', status: 'published', maps })
  await makePool(api, stage.cup.guid, { name: 'Next', status: 'draft', maps: maps.slice(1) })
  await showOverlay(api, stage.cup, organiser)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  outside.close()
})

const announce = (guid: string) =>
  api.sql('update tournaments set chat_webhook_url = $2, chat_webhooks = $3, announcements = $4 where guid = $1', [
    guid,
    `${address}/webhooks/1/secret`,
    JSON.stringify([{ label: 'Other', url: `${address}/webhooks/2/secret` }]),
    allKinds,
  ])

/** An evening, until everything that it causes has been done. */
async function play(path: string, guid: string): Promise<void> {
  for (const number of [1, 2, 3]) {
    expect(outcome(await api.post(`${path}/matches/${number}/call`, organiser, {}))).toEqual([200, null])
    const result = { outcome: 'walkover', winner: 1 }
    expect(outcome(await api.put(`${path}/matches/${number}/result`, organiser, result))).toEqual([200, null])
  }
  expect(outcome(await api.post(`${path}/status`, organiser, { status: 'completed' }))).toEqual([200, null])
  for (const follower of [notifier, pushFollower]) await caughtUp(api, follower)
  // What is gathered for the chat is due by its clock.
  const clock = `${stage.path}/rehearsals/${guid}/clock`
  const advanceTo = new Date(Date.parse((await api.get(clock, organiser)).body.clock.now) + 600_000).toISOString()
  expect((await api.post(clock, organiser, { advanceTo })).body).toMatchObject({ done: true })
}

const free = (pool: string | undefined) => ({
  ...{ flow: 'accsaber-bo3', pool, seats: [{ name: 'Red' }, { name: 'Blue' }], public: true },
})

const oneOf = (table: string) => async (guid: string | undefined) =>
  (
    await api.sql<{ guid: string }>(`select guid from ${table} where tournament_guid = $1 order by created_at`, [guid])
  )[0]?.guid
const [poolIn, overlayIn] = [oneOf('pools'), oneOf('overlays')]

/** What is prepared before and between the matches of an evening. */
async function change(path: string): Promise<void> {
  const done = async (method: string, rest: string, body?: object) => {
    const reply = await api.call(method, path + rest, { as: organiser, body })
    expect([rest, reply.status < 300 ? 'done' : reply.text]).toEqual([rest, 'done'])
    return reply.body
  }
  const { teams } = await done('GET', '/teams')
  const [team] = teams as { guid: string; members: { user: { guid: string } }[] }[]
  const other = teams.find(({ status }: { status: string }) => status === 'unregistered')
  await done('PATCH', `/teams/${team?.guid}`, { name: 'The Quavers', imageUrl: `${address}/new.png` })
  const [member] = team?.members ?? []
  await done('PATCH', `/teams/${team?.guid}/members/${member?.user.guid}`, { isActive: true })
  await done('POST', `/register/${other.guid}`, { waiver: 'Placeholders have no ranks.' })
  const update = randomUUID()
  const content = `![](${address}/picture.png) At nine.`
  await done('POST', '/updates/preview', { content })
  const { updatedAt } = (await done('POST', '/updates', { guid: update, content })).update
  await done('PATCH', `/updates/${update}`, { content: 'At ten.', expectedUpdatedAt: updatedAt })
  const pools = await done('GET', '/pools')
  const [pool, draft] = pools as { guid: string; maps: { guid: string; map: { guid: string } }[] }[]
  const map = pool?.maps[0]
  await done('PATCH', `/pools/${draft?.guid}`, { description: 'Later.' })
  await done('POST', `/pools/${draft?.guid}/publish`, { force: true })
  await done('POST', `/pools/${draft?.guid}/unpublish`, { reason: 'Too early.' })
  await done('POST', `/pools/${draft?.guid}/maps`, { mapGuid: map?.map.guid })
  await done('POST', '/flow-sessions', free(pool?.guid))
  const [overlay] = await done('GET', '/overlays')
  await done('PATCH', `/overlays/${overlay.guid}/control`, { flavour: 'Finals', casters: [{ name: 'Quaver' }] })
  await done('PUT', `/overlays/${overlay.guid}/match`, { matchGuid: null })
}

test('a rehearsal reaches nobody, whatever happens in it and whatever addresses it has', async () => {
  // What happened so far is not announced.
  await caughtUp(api, announcementsFollower)
  await announce(stage.cup.guid)
  const made = await api.post(`${stage.path}/rehearsals`, organiser, { name: 'Dry run' })
  expect(outcome(made), made.text).toEqual([201, null])
  const { guid } = made.body
  const path = `/tournaments/${guid}`
  await announce(guid)
  expect(outcome(await api.post(`${path}/status`, organiser, { status: 'ongoing' }))).toEqual([200, null])
  await api.sql(`update tournaments set requirements = jsonb_set(requirements, '{rankingA}', 'true') where guid = $1`, [
    guid,
  ])
  for (const read of ['/registrations', '/health'])
    expect(outcome(await api.get(path + read, organiser))).toEqual([200, null])
  const { operations } = (await api.get(`${path}/access`, organiser)).body
  expect(operations).toEqual(expect.arrayContaining(['matches.call', 'registration.desk', 'tournaments.changeStatus']))
  expect(operations).not.toContain('access.grant')
  expect(operations).not.toContain('packages.list')
  await change(path)
  await play(path, guid)
  const recorded = await api.get(`${stage.path}/rehearsals/${guid}/outbox?limit=100`, organiser)
  const kinds = recorded.body.messages.map(({ kind }: { kind: string }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['chat', 'notification', 'push']))
  // Addresses of webhooks end with their secrets.
  expect(recorded.text).not.toContain('secret')
  expect(
    await api.sql('select n.guid from notifications n join users u on u.guid = n.user_guid where not u.is_placeholder'),
  ).toEqual([])
  expect(connections).toBe(0)
})

test('what would send, ask or concern accounts is refused', async () => {
  const [rehearsal] = await api.sql<{ guid: string }>('select guid from tournaments where rehearsal_of is not null')
  const path = `/tournaments/${rehearsal?.guid}`
  const pool = await poolIn(rehearsal?.guid)
  const refused: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['PATCH', '', { chatWebhookUrl: `${address}/webhooks/1/secret` }],
    ['PATCH', '', { chatWebhooks: [{ label: 'Other', url: `${address}/webhooks/2/secret` }] }],
    ['PATCH', '', { id: 'dry-run' }],
    ['POST', '/organiser', { userIdentifier: organiser.guid }],
    ['POST', '/visibility/request', {}],
    ['PUT', '/visibility', { scope: 'all' }],
    ['POST', `/permissions/${organiser.guid}/grant`, { role: 'role:caster' }],
    ['POST', '/teams', { captainId: organiser.guid }],
    ['PATCH', '/matches/1', { officials: [{ user: organiser.guid, role: 'role:referee' }] }],
    ['PUT', '/assistant', {}],
    ['POST', '/updates', { guid: randomUUID(), content: 'At nine.', sendToChat: true }],
    ['POST', `/pools/${pool}/archive`],
    [
      'PATCH',
      `/overlays/${await overlayIn(rehearsal?.guid)}/control`,
      { casters: [{ name: 'M', userGuid: organiser.guid }] },
    ],
    ['POST', '/flow-sessions', { ...free(pool), speakers: [{ seat: 1, users: [organiser.guid] }] }],
    ['GET', '/package?variant=full'],
  ]
  for (const [method, rest, body] of refused) {
    const reply = await api.call(method, path + rest, { as: organiser, body })
    expect(outcome(reply), `${method} ${rest}`).toEqual([409, 'rehearsal.not_possible'])
  }
  const unknown = await api.post(`${path}/pools/${pool}/maps`, organiser, { ref: 'abc12', difficulty: 'Expert' })
  expect(outcome(unknown)).toEqual([409, 'rehearsal.no_outside'])
  const { messages } = (
    await api.get(`${stage.path}/rehearsals/${rehearsal?.guid}/outbox?kind=lookup&status=failed`, organiser)
  ).body
  const asked = { to: 'map catalogue', body: '{"kind":"key","key":"abc12"}', attempts: [] }
  expect(messages).toMatchObject([asked])
  expect(connections).toBe(0)
})

test('the real tournament reaches the listener by the same', async () => {
  expect(outcome(await api.post(`${stage.path}/matches/1/call`, organiser, {}))).toEqual([200, null])
  await expect.poll(() => connections, { timeout: 30_000 }).toBeGreaterThan(0)
})
