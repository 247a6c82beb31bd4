import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { grantRole, type MadeTournament, makeTeam, makeTournament, roleHolder, touch } from '../../../../test/make.ts'
import { picture, upload } from '../../../../test/media.ts'
import { makeOverlayRow } from '../../../../test/overlay-rows.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'
import { objectName } from '../../../infra/storage/storage.ts'
import { check } from './commands/checking.ts'
import { sweep } from './commands/sweeping.ts'

/**
 * Media after the upload: who may see and change them, which records use them, and how they are deleted. (M13 to M16)
 */

let api: Harness
let ada: Caller
let organiser: Caller
let owner: Caller
let cup: MadeTournament
beforeAll(async () => {
  api = await startHarness()
  ;[ada, organiser, owner] = await Promise.all([api.user(), api.user(), api.user({ globalRoles: ['role:owner'] })])
  cup = await makeTournament(api, organiser)
})
afterAll(() => api[Symbol.asyncDispose]())

async function made(
  as: Caller,
  parts: Record<string, string> = { kind: 'avatar' },
  side = 200,
): Promise<Reply['body']> {
  const reply = await upload(api, as, await picture({ width: side, height: side }), parts)
  expect(outcome(reply)).toEqual([201, null])
  return reply.body
}
const ofCup = () => made(organiser, { kind: 'tournament_image', tournament: cup.id })
const statusOf = async (url: string) => (await fetch(url)).status
const parts = () => {
  const { database, services, config } = api.app
  return { database, storage: services.storage, incoming: path.join(config.dataDir, 'media', 'incoming') }
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

test('a medium exists for its owner, its staff and the administration alone', async () => {
  const [own, cups] = [await made(ada), await ofCup()]
  const [referee, outsider] = await Promise.all([roleHolder(api, cup, 'role:referee'), api.user()])
  const seen = async (medium: { guid: string }, as: Caller) => outcome(await api.get(`/media/${medium.guid}`, as))
  const hidden = [404, 'media.unknown']
  const shown = [200, null]
  expect([await seen(own, ada), await seen(own, owner), await seen(own, organiser), await seen(own, outsider)]).toEqual(
    [...[shown, shown, hidden, hidden]],
  )
  expect([await seen(cups, organiser), await seen(cups, referee), await seen(cups, ada)]).toEqual([
    shown,
    shown,
    hidden,
  ])
  for (const [method, rest] of [
    ['DELETE', ''],
    ['PATCH', ''],
    ['GET', '/usages'],
  ] as const) {
    const asOutsider = await api.call(method, `/media/${own.guid}${rest}`, {
      as: outsider,
      body: method === 'PATCH' ? {} : undefined,
    })
    expect(outcome(asOutsider)).toEqual(hidden)
  }
  expect(outcome(await api.delete(`/media/${cups.guid}`, referee))).toEqual([403, 'role.missing'])
  expect(outcome(await api.post(`/admin/media/${own.guid}/takedown`, ada, { reason: 'x' }))).toEqual([
    403,
    'role.missing',
  ])
})

test('whoever uploaded it learns nothing of records that are hidden from them', async () => {
  const draft = await makeTournament(api, organiser, { id: 'secret-cup', name: 'Secret Cup', status: 'draft' })
  const staff = await roleHolder(api, draft, 'role:staff')
  await grantRole(api, cup, staff, 'role:caster')
  const of = { tournament: draft.id }
  const poster = await made(staff, { kind: 'tournament_image', ...of })
  const [shown, face] = [await made(staff, { kind: 'update_image', ...of }), await made(staff)]
  const place = { guid: draft.guid, id: draft.id }
  expect([poster.tournament, shown.tournament, face.tournament]).toEqual([place, place, null])
  const path = `/tournaments/${draft.id}`
  expect((await api.patch(path, staff, { imageUrl: poster.url })).status).toBe(200)
  const update = { guid: crypto.randomUUID(), title: 'Secret', content: `![a](${shown.url})` }
  expect((await api.post(`${path}/updates`, staff, update)).status).toBe(201)
  // Only one of the three overlays is visible to everybody.
  const hidden = await makeOverlayRow(api, draft, organiser, { access: 'public' })
  const inside = await makeOverlayRow(api, cup, organiser, { access: 'token' })
  const open = await makeOverlayRow(api, cup, organiser, { access: 'public' })
  for (const { path } of [hidden, inside, open]) {
    expect((await api.patch(`${path}/control`, staff, { casters: [{ name: 'A', imageUrl: face.url }] })).status).toBe(
      200,
    )
  }
  const usagesOf = async ({ guid }: { guid: string }, as: Caller) => (await api.get(`/media/${guid}/usages`, as)).body
  const uses = {
    poster: { subject: 'tournament', guid: draft.guid, field: 'imageUrl', name: 'Secret Cup', mayDetach: true },
    shown: { subject: 'update', guid: update.guid, field: 'content', name: 'Secret', mayDetach: true },
  }
  expect(await usagesOf(poster, staff)).toEqual([uses.poster])
  expect(await usagesOf(shown, staff)).toEqual([uses.shown])
  const named = async () => (await usagesOf(face, staff)).map(({ guid }: { guid: string }) => guid)
  expect(await named()).toEqual([hidden.guid, inside.guid, open.guid])

  await api.sql('delete from tournament_role_holders where user_guid = $1', [staff.guid])
  await touch(api, staff.guid, draft.guid, cup.guid)
  expect(outcome(await api.get(path, staff))).toEqual([404, 'tournament.unknown'])
  for (const { guid } of [poster, shown]) {
    expect((await api.get(`/media/${guid}`, staff)).body).toMatchObject({ guid, tournament: null })
  }
  const { media } = (await api.get('/media', staff)).body
  expect(media.map(({ tournament }: { tournament: unknown }) => tournament)).toEqual([null, null, null])
  const nothing = { guid: '', name: '', mayDetach: false }
  expect(await usagesOf(poster, staff)).toEqual([{ ...uses.poster, ...nothing }])
  expect(await usagesOf(shown, staff)).toEqual([{ ...uses.shown, ...nothing }])
  expect(await named()).toEqual(['', '', open.guid])
  const refusal = await api.delete(`/media/${face.guid}`, staff)
  expect(outcome(refusal)).toEqual([409, 'media.in_use'])
  expect(refusal.body.usages.map(({ guid }: { guid: string }) => guid)).toEqual(['', '', open.guid])
  expect(await usagesOf(poster, organiser)).toEqual([uses.poster])
  expect((await api.get(`/media/${poster.guid}`, owner)).body.tournament).toEqual(place)
})

test('lists show whose they are, in pages, with the room that there is', async () => {
  const bea = await api.user()
  const all = [await made(bea), await made(bea, { kind: 'app_image' }), await made(bea)]
  const whole = await api.get('/media', bea)
  expect(whole.body.media.map(({ guid }: { guid: string }) => guid)).toEqual(all.map(({ guid }) => guid).reverse())
  const usedBytes = all.reduce((sum, { bytes }) => sum + bytes, 0)
  expect(whole.body.quota).toEqual({ bytes: 200 * 1024 * 1024, usedBytes, files: 500, usedFiles: 3 })
  const first = await api.get('/media?limit=2', bea)
  const second = await api.get(`/media?limit=2&before=${first.body.nextCursor}`, bea)
  expect([first.body.media.length, second.body.media.length, second.body.nextCursor]).toEqual([2, 1, null])
  expect((await api.get('/media?kind=app_image', bea)).body.media).toHaveLength(1)
  expect((await api.get('/media?unused=false', bea)).body.media).toHaveLength(0)
  expect((await api.get(`/media?tournament=${cup.id}`, bea)).body.media).toHaveLength(0)
  expect(outcome(await api.get('/media?tournament=nowhere', bea))).toEqual([404, 'tournament.unknown'])
  const cups = await ofCup()
  const ofTournament = await api.get(`/tournaments/${cup.id}/media`, organiser)
  expect(ofTournament.body.media[0]).toEqual(cups)
  expect(ofTournament.body.quota).toMatchObject({ files: 2_000 })
  expect(outcome(await api.get(`/tournaments/${cup.id}/media`, bea))).toEqual([403, 'role.missing'])
  expect(outcome(await api.get('/admin/media', organiser))).toEqual([403, 'role.missing'])
  expect((await api.get(`/admin/media?owner=${bea.guid}`, owner)).body.media).toHaveLength(3)
})

test('it is renamed, and deleted with its delivery and its room', async () => {
  const bea = await api.user()
  const medium = await made(bea)
  expect((await api.patch(`/media/${medium.guid}`, bea, { name: 'Another' })).body).toMatchObject({ name: 'Another' })
  for (const name of ['   ', 'x'.repeat(121), '\u{1f3b5}'.repeat(121)]) {
    expect(outcome(await api.patch(`/media/${medium.guid}`, bea, { name }))).toEqual([400, 'request.invalid'])
  }
  for (const name of ['x'.repeat(120), '\u{1f3b5}'.repeat(120), 'Another']) {
    expect((await api.patch(`/media/${medium.guid}`, bea, { name })).body).toMatchObject({ name })
  }
  expect(await statusOf(medium.url)).toBe(200)
  expect(outcome(await api.delete(`/media/${medium.guid}`, bea))).toEqual([204, null])
  expect(await statusOf(medium.url)).toBe(404)
  expect((await api.get('/media', bea)).body).toMatchObject({ media: [], quota: { usedBytes: 0, usedFiles: 0 } })
})

test('what is used is not deleted, unless every field that uses it is unset first', async () => {
  const captain = await api.user()
  const team = await makeTeam(api, cup, captain)
  const medium = await made(captain, { kind: 'team_image', team: team.guid })
  const set = await api.call('PATCH', `/tournaments/${cup.id}/teams/${team.id}`, {
    as: captain,
    body: { imageUrl: medium.url },
  })
  expect(set.status).toBe(200)
  const refused = await api.delete(`/media/${medium.guid}`, captain)
  expect(outcome(refused)).toEqual([409, 'media.in_use'])
  expect(refused.body.usages).toEqual([
    { subject: 'team', guid: team.guid, field: 'imageUrl', name: team.name, mayDetach: true },
  ])
  expect(outcome(await api.delete(`/media/${medium.guid}?detach=true`, captain))).toEqual([204, null])
  expect((await api.get(`/tournaments/${cup.id}/teams/${team.id}`)).body.imageUrl).toBeNull()
})

test('a takedown ends all copies and uses, and the upload is never taken again', async () => {
  const [bea, cleo] = await Promise.all([api.user(), api.user()])
  const file = await picture()
  const [one, other] = [await upload(api, bea, file), await upload(api, cleo, file)]
  await api.call('POST', '/updateUserSettings', { as: cleo, body: { avatarUrl: other.body.url } })
  const warned = vi.spyOn(api.app.log, 'warn')
  expect(outcome(await api.post(`/admin/media/${one.body.guid}/takedown`, owner, { reason: 'Not yours.' }))).toEqual([
    ...[204, null],
  ])
  expect([await statusOf(one.body.url), await statusOf(other.body.url)]).toEqual([404, 404])
  expect((await api.get(`/users/${cleo.guid}/card`)).body.avatarUrl).not.toBe(other.body.url)
  expect(outcome(await upload(api, ada, file))).toEqual([400, 'media.blocked'])
  const told = await api.get('/users/@me/notifications', cleo)
  expect(told.body.notifications[0]).toMatchObject({ type: 'media.taken_down', body: 'Not yours.' })
  // Copies may remain in other caches. The log tells the operator their addresses. (M22)
  const logged = () =>
    warned.mock.calls.flatMap(([facts]) => (facts as { addresses?: readonly string[] }).addresses ?? [])
  await expect.poll(() => logged().toSorted()).toEqual([one.body.url, other.body.url].toSorted())
})

test('a takedown changes an archived pool as everybody sees it', async () => {
  const { url, guid } = await made(organiser, { kind: 'update_image', tournament: cup.id })
  const [map] = await makeMaps(api, 1)
  const pool = await makePool(api, cup.guid, { status: 'published', maps: [map?.guid ?? ''] })
  const path = `/tournaments/${cup.guid}/pools/${pool.guid}`
  expect((await api.patch(path, organiser, { description: `![a](${url})` })).status).toBe(200)
  expect((await api.post(`${path}/archive`, organiser)).status).toBe(200)
  const before = (await api.get(path)).body
  expect(before.description).toContain(url)
  expect(outcome(await api.post(`/admin/media/${guid}/takedown`, owner, { reason: 'Not yours.' }))).toEqual([204, null])
  const after = (await api.get(path)).body
  expect(after.description).toBe('![a](#)')
  expect(after.updatedAt > before.updatedAt).toBe(true)
  const [told] = await api.sql<{ type: string }>(
    'select type from event_log where subject = $1 order by seq desc limit 1',
    [pool.guid],
  )
  expect(told?.type).toBe('pool.updated')
})

test('a takedown waits for an upload of the same file that is under way, and takes it along', async () => {
  const bea = await api.user()
  const file = await picture()
  const { body: first } = await upload(api, ada, file)
  const { storage } = api.app.services
  const head = storage.head.bind(storage)
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The transaction looks for the object after it has checked the block list.
  const looking = vi.spyOn(storage, 'head').mockImplementationOnce(async (name) => {
    reached.resolve()
    await released.promise
    return head(name)
  })
  const sending = upload(api, bea, file)
  await reached.promise
  const takingDown = api.post(`/admin/media/${first.guid}/takedown`, owner, { reason: 'Not yours.' })
  const isWaiting = async () =>
    (
      await api.sql(`select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    ).length > 0
  await expect.poll(isWaiting, { interval: 20 }).toBe(true)
  released.resolve()
  const [sent, taken] = await Promise.all([sending, takingDown])
  looking.mockRestore()
  expect([outcome(sent), outcome(taken)]).toEqual([
    [201, null],
    [204, null],
  ])
  expect([await statusOf(first.url), await statusOf(sent.body.url)]).toEqual([404, 404])
  expect(outcome(await upload(api, bea, file))).toEqual([400, 'media.blocked'])
})

test('a captaincy that is lost while a deletion waits does not count', async () => {
  const [captain, other] = await Promise.all([api.user(), api.user()])
  const team = await makeTeam(api, cup, captain, { members: [other] })
  const medium = await made(captain, { kind: 'team_image', team: team.guid })
  const as = { name: 'Mine' }
  const ask = () => [api.patch(`/media/${medium.guid}`, captain, as), api.delete(`/media/${medium.guid}`, captain)]
  let asked: Promise<Reply>[] = []
  const handingOver = 'update teams set captain_guid = $2 where guid = $1'
  await whileHeld(
    api,
    [
      `with handed as (${handingOver}) select from tournaments where guid = $3 for update`,
      team.guid,
      other.guid,
      cup.guid,
    ],
    async (waiting) => {
      asked = ask()
      await waiting(2)
    },
  )
  for (const reply of await Promise.all(asked)) expect(outcome(reply)).toEqual([403, 'role.missing'])
  expect(await statusOf(medium.url)).toBe(200)
  expect(outcome(await api.delete(`/media/${medium.guid}`, other))).toEqual([204, null])
})

test('a right to a record that is lost while its picture is taken out does not count', async () => {
  const [other, image] = [await makeTournament(api, organiser), await ofCup()]
  const path = `/tournaments/${other.id}`
  expect((await api.patch(path, organiser, { imageUrl: image.url })).status).toBe(200)
  const handingOver = 'update tournaments set organiser_guid = $2 where guid = $1'
  let removing: Promise<Reply> | undefined
  await whileHeld(api, [handingOver, other.guid, ada.guid], async (waiting) => {
    removing = api.delete(`/media/${image.guid}?detach=true`, organiser)
    await waiting(1)
  })
  const refused = await removing
  expect(refused && outcome(refused)).toEqual([409, 'media.in_use'])
  expect(refused?.body.usages).toMatchObject([{ guid: other.guid, field: 'imageUrl', mayDetach: false }])
  await touch(api, other.guid)
  expect((await api.get(path)).body.imageUrl).toBe(image.url)
})

test('whoever gave a picture of their own takes it back, whoever shows it', async () => {
  const bea = await api.user()
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const editor = await roleHolder(api, draft, 'role:hcaster')
  await grantRole(api, cup, editor, 'role:hcaster')
  const face = await made(bea)
  expect((await api.post('/updateUserSettings', bea, { avatarUrl: face.url })).status).toBe(200)
  const overlays = await Promise.all([cup, draft].map((each) => makeOverlayRow(api, each, organiser, {})))
  const shown = { casters: [{ name: 'Bea', userGuid: bea.guid, imageUrl: face.url }] }
  for (const { path } of overlays) {
    expect(outcome(await api.patch(`${path}/control`, editor, shown))).toEqual([200, null])
  }
  const casters = async (path: string) => (await api.get(`${path}/control`, editor)).body.casters
  // Of hidden records, the caller learns only that one shows the picture, and that they may end that.
  const { usages } = (await api.delete(`/media/${face.guid}`, bea)).body
  const told = usages.map((usage: { subject: string; name: string; mayDetach: boolean }) => [
    usage.subject,
    usage.name === '',
    usage.mayDetach,
  ])
  expect(told.toSorted()).toEqual([
    ['overlay', false, true],
    ['overlay', true, true],
    ['user', false, true],
  ])
  expect(outcome(await api.delete(`/media/${face.guid}?detach=true`, bea))).toEqual([204, null])
  for (const { path } of overlays) expect(await casters(path)).toMatchObject([{ name: 'Bea', imageUrl: null }])
  expect((await api.get(`/users/${bea.guid}/card`)).body.avatarUrl).not.toBe(face.url)
  expect(await statusOf(face.url)).toBe(404)
})

test('what is left of a tournament that is gone is its owner’s to delete', async () => {
  const draft = await makeTournament(api, organiser, { status: 'draft' })
  const staff = await roleHolder(api, draft, 'role:staff')
  const media = [
    await made(organiser, { kind: 'overlay_image', tournament: draft.guid }),
    await made(staff, { kind: 'update_image', tournament: draft.guid }),
  ]
  expect(outcome(await api.delete(`/tournaments/${draft.guid}`, organiser))).toEqual([204, null])
  const [own, other] = media.map(({ guid }) => `/media/${guid}`)
  expect(outcome(await api.delete(`${other}`, organiser))).toEqual([404, 'media.unknown'])
  expect(outcome(await api.delete(`${own}`, organiser))).toEqual([204, null])
  expect(outcome(await api.delete(`${other}`, staff))).toEqual([204, null])
  expect(await Promise.all(media.map(({ url }) => statusOf(url)))).toEqual([404, 404])
})

test('of many uploads at once exactly as many are kept as there is room for', async () => {
  const bea = await api.user()
  const files = await Promise.all(Array.from({ length: 50 }, () => picture({ width: 64, height: 64 })))
  await api.sql('insert into media_quotas (guid, used_bytes, used_files) values ($1, 0, 490)', [bea.guid])
  const replies = await Promise.all(files.map((file) => upload(api, bea, file)))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(replies.filter((reply) => outcome(reply)[1] === 'media.quota_exceeded')).toHaveLength(40)
  const [count] = await api.sql<{ rows: number }>('select count(*)::int as rows from media where owner_guid = $1', [
    bea.guid,
  ])
  expect(count?.rows).toBe(10)
  await api.sql('update media_quotas set used_files = 10 where guid = $1', [bea.guid])
})

test('what is sent again, or used, when its time is nearly over stays as long as if it were new', async () => {
  const bea = await api.user()
  const file = await picture()
  const { guid } = (await upload(api, bea, file)).body
  const other = await made(bea)
  const age = (hours: number) =>
    api.sql(`update media set created_at = now() - make_interval(hours => $2) where owner_guid = $1`, [bea.guid, hours])
  await age(30)
  const again = await upload(api, bea, file)
  expect([...outcome(again), again.body.guid]).toEqual([200, null, guid])
  // The medium is used and dropped between the list and the lock.
  const { database, ...rest } = parts()
  let use = async () => {
    use = async () => {}
    const settings = { avatarUrl: other.url }
    expect((await api.call('POST', '/updateUserSettings', { as: bea, body: settings })).status).toBe(200)
    expect((await api.delete('/users/@me/avatar', bea)).status).toBeLessThan(300)
  }
  const transaction: typeof database.transaction = async (...work) => {
    await use()
    return database.transaction(...work)
  }
  const swept = await sweep({ database: { db: database.db, transaction }, ...rest, now: new Date() })
  expect(swept.unused).toBe(0)
  const left = async () => (await api.get('/media', bea)).body.media.map((one: { guid: string }) => one.guid).sort()
  expect(await left()).toEqual([guid, other.guid].sort())
  await sweep({ ...parts(), now: inDays(0.9) })
  expect(await left()).toEqual([guid, other.guid].sort())
  await sweep({ ...parts(), now: inDays(1.1) })
  expect(await left()).toEqual([other.guid])
})

test('the sweep takes what nobody uses, in its time, and the objects that are left', async () => {
  const bea = await api.user()
  const [idle, used, dropped] = [await made(bea), await made(bea), await made(bea)]
  const set = (medium: { url: string }) =>
    api.call('POST', '/updateUserSettings', { as: bea, body: { avatarUrl: medium.url } })
  await set(dropped)
  await set(used)
  const left = async () => (await api.get('/media', bea)).body.media.map(({ guid }: { guid: string }) => guid).sort()
  await sweep({ ...parts(), now: inDays(0.9) })
  expect(await left()).toHaveLength(3)
  await sweep({ ...parts(), now: inDays(2) })
  expect(await left()).toEqual([used.guid, dropped.guid].sort())
  await sweep({ ...parts(), now: inDays(31) })
  expect(await left()).toEqual([used.guid])
  const { storage } = parts()
  expect(await storage.head(objectName(idle.digest))).toBeNull()
  expect(await storage.head(objectName(used.digest))).not.toBeNull()
  expect(await statusOf(idle.url)).toBe(404)
  expect(await check(api.app.database.db, storage, true, new Date())).toMatchObject({ faults: [], unnamed: 0 })
})

test('the check names what is missing, and what is not what it was', async () => {
  const [gone, changed] = [await made(ada), await made(ada)]
  const { storage } = parts()
  const file = path.join(api.app.config.dataDir, 'media', objectName(changed.digest))
  const { writeFile } = await import('node:fs/promises')
  await storage.delete(objectName(gone.digest))
  await writeFile(file, Buffer.alloc(changed.bytes))
  await utimes(file, new Date(), new Date())
  const db = api.app.database.db
  expect((await check(db, storage, false, new Date())).faults).toEqual([`object ${gone.digest} is missing`])
  const deep = await check(db, storage, true, new Date())
  expect(deep.faults.toSorted()).toEqual(
    [`object ${changed.digest} holds something else`, `object ${gone.digest} is missing`].toSorted(),
  )
  await Promise.all([gone, changed].map(({ guid }) => api.delete(`/media/${guid}`, ada)))
})
