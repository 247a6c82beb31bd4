import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { editionBody } from '../../../test/awards.ts'
import { type Caller, type Harness, outcome, startHarness, startOn } from '../../../test/harness.ts'
import {
  makeApplication,
  makePlatform,
  makeTeam,
  makeTournament,
  platformMember,
  roleHolder,
  touch,
} from '../../../test/make.ts'
import { makeMedia, usesOf } from '../../../test/media-rows.ts'
import { parts } from '../../app.ts'
import type { SignedIn } from '../../core/actor.ts'
import { anonymous } from '../../core/actor.ts'

/**
 * Fields with addresses of pictures, in all slices: which addresses they accept, and which media they use then. (M24,
 * M25)
 */

let api: Harness
let user: Caller
let other: Caller

beforeAll(async () => {
  api = await startHarness()
  ;[user, other] = await Promise.all([api.user(), api.user()])
})
afterAll(() => api[Symbol.asyncDispose]())

const refused = [400, 'media.reference_invalid']

/** A field: how to set it, and how to read it back. */
interface Field {
  readonly use: string
  readonly kind: Parameters<typeof makeMedia>[1]
  readonly set: (url: string | null) => Promise<Awaited<ReturnType<Harness['get']>>>
  readonly read: () => Promise<string | null>
  /** Its value without a picture of its own. */
  readonly none: string | null | RegExp
  /** The owner of the media, where that is the record and not the caller. */
  readonly room?: Parameters<typeof makeMedia>[2]
}

async function userField(): Promise<Field> {
  return {
    use: 'user.avatarUrl',
    kind: 'avatar',
    set: (url) =>
      url === null
        ? Promise.resolve({ status: 200 } as never)
        : api.post('/updateUserSettings', user, { avatarUrl: url }),
    read: async () => (await api.get('/users/@me', user)).body.avatarUrl,
    none: /.*/,
  }
}

async function teamField(): Promise<Field> {
  const tournament = await makeTournament(api, other)
  const team = await makeTeam(api, tournament, user)
  const path = `/tournaments/${tournament.id}/teams/${team.guid}`
  return {
    use: 'team.imageUrl',
    kind: 'team_image',
    set: (url) => api.patch(path, user, { imageUrl: url }),
    read: async () => (await api.get(path)).body.imageUrl,
    none: null,
    room: { team },
  }
}

function tournamentField(field: 'imageUrl' | 'bannerUrl'): () => Promise<Field> {
  return async () => {
    const tournament = await makeTournament(api, other)
    const staff = await roleHolder(api, tournament, 'role:staff')
    await api.sql('update tournament_role_holders set user_guid = $1 where user_guid = $2', [user.guid, staff.guid])
    const path = `/tournaments/${tournament.id}`
    return {
      use: `tournament.${field}`,
      kind: field === 'imageUrl' ? 'tournament_image' : 'tournament_banner',
      set: (url) => api.patch(path, user, { [field]: url }),
      read: async () => (await api.get(path)).body[field],
      none: null,
      room: { tournament },
    }
  }
}

async function platformField(): Promise<Field> {
  const platform = await makePlatform(api)
  const admin = await platformMember(api, platform, 'admin')
  await api.sql('update platform_members set user_guid = $1 where user_guid = $2', [user.guid, admin.guid])
  const path = `/tournament-platforms/${platform.contextId}`
  return {
    use: 'platform.imageUrl',
    kind: 'platform_image',
    set: (url) => api.put(path, user, { imageUrl: url ?? '' }),
    read: async () => (await api.get(path)).body.imageUrl,
    none: '',
    room: { platform },
  }
}

async function applicationField(): Promise<Field> {
  const { clientId } = await makeApplication(api, user)
  const path = `/oauth/applications/${clientId}`
  return {
    use: 'application.imageUrl',
    kind: 'app_image',
    set: (url) => api.patch(path, user, { imageUrl: url }),
    read: async () => (await api.get(path, user)).body.imageUrl,
    none: null,
  }
}

describe.each([
  ['a user’s picture', userField],
  ['a team’s picture', teamField],
  ['a tournament’s picture', tournamentField('imageUrl')],
  ['a tournament’s banner', tournamentField('bannerUrl')],
  ['a platform’s picture', platformField],
  ['an application’s picture', applicationField],
])('%s', (_name, open) => {
  let field: Field
  beforeAll(async () => {
    field = await open()
  })

  test('is own media, by any of its addresses, and uses it until it is something else', async () => {
    const [first, second] = [
      await makeMedia(api, field.kind, { owner: user }),
      await makeMedia(api, field.kind, { owner: user }),
    ]
    expect((await field.set(first.url.replace(/full\.webp$/, '128.png'))).status).toBe(200)
    expect(await field.read()).toBe(first.url)
    expect(await usesOf(api, first)).toEqual({ uses: [field.use], state: 'used' })
    // Setting the same value changes nothing.
    expect((await field.set(first.url)).status).toBe(200)
    expect(await usesOf(api, first)).toEqual({ uses: [field.use], state: 'used' })
    expect((await field.set(second.url)).status).toBe(200)
    expect(await usesOf(api, first)).toEqual({ uses: [], state: 'unused' })
    expect(await usesOf(api, second)).toEqual({ uses: [field.use], state: 'used' })
    expect((await field.set('https://cdn.example.org/elsewhere.png')).status).toBe(200)
    expect(await field.read()).toBe('https://cdn.example.org/elsewhere.png')
    expect(await usesOf(api, second)).toEqual({ uses: [], state: 'unused' })
  })

  test('is not what is of another kind, of somebody else, gone, or no media', async () => {
    const before = await field.read()
    const origin = api.app.config.media.url
    const foreign = await makeMedia(api, field.kind, { owner: other })
    const orphan = await makeMedia(api, field.kind, { owner: null })
    const wrong = await makeMedia(api, field.kind === 'avatar' ? 'app_image' : 'avatar', { owner: user })
    for (const url of [
      ...[foreign.url, orphan.url, wrong.url, `${origin}/logo.png`],
      ...[`${origin}/media/00000000-0000-4000-8000-000000000000/full.webp`, `${origin}/media/remote/aHR0cHM6Ly9h`],
    ]) {
      expect(outcome(await field.set(url)), url).toEqual(refused)
    }
    expect(await field.read()).toBe(before)
    expect(await usesOf(api, foreign)).toEqual({ uses: [], state: 'fresh' })
  })

  test('may be media of the record, whoever uploaded it', async () => {
    if (field.room === undefined) return
    const made = await makeMedia(api, field.kind, { owner: other, ...field.room })
    expect((await field.set(made.url)).status).toBe(200)
    expect(await usesOf(api, made)).toEqual({ uses: [field.use], state: 'used' })
  })

  test('is unset by whoever manages the medium, and tells whether somebody may', async () => {
    const made = await makeMedia(api, field.kind, { owner: user })
    await field.set(made.url)
    const [usage] = await api.sql<{ guid: string }>(
      'select subject_guid as guid from media_usages where media_guid = $1',
      [made.guid],
    )
    const guid = usage?.guid as string
    const [subject, name] = field.use.split('.')
    const declared = parts.flatMap((part) => part.mediaFields ?? [])
    const kept = declared.find((each) => each.subject === subject && each.field === name)
    if (kept === undefined) throw new Error('not declared')
    const { database, services } = api.app
    const as = (caller: Caller): SignedIn => ({ ...anonymous, guid: caller.guid })
    const now = new Date()
    expect((await kept.names(database.db, [guid], as(user))).get(guid)).toBeTruthy()
    expect(await kept.mayDetach(database.db, as(user), guid, now)).toBe(true)
    const stranger = await api.user()
    expect(await kept.mayDetach(database.db, as(stranger), guid, now)).toBe(false)
    await database.transaction((tx) =>
      kept.detach(tx, guid, { mediaGuid: made.guid, actorGuid: other.guid, services, now }),
    )
    expect(await usesOf(api, made)).toEqual({ uses: [], state: 'unused' })
    if (field.none instanceof RegExp) expect(await field.read()).not.toBe(made.url)
    else expect(await field.read()).toBe(field.none)
  })
})

test('records use pictures from their making on, until they are deleted', async () => {
  const owner = await api.user({ globalRoles: ['role:owner'] })
  const image = await makeMedia(api, 'tournament_image', { owner })
  const made = await api.post('/tournaments', owner, { id: 'drawn', name: 'Drawn', imageUrl: image.url })
  expect(made.status).toBe(201)
  const team = await makeTeam(api, made.body, owner)
  const logo = await makeMedia(api, 'team_image', { team })
  const teamPath = `/tournaments/drawn/teams/${team.guid}`
  expect((await api.patch(teamPath, owner, { imageUrl: logo.url })).status).toBe(200)
  expect(await usesOf(api, image)).toEqual({ uses: ['tournament.imageUrl'], state: 'used' })
  const text = await makeMedia(api, 'update_image', { owner })
  const description = `![a](${text.url})`
  expect((await api.post('/tournaments/drawn/pools', owner, { name: 'Drawn', description })).status).toBe(201)
  const range = { startsAt: '2030-05-01T18:00:00.000Z', endsAt: '2030-05-01T20:00:00.000Z' }
  const sheet = { title: 'Drawn', description, mode: 'range', timezone: 'UTC', ...range }
  expect((await api.post('/tournaments/drawn/availability/sheets', owner, sheet)).status).toBe(201)
  const uses = ['availability_sheet.description', 'pool.description']
  expect(await usesOf(api, text)).toEqual({ uses, state: 'used' })
  expect((await api.delete('/tournaments/drawn', owner)).status).toBe(204)
  expect(await usesOf(api, text)).toEqual({ uses: [], state: 'unused' })
  expect(await usesOf(api, image)).toEqual({ uses: [], state: 'unused' })
  expect(await usesOf(api, logo)).toEqual({ uses: [], state: 'unused' })

  const icon = await makeMedia(api, 'app_image', { owner })
  const registration = { type: 'public', scopes: ['rest:read'], redirectUris: ['https://client.example/callback'] }
  const application = await api.post('/oauth/applications', owner, {
    ...registration,
    name: 'Drawn',
    imageUrl: icon.url,
  })
  expect(application.status).toBe(201)
  expect(application.body.imageUrl).toBe(icon.url)
  await api.delete(`/oauth/applications/${application.body.clientId}`, owner)
  expect(await usesOf(api, icon)).toEqual({ uses: [], state: 'unused' })

  const sign = await makeMedia(api, 'platform_image', { owner })
  const platform = { contextId: 'drawn', name: 'Drawn', description: '', imageUrl: sign.url }
  expect((await api.post('/admin/tournament-platforms', owner, platform)).status).toBe(201)
  expect(await usesOf(api, sign)).toEqual({ uses: ['platform.imageUrl'], state: 'used' })
  await api.delete('/admin/tournament-platforms/drawn', owner)
  expect(await usesOf(api, sign)).toEqual({ uses: [], state: 'unused' })
})

test('what begins and ends to be used at once ends as used or unused, never as neither', async () => {
  const cups = await Promise.all(Array.from({ length: 6 }, () => makeTournament(api, other)))
  const picture = await makeMedia(api, 'tournament_image', { owner: other })
  const set = (imageUrl: string | null) =>
    Promise.all(cups.map(({ id }) => api.patch(`/tournaments/${id}`, other, { imageUrl })))
  for (let round = 0; round < 4; round++) {
    await set(picture.url)
    expect((await usesOf(api, picture)).uses).toHaveLength(6)
    await set(null)
    expect(await usesOf(api, picture)).toEqual({ uses: [], state: 'unused' })
  }
})

test('addresses of own media follow to another origin, and none else', async () => {
  const tournament = await makeTournament(api, other)
  const [image, shown] = [
    await makeMedia(api, 'tournament_image', { tournament }),
    await makeMedia(api, 'update_image', { tournament }),
  ]
  const links = { website: `${api.app.config.media.url}/media/somewhere` }
  const path = `/tournaments/${tournament.id}`
  await api.patch(path, other, { imageUrl: image.url, bannerUrl: 'https://cdn.example.org/media/a.png', links })
  const { host, pathname } = new URL(shown.url)
  const odd = [
    ...[
      `HTTP://${host.toUpperCase()}${pathname}`,
      `//${host}${pathname}`,
      shown.url.replace('/media/', '/x/../media/'),
    ],
    ...[shown.url.replace('media', '%6dedia'), shown.url.replaceAll('-', '&#45;'), shown.url.replace('full', '512')],
  ].map((url) => `![a](${url})`)
  // Decoded text is not written, because it would be Markdown that was not made safe.
  const hidden = `![a](//${host}${pathname}%5D%28javascript:a%29)`
  const others = [
    hidden,
    `![a](https://${host}${pathname}) ![a](${pathname}) ![a](${shown.url.replace('//', '///x/')})`,
  ]
  const description = [...odd, ...others].join('\n')
  expect((await api.patch(path, other, { description })).status).toBe(200)
  const update = { guid: crypto.randomUUID(), content: `Look: ![a](${shown.url})`, changes: [{ text: shown.url }] }
  expect((await api.post(`${path}/updates`, other, update)).status).toBe(201)
  const mediaUrl = 'https://media.example.org'
  const { databaseUrl, dataDir, publicUrl, media } = api.app.config
  await using moved = await startOn({ databaseUrl, dataDir, publicUrl, media: { ...media, url: mediaUrl } })
  const record = (await moved.get(path)).body
  expect(record.imageUrl).toBe(`${mediaUrl}/media/${image.guid}/full.webp`)
  expect(record.bannerUrl).toBe('https://cdn.example.org/media/a.png')
  expect(record.links.website).toBe(links.website)
  const [followed, rest] = [record.description.split('\n').slice(0, 6), record.description.split('\n').slice(6)]
  const there = (name: string) => `![a](${mediaUrl}/media/${shown.guid}/${name}.webp)`
  expect(followed).toEqual([...Array.from({ length: 5 }, () => there('full')), there('512')])
  expect(rest).toEqual(others)
  const [after] = (await moved.get(`${path}/updates`)).body.updates
  expect(after.content).toBe(`Look: ![a](${mediaUrl}/media/${shown.guid}/full.webp)`)
  expect(after.changes).toEqual([{ text: `${mediaUrl}/media/${shown.guid}/full.webp` }])
  // Moves the addresses back for the other tests.
  await using back = await api.sibling()
  await touch(back, tournament.guid)
  expect((await back.get(path)).body.imageUrl).toBe(image.url)
})

test.each([
  ['its scheme in capitals', (url: string) => url.replace('http:', 'HTTP:')],
  ['a dot on its way', (url: string) => url.replace('/media/', '/./media/')],
  ['no origin', (url: string) => new URL(url).pathname],
  ['a character reference', (url: string) => url.replace('/media/', '/&#109;edia/').replace('-', '&#45;')],
  ['backslashes', (url: string) => url.replaceAll('-', '\\-')],
])('an update uses a picture by an address with %s, and shows none of others by it', async (_, spell) => {
  const tournament = await makeTournament(api, other)
  const path = `/tournaments/${tournament.id}/updates`
  const [mine, foreign] = [
    await makeMedia(api, 'update_image', { tournament }),
    await makeMedia(api, 'update_image', { owner: user }),
  ]
  const post = (content: string, changes: readonly object[] = []) =>
    api.post(path, other, { guid: crypto.randomUUID(), content, changes })
  expect(outcome(await post(`![a](${spell(foreign.url)})`))).toEqual(refused)
  expect(outcome(await post(`[a][b]\n\n[b]: ${spell(foreign.url)}`))).toEqual(refused)
  expect(outcome(await post('Nothing.', [{ of: [{ text: `![a](${spell(foreign.url)})` }] }]))).toEqual(refused)
  // The same in a text that is too complex for the parser.
  expect(outcome(await post(`${'['.repeat(40)} ![a](${spell(foreign.url)})`))).toEqual(refused)
  const shown = `![a](${spell(mine.url)})`
  expect((await post(shown, [{ text: shown }])).status).toBe(201)
  expect(await usesOf(api, mine)).toEqual({ uses: ['update.changes', 'update.content'], state: 'used' })
  expect(await usesOf(api, foreign)).toEqual({ uses: [], state: 'fresh' })
  expect(outcome(await api.delete(`/media/${mine.guid}?detach=true`, other))).toEqual([204, null])
  const [update] = (await api.get(path)).body.updates
  expect([update.content, update.changes]).toEqual(['![a](#)', [{ text: '![a](#)' }]])
})

const noting = readFileSync(path.join(import.meta.dirname, '../../../migrations/0037_pictures_in_texts.sql'), 'utf8')

/** A record with a text, and functions that write and read it. */
interface Written {
  readonly use: string
  readonly writer: Caller
  readonly room: Parameters<typeof makeMedia>[2]
  readonly write: (text: string) => Promise<Awaited<ReturnType<Harness['get']>>>
  readonly read: () => Promise<string | null>
  readonly remove?: () => Promise<Awaited<ReturnType<Harness['delete']>>>
}

function tournamentText(field: 'description' | 'rules' | 'prizes'): () => Promise<Written> {
  return async () => {
    const tournament = await makeTournament(api, user, { status: 'draft' })
    const path = `/tournaments/${tournament.guid}`
    return {
      use: `tournament.${field}`,
      writer: user,
      room: { owner: other, tournament },
      write: (text) => api.patch(path, user, { [field]: text }),
      read: async () => (await api.get(path, user)).body[field],
      remove: () => api.delete(path, user),
    }
  }
}

async function platformText(): Promise<Written> {
  const platform = await makePlatform(api)
  const admin = await platformMember(api, platform, 'admin')
  const path = `/tournament-platforms/${platform.contextId}`
  return {
    use: 'platform.description',
    writer: admin,
    room: { owner: other, platform },
    write: (description) => api.put(path, admin, { description }),
    read: async () => (await api.get(path)).body.description,
  }
}

async function userText(): Promise<Written> {
  const writer = await api.user()
  return {
    use: 'user.description',
    writer,
    room: { owner: writer },
    write: (description) => api.post('/updateUserSettings', writer, { description }),
    read: async () => (await api.get('/users/@me', writer)).body.description,
  }
}

async function noticeText(): Promise<Written> {
  const writer = await api.user({ globalRoles: ['global:notices:manage'] })
  const made = await api.post('/notices', writer, { title: 'A notice', content: 'Nothing.' })
  const path = `/notices/${made.body.guid}`
  const all = async () => (await api.get('/admin/notices', writer)).body.notices
  return {
    use: 'notice.content',
    writer,
    room: { owner: writer },
    write: (content) => api.patch(path, writer, { content }),
    read: async () => (await all()).find(({ guid }: { guid: string }) => path.endsWith(guid))?.content,
    remove: () => api.delete(path, writer),
  }
}

async function poolText(): Promise<Written> {
  const tournament = await makeTournament(api, user)
  const pools = `/tournaments/${tournament.id}/pools`
  const path = `${pools}/${(await api.post(pools, user, { name: 'One' })).body.guid}`
  return {
    use: 'pool.description',
    writer: user,
    room: { owner: other, tournament },
    write: (description) => api.patch(path, user, { description }),
    read: async () => (await api.get(path, user)).body.description,
    remove: () => api.delete(path, user),
  }
}

async function sheetText(): Promise<Written> {
  const tournament = await makeTournament(api, user)
  const sheets = `/tournaments/${tournament.id}/availability/sheets`
  const range = { startsAt: '2030-05-01T18:00:00.000Z', endsAt: '2030-05-01T20:00:00.000Z' }
  const sheet = { title: 'When', mode: 'range', timezone: 'Europe/Berlin', ...range }
  const path = `${sheets}/${(await api.post(sheets, user, sheet)).body.guid}`
  return {
    use: 'availability_sheet.description',
    writer: user,
    room: { owner: other, tournament },
    write: (description) => api.put(path, user, { ...sheet, description }),
    read: async () => (await api.get(path, user)).body.description,
    remove: () => api.delete(path, user),
  }
}

async function awardText(): Promise<Written> {
  const writer = await api.user({ globalRoles: ['global:badges:manage'] })
  const { guid } = (await api.post('/awards', writer, editionBody({}))).body
  const path = `/awards/${guid}`
  return {
    use: 'award.description',
    writer,
    room: { owner: writer },
    write: async (description) => {
      const { updatedAt: expectedUpdatedAt } = (await api.get(path, writer)).body
      return api.patch(path, writer, { description, expectedUpdatedAt })
    },
    read: async () => (await api.get(path, writer)).body.description,
    remove: () => api.delete(path, writer),
  }
}

async function categoryText(): Promise<Written> {
  const writer = await api.user({ globalRoles: ['global:badges:manage'] })
  const { guid } = (await api.post('/awards', writer, editionBody({}))).body
  const category = { name: 'Best', nomineeType: 'other', description: 'Nothing.' }
  const made = await api.post(`/awards/${guid}/categories`, writer, category)
  const path = `/awards/${guid}/categories/${made.body.guid}`
  return {
    use: 'award_category.description',
    writer,
    room: { owner: writer },
    write: (description) => api.patch(path, writer, { description }),
    read: async () => (await api.get(`/awards/${guid}`, writer)).body.categories[0].description,
    remove: () => api.delete(`/awards/${guid}`, writer),
  }
}

describe.each([
  ['a tournament’s description', tournamentText('description')],
  ['a tournament’s rules', tournamentText('rules')],
  ['a tournament’s prizes', tournamentText('prizes')],
  ['a platform’s description', platformText],
  ['a user’s description', userText],
  ['a notice', noticeText],
  ['a pool’s description', poolText],
  ['a sheet’s description', sheetText],
  ['an edition’s description', awardText],
  ['a category’s description', categoryText],
])('%s', (_name, open) => {
  test('uses the pictures that it shows, until they are taken out or it is gone', async () => {
    const { use, writer, room = {}, write, read, remove } = await open()
    const kind = use.startsWith('award') ? 'award_image' : 'update_image'
    const stranger = await api.user()
    const [mine, theirs, foreign] = [
      await makeMedia(api, kind, { owner: writer }),
      await makeMedia(api, kind, room),
      await makeMedia(api, 'update_image', { owner: stranger, tournament: await makeTournament(api, stranger) }),
    ]
    const text = (...shown: { url: string }[]) => shown.map(({ url }) => `![a](${url})`).join(' and ')
    expect((await write(text(mine, theirs, foreign))).status).toBe(200)
    expect(await read()).toBe(text(mine, theirs, foreign))
    for (const used of [mine, theirs, foreign]) expect(await usesOf(api, used)).toEqual({ uses: [use], state: 'used' })
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const [subject, field] = use.split('.')
    const [usage] = (await api.get(`/media/${mine.guid}/usages`, writer)).body
    expect(usage).toMatchObject({ subject, field, mayDetach: true })
    expect(usage.name).not.toBe('')
    expect(outcome(await api.delete(`/media/${mine.guid}`, owner))).toEqual([409, 'media.in_use'])
    // The owner of media in somebody else’s text sees that usage, and can still delete the media.
    const [shown] = (await api.get(`/media/${foreign.guid}/usages`, stranger)).body
    expect(shown).toMatchObject({ subject, field, mayDetach: true })
    expect(outcome(await api.delete(`/media/${foreign.guid}`, stranger))).toEqual([409, 'media.in_use'])
    expect(outcome(await api.delete(`/media/${foreign.guid}?detach=true`, stranger))).toEqual([204, null])
    expect(await read()).toBe(text(mine, theirs, { url: '#' }))
    expect((await write(text(theirs))).status).toBe(200)
    expect(await usesOf(api, mine)).toEqual({ uses: [], state: 'unused' })
    await write(text(mine, theirs))
    // The state before usages by texts were saved.
    await api.sql('delete from media_usages where media_guid = any($1)', [[mine.guid, theirs.guid]])
    await api.sql('update media set unused_since = now() where guid = any($1)', [[mine.guid, theirs.guid]])
    await api.sql(noting)
    for (const used of [mine, theirs]) expect(await usesOf(api, used)).toEqual({ uses: [use], state: 'used' })
    const { database, services } = api.app
    const [{ guid }] = (await api.sql('select subject_guid as guid from media_usages where media_guid = $1', [
      mine.guid,
    ])) as [{ guid: string }]
    const declared = parts.flatMap((part) => part.mediaFields ?? [])
    const kept = declared.find((each) => each.subject === subject && each.field === field)
    const nobody = { ...anonymous, guid: stranger.guid }
    expect(await kept?.mayDetach(database.db, nobody, guid, new Date())).toBe(false)
    const detaching = { mediaGuid: mine.guid, actorGuid: writer.guid, services, now: new Date() }
    await database.transaction(async (tx) => kept?.detach(tx, guid, detaching))
    expect(await read()).toBe(text({ url: '#' }, theirs))
    expect(await usesOf(api, mine)).toEqual({ uses: [], state: 'unused' })
    expect(await usesOf(api, theirs)).toEqual({ uses: [use], state: 'used' })
    if (remove === undefined) return
    expect((await remove()).status).toBe(204)
    expect(await usesOf(api, theirs)).toEqual({ uses: [], state: 'unused' })
  })
})

test('an update uses the pictures that it shows, which are its tournament’s or its author’s', async () => {
  const tournament = await makeTournament(api, other)
  const path = `/tournaments/${tournament.id}/updates`
  const [mine, theirs, foreign] = [
    await makeMedia(api, 'update_image', { tournament }),
    await makeMedia(api, 'update_image', { owner: other, tournament: await makeTournament(api, other) }),
    await makeMedia(api, 'update_image', { owner: user }),
  ]
  const update = { guid: crypto.randomUUID(), content: `![a](${mine.url.replace('full', '512')})` }
  const refusedUpdate = { guid: crypto.randomUUID(), content: `![a](${foreign.url})` }
  expect(outcome(await api.post(path, other, refusedUpdate))).toEqual(refused)
  expect((await api.get(path)).body.updates).toEqual([])
  expect((await api.post(path, other, update)).status).toBe(201)
  expect((await api.post(path, other, update)).status).toBe(201)
  expect(await usesOf(api, mine)).toEqual({ uses: ['update.content'], state: 'used' })
  const edit = { content: 'Nothing.', changes: [{ text: `![b](${theirs.url})` }], expectedUpdatedAt: null }
  const edited = await api.patch(`${path}/${update.guid}`, other, edit)
  expect(edited.status).toBe(200)
  expect(await usesOf(api, mine)).toEqual({ uses: [], state: 'unused' })
  expect(await usesOf(api, theirs)).toEqual({ uses: ['update.changes'], state: 'used' })
  const field = parts
    .flatMap((part) => part.mediaFields ?? [])
    .find(({ subject, field }) => subject === 'update' && field === 'changes')
  const { database, services } = api.app
  const detaching = { mediaGuid: theirs.guid, actorGuid: other.guid, services, now: new Date() }
  await database.transaction(async (tx) => field?.detach(tx, update.guid, detaching))
  expect((await api.get(path)).body.updates[0].changes).toEqual([{ text: '![b](#)' }])
  expect(await usesOf(api, theirs)).toEqual({ uses: [], state: 'unused' })
  const again = { content: `![c](${mine.url})`, expectedUpdatedAt: (await api.get(path)).body.updates[0].updatedAt }
  const { body } = await api.patch(`${path}/${update.guid}`, other, again)
  expect(await usesOf(api, mine)).toEqual({ uses: ['update.content'], state: 'used' })
  await api.delete(`${path}/${update.guid}`, other, { expectedUpdatedAt: body.update.updatedAt })
  expect(await usesOf(api, mine)).toEqual({ uses: [], state: 'unused' })
})
