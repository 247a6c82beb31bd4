import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatSocial } from '../../../../test/fakes/ranking.ts'
import type { Caller, Harness, Reply } from '../../../../test/harness.ts'
import {
  chatUser,
  type LinkedWorld,
  linksOf,
  problemOf,
  putIdentity,
  showCode,
  startLinkedWorld,
} from '../../../../test/identities.ts'

/** An account belongs to one user only, even under concurrent requests on several processes. */

let world: LinkedWorld
let api: Harness
let sibling: Harness
beforeAll(async () => {
  world = await startLinkedWorld()
  api = world.api
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await world[Symbol.asyncDispose]()
})

const either = (at: number) => (at % 2 === 0 ? api : sibling)
const users = (count: number) => Promise.all(Array.from({ length: count }, () => chatUser(world)))
const outcomes = (replies: readonly Reply[]) => replies.map((reply) => problemOf(reply).join(' ').trim()).sort()

/** The users who have verified the account, and those who claim it. */
async function standing(platform: string, externalId: string): Promise<[owners: string[], claimants: string[]]> {
  const rows = await api.sql<{ user_guid: string; proven: boolean }>(
    'select user_guid, verified_at is not null as proven from identities where platform = $1 and external_id = $2',
    [platform, externalId],
  )
  const who = (proven: boolean) => rows.filter((row) => row.proven === proven).map((row) => row.user_guid)
  return [who(true), who(false)]
}

test('of several whose codes all stand in the profile, one proves the account and the others’ claims fall', async () => {
  const claimants = await users(8)
  const { id } = world.a.players.add()
  const codes = await Promise.all(claimants.map((user) => showCode(world, user, id)))
  world.a.players.change(id, { bio: codes.join(' ') })
  const replies = await Promise.all(claimants.map((user, at) => putIdentity(either(at), user, 'ranking-a', id)))
  expect(outcomes(replies)).toEqual(['200', ...Array.from({ length: 7 }, () => '409 identity.taken')])
  const winner = claimants[replies.findIndex(({ status }) => status === 200)] as Caller
  expect(await standing('ranking-a', id)).toEqual([[winner.guid], []])
  for (const user of claimants) expect(await linksOf(api, user)).toHaveLength(user === winner ? 1 : 0)
})

test('of two whose chat accounts are connected to one streaming account, one proves it', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `contested_${round}`
    const rivals = await users(2)
    const proofs = rivals.map(({ chatPlatformId }) => {
      world.chat.connect(chatPlatformId, { name })
      return world.chat.issueToken(chatPlatformId, { scopes: ['identify', 'connections'] })
    })
    const replies = await Promise.all(
      rivals.map((user, at) => putIdentity(either(at), user, 'streaming', name, proofs[at])),
    )
    expect(outcomes(replies)).toEqual(['200', '409 identity.taken'])
    const [owners, claimants] = await standing('streaming', name)
    expect([owners.length, claimants]).toEqual([1, []])
  }
})

test('no claim is left to an account that is being proven at the same time', async () => {
  for (let round = 0; round < 5; round++) {
    const [owner, ...others] = await users(6)
    const { chatPlatformId, guid } = owner as Caller
    const { id } = world.b.players.add({ socials: [chatSocial(chatPlatformId)] })
    const replies = await Promise.all(
      [...others, owner as Caller].map((user, at) => putIdentity(either(at), user, 'ranking-b', id)),
    )
    expect(replies.at(-1)?.status).toBe(200)
    for (const reply of replies) expect([200, 409]).toContain(reply.status)
    expect(await standing('ranking-b', id)).toEqual([[guid], []])
  }
})

test('two who swap accounts at the same time do not block each other', async () => {
  for (let round = 0; round < 5; round++) {
    const [one, two] = (await users(2)) as [Caller, Caller]
    const [x, y] = [world.a.players.add().id, world.a.players.add().id]
    await Promise.all([putIdentity(api, one, 'ranking-a', x), putIdentity(api, two, 'ranking-a', y)])
    const admin = await api.user({ globalRoles: ['role:owner'] })
    const replies = await Promise.all([
      api.patch(`/admin/users/${one.guid}`, admin, { rankingIdA: y }),
      sibling.patch(`/admin/users/${two.guid}`, admin, { rankingIdA: x }),
      putIdentity(api, one, 'ranking-a', x),
      putIdentity(sibling, two, 'ranking-a', y),
    ])
    for (const reply of replies) expect([200, 409]).toContain(reply.status)
    const owners = [...(await standing('ranking-a', x))[0], ...(await standing('ranking-a', y))[0]]
    expect(new Set(owners).size).toBe(owners.length)
  }
})

test('twenty calls of one user at once make one claim with one code', async () => {
  const [user] = (await users(1)) as [Caller]
  const { id } = world.a.players.add()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => putIdentity(either(at), user, 'ranking-a', id)),
  )
  expect(outcomes(replies)).toEqual(Array.from({ length: 20 }, () => '200'))
  expect(new Set(replies.map(({ body }) => body.proofCode)).size).toBe(1)
  expect(await linksOf(api, user)).toEqual([replies[0]?.body])
  const events = await api.sql(`select type from event_log where actor = $1`, [user.guid])
  expect(events).toEqual([{ type: 'identity.claimed' }])
})

test('twenty calls of one user for different accounts leave the one that was answered last', async () => {
  const [user] = (await users(1)) as [Caller]
  const ids = Array.from({ length: 20 }, () => world.a.players.add().id)
  const replies = await Promise.all(ids.map((id, at) => putIdentity(either(at), user, 'ranking-a', id)))
  expect(outcomes(replies)).toEqual(Array.from({ length: 20 }, () => '200'))
  const [left, ...more] = await linksOf(api, user)
  expect(more).toEqual([])
  expect(replies.map(({ body }) => body)).toContainEqual(left)
})

test('of several removals of one link, one removes it', async () => {
  const [user] = (await users(1)) as [Caller]
  await putIdentity(api, user, 'streaming', 'once_removed')
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, at) => either(at).delete('/users/@me/identities/streaming', user)),
  )
  expect(outcomes(replies)).toEqual(['204', ...Array.from({ length: 5 }, () => '404 identity.unknown')])
})
