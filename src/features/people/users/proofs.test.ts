import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BeatLeaderPlayer, chatSocial } from '../../../../test/fakes/ranking.ts'
import type { Caller, Harness } from '../../../../test/harness.ts'
import {
  type LinkedWorld,
  linksOf,
  problemOf,
  putIdentity,
  showCode,
  startLinkedWorld,
} from '../../../../test/identities.ts'
import { timely } from '../../../../test/waiting.ts'

/** How ranking accounts are verified. */

let world: LinkedWorld
let api: Harness
beforeAll(async () => {
  world = await startLinkedWorld()
  api = world.api
})
afterAll(() => world[Symbol.asyncDispose]())

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const code = expect.stringMatching(/^downbeat-[A-HJ-NP-Z2-9]{8}$/)
const onA = async (user: Caller, id: string) => (await putIdentity(api, user, 'ranking-a', id)).body
const onB = async (user: Caller, id: string) => (await putIdentity(api, user, 'ranking-b', id)).body

/** Gives the account a new ID; the old ID still leads to it. */
function merge(id: string, changes: Partial<BeatLeaderPlayer>): BeatLeaderPlayer {
  const linkedIds = { steamId: id, oculusPCId: null, questId: null }
  return world.b.players.change(id, { id: `9${id}`, linkedIds, ...changes })
}

/** Moves the creation of the user's codes into the past. */
async function age(user: Caller, days: number): Promise<void> {
  await api.sql(`update identities set proof_made_at = proof_made_at - $2 * interval '1 day' where user_guid = $1`, [
    user.guid,
    days,
  ])
}

describe('the platform that names the user’s chat account', () => {
  test('proves its account at once', async () => {
    const user = await api.user()
    const { id } = world.b.players.add({ name: 'Minim', socials: [chatSocial(user.chatPlatformId)] })
    const reply = await putIdentity(api, user, 'ranking-b', id)
    expect([reply.status, reply.body]).toEqual([
      200,
      { platform: 'ranking-b', externalId: id, verifiedAt: instant, name: 'Minim', linkedAt: instant },
    ])
    expect((await api.get(`/users/${user.guid}/card`)).body.rankingIdB).toBe(id)
  })

  test('proves a claim that was made before, and its code is no longer told', async () => {
    const user = await api.user()
    const { id } = world.b.players.add()
    const claim = await onB(user, id)
    expect([claim.verifiedAt, claim.proofCode]).toEqual([null, code])
    world.b.players.change(id, { socials: [chatSocial(user.chatPlatformId)] })
    const proven = await onB(user, id)
    expect([proven.verifiedAt, proven.proofCode, proven.linkedAt]).toEqual([instant, undefined, claim.linkedAt])
    const stored = await api.sql('select proof_code, proof_made_at from identities where user_guid = $1', [user.guid])
    expect(stored).toEqual([{ proof_code: null, proof_made_at: null }])
  })

  test.each([
    ['another chat account', (user: Caller) => [chatSocial(`${BigInt(user.chatPlatformId) + 1n}`)]],
    [
      'a chat account whose ID begins like the user’s',
      (user: Caller) => [chatSocial(`${user.chatPlatformId}0`.slice(0, 20))],
    ],
    ['the same ID on another service', (user: Caller) => [{ ...chatSocial(user.chatPlatformId), service: 'Twitch' }]],
    ['nobody', () => []],
  ])('proves nothing when it names %s', async (_who, socials) => {
    const user = await api.user()
    const { id } = world.b.players.add({ socials: socials(user) })
    expect(await onB(user, id)).toMatchObject({ verifiedAt: null, proofCode: code })
  })

  test('proves nothing on the other ranking platform, where the ID is the same', async () => {
    const user = await api.user()
    const { id } = world.b.players.add({ id: '76561198222222222', socials: [chatSocial(user.chatPlatformId)] })
    world.a.players.add({ id })
    expect((await onB(user, id)).verifiedAt).toEqual(instant)
    expect((await onA(user, id)).verifiedAt).toBeNull()
  })

  test('also proves an account in place of another proven one', async () => {
    const user = await api.user()
    const ids = [1, 2].map(() => world.b.players.add({ socials: [chatSocial(user.chatPlatformId)] }).id)
    await onB(user, ids[0] as string)
    expect((await onB(user, ids[1] as string)).verifiedAt).toEqual(instant)
    expect((await api.get(`/users/${user.guid}/card`)).body.rankingIdB).toBe(ids[1])
  })
})

describe('a code in the profile text', () => {
  test.each([
    ['ranking-a', (id: string, text: string) => world.a.players.change(id, { bio: text })],
    [
      'ranking-b',
      (id: string, text: string) =>
        world.b.players.change(id, {
          profileSettings: { ...world.b.players.change(id, {}).profileSettings, bio: text },
        }),
    ],
  ] as const)('proves an account on %s', async (platform, write) => {
    const user = await api.user()
    const { id } = (platform === 'ranking-a' ? world.a : world.b).players.add({ name: 'Clef' })
    const claim = (await putIdentity(api, user, platform, id)).body
    expect(claim).toEqual({
      platform,
      externalId: id,
      verifiedAt: null,
      proofCode: code,
      name: 'Clef',
      linkedAt: instant,
    })
    write(id, `<p>I play in <b>Oslo</b>.<br>${claim.proofCode}</p>`)
    const proven = (await putIdentity(api, user, platform, id)).body
    expect(proven).toEqual({ platform, externalId: id, verifiedAt: instant, name: 'Clef', linkedAt: claim.linkedAt })
    write(id, 'The code is gone again.')
    expect((await putIdentity(api, user, platform, id)).body).toEqual(proven)
  })

  test('stays the same until it is found, and is the user’s own', async () => {
    const [user, other] = [await api.user(), await api.user()]
    const { id } = world.a.players.add({ bio: null })
    const first = await onA(user, id)
    const again = [await onA(user, id), await onA(user, id)]
    expect(again).toEqual([first, first])
    expect((await onA(other, id)).proofCode).not.toBe(first.proofCode)
    world.a.players.change(id, { bio: first.proofCode })
    expect((await onA(other, id)).verifiedAt).toBeNull()
    expect((await onA(user, id)).verifiedAt).toEqual(instant)
  })

  test('proves neither another account nor one on another platform', async () => {
    const user = await api.user()
    const [mine, wanted] = [world.a.players.add(), world.a.players.add()]
    world.b.players.add({ id: mine.id })
    const proofCode = await showCode(world, user, mine.id)
    world.a.players.change(wanted.id, { bio: proofCode })
    const claim = await onA(user, wanted.id)
    expect([claim.verifiedAt, claim.proofCode]).toEqual([null, code])
    expect(claim.proofCode).not.toBe(proofCode)
    world.b.players.change(mine.id, { profileSettings: { bio: proofCode } })
    expect((await onB(user, mine.id)).verifiedAt).toBeNull()
    // The first claim was deleted, and its code with it.
    expect((await onA(user, mine.id)).verifiedAt).toBeNull()
  })

  test('counts for seven days; then there is a new one', async () => {
    const user = await api.user()
    const { id } = world.a.players.add()
    const { proofCode, linkedAt } = await onA(user, id)
    await age(user, 6.99)
    expect((await onA(user, id)).proofCode).toBe(proofCode)
    world.a.players.change(id, { bio: proofCode })
    await age(user, 0.02)
    const late = await onA(user, id)
    expect([late.verifiedAt, late.proofCode, late.linkedAt]).toEqual([null, code, linkedAt])
    expect(late.proofCode).not.toBe(proofCode)
    world.a.players.change(id, { bio: `${proofCode} ${late.proofCode}` })
    expect((await onA(user, id)).verifiedAt).toEqual(instant)
  })

  test('of a claim from before codes had an age is replaced', async () => {
    const user = await api.user()
    const { id } = world.a.players.add({ bio: 'downbeat-22222222' })
    await api.sql(
      `insert into identities (user_guid, platform, external_id, proof_code) values ($1, 'ranking-a', $2, 'downbeat-22222222')`,
      [user.guid, id],
    )
    const { verifiedAt, proofCode } = await onA(user, id)
    expect([verifiedAt, proofCode]).toEqual([null, code])
    expect(proofCode).not.toBe('downbeat-22222222')
  })

  test('may be typed in small letters, but not be part of something else or hidden', async () => {
    const user = await api.user()
    const { id } = world.a.players.add()
    const { proofCode } = await onA(user, id)
    for (const bio of [
      `x${proofCode}`,
      `${proofCode}9`,
      `<!-- ${proofCode} -->`,
      `<a href="//x/?${proofCode}">x</a>`,
    ]) {
      world.a.players.change(id, { bio })
      expect((await onA(user, id)).verifiedAt, bio).toBeNull()
    }
    world.a.players.change(id, { bio: `<i>${proofCode.toLowerCase()}</i>` })
    expect((await onA(user, id)).verifiedAt).toEqual(instant)
  })

  test('is looked for in hostile texts in no time', async () => {
    const user = await api.user()
    const { id } = world.a.players.add()
    await onA(user, id)
    for (const piece of ['<a ', '<!--', '</', 'downbeat-', '<a href="']) {
      world.a.players.change(id, { bio: piece.repeat(90_000 / piece.length) })
      const attempt = async () => {
        const startedAt = performance.now()
        expect((await onA(user, id)).verifiedAt).toBeNull()
        return performance.now() - startedAt
      }
      expect(await timely(1_000, attempt)).toBeLessThan(1_000)
    }
  })
})

describe('a verified link', () => {
  test('is replaced by a claim to another account, and has to be proven again after that', async () => {
    const user = await api.user()
    const [first, second] = [world.a.players.add(), world.a.players.add()]
    await showCode(world, user, first.id)
    await onA(user, first.id)
    expect(await onA(user, second.id)).toMatchObject({ externalId: second.id, verifiedAt: null, proofCode: code })
    expect((await api.get(`/users/${user.guid}/card`)).body.rankingIdA).toBeNull()
    expect((await onA(user, first.id)).verifiedAt).toBeNull()
  })

  test('is left alone by a claim that fails', async () => {
    const user = await api.user()
    const { id } = world.a.players.add()
    await showCode(world, user, id)
    const proven = await onA(user, id)
    expect(problemOf(await putIdentity(api, user, 'ranking-a', '404'))).toEqual([400, 'identity.account_unknown'])
    expect(problemOf(await putIdentity(api, user, 'ranking-a', 'x'))).toEqual([400, 'identity.id_invalid'])
    expect(await linksOf(api, user)).toEqual([proven])
  })

  test('tells country and rank from the moment on which it is proven', async () => {
    const user = await api.user()
    const { id } = world.b.players.add({ country: 'fi', rank: 17, socials: [chatSocial(user.chatPlatformId)] })
    await onB(user, id)
    expect((await api.get(`/users/${user.guid}/card`)).body).toMatchObject({ rankingIdB: id, country: 'FI' })
    const stored = await api.sql(
      `select country, rank from ranking_profiles where platform = 'ranking-b' and external_id = $1`,
      [id],
    )
    expect(stored).toEqual([{ country: 'FI', rank: 17 }])
  })
})

describe('accounts that were merged', () => {
  test('are linked by the platform’s present name', async () => {
    const user = await api.user()
    const { id } = world.b.players.add({
      linkedIds: { steamId: '76561198333333333', oculusPCId: null, questId: 4711 },
      socials: [chatSocial(user.chatPlatformId)],
    })
    expect((await onB(user, '4711')).externalId).toBe(id)
    expect((await onB(user, '76561198333333333')).externalId).toBe(id)
    expect(await linksOf(api, user)).toHaveLength(1)
    const other = await api.user()
    expect(problemOf(await putIdentity(api, other, 'ranking-b', '4711'))).toEqual([409, 'identity.taken'])
  })

  test('stay proven when the user asks by the ID that they had proven', async () => {
    const user = await api.user()
    const old = world.b.players.add({ socials: [chatSocial(user.chatPlatformId)] })
    const proven = await onB(user, old.id)
    const merged = merge(old.id, { socials: [] })
    expect(await onB(user, old.id)).toMatchObject({ externalId: merged.id, verifiedAt: proven.verifiedAt })
    expect((await api.get(`/users/${user.guid}/card`)).body.rankingIdB).toBe(merged.id)
  })

  test('have to be proven when only a claim was there', async () => {
    const user = await api.user()
    const old = world.b.players.add()
    const { proofCode } = await onB(user, old.id)
    const merged = merge(old.id, { profileSettings: { bio: proofCode } })
    const claim = await onB(user, old.id)
    expect(claim).toMatchObject({ externalId: merged.id, verifiedAt: null, proofCode: code })
    expect(claim.proofCode).not.toBe(proofCode)
  })
})
