import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Awards, inHours, makeAwards, makeNominees, step } from '../../../../test/awards.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTeam, makeTournament } from '../../../../test/make.ts'
import { awards } from './slice.ts'

/** Users' nominations, and the nominees that managers make of them. (A3, A12, A13) */

let api: Harness
let second: Harness
let manager: Caller
let user: Caller
let other: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  manager = await api.user({ globalRoles: ['global:badges:manage'] })
  ;[user, other] = [await api.user({ name: 'Quaver' }), await api.user({ name: 'Crotchet' })]
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const at = ({ path, categories }: Awards, index = 0) => `${path}/categories/${categories[index]}`
const nominate = (edition: Awards, as: Caller | null, body: object, index = 0) =>
  api.post(`${at(edition, index)}/nominations`, as, body)
const addNominee = (edition: Awards, body: object, index = 0) =>
  api.post(`${at(edition, index)}/nominees`, manager, { label: 'Somebody', ...body })
const listed = async (edition: Awards, as: Caller, index = 0) =>
  (await api.get(`${at(edition, index)}/nominations?limit=100`, as)).body.nominations
const told = async (who: Caller, type: string) =>
  api.sql<{ title: string; body: string; data: Record<string, unknown> }>(
    'select title, body, data from notifications where user_guid = $1 and type = $2 order by created_at',
    [who.guid, type],
  )
const count = (replies: readonly Reply[]) => replies.map((reply) => outcome(reply).join(' ')).toSorted()

describe('nominating', () => {
  test('a user, by any identifier; a tournament, a team, and words with a link', async () => {
    const edition = await makeAwards(api, manager, { types: ['user', 'tournament', 'team', 'map', 'other'] })
    const cup = await makeTournament(api, manager, { name: 'Spring Cup' })
    const team = await makeTeam(api, cup, manager, { name: 'The Quavers' })
    const made = [
      await nominate(edition, user, { target: other.chatPlatformId, reason: 'Helps.' }, 0),
      await nominate(edition, user, { target: cup.id }, 1),
      await nominate(edition, user, { target: team.guid.toUpperCase() }, 2),
      await nominate(edition, user, { label: 'A  map', link: 'https://maps.example.org/1' }, 3),
      await nominate(edition, user, { label: 'A show' }, 4),
    ]
    const nothing = { user: null, tournament: null, team: null, label: null, link: null, reason: null }
    const own = { isOwn: true, sameTarget: null, nomineeGuid: null }
    const shownCup = { guid: cup.guid, id: cup.id, name: 'Spring Cup' }
    const expected = [
      { ...nothing, user: { guid: other.guid, preferredName: 'Crotchet' }, reason: 'Helps.' },
      { ...nothing, tournament: shownCup },
      { ...nothing, team: { guid: team.guid, id: team.id, name: 'The Quavers', tournament: shownCup } },
      { ...nothing, label: 'A map', link: 'https://maps.example.org/1' },
      { ...nothing, label: 'A show' },
    ]
    for (const [index, reply] of made.entries()) {
      expect(outcome(reply)).toEqual([201, null])
      const { guid, createdAt, categoryGuid, ...rest } = reply.body
      expect(categoryGuid).toBe(edition.categories[index])
      expect(rest).toEqual({ ...expected[index], ...own })
      expect(await listed(edition, user, index)).toEqual([reply.body])
      expect(await listed(edition, other, index)).toEqual([])
    }
  })

  const refused: [string, object, number, [number, string]][] = [
    ['nobody', { target: '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42' }, 0, [404, 'award.target_unknown']],
    ['words where a user is asked for', { label: 'Quaver' }, 0, [400, 'award.target_invalid']],
    ['a tournament that there is not', { target: 'no-such-cup' }, 1, [404, 'award.target_unknown']],
    ['a team by its short id', { target: 'team-1' }, 2, [404, 'award.target_unknown']],
    ['a record where words are asked for', { target: 'x' }, 3, [400, 'award.target_invalid']],
    ['nothing', {}, 3, [400, 'award.target_invalid']],
    ['words that show nothing', { label: '\u3164' }, 3, [400, 'award.invalid']],
    ['a link that runs', { label: 'A', link: 'javascript:alert(1)' }, 3, [400, 'award.invalid']],
    ['a reason of 501', { label: 'A', reason: 'a'.repeat(501) }, 3, [400, 'request.invalid']],
  ]
  test('what it does not take', async () => {
    const edition = await makeAwards(api, manager, { types: ['user', 'tournament', 'team', 'other'] })
    for (const [name, body, index, expected] of refused) {
      expect([name, ...outcome(await nominate(edition, user, body, index))]).toEqual([name, ...expected])
    }
    // Nominees become public, so a record that not everybody may see is treated as unknown, also for its owner.
    const draft = await makeTournament(api, user, { status: 'draft' })
    const hidden = await makeTeam(api, draft, other)
    expect(outcome(await nominate(edition, user, { target: draft.guid }, 1))).toEqual([404, 'award.target_unknown'])
    expect(outcome(await nominate(edition, user, { target: hidden.guid }, 2))).toEqual([404, 'award.target_unknown'])
  })

  describe('needs a verified link or an old account, whichever holds', () => {
    const cases: [string, { link?: 'verified' | 'unproven'; isOld?: boolean; isBot?: boolean }, string[]][] = [
      ['neither', {}, ['account_too_new', 'link_missing']],
      ['a link', { link: 'verified' }, []],
      ['a link that is not proven', { link: 'unproven' }, ['account_too_new', 'link_missing']],
      ['an old account', { isOld: true }, []],
      ['both', { link: 'verified', isOld: true }, []],
      ['a bot with both', { link: 'verified', isOld: true, isBot: true }, ['bot']],
      ['a bot with neither', { isBot: true }, ['bot', 'account_too_new', 'link_missing']],
    ]
    let edition: Awards
    beforeAll(async () => {
      edition = await makeAwards(api, manager, {
        changes: { rules: { accountBefore: '2022-01-01T00:00:00Z', link: 'ranking-a' } },
      })
    })
    test.each(cases)('%s', async (_name, { link, isOld = false, isBot = false }, expected) => {
      const who = await api.user()
      const madeAt = isOld ? '2021-12-31T23:59:59.999Z' : '2022-01-01T00:00:00.000Z'
      await api.sql('update users set created_at = $2, is_bot = $3 where guid = $1', [who.guid, madeAt, isBot])
      if (link !== undefined) {
        const verifiedAt = link === 'verified' ? new Date() : null
        await api.sql(
          `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-b', $2, $3)`,
          [...[who.guid, `${Math.trunc(Date.now() % 1e9)}${who.chatPlatformId.slice(-6)}`, verifiedAt]],
        )
      }
      const reply = await nominate(edition, who, { target: other.guid })
      if (expected.length === 0) return expect(outcome(reply)).toEqual([201, null])
      expect(outcome(reply)).toEqual([403, 'award.not_eligible'])
      expect(reply.body.failures.map(({ code }: { code: string }) => code)).toEqual(expected)
    })
  })

  test('not what is one’s own, unless the edition says so', async () => {
    const types = ['user', 'tournament', 'team']
    const strict = await makeAwards(api, manager, { types })
    const open = await makeAwards(api, manager, { types, changes: { rules: { selfNomination: true } } })
    const cup = await makeTournament(api, user)
    const admin = await api.user()
    await grantRole(api, cup, admin, 'role:admin')
    const staff = await api.user()
    await grantRole(api, cup, staff, 'role:staff')
    const member = await api.user()
    const team = await makeTeam(api, cup, other, { members: [member] })
    const own: [Caller, string, number][] = [
      [user, '@me', 0],
      [user, user.chatPlatformId, 0],
      [user, cup.id, 1],
      [admin, cup.guid, 1],
      [other, team.guid, 2],
      [member, team.guid, 2],
    ]
    for (const [who, target, index] of own) {
      expect(outcome(await nominate(strict, who, { target }, index))).toEqual([403, 'award.self_nomination'])
    }
    for (const [who, target, index] of own.slice(1)) {
      expect(outcome(await nominate(open, who, { target }, index))).toEqual([201, null])
    }
    // A member of the staff, a rival of the team and its organiser do not own these targets.
    for (const [who, target, index] of [
      [staff, cup.id, 1],
      [user, team.guid, 2],
      [other, user.guid, 0],
    ] as const) {
      expect(outcome(await nominate(strict, who, { target }, index))).toEqual([201, null])
    }
  })

  test('and taking back ends after a hundred of one user in a category', async () => {
    const edition = await makeAwards(api, manager, { types: ['other', 'other'] })
    const { body } = await nominate(edition, user, { label: 'A show' })
    await api.delete(`${at(edition)}/nominations/${body.guid}`, user)
    await api.sql(
      `insert into award_nominations (category_guid, user_guid, label, target_key, withdrawn_at)
       select category_guid, user_guid, label, target_key, withdrawn_at
       from award_nominations, generate_series(1, 98) where guid = $1`,
      [body.guid],
    )
    expect(outcome(await nominate(edition, user, { label: 'A show' }))).toEqual([201, null])
    expect(outcome(await nominate(edition, user, { label: 'Another' }))).toEqual([409, 'award.nominations_limit'])
    expect(outcome(await nominate(edition, user, { label: 'Another' }, 1))).toEqual([201, null])
    expect(outcome(await nominate(edition, other, { label: 'Another' }))).toEqual([201, null])
  })

  test('words from before they were compared so once, too', async () => {
    const edition = await makeAwards(api, manager, { types: ['other'] })
    expect(outcome(await nominate(edition, user, { label: 'Modern' }))).toEqual([201, null])
    await api.sql(`update award_nominations set target_key = E'\\n' || guid where category_guid = $1`, [
      edition.categories[0],
    ])
    const { database, services } = api.app
    await Promise.all([1, 2].map(() => awards.start?.({ database, services, now: new Date() })))
    expect(outcome(await nominate(edition, user, { label: 'MODERN' }))).toEqual([409, 'award.nominated_already'])
    expect(outcome(await nominate(edition, user, { label: 'Modem' }))).toEqual([201, null])
  })

  test('the same once, and as many as the rules say, however many come at once and where', async () => {
    const edition = await makeAwards(api, manager, {
      types: ['user', 'other'],
      changes: { rules: { nominationsPerCategory: 2 } },
    })
    const twice = await Promise.all(
      [api, second, api, second].map((one) => one.post(`${at(edition)}/nominations`, user, { target: other.guid })),
    )
    expect(count(twice)).toEqual([
      '201 ',
      '409 award.nominated_already',
      '409 award.nominated_already',
      '409 award.nominated_already',
    ])
    const many = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        [api, second][index % 2]?.post(`${at(edition, 1)}/nominations`, user, { label: `Number ${index}` }),
      ),
    )
    expect(count(many as Reply[])).toEqual(['201 ', '201 ', ...Array(6).fill('409 award.nominations_limit')])
    expect(await listed(edition, user, 1)).toHaveLength(2)
    // Words are compared without case, but not across scripts.
    expect(outcome(await nominate(edition, other, { label: 'A Song' }, 1))).toEqual([201, null])
    expect(outcome(await nominate(edition, other, { label: 'ａ SONG' }, 1))).toEqual([409, 'award.nominated_already'])
    expect(outcome(await nominate(edition, other, { label: 'A Song', link: 'https://example.org' }, 1))).toEqual([
      201,
      null,
    ])
  })

  test('may be taken back while nominations are open, by nobody else, and sent again', async () => {
    const edition = await makeAwards(api, manager)
    const { guid } = (await nominate(edition, user, { target: other.guid })).body
    const address = `${at(edition)}/nominations/${guid}`
    for (const as of [other, manager])
      expect(outcome(await api.delete(address, as))).toEqual([404, 'award.nomination_unknown'])
    expect(outcome(await api.delete(address, user))).toEqual([204, null])
    expect(outcome(await api.delete(address, user))).toEqual([204, null])
    expect(await listed(edition, user)).toEqual([])
    expect(await listed(edition, manager)).toEqual([])
    const again = (await nominate(edition, user, { target: other.guid })).body
    await step(api, manager, edition.path, 'shortlisting')
    expect(outcome(await api.delete(`${at(edition)}/nominations/${again.guid}`, user))).toEqual([
      409,
      'award.phase_wrong',
    ])
    expect(outcome(await nominate(edition, user, { target: manager.guid }))).toEqual([409, 'award.phase_wrong'])
    const types = await api.sql<{ type: string; before: unknown; after: unknown; subject: unknown }>(
      `select type, before, after, subject from event_log where actor = $1 and type like 'award.nomin%' order by seq desc limit 3`,
      [user.guid],
    )
    expect(types).toEqual(
      ['award.nominated', 'award.nomination_withdrawn', 'award.nominated'].map((type) => ({
        type,
        before: null,
        after: null,
        subject: null,
      })),
    )
  })

  test('is shown to managers without authors, with how many propose the same', async () => {
    const edition = await makeAwards(api, manager)
    const third = await api.user()
    for (const who of [user, third]) await nominate(edition, who, { target: other.guid, reason: `By ${who.username}` })
    await nominate(edition, other, { target: third.guid })
    const all = await listed(edition, manager)
    expect(all.map((one: { sameTarget: number; isOwn: boolean }) => [one.sameTarget, one.isOwn])).toEqual([
      [1, false],
      [2, false],
      [2, false],
    ])
    const address = `${at(edition)}/nominations`
    const first = (await api.get(`${address}?limit=2`, manager)).body
    const rest = (await api.get(`${address}?limit=2&before=${first.nextCursor}`, manager)).body
    expect([...first.nominations, ...rest.nominations]).toEqual(all)
    expect(rest.nextCursor).toBeNull()
    // The list shows the nominated users, but none of the authors.
    expect(JSON.stringify(all)).not.toContain(user.guid)
    expect(outcome(await api.get(address))).toEqual([401, 'token.missing'])
  })

  test('60 may be sent in an hour', async () => {
    await using limited = await startHarness({ rateLimits: true })
    const [hers, theirs] = [await limited.user(), await limited.user()]
    const boss = await limited.user({ globalRoles: ['role:owner'] })
    const edition = await makeAwards(limited, boss, { types: ['other'] })
    const send = (as: Caller) => limited.post(`${at(edition)}/nominations`, as, { label: 'The same' })
    for (let sent = 0; sent < 60; sent += 1) expect((await send(hers)).status).toBe(sent === 0 ? 201 : 409)
    const reply = await send(hers)
    expect(outcome(reply)).toEqual([429, 'request.limited'])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await send(theirs)).status).toBe(201)
  })
})

describe('nominees', () => {
  test('are made of nominations; whoever is nominated is told, and counts are of users', async () => {
    const edition = await makeAwards(api, manager, { changes: { title: 'Awards of the year' } })
    const third = await api.user()
    const star = await api.user({ name: 'Star' })
    const merged: string[] = []
    for (const who of [user, other, third]) merged.push((await nominate(edition, who, { target: star.guid })).body.guid)
    const reply = await addNominee(edition, {
      label: 'Star ✨',
      nominations: merged.slice(0, 2),
      description: 'Shines.',
    })
    expect(outcome(reply)).toEqual([201, null])
    expect(reply.body).toEqual({
      guid: reply.body.guid,
      label: 'Star ✨',
      imageUrl: null,
      link: null,
      description: 'Shines.',
      user: { guid: star.guid, preferredName: 'Star' },
      tournament: null,
      team: null,
      declined: false,
      nominations: 2,
      result: null,
    })
    expect(await told(star, 'award.nominated')).toEqual([
      {
        title: 'Star ✨ is nominated for Awards of the year',
        body: expect.stringContaining('“Best user”'),
        data: { editionGuid: edition.guid, categoryGuid: edition.categories[0], nomineeGuid: reply.body.guid },
      },
    ])
    const address = `${at(edition)}/nominees/${reply.body.guid}`
    const changed = await api.patch(address, manager, {
      nominations: merged,
      imageUrl: 'https://pictures.example.org/star.png',
    })
    expect(changed.body).toMatchObject({
      nominations: 3,
      imageUrl: 'https://pictures.example.org/star.png',
      label: 'Star ✨',
    })
    expect((await listed(edition, manager)).map((one: { nomineeGuid: string }) => one.nomineeGuid)).toEqual(
      Array(3).fill(reply.body.guid),
    )
    // Authors do not learn that their nomination was merged.
    expect((await listed(edition, user))[0].nomineeGuid).toBeNull()
    expect((await api.patch(address, manager, { nominations: [] })).body.nominations).toBe(0)
    expect(await told(star, 'award.nominated')).toHaveLength(1)
    expect(outcome(await addNominee(edition, { target: star.guid }))).toEqual([409, 'award.nominee_exists'])
    expect(outcome(await addNominee(edition, { nominations: [edition.guid] }))).toEqual([
      404,
      'award.nomination_unknown',
    ])
    expect(outcome(await api.delete(address, manager))).toEqual([204, null])
    expect(outcome(await api.delete(address, manager))).toEqual([404, 'award.nominee_unknown'])
  })

  test('the organiser of a tournament and the captain of a team are told, and a team’s members are those of the closing', async () => {
    const edition = await makeAwards(api, manager, { types: ['tournament', 'team', 'other'] })
    const organiser = await api.user()
    const [captain, member, later] = [await api.user(), await api.user(), await api.user()]
    const cup = await makeTournament(api, organiser)
    const team = await makeTeam(api, cup, captain, { members: [member] })
    const late = await makeTeam(api, cup, later)
    // This team was nominated before the closing, and becomes a nominee after it.
    const [leader, leaver] = [await api.user(), await api.user()]
    const leaving = await makeTeam(api, cup, leader, { members: [leaver] })
    expect((await nominate(edition, other, { target: leaving.guid }, 1)).status).toBe(201)
    await addNominee(edition, { target: cup.id }, 0)
    const { guid } = (await addNominee(edition, { target: team.guid }, 1)).body
    expect(await told(organiser, 'award.nominated')).toHaveLength(1)
    expect(await told(captain, 'award.nominated')).toHaveLength(1)
    expect(await told(member, 'award.nominated')).toHaveLength(0)
    expect(outcome(await addNominee(edition, { target: cup.id }, 2))).toEqual([400, 'award.target_invalid'])
    const members = async (nominee: string) =>
      (await api.sql<{ members: string[] }>('select members from award_nominees where guid = $1', [nominee]))[0]
        ?.members
    await api.sql('delete from team_members where user_guid = $1', [member.guid])
    await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3)', [
      team.guid,
      cup.guid,
      user.guid,
    ])
    await step(api, manager, edition.path, 'shortlisting')
    const closing = [captain.guid, user.guid].toSorted()
    expect(await members(guid)).toEqual(closing)
    await api.sql('delete from team_members where user_guid = any($1)', [[user.guid, leaver.guid]])
    expect(await members(guid)).toEqual(closing)
    const made = await addNominee(edition, { target: leaving.guid }, 1)
    expect(await members(made.body.guid)).toEqual([leader.guid, leaver.guid].toSorted())
    // This team becomes a nominee after the closing without a nomination: only members who had joined by then count.
    await api.sql(`update award_editions set nominations_close_at = now() where guid = $1`, [edition.guid])
    await api.sql(
      `insert into team_members (team_guid, tournament_guid, user_guid, joined_at) values ($1, $2, $3, now() + interval '1 minute')`,
      [...[late.guid, cup.guid, other.guid]],
    )
    expect(await members((await addNominee(edition, { target: late.guid }, 1)).body.guid)).toEqual([later.guid])
  })

  test('are shown from voting on, to each reader in an order of their own that stays', async () => {
    const edition = await makeAwards(api, manager, {
      types: ['other'],
      changes: { rules: { accountBefore: inHours(0) } },
    })
    const labels = Array.from({ length: 10 }, (_, index) => `Number ${index}`)
    await makeNominees(api, manager, edition, labels)
    const nomineesOf = async (as: Caller | null, one = api) =>
      (await one.get(edition.path, as)).body.categories[0].nominees
    const names = (nominees: { label: string }[]) => nominees.map(({ label }) => label)
    expect(await nomineesOf(null)).toBeNull()
    expect(await nomineesOf(user)).toBeNull()
    expect(names(await nomineesOf(manager)).toSorted()).toEqual(labels)
    expect(outcome(await api.get(`${edition.path}/nominees.csv`, manager))).toEqual([404, 'award.nominees_hidden'])
    await step(api, manager, edition.path, 'shortlisting')
    expect((await api.get(at(edition), user)).body.nominees).toBeNull()
    await step(api, manager, edition.path, 'voting')
    const readers = [null, ...(await Promise.all(Array.from({ length: 12 }, () => api.user())))]
    const orders = await Promise.all(readers.map(async (as) => names(await nomineesOf(as))))
    for (const order of orders) expect(order.toSorted()).toEqual(labels)
    expect(new Set(orders.map(([first]) => first)).size).toBeGreaterThan(3)
    for (const [index, as] of readers.entries()) {
      expect(names(await nomineesOf(as, second))).toEqual(orders[index])
      expect(names((await api.get(at(edition), as)).body.nominees)).toEqual(orders[index])
      for (const one of await nomineesOf(as)) expect([one.nominations, one.result]).toEqual([null, null])
    }
    expect(outcome(await addNominee(edition, {}))).toEqual([409, 'award.phase_wrong'])
  })

  test('stand in a spreadsheet, where nothing runs', async () => {
    const edition = await makeAwards(api, manager, { types: ['other'] })
    await makeNominees(api, manager, edition, ['=1+1', '@x', 'Of "all", one'])
    await step(api, manager, edition.path, 'shortlisting')
    await step(api, manager, edition.path, 'voting')
    const reply = await api.get(`${edition.path}/nominees.csv`)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const startOf = async (query: string) => {
      const bytes = await (await fetch(`${api.url}/api${edition.path}/nominees.csv${query}`)).arrayBuffer()
      return [...new Uint8Array(bytes).slice(0, 3)]
    }
    expect(await startOf('')).toEqual([...Buffer.from('cat')])
    expect(await startOf('?for=spreadsheet')).toEqual([0xef, 0xbb, 0xbf])
    const lines = reply.text.replace(/^\uFEFF/, '').split('\r\n')
    expect(lines[0]).toBe('category guid,category,nominee guid,nominee,link,declined')
    const cells = lines.slice(1, 4).map((line) => /^[^,]+,Best other,[^,]+,(.*),,no$/.exec(line)?.[1])
    expect(cells.toSorted()).toEqual(['"Of ""all"", one"', "'=1+1", "'@x"])
  })

  test('of which there are a hundred in a category at most, and one of each record, however many come at once', async () => {
    const edition = await makeAwards(api, manager, { types: ['other', 'user'] })
    await api.sql(
      `insert into award_nominees (category_guid, label) select $1, 'Of ' || n from generate_series(1, 98) n`,
      [edition.categories[0]],
    )
    const many = await Promise.all(Array.from({ length: 4 }, () => addNominee(edition, {})))
    expect(count(many)).toEqual(['201 ', '201 ', '409 award.nominees_limit', '409 award.nominees_limit'])
    const same = await Promise.all(
      [api, second, api].map((one) =>
        one.post(`${at(edition, 1)}/nominees`, manager, { label: 'She', target: other.guid }),
      ),
    )
    expect(count(same)).toEqual(['201 ', '409 award.nominee_exists', '409 award.nominee_exists'])
  })

  test('keep their label when their record is gone, and what was merged when its author is', async () => {
    const edition = await makeAwards(api, manager)
    const [gone, author] = [await api.user({ name: 'Gone' }), await api.user()]
    const { guid: nomination } = (await nominate(edition, author, { target: gone.guid, reason: 'Theirs.' })).body
    await addNominee(edition, { label: 'Gone', nominations: [nomination] })
    const archive = (await api.get('/users/@me/export', author)).text
    expect(archive).toContain('Theirs.')
    for (const who of [gone, author]) expect((await api.delete('/users/@me', who)).status).toBeLessThan(300)
    expect((await api.get(at(edition), manager)).body.nominees).toMatchObject([
      { label: 'Gone', user: null, nominations: 0 },
    ])
    expect(await listed(edition, manager)).toEqual([])
  })
})

describe('declining', () => {
  const decline = (guid: string, as: Caller | null) => api.post(`/awards/nominees/${guid}/decline`, as, undefined)

  test('is for whoever is nominated, organises or leads; before voting others do not learn of nominees', async () => {
    const edition = await makeAwards(api, manager, { types: ['user', 'tournament', 'team', 'other'] })
    const [organiser, admin, captain, member] = await Promise.all(Array.from({ length: 4 }, () => api.user()))
    const cup = await makeTournament(api, organiser as Caller)
    await grantRole(api, cup, admin as Caller, 'role:admin')
    const team = await makeTeam(api, cup, captain as Caller, { members: [member as Caller] })
    const nominees = [
      (await addNominee(edition, { target: user.guid }, 0)).body.guid,
      (await addNominee(edition, { target: cup.guid }, 1)).body.guid,
      (await addNominee(edition, { target: team.guid }, 2)).body.guid,
      (await addNominee(edition, {}, 3)).body.guid,
    ]
    const others = [other, organiser, admin, captain, member, user] as Caller[]
    const deciders: Caller[][] = [[user], [organiser, admin] as Caller[], [captain as Caller], []]
    for (const [index, guid] of nominees.entries()) {
      for (const who of others.filter((one) => !deciders[index]?.includes(one))) {
        expect(outcome(await decline(guid, who))).toEqual([404, 'award.nominee_unknown'])
      }
      expect(outcome(await decline(guid, manager))).toEqual([403, 'role.missing'])
      expect(outcome(await decline(guid, null))).toEqual([401, 'token.missing'])
      for (const who of deciders[index] as Caller[]) {
        const reply = await decline(guid, who)
        expect(reply.body).toEqual({
          guid,
          label: 'Somebody',
          editionGuid: edition.guid,
          declined: true,
          category: { guid: edition.categories[index], name: expect.any(String) },
        })
      }
    }
    // The admin's decline after the organiser's changed nothing.
    const told = await api.sql(`select 1 from event_log where type = 'award.nominee_declined' and subject = $1`, [
      edition.guid,
    ])
    expect(told).toHaveLength(3)
    expect(outcome(await decline('x', user))).toEqual([404, 'award.nominee_unknown'])
  })

  test('while voting: the vote is void, and all who voted there are told of nobody in particular', async () => {
    const edition = await makeAwards(api, manager, { types: ['user', 'other'], changes: { title: 'The awards' } })
    const star = await api.user()
    const { guid: declining } = (await addNominee(edition, { target: star.guid, label: 'The star' })).body
    const [second_] = await makeNominees(api, manager, edition, ['Another'])
    const [elsewhere] = await makeNominees(api, manager, edition, ['One', 'Two'], 1)
    await step(api, manager, edition.path, 'shortlisting')
    await step(api, manager, edition.path, 'voting')
    const voters = await Promise.all(Array.from({ length: 3 }, () => api.user()))
    const cast = (who: Caller | undefined, nomineeGuid: string | undefined, index = 0) =>
      api.put(`${at(edition, index)}/vote`, who as Caller, { nomineeGuid })
    expect(outcome(await cast(voters[0], declining))).toEqual([200, null])
    expect(outcome(await cast(voters[1], second_))).toEqual([200, null])
    expect(outcome(await cast(voters[2], elsewhere, 1))).toEqual([200, null])
    const votedOf = async (who: Caller | undefined) => (await api.get(edition.path, who)).body.voted
    expect(await votedOf(voters[0])).toEqual([edition.categories[0]])
    expect(outcome(await decline(declining, user))).toEqual([403, 'role.missing'])
    expect(outcome(await decline(declining, star))).toEqual([200, null])
    expect(await votedOf(voters[0])).toEqual([])
    expect(await votedOf(voters[1])).toEqual([edition.categories[0]])
    expect(outcome(await cast(voters[0], declining))).toEqual([409, 'award.nominee_declined'])
    const shown = (await api.get(at(edition))).body.nominees
    expect(shown.find(({ guid }: { guid: string }) => guid === declining).declined).toBe(true)
    const messages = await Promise.all(voters.map((who) => told(who, 'award.nominee_declined')))
    expect(messages.map(({ length }) => length)).toEqual([1, 1, 0])
    expect(messages[0]).toEqual(messages[1])
    expect(messages[0]?.[0]?.data).toEqual({ editionGuid: edition.guid })
    const words = JSON.stringify(messages[0])
    for (const secret of [declining, 'The star', 'Best user', edition.categories[0]])
      expect(words).not.toContain(secret)
  })

  test('is too late when the results are published, and of no consequence in what was cancelled', async () => {
    const edition = await makeAwards(api, manager)
    const { guid } = (await addNominee(edition, { target: user.guid })).body
    await makeNominees(api, manager, edition, ['Another', 'A third'])
    for (const status of ['shortlisting', 'voting', 'counting', 'published']) {
      expect(outcome(await step(api, manager, edition.path, status))).toEqual([200, null])
    }
    expect(outcome(await decline(guid, user))).toEqual([409, 'award.phase_wrong'])
    const cancelled = await makeAwards(api, manager)
    const nominee = (await addNominee(cancelled, { target: user.guid })).body.guid
    await step(api, manager, cancelled.path, 'cancelled', 'No.')
    expect(outcome(await decline(nominee, user))).toEqual([404, 'award.nominee_unknown'])
  })
})
