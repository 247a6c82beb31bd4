import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyRanking } from '../../../../test/assistant.ts'
import { badgePicture, type PictureHost, startPictureHost } from '../../../../test/badge-pictures.ts'
import { type FakeRanking, type ScoreSaberPlayer, startFakeScoreSaber } from '../../../../test/fakes/ranking.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { isBroughtOver, textsOf } from './rules/importing.ts'

/** Imports of badges from ranking platform A. (B7) */

let api: Harness
let rankings: FakeRanking<ScoreSaberPlayer>
let pictures: PictureHost
let manager: Caller

beforeAll(async () => {
  ;[rankings, pictures] = await Promise.all([startFakeScoreSaber(), startPictureHost()])
  api = await startHarness({ rankingAUrl: rankings.url, webhookAllowPrivate: true })
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await Promise.all([rankings.close(), pictures[Symbol.asyncDispose]()])
})

const path = '/badges/import/ranking-a'
type Badges = ScoreSaberPlayer['badges']

/** A user whose account on the platform has these badges. */
async function ranked(badges: Badges, to = api): Promise<Caller> {
  const user = await to.user()
  rankings.players.add({ id: await verifyRanking(to, user), badges })
  return user
}

const importOf = (users: readonly Caller[], more: object = {}) =>
  api.post(path, manager, { users: users.map(({ guid }) => guid), ...more })

// biome-ignore lint/suspicious/noExplicitAny: parts of answers.
type Part = any

const heldBy = async (user: Caller, from = api) =>
  (await from.get(`/users/${user.guid}/badges`)).body.badges.map(({ name, description, kind, imageUrl }: Part) => ({
    name,
    description,
    kind,
    imageUrl,
  }))

const everything = async (from = api) => ({
  badges: await from.sql('select guid, name, holders, updated_at, import_digest from badges order by guid'),
  grants: await from.sql('select * from badge_grants order by guid'),
  media: await from.sql('select guid, digest from media order by guid'),
})

test.each([
  ['Ranker', false],
  ['SUPPORTER', false],
  [' supporter ', false],
  ['Ranker of the year', true],
  ['', true],
])('a badge that says "%s" is brought over: %s', (description, is) => {
  expect(isBroughtOver({ description })).toBe(is)
})

test('its name is the beginning of what it says', () => {
  expect(textsOf('Winner of the Cup')).toEqual({ name: 'Winner of the Cup', description: 'Winner of the Cup' })
  expect(textsOf('😀'.repeat(300))).toEqual({ name: '😀'.repeat(60), description: '😀'.repeat(280) })
  expect(textsOf('')).toEqual({ name: 'Badge', description: '' })
})

describe('at once', () => {
  test('makes what is new, grants it, and changes nothing the second time', async () => {
    const [cup, league] = [await pictures.add(), await pictures.add()]
    const [one, two, none] = [
      await ranked([
        { description: 'Cup 2025 - Winner', image: cup },
        { description: 'Ranker', image: league },
        { description: 'suPPorter', image: league },
      ]),
      await ranked([
        { description: 'Cup 2025 - Winner', image: cup },
        { description: 'League Staff', image: league },
      ]),
      await ranked([]),
    ]
    const stranger = await api.user()
    const before = await everything()
    const dry = await importOf([one, two, none, stranger], { dryRun: true })
    expect(outcome(dry)).toEqual([200, null])
    expect(dry.body.made.map(({ guid, name }: Part) => [guid, name]).sort()).toEqual([
      ...[
        [null, 'Cup 2025 - Winner'],
        [null, 'League Staff'],
      ],
    ])
    const namesOf = ({ body }: Part) => body.granted.map(({ userGuid, name }: Part) => `${userGuid} ${name}`).sort()
    const wanted = [`${one.guid} Cup 2025 - Winner`, `${two.guid} Cup 2025 - Winner`, `${two.guid} League Staff`].sort()
    expect(namesOf(dry)).toEqual(wanted)
    expect(await everything()).toEqual(before)

    const first = await importOf([one, two, none, stranger])
    expect(outcome(first)).toEqual([200, null])
    expect(namesOf(first)).toEqual(wanted)
    expect(first.body.made).toHaveLength(2)
    for (const { guid } of first.body.made) expect(guid).not.toBeNull()
    expect(first.body.failed).toEqual([])
    expect(new Set(first.body.skipped)).toEqual(
      new Set([
        { user: stranger.guid, why: 'not_linked' },
        { user: none.guid, why: 'nothing_new' },
      ]),
    )
    const [held] = await heldBy(one)
    expect(held).toEqual({
      name: 'Cup 2025 - Winner',
      description: 'Cup 2025 - Winner',
      kind: 'special',
      imageUrl: expect.stringMatching(/\/media\/[\da-f-]{36}\/full\.webp$/),
    })
    const shown = await fetch(held.imageUrl.replace(/^https?:\/\/[^/]+/, api.url))
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    const grants = await api.sql<Part>('select source, granted_by as by from badge_grants')
    expect(grants.map(({ source, by }) => [source, by])).toEqual(grants.map(() => ['import', manager.guid]))
    const [used] = await api.sql<Part>(
      `select count(*)::int as unused from media m where kind = 'badge_image' and not exists (select from media_usages u where u.media_guid = m.guid)`,
    )
    expect(used.unused).toBe(0)

    const after = await everything()
    const second = await importOf([one, two, none])
    expect(second.body).toMatchObject({ made: [], granted: [], failed: [] })
    expect(second.body.skipped).toHaveLength(3)
    expect(await everything()).toEqual(after)
    const events = await api.sql<Part>(
      `select actor, after from event_log where type = 'badge_import.finished' order by seq`,
    )
    expect(events).toEqual([
      { actor: manager.guid, after: { source: 'ranking-a', dryRun: false, made: 2, granted: 3, failed: 0 } },
      { actor: manager.guid, after: { source: 'ranking-a', dryRun: false, made: 0, granted: 0, failed: 0 } },
    ])
  })

  test('tells badges apart by their picture and what they say', async () => {
    const same = await badgePicture()
    const [here, there, other] = [await pictures.add(same), await pictures.add(same), await pictures.add()]
    const one = await ranked([{ description: 'Season 3', image: here }])
    const two = await ranked([{ description: 'Season 3', image: there }])
    const three = await ranked([
      { description: 'Season 4', image: here },
      { description: 'Season 3', image: other },
    ])
    const { body } = await importOf([one, two, three])
    expect(body.made.map(({ name }: Part) => name).sort()).toEqual(['Season 3', 'Season 3', 'Season 4'])
    const of = (user: Caller) => body.granted.filter((each: Part) => each.userGuid === user.guid)
    expect(of(one)[0].badgeGuid).toBe(of(two)[0].badgeGuid)
    expect(new Set(body.granted.map(({ badgeGuid }: Part) => badgeGuid)).size).toBe(3)
    // Another picture at the same address makes another badge.
    pictures.change(here, await badgePicture())
    const again = await importOf([one, two])
    expect(again.body.made).toHaveLength(1)
    expect(again.body.granted.map(({ userGuid }: Part) => userGuid)).toEqual([one.guid])
  })

  test('leaves users as they were of whom the platform tells nothing, or a picture cannot be had', async () => {
    const good = await pictures.add()
    const [fine, badBytes, gone, large, scheme, resets, malformed] = [
      await ranked([{ description: 'Fine', image: good }]),
      await ranked([
        { description: 'Fine', image: good },
        {
          description: 'No picture',
          image: await pictures.add(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
        },
      ]),
      await ranked([
        { description: 'Fine', image: good },
        { description: 'Gone', image: `${pictures.url}/nowhere.png` },
      ]),
      await ranked([{ description: 'Large', image: await pictures.add(Buffer.alloc(1024 * 1024 + 1, 7)) }]),
      await ranked([{ description: 'Scheme', image: 'file:///etc/passwd' }]),
      await ranked([{ description: 'Resets', image: good }]),
      await ranked([{ description: 'Malformed', image: good }]),
    ]
    const accounts = await api.sql<{ user: string; id: string }>(
      'select user_guid as user, external_id as id from identities',
    )
    const idOf = ({ guid }: Caller) => accounts.find(({ user }) => user === guid)?.id
    const calm = [
      rankings.misbehave(new RegExp(`${idOf(resets)}`), 'reset'),
      rankings.misbehave(new RegExp(`${idOf(malformed)}`), 'malformed'),
    ]
    const all = [fine, badBytes, gone, large, scheme, resets, malformed]
    const { body } = await importOf(all)
    expect(new Set(body.failed)).toEqual(new Set(all.slice(1).map(({ guid }) => guid)))
    expect(body.granted.map(({ userGuid, name }: Part) => [userGuid, name])).toEqual([[fine.guid, 'Fine']])
    expect(body.made.map(({ name }: Part) => name)).toEqual(['Fine'])
    for (const user of all.slice(1)) expect(await heldBy(user)).toEqual([])
    for (const end of calm) end()
    const again = await importOf(all)
    expect(new Set(again.body.granted.map(({ userGuid }: Part) => userGuid))).toEqual(
      new Set([resets.guid, malformed.guid]),
    )
    const limited = rankings.misbehave(/./, { limitedS: 30 })
    const before = await everything()
    expect((await importOf(all)).body).toMatchObject({
      made: [],
      granted: [],
      skipped: [],
      failed: expect.arrayContaining(all.map(({ guid }) => guid)),
    })
    expect(await everything()).toEqual(before)
    limited()
  })

  test('reaches no address in the service’s own network', async () => {
    await using closed = await startHarness({ rankingAUrl: rankings.url, webhookAllowPrivate: false })
    const keeper = await closed.user({ globalRoles: ['role:owner'] })
    const user = await ranked([{ description: 'Inside', image: await pictures.add() }], closed)
    const asked = pictures.asked.length
    const { body } = await closed.post(path, keeper, { users: [user.guid] })
    expect(body).toMatchObject({ made: [], granted: [], failed: [user.guid] })
    expect(pictures.asked).toHaveLength(asked)
  })

  test('gives nothing back that was revoked, and nothing that is retired', async () => {
    const image = await pictures.add()
    const [one, two] = [
      await ranked([{ description: 'Shaky', image }]),
      await ranked([{ description: 'Shaky', image }]),
    ]
    const { body } = await importOf([one])
    const [{ badgeGuid }] = body.granted
    const [grant] = (await api.get(`/badges/${badgeGuid}/holders`)).body.holders
    const revoked = await api.post(`/badges/${badgeGuid}/grants/${grant.guid}/revoke`, manager, { reason: 'No.' })
    expect(outcome(revoked)).toEqual([200, null])
    expect((await importOf([one])).body).toMatchObject({
      granted: [],
      skipped: [{ user: one.guid, why: 'nothing_new' }],
    })
    expect((await api.patch(`/badges/${badgeGuid}`, manager, { retired: true })).status).toBe(200)
    expect((await importOf([two])).body).toMatchObject({ made: [], granted: [] })
    expect(await heldBy(two)).toEqual([])
  })

  test('is for managers, and for links that are verified', async () => {
    const claimed = await api.user()
    rankings.players.add({
      id: '76561190000000001',
      badges: [{ description: 'Not mine', image: await pictures.add() }],
    })
    await api.sql(
      `insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '76561190000000001')`,
      [claimed.guid],
    )
    const asked = rankings.requests.length
    const { body } = await api.post(path, manager, { users: [claimed.guid, 'nobody', '@me'] })
    expect(body).toEqual({
      made: [],
      granted: [],
      failed: [],
      skipped: [
        { user: claimed.guid, why: 'not_linked' },
        { user: 'nobody', why: 'unknown' },
        { user: '@me', why: 'not_linked' },
      ],
    })
    for (const as of [claimed, await api.user({ globalRoles: ['global:tournaments:manage'] })]) {
      expect(outcome(await api.post(path, as, { users: [claimed.guid] }))).toEqual([403, 'role.missing'])
      expect((await api.get(`/admin/badgeImports/${crypto.randomUUID()}`, as)).status).toBe(403)
    }
    expect(rankings.requests).toHaveLength(asked)
    expect(outcome(await api.post(path, manager, { users: [] }))).toEqual([400, 'request.invalid'])
    expect(outcome(await api.get(`/admin/badgeImports/${crypto.randomUUID()}`, manager))).toEqual([
      404,
      'badge_import.unknown',
    ])
  })

  test('many times at once, on two processes, it makes each badge once', async () => {
    await using sibling = await api.sibling()
    const badges = await Promise.all(
      Array.from({ length: 3 }, async (_, index) => ({ description: `Rush ${index}`, image: await pictures.add() })),
    )
    const users = await Promise.all(Array.from({ length: 4 }, () => ranked(badges)))
    const body = { users: users.map(({ guid }) => guid) }
    const replies = await Promise.all(
      [0, 1, 2, 3].map((index) => (index % 2 ? sibling : api).post(path, manager, body)),
    )
    // If too many requests wait for the decoder, a caller is told to try again.
    for (const reply of replies) if (reply.status !== 200) expect(outcome(reply)).toEqual([503, 'service.busy'])
    expect((await api.post(path, manager, body)).status).toBe(200)
    const rows = await api.sql<Part>(`select name, holders from badges where name like 'Rush %' order by name`)
    expect(rows).toEqual([0, 1, 2].map((index) => ({ name: `Rush ${index}`, holders: 4 })))
    for (const user of users) expect(await heldBy(user)).toHaveLength(3)
  })
})

describe('for everybody', () => {
  const finished = async (service: Harness, as: Caller, guid: string) => {
    await expect
      .poll(async () => (await service.get(`/admin/badgeImports/${guid}`, as)).body.status, {
        interval: 50,
        timeout: 120_000,
      })
      .not.toBe('running')
    return (await service.get(`/admin/badgeImports/${guid}`, as)).body
  }

  test('a job goes on from some users to the next, one import at a time, and says how far it has come', async () => {
    await using own = await startHarness({ rankingAUrl: rankings.url, webhookAllowPrivate: true })
    const keeper = await own.user({ globalRoles: ['role:owner'] })
    const [shared, single] = [await pictures.add(), await pictures.add()]
    const users: Caller[] = []
    for (let index = 0; index < 45; index++) {
      users.push(await ranked(index === 44 ? [] : [{ description: 'Everybody', image: shared }], own))
    }
    const late = await ranked([{ description: 'Late', image: single }], own)
    const banned = await ranked([{ description: 'Everybody', image: shared }], own)
    await own.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    const [{ id: lateId } = { id: '' }] = await own.sql<{ id: string }>(
      'select external_id as id from identities where user_guid = $1',
      [late.guid],
    )
    const silence = rankings.misbehave(new RegExp(lateId), 'reset')

    const dry = await own.post(path, keeper, { dryRun: true })
    expect(outcome(dry)).toEqual([202, null])
    expect(dry.body.job).toMatchObject({ status: 'running', dryRun: true, made: 0, granted: 0 })
    const seen = await finished(own, keeper, dry.body.job.guid)
    expect(seen).toMatchObject({ status: 'done', made: 1, granted: 44, skipped: 1, failures: 1, failed: [late.guid] })
    expect(await everything(own)).toMatchObject({ badges: [], grants: [] })

    const hold = Promise.withResolvers<void>()
    const held = rankings.misbehave(/./, async (_request, proper) => {
      await hold.promise
      return proper()
    })
    const started = await own.post(path, keeper, {})
    expect(outcome(started)).toEqual([202, null])
    expect(outcome(await own.post(path, keeper, {}))).toEqual([409, 'badge_import.running'])
    held()
    hold.resolve()
    const done = await finished(own, keeper, started.body.job.guid)
    // The platform did not answer for the last user, whose badges therefore stayed unchanged.
    expect(done).toMatchObject({ status: 'done', dryRun: false, made: 1, failures: expect.any(Number) })
    expect(done.failed).toContain(late.guid)
    silence()
    const again = await finished(own, keeper, (await own.post(path, keeper, {})).body.job.guid)
    expect(again).toMatchObject({ status: 'done', failures: 0 })
    const rows = await own.sql<Part>('select name, holders from badges order by name')
    expect(rows).toEqual([
      { name: 'Everybody', holders: 44 },
      { name: 'Late', holders: 1 },
    ])
    const whole = await everything(own)
    const last = await finished(own, keeper, (await own.post(path, keeper, {})).body.job.guid)
    expect(last).toMatchObject({ made: 0, granted: 0, failures: 0 })
    expect(await everything(own)).toEqual(whole)
    const events = await own.sql<Part>(
      `select type, count(*)::int from event_log where type like 'badge_import.%' group by type order by type`,
    )
    expect(events).toEqual([
      { type: 'badge_import.finished', count: 4 },
      { type: 'badge_import.started', count: 4 },
    ])
  })

  test('while the platform asks to be left alone, it waits, and then goes on', async () => {
    await using own = await startHarness({ rankingAUrl: rankings.url, webhookAllowPrivate: true })
    const keeper = await own.user({ globalRoles: ['role:owner'] })
    const user = await ranked([{ description: 'Patience', image: await pictures.add() }], own)
    const limited = rankings.misbehave(/./, { limitedS: 1 })
    const asked = rankings.requests.length
    const { body } = await own.post(path, keeper, {})
    await expect.poll(() => rankings.requests.length, { interval: 20, timeout: 60_000 }).toBeGreaterThan(asked)
    limited()
    expect(await finished(own, keeper, body.job.guid)).toMatchObject({ made: 1, granted: 1, failures: 0 })
    expect(await heldBy(user, own)).toHaveLength(1)
  })
})
