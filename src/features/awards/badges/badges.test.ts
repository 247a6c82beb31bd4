import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { giveBadge, makeBadge } from '../../../../test/badges.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { nobody } from '../../../../test/world.ts'

/** Badges are made, found, changed, retired and deleted. (badges: Records; B3, B4) */

let api: Harness
let manager: Caller
let owner: Caller
let user: Caller
beforeAll(async () => {
  api = await startHarness()
  ;[manager, owner, user] = await Promise.all([
    api.user({ globalRoles: ['global:badges:manage'] }),
    api.user({ globalRoles: ['role:owner'] }),
    api.user(),
  ])
})
afterAll(() => api?.[Symbol.asyncDispose]())

const image = (owner: Caller | null = manager) => makeMedia(api, 'badge_image', { owner })
const input = async () => ({
  name: 'First steps',
  description: 'Played a match.',
  kind: 'participation',
  mediaGuid: (await image()).guid,
})
const eventsOf = async (guid: string) =>
  (await api.sql<{ type: string }>('select type from event_log where subject = $1 order by seq', [guid])).map(
    ({ type }) => type,
  )

describe('making', () => {
  test('a badge is what was asked for, and shows its picture, which is in use', async () => {
    const cup = await makeTournament(api, user, { name: 'Autumn Cup' })
    const picture = await image()
    const body = { name: '  Second  place ', description: ' Came second. ', kind: 'placement', tournament: cup.id }
    const made = await api.post('/badges', manager, { ...body, mediaGuid: picture.guid.toUpperCase() })
    expect(outcome(made)).toEqual([201, null])
    const badge = {
      guid: expect.any(String),
      name: 'Second place',
      description: 'Came second.',
      kind: 'placement',
      imageUrl: picture.url,
      tournament: { guid: cup.guid, id: cup.id, name: 'Autumn Cup' },
      edition: null,
      holders: 0,
      retiredAt: null,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    }
    expect(made.body).toEqual({ ...badge, createdBy: expect.objectContaining({ guid: manager.guid }) })
    // Only managers see who made the badge.
    for (const as of [null, user]) expect((await api.get(`/badges/${made.body.guid}`, as)).body).toEqual(badge)
    for (const as of [manager, owner]) expect((await api.get(`/badges/${made.body.guid}`, as)).body).toEqual(made.body)
    expect(await usesOf(api, picture)).toEqual({ uses: ['badge.imageUrl'], state: 'used' })
    expect(await eventsOf(made.body.guid)).toEqual(['badge.created'])
  })

  test('is for managers, whatever the body', async () => {
    const organiser = await api.user()
    const cup = await makeTournament(api, organiser)
    for (const as of [user, organiser, await roleHolder(api, cup, 'role:admin')]) {
      expect(outcome(await api.post('/badges', as, {}))).toEqual([403, 'role.missing'])
    }
    expect(outcome(await api.post('/badges', null, {}))).toEqual([401, 'token.missing'])
    expect(outcome(await api.post('/badges', owner, { ...(await input()) }))).toEqual([400, 'media.reference_invalid'])
  })

  test('takes what its record may hold, and no more', async () => {
    const good = await input()
    const wrong: [object, string][] = [
      [{ name: '' }, 'request.invalid'],
      [{ name: 'x'.repeat(61) }, 'request.invalid'],
      [{ name: '\u2800' }, 'badge.invalid'],
      [{ description: 'x'.repeat(281) }, 'request.invalid'],
      [{ kind: 'medal' }, 'request.invalid'],
      [{ mediaGuid: 'picture' }, 'request.invalid'],
      [{ mediaGuid: undefined }, 'request.invalid'],
    ]
    for (const [change, code] of wrong) {
      expect(outcome(await api.post('/badges', manager, { ...good, ...change })), JSON.stringify(change)).toEqual([
        400,
        code,
      ])
    }
    const most = { ...good, name: '🎉'.repeat(60), description: 'x'.repeat(280), kind: 'special' }
    expect(outcome(await api.post('/badges', manager, most))).toEqual([201, null])
  })

  test('shows own pictures of badges, those of its tournament and those that are nobody’s, and none else', async () => {
    const cup = await makeTournament(api, user)
    const draft = await makeTournament(api, user, { status: 'draft' })
    const good = await input()
    const others = await makeMedia(api, 'badge_image', { owner: user })
    const wrongKind = await makeMedia(api, 'award_image', { owner: manager })
    const ofDraft = await makeMedia(api, 'badge_image', { owner: null, tournament: draft })
    for (const { guid: mediaGuid } of [others, wrongKind, ofDraft, { guid: nobody }]) {
      expect(outcome(await api.post('/badges', manager, { ...good, mediaGuid, tournament: cup.id }))).toEqual([
        400,
        'media.reference_invalid',
      ])
    }
    const ofCup = await makeMedia(api, 'badge_image', { owner: user, tournament: cup })
    for (const { guid: mediaGuid } of [ofCup, await image(null)]) {
      const made = await api.post('/badges', manager, { ...good, mediaGuid, tournament: cup.guid })
      expect(outcome(made)).toEqual([201, null])
    }
    // A tournament that the manager may not see gets the same answer as a missing one.
    for (const tournament of [draft.id, draft.guid, 'no-such-cup', nobody]) {
      expect(outcome(await api.post('/badges', manager, { ...good, tournament }))).toEqual([404, 'tournament.unknown'])
    }
  })
})

describe('finding', () => {
  test('by part of the name, tournament and kind, the newest first, every one once', async () => {
    const cup = await makeTournament(api, user)
    const names = ['Zither 1', 'Of the ZITHER', 'Zither 3', 'Zither 100%']
    const made = []
    for (const [index, name] of names.entries()) {
      const tournament = index === 0 ? {} : { tournament: cup.id }
      made.push(await makeBadge(api, manager, { name, kind: index === 3 ? 'staff' : 'award', ...tournament }))
    }
    const [first, ...rest] = made.map(({ guid }) => guid).reverse()
    const found = async (query: string) =>
      (await api.get(`/badges?${query}`)).body.badges.map((b: { guid: string }) => b.guid)
    expect(await found('q=zither')).toEqual([first, ...rest])
    expect(await found('q=100%25')).toEqual([first])
    expect(await found('q=zither&kind=staff')).toEqual([first])
    expect(await found(`q=zither&tournament=${cup.id}`)).toEqual([first, ...rest.slice(0, 2)])
    expect(await found(`tournament=${cup.guid}&kind=award`)).toEqual(rest.slice(0, 2))
    expect(await found('q=__ther')).toEqual([])
    const paged: string[] = []
    for (let before = ''; ; ) {
      const { body } = await api.get(`/badges?q=zither&limit=3${before}`)
      paged.push(...body.badges.map(({ guid }: { guid: string }) => guid))
      if (body.nextCursor === null) break
      before = `&before=${body.nextCursor}`
    }
    expect(paged).toEqual([first, ...rest])
    expect(outcome(await api.get('/badges?before=nonsense'))).toEqual([400, 'cursor.invalid'])
    expect(outcome(await api.get('/badges?kind=medal'))).toEqual([400, 'request.invalid'])
    for (const guid of [nobody, 'x']) expect(outcome(await api.get(`/badges/${guid}`))).toEqual([404, 'badge.unknown'])
  })

  test('a tournament that the reader may not see is not named, and finds nothing (B3)', async () => {
    const organiser = await api.user()
    const draft = await makeTournament(api, organiser)
    const badge = await makeBadge(api, manager, { name: 'Hidden cup', tournament: draft.id })
    await api.sql(`update tournaments set status = 'draft', approved_at = null where guid = $1`, [draft.guid])
    const referee = await roleHolder(api, draft, 'role:referee')
    for (const as of [null, user, manager]) {
      expect((await api.get(`/badges/${badge.guid}`, as)).body.tournament).toBe(null)
      expect((await api.get('/badges?q=hidden+cup', as)).body.badges).toMatchObject([{ tournament: null }])
      for (const name of [draft.id, draft.guid, 'no-such-cup']) {
        expect((await api.get(`/badges?tournament=${name}`, as)).body).toEqual({ badges: [], nextCursor: null })
      }
    }
    for (const as of [organiser, referee, owner]) {
      expect((await api.get(`/badges/${badge.guid}`, as)).body.tournament).toMatchObject({ guid: draft.guid })
      expect((await api.get(`/badges?tournament=${draft.id}`, as)).body.badges).toHaveLength(1)
    }
  })

  test('an edition of awards is named once it is no secret', async () => {
    const badge = await makeBadge(api, manager)
    const at = [1, 2, 3, 4].map((day) => `2099-01-0${day}T00:00:00Z`)
    const [edition] = await api.sql<{ guid: string }>(
      `insert into award_editions (id, title, description, status, nominations_open_at, nominations_close_at, voting_opens_at,
         voting_closes_at, rules) values ('y2099', 'Awards', '', 'draft', $1, $2, $3, $4, '{}') returning guid`,
      at,
    )
    await api.sql('update badges set edition_guid = $1 where guid = $2', [edition?.guid, badge.guid])
    const read = async (as: Caller | null) => (await api.get(`/badges/${badge.guid}`, as)).body.edition
    expect([await read(null), await read(user)]).toEqual([null, null])
    expect(await read(manager)).toEqual({ guid: edition?.guid, id: 'y2099' })
    await api.sql(`update award_editions set status = 'voting'`)
    expect(await read(null)).toEqual({ guid: edition?.guid, id: 'y2099' })
  })
})

describe('changing', () => {
  test('what is given changes; the picture before is not in use any more', async () => {
    const cup = await makeTournament(api, user)
    const [before, after] = [await image(), await image()]
    const { body: made } = await api.post('/badges', manager, { ...(await input()), mediaGuid: before.guid })
    const path = `/badges/${made.guid}`
    expect((await api.patch(path, manager, {})).body).toEqual(made)
    expect((await api.patch(path, manager, { name: made.name, mediaGuid: before.guid })).body).toEqual(made)
    expect(await eventsOf(made.guid)).toEqual(['badge.created'])
    const change = { name: 'Last steps', description: '', kind: 'staff', tournament: cup.id, mediaGuid: after.guid }
    const changed = await api.patch(path, manager, change)
    expect(outcome(changed)).toEqual([200, null])
    const { name, description, kind } = change
    expect(changed.body).toMatchObject({ name, description, kind, imageUrl: after.url, tournament: { id: cup.id } })
    expect((await api.get(path, manager)).body).toEqual(changed.body)
    expect(await usesOf(api, before)).toEqual({ uses: [], state: 'unused' })
    expect(await usesOf(api, after)).toEqual({ uses: ['badge.imageUrl'], state: 'used' })
    expect((await api.patch(path, manager, { tournament: null })).body).toMatchObject({ name, tournament: null })
    expect(await eventsOf(made.guid)).toEqual(['badge.created', 'badge.updated', 'badge.updated'])
    const foreign = await image(user)
    expect(outcome(await api.patch(path, manager, { mediaGuid: foreign.guid }))).toEqual([
      400,
      'media.reference_invalid',
    ])
    expect(outcome(await api.patch(path, manager, { tournament: 'no-such-cup' }))).toEqual([404, 'tournament.unknown'])
    expect(outcome(await api.patch(path, manager, { name: ' ' }))).toEqual([400, 'request.invalid'])
    expect(outcome(await api.patch(path, user, { name: 'Mine' }))).toEqual([403, 'role.missing'])
    expect(outcome(await api.patch(`/badges/${nobody}`, manager, {}))).toEqual([404, 'badge.unknown'])
  })

  test('a retired badge stays with its holders, is granted no longer, and may come back (B4)', async () => {
    const badge = await makeBadge(api, manager)
    await giveBadge(api, manager, badge, user)
    const path = `/badges/${badge.guid}`
    const retired = (await api.patch(path, manager, { retired: true })).body
    expect(retired).toMatchObject({ retiredAt: expect.any(String), holders: 1 })
    expect((await api.patch(path, manager, { retired: true })).body).toEqual(retired)
    const grant = { users: [{ user: owner.guid }] }
    expect(outcome(await api.post(`${path}/grants`, manager, grant))).toEqual([409, 'badge.retired'])
    expect((await api.get(`${path}/holders`)).body.holders).toHaveLength(1)
    expect((await api.get(`/users/${user.guid}`)).body.badges).toMatchObject([{ badgeGuid: badge.guid }])
    expect((await api.patch(path, manager, { retired: false })).body.retiredAt).toBe(null)
    expect((await api.post(`${path}/grants`, manager, grant)).body.granted).toHaveLength(1)
  })
})

describe('deleting', () => {
  test('only a badge that nobody ever held goes, and its picture is free (B4)', async () => {
    const picture = await image()
    const { body: made } = await api.post('/badges', manager, { ...(await input()), mediaGuid: picture.guid })
    expect(outcome(await api.delete(`/badges/${made.guid}`, user))).toEqual([403, 'role.missing'])
    expect(outcome(await api.delete(`/badges/${made.guid}`, manager))).toEqual([204, null])
    expect(outcome(await api.get(`/badges/${made.guid}`))).toEqual([404, 'badge.unknown'])
    expect(await usesOf(api, picture)).toEqual({ uses: [], state: 'unused' })
    expect(await eventsOf(made.guid)).toEqual(['badge.created', 'badge.deleted'])

    const held = await makeBadge(api, manager)
    const grant = await giveBadge(api, manager, held, user)
    expect(outcome(await api.delete(`/badges/${held.guid}`, manager))).toEqual([409, 'badge.in_use'])
    await api.post(`/badges/${held.guid}/grants/${grant}/revoke`, manager, { reason: 'By mistake.' })
    expect(outcome(await api.delete(`/badges/${held.guid}`, manager))).toEqual([409, 'badge.in_use'])
  })

  test('of a deletion and grants at the same time, one happens', async () => {
    for (let round = 0; round < 5; round++) {
      const badge = await makeBadge(api, manager)
      const [granted, deleted] = await Promise.all([
        api.post(`/badges/${badge.guid}/grants`, manager, { users: [{ user: user.guid }] }),
        api.delete(`/badges/${badge.guid}`, owner),
      ])
      const codes = [outcome(granted).join(' '), outcome(deleted).join(' ')]
      expect([
        ['200 ', '409 badge.in_use'],
        ['404 badge.unknown', '204 '],
      ]).toContainEqual(codes)
    }
  })
})

describe('the picture of a badge', () => {
  test('is not deleted while the badge needs it, by nobody', async () => {
    const picture = await image()
    await api.post('/badges', manager, { ...(await input()), mediaGuid: picture.guid })
    for (const as of [manager, owner]) {
      for (const query of ['', '?detach=true']) {
        expect(outcome(await api.delete(`/media/${picture.guid}${query}`, as))).toEqual([409, 'media.in_use'])
      }
    }
    const { body } = await api.get(`/media/${picture.guid}/usages`, owner)
    expect(body).toMatchObject([{ subject: 'badge', field: 'imageUrl', name: 'First steps', mayDetach: false }])
  })

  test('is taken down all the same; the badge has none until it is given another', async () => {
    const picture = await image()
    const { body: made } = await api.post('/badges', manager, { ...(await input()), mediaGuid: picture.guid })
    await giveBadge(api, manager, made, user)
    const taken = await api.post(`/admin/media/${picture.guid}/takedown`, owner, { reason: 'Not ours.' })
    expect(outcome(taken)).toEqual([204, null])
    expect((await api.get(`/badges/${made.guid}`)).body).toMatchObject({ imageUrl: null, holders: 1 })
    const { body: profile } = await api.get(`/users/${user.guid}`)
    expect(profile.badges.find(({ badgeGuid }: { badgeGuid: string }) => badgeGuid === made.guid).imageUrl).toBe(null)
    const other = await image()
    const given = await api.patch(`/badges/${made.guid}`, manager, { mediaGuid: other.guid })
    expect(given.body.imageUrl).toBe(other.url)
    expect(await usesOf(api, other)).toEqual({ uses: ['badge.imageUrl'], state: 'used' })
  })
})
