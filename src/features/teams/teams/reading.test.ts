import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'
import { countStatements } from '../../../../test/statements.ts'

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user({ name: 'maestro' })
})
afterAll(() => api[Symbol.asyncDispose]())

const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'
const idsOf = (reply: Reply) => reply.body.teams.map((team: { id: string }) => team.id)

describe('the list of teams', () => {
  test('is public, in the order of their making, page by page without repeating or skipping', async () => {
    const cup = await makeTournament(api, organiser)
    const made: string[] = []
    for (let at = 0; at < 7; at++) made.push((await makeTeam(api, cup, await api.user())).id)
    // Teams with the same creation time are ordered by GUID.
    await api.sql(
      "update teams set created_at = date_trunc('second', created_at) - interval '1 h' where tournament_guid = $1 and id = any($2)",
      [cup.guid, made.slice(2, 5)],
    )
    const all = await api.get(`/tournaments/${cup.id}/teams`)
    expect([all.status, all.body.teams.length, all.body.nextCursor]).toEqual([200, 7, null])
    expect(new Set(idsOf(all).slice(0, 3))).toEqual(new Set(made.slice(2, 5)))
    expect(idsOf(all).slice(3)).toEqual([0, 1, 5, 6].map((at) => made[at]))
    const seen: string[] = []
    let before = ''
    for (let pages = 0; pages < 10; pages++) {
      const page = await api.get(`/tournaments/${cup.id}/teams?limit=2${before}`)
      seen.push(...idsOf(page))
      if (page.body.nextCursor === null) break
      // A team that is created between two pages comes last.
      if (pages === 0) made.push((await makeTeam(api, cup, await api.user())).id)
      before = `&before=${encodeURIComponent(page.body.nextCursor)}`
    }
    expect(seen).toEqual([...idsOf(all), made[7]])
  })

  test('is empty where there is none, and unknown where there is no tournament to see', async () => {
    const cup = await makeTournament(api, organiser)
    expect((await api.get(`/tournaments/${cup.id}/teams`)).body).toEqual({ teams: [], nextCursor: null })
    const draft = await makeTournament(api, organiser, { status: 'draft' })
    await makeTeam(api, draft, organiser)
    for (const user of [null, await api.user()]) {
      expect(outcome(await api.get(`/tournaments/${draft.id}/teams`, user))).toEqual([404, 'tournament.unknown'])
    }
    expect((await api.get(`/tournaments/${draft.id}/teams`, organiser)).body.teams.length).toBe(1)
    expect(outcome(await api.get('/tournaments/no-such-cup/teams'))).toEqual([404, 'tournament.unknown'])
  })

  test('shows the teams of the statuses that are asked for', async () => {
    const cup = await makeTournament(api, organiser)
    await makeTeam(api, cup, await api.user(), { id: 'u' })
    await makeTeam(api, cup, await api.user(), { id: 'r', status: 'registered' })
    await makeTeam(api, cup, await api.user(), { id: 'q', status: 'qualified' })
    const shown = async (status: string) => idsOf(await api.get(`/tournaments/${cup.id}/teams?status=${status}`))
    expect(await shown('unregistered')).toEqual(['u'])
    expect(await shown('registered,qualified')).toEqual(['r', 'q'])
    expect(await shown('qualified,%20qualified,')).toEqual(['q'])
    expect(await shown('')).toEqual(['u', 'r', 'q'])
    const wrong = await api.get(`/tournaments/${cup.id}/teams?status=registered,best`)
    expect(outcome(wrong)).toEqual([400, 'team.status_unknown'])
  })

  test('finds teams by the start of their name or by their id', async () => {
    const cup = await makeTournament(api, organiser)
    await makeTeam(api, cup, await api.user(), { id: 'one', name: 'Étude Brass' })
    await makeTeam(api, cup, await api.user(), { id: 'two', name: '100% Brass' })
    await makeTeam(api, cup, await api.user(), { id: 'three', name: '1000 Notes' })
    await makeTeam(api, cup, await api.user(), { id: 'four', name: 'back\\slash_' })
    const found = async (q: string) => idsOf(await api.get(`/tournaments/${cup.id}/teams?q=${encodeURIComponent(q)}`))
    expect(await found('éTUDE')).toEqual(['one'])
    expect(await found('brass')).toEqual([])
    expect(await found('100')).toEqual(['two', 'three'])
    expect(await found('100%')).toEqual(['two'])
    expect(await found('%')).toEqual([])
    expect(await found('_')).toEqual([])
    expect(await found('BACK\\S')).toEqual(['four'])
    expect(await found('Three')).toEqual(['three'])
    expect(await found("' or true --")).toEqual([])
  })

  test.each(['limit=0', 'limit=101', 'limit=x', 'before=nonsense', 'before=W10', 'q=', 'q=a&q=b'])(
    'refuses ?%s',
    async (query) => {
      const cup = await makeTournament(api, organiser)
      expect((await api.get(`/tournaments/${cup.id}/teams?${query}`)).status).toBe(400)
    },
  )

  test('refuses a cursor with positions that are none', async () => {
    const cup = await makeTournament(api, organiser)
    const cursor = (position: unknown) => Buffer.from(JSON.stringify(position)).toString('base64url')
    const now = '2026-01-01T00:00:00.000Z'
    const positions = [
      ['teams', 'x', unknownGuid],
      ['teams', now, 'y'],
      ['teams', '0000-01-01T00:00:00.000Z', unknownGuid],
      ['teams', '2026-02-31T00:00:00.000Z', unknownGuid],
      ['teams', now, unknownGuid, 1],
      ['teams', 1, 2],
      ['users', now, unknownGuid],
    ]
    expect((await api.get(`/tournaments/${cup.id}/teams?before=${cursor(['teams', now, unknownGuid])}`)).status).toBe(
      200,
    )
    for (const position of positions) {
      const reply = await api.get(`/tournaments/${cup.id}/teams?before=${cursor(position)}`)
      expect(outcome(reply), JSON.stringify(position)).toEqual([400, 'cursor.invalid'])
    }
  })

  test('is never older than the last change, remembered or not', async () => {
    const cup = await makeTournament(api, organiser)
    const [captain, member] = [await api.user(), await api.user()]
    const team = await makeTeam(api, cup, captain, { members: [member] })
    const paths = [`/tournaments/${cup.id}/teams`, `/tournaments/${cup.id}/teams/${team.guid}`]
    const read = async () => {
      const [list, one] = await Promise.all(paths.map((path) => api.get(path)))
      expect(list?.body.teams[0]).toEqual(one?.body)
      return one?.body
    }
    await read()
    await api.patch(`/tournaments/${cup.id}/teams/${team.id}`, captain, { name: 'Renamed' })
    expect((await read()).name).toBe('Renamed')
    await api.post('/updateUserSettings', member, { pronouns: 'they/them' })
    expect((await read()).members[1].user.pronouns).toBe('they/them')
    await api.patch(`/tournaments/${cup.id}/teams/${team.id}/members/${member.guid}`, captain, { isActive: false })
    expect((await read()).members[1].isActive).toBe(false)
    await api.delete(`/tournaments/${cup.id}/teams/${team.id}/members/${member.guid}`, member)
    expect((await read()).members.length).toBe(1)
    const second = await api.user()
    await api.post(`/tournaments/${cup.id}/teams`, second, { captainId: second.guid })
    expect((await api.get(paths[0] as string)).body.teams.length).toBe(2)
    await api.delete(`/tournaments/${cup.id}/teams`, captain, { teamGuid: team.guid })
    expect((await api.get(paths[0] as string)).body.teams.length).toBe(1)
    expect(outcome(await api.get(paths[1] as string))).toEqual([404, 'team.unknown'])
  })

  test('tells of a lock that comes by date when it comes', async () => {
    const cup = await makeTournament(api, organiser, { rosterLocksAt: new Date(Date.now() + 1_200) })
    const team = await makeTeam(api, cup, await api.user())
    const locked = async () => (await api.get(`/tournaments/${cup.id}/teams/${team.id}`)).body.rosterLocked
    expect(await locked()).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 1_300))
    expect(await locked()).toBe(true)
  })

  test('costs the same few statements whatever the number of teams', async () => {
    const cups = await Promise.all([0, 1, 2].map(() => makeTournament(api, organiser)))
    for (const cup of cups) {
      for (let at = 0; at < 6; at++) await makeTeam(api, cup, await api.user(), { members: [await api.user()] })
    }
    const page = (limit: number) =>
      countStatements(['teams', 'team_members', 'field_answers', 'users'], async (round) => {
        const { body } = await api.get(`/tournaments/${cups[round]?.id}/teams?limit=${limit}`, organiser)
        expect(body.teams.length).toBe(limit)
      })
    const few = await page(1)
    expect(few.statements).toBeGreaterThan(2)
    expect((await page(5)).statements).toBe(few.statements)
  })
})

describe('a team', () => {
  test('is unknown in any tournament but its own', async () => {
    const [cup, other] = [await makeTournament(api, organiser), await makeTournament(api, organiser)]
    const team = await makeTeam(api, cup, await api.user())
    for (const name of [team.guid, team.id]) {
      expect((await api.get(`/tournaments/${cup.guid}/teams/${name}`)).body.guid).toBe(team.guid)
      expect(outcome(await api.get(`/tournaments/${other.id}/teams/${name}`))).toEqual([404, 'team.unknown'])
    }
    for (const name of [unknownGuid, 'no-team', 'UPPER%20CASE', '..%2f', '%F0%9F%8E%B5']) {
      expect(outcome(await api.get(`/tournaments/${cup.id}/teams/${name}`)), name).toEqual([404, 'team.unknown'])
    }
  })

  test('shows answers to the fields that there are, private ones to staff and to those whom they are about', async () => {
    const field = (number: number, more: object) => ({
      guid: `00000000-0000-4000-8000-00000000000${number}`,
      label: `Field ${number}`,
      help: null,
      type: 'text',
      required: false,
      options: [],
      subject: 'team',
      private: false,
      ...more,
    })
    const [region, phone, map, pad] = [
      field(1, {}),
      field(2, { private: true }),
      field(3, { type: 'map', subject: 'player' }),
      field(4, { type: 'number', subject: 'player', private: true }),
    ]
    const removed = field(5, {})
    const cup = await makeTournament(api, organiser, { additionalFields: [region, phone, map, pad] })
    const [captain, member, former] = [await api.user(), await api.user(), await api.user()]
    const team = await makeTeam(api, cup, captain, { members: [member] })
    const favourite = { hash: 'A'.repeat(40), difficulty: 'expertPlus', characteristic: 'Standard' }
    const answers: [{ guid: string }, Caller | null, unknown][] = [
      [pad, member, 7],
      [phone, null, '+1 555'],
      [map, member, favourite],
      [map, former, favourite],
      [region, null, 'Europe'],
      [removed, null, 'old'],
    ]
    for (const [{ guid }, user, response] of answers) {
      await api.sql('insert into field_answers (team_guid, field_guid, user_guid, response) values ($1, $2, $3, $4)', [
        team.guid,
        guid,
        user?.guid ?? null,
        JSON.stringify(response),
      ])
    }
    const open = [
      { fieldGuid: region.guid, userGuid: null, response: 'Europe' },
      { fieldGuid: map.guid, userGuid: member.guid, response: favourite },
    ]
    const all = [
      open[0],
      { fieldGuid: phone.guid, userGuid: null, response: '+1 555' },
      open[1],
      { fieldGuid: pad.guid, userGuid: member.guid, response: 7 },
    ]
    const shownTo = async (user: Caller | null) => {
      const [one, list] = [
        await api.get(`/tournaments/${cup.id}/teams/${team.id}`, user),
        await api.get(`/tournaments/${cup.id}/teams`, user),
      ]
      expect(list.body.teams[0].additionalFields).toEqual(one.body.additionalFields)
      return one.body.additionalFields
    }
    for (const user of [null, await api.user(), former]) expect(await shownTo(user)).toEqual(open)
    const other = await api.user()
    await makeTeam(api, cup, await api.user(), { members: [other] })
    expect(await shownTo(other)).toEqual(open)
    // A team's private answers are for its members, a player's for the player and the captain. (D74)
    const second = await api.user()
    await api.sql('insert into team_members (team_guid, tournament_guid, user_guid) values ($1, $2, $3)', [
      ...[team.guid, cup.guid, second.guid],
    ])
    for (const user of [captain, member]) expect(await shownTo(user)).toEqual(all)
    expect(await shownTo(second)).toEqual(all.slice(0, 3))
    // The tournament's record is the same for all viewers and shows no private answers.
    for (const user of [captain, member, null]) {
      const record = await api.get(`/tournaments/${cup.id}?include=teams`, user)
      expect(record.body.teams[0].additionalFields).toEqual(open)
    }
    const staff = [organiser, await roleHolder(api, cup, 'role:caster'), await roleHolder(api, cup, 'role:admin')]
    for (const user of staff) expect(await shownTo(user)).toEqual(all)
    const elsewhere = await makeTournament(api, organiser)
    expect(await shownTo(await roleHolder(api, elsewhere, 'role:admin'))).toEqual(open)
    // The private answers were not cached for other viewers.
    expect(await shownTo(null)).toEqual(open)
  })
})

describe('the spreadsheet of teams', () => {
  const read = (cup: MadeTournament, as: Caller | null) => api.get(`/tournaments/${cup.id}/teams.csv`, as)

  test('is for the staff of the tournament', async () => {
    const cup = await makeTournament(api, organiser)
    const captain = await api.user()
    await makeTeam(api, cup, captain)
    expect(outcome(await read(cup, null))).toEqual([401, 'token.missing'])
    for (const user of [captain, await api.user()])
      expect(outcome(await read(cup, user))).toEqual([403, 'role.missing'])
    const narrow = await api.token(organiser, ['rest:user:read'])
    const refused = await api.call('GET', `/tournaments/${cup.id}/teams.csv`, { token: narrow })
    expect(outcome(refused)).toEqual([401, 'scope.missing'])
    for (const user of [
      organiser,
      await roleHolder(api, cup, 'role:host'),
      await api.user({ globalRoles: ['role:owner'] }),
    ]) {
      expect((await read(cup, user)).status).toBe(200)
    }
  })

  test('has a row for each member, with every answer, and nothing that a spreadsheet would run', async () => {
    const field = { help: null, type: 'text', required: false, options: [] }
    const [phone, map] = [
      { ...field, guid: '00000000-0000-4000-8000-000000000001', label: '=Phone', subject: 'team', private: true },
      { ...field, guid: '00000000-0000-4000-8000-000000000002', label: 'Map', subject: 'player', private: false },
    ]
    const cup = await makeTournament(api, organiser, { additionalFields: [phone, map] })
    const captain = await api.user({ name: 'Quaver, the "first"' })
    const member = await api.user({ name: '+1;cmd' })
    await api.sql(
      "insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'ranking-a', '7656119', now())",
      [member.guid],
    )
    const team = await makeTeam(api, cup, captain, {
      id: 'sums',
      name: '=1+1',
      members: [member],
      status: 'registered',
    })
    for (const [{ guid }, user, response] of [
      [phone, null, '@SUM(A1)'],
      [map, member.guid, { hash: 'ABC', difficulty: 'hard', characteristic: 'Standard' }],
    ] as const) {
      await api.sql('insert into field_answers (team_guid, field_guid, user_guid, response) values ($1, $2, $3, $4)', [
        team.guid,
        guid,
        user,
        JSON.stringify(response),
      ])
    }
    const reply = await read(cup, organiser)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${cup.id}-teams.csv"`)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const bytes = await fetch(`${api.url}/api/tournaments/${cup.id}/teams.csv`, {
      headers: { authorization: `Bearer ${organiser.token}` },
    })
    expect([...new Uint8Array(await bytes.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const view = (await api.get(`/tournaments/${cup.id}/teams/sums`, organiser)).body
    const [first, second] = view.members.map((each: { joinedAt: string }) => each.joinedAt)
    const quoted = '"Quaver, the ""first"""'
    expect(reply.text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([
      "team guid,team id,team name,status,seed,registered at,captain name,captain chat ID,member name,member chat ID,ranking ID A,ranking ID B,captain,active,joined at,'=Phone,Map",
      `${team.guid},sums,'=1+1,registered,,${view.registeredAt},${quoted},${captain.chatPlatformId},${quoted},${captain.chatPlatformId},,,yes,yes,${first},'@SUM(A1),`,
      `${team.guid},sums,'=1+1,registered,,${view.registeredAt},${quoted},${captain.chatPlatformId},"'+1;cmd",${member.chatPlatformId},7656119,,no,yes,${second},'@SUM(A1),ABC Standard hard`,
      '',
    ])
    const long = await api.user({ name: '=long' })
    await api.sql(`update users set chat_platform_id = '123456789012345678' where guid = $1`, [long.guid])
    await makeTeam(api, cup, long, { id: 'long', name: 'Nice;=1+1;team' })
    const rowOf = async (query: string) => {
      const lines = (await api.get(`/tournaments/${cup.id}/teams.csv${query}`, organiser)).text.split('\r\n')
      return lines
        .find((line) => line.includes('Nice'))
        ?.split(',')
        .slice(1, 10)
    }
    const cells = (id: string) => ['long', `"Nice;'=1+1;team"`, 'unregistered', '', '', "'=long", id, "'=long", id]
    expect(await rowOf('')).toEqual(cells('123456789012345678'))
    expect(await rowOf('?for=spreadsheet')).toEqual(cells("'123456789012345678"))
    expect((await api.get(`/tournaments/${cup.id}/teams.csv?for=fun`, organiser)).status).toBe(400)
  })

  test('holds every team of a large tournament once', async () => {
    const cup = await makeTournament(api, organiser)
    await api.sql(
      `with people as (
         insert into users (chat_platform_id, username, preferred_name, avatar_url)
         select 'bulk' || n, 'bulk' || n, 'bulk' || n, 'https://cdn.example.org/x.png' from generate_series(1, 1003) n
         returning guid, username
       ), made as (
         insert into teams (tournament_guid, id, name, captain_guid)
         select $1, username, username, guid from people returning guid, tournament_guid, captain_guid
       )
       insert into team_members (team_guid, tournament_guid, user_guid)
       select guid, tournament_guid, captain_guid from made`,
      [cup.guid],
    )
    const lines = (await read(cup, organiser)).text.split('\r\n').slice(1, -1)
    const ids = lines.map((line) => line.split(',')[1])
    expect([ids.length, new Set(ids).size]).toEqual([1003, 1003])
  })
})

describe('teams by the ranks of their players', () => {
  const ask = (cup: MadeTournament, platform = 'ranking-a', as: Caller | null = organiser) =>
    api.get(`/tournaments/${cup.id}/teamRanks?platform=${platform}`, as)

  /** A user with accounts on ranking platforms: their ranks, null for unranked ones. */
  async function player(ranks: Readonly<Record<string, number | null>>, isVerified = true): Promise<Caller> {
    const user = await api.user()
    for (const [platform, rank] of Object.entries(ranks)) {
      const account = [platform, `ranked-${user.guid}`]
      await api.sql(
        `insert into identities (user_guid, platform, external_id, verified_at)
         values ($1, $2, $3, case when $4 then now() end)`,
        [user.guid, ...account, isVerified],
      )
      await api.sql(
        'insert into ranking_profiles (platform, external_id, rank, fetched_at) values ($1, $2, $3, now())',
        [...account, rank],
      )
    }
    return user
  }

  test('come by the mean of those that are active and known, unranked ones last', async () => {
    const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 4, active: 3 } })
    const members = await Promise.all([
      player({ 'ranking-a': 100, 'ranking-b': 9 }),
      player({ 'ranking-a': 201 }),
      player({ 'ranking-a': null }),
      player({ 'ranking-a': 1 }),
    ])
    const [captain, ...others] = members as [Caller, ...Caller[]]
    const status = 'registered' as const
    const three = await makeTeam(api, cup, captain, { name: 'Three', members: others, status })
    await api.sql('update team_members set is_active = false where user_guid = $1', [members[3]?.guid])
    const best = await makeTeam(api, cup, await player({ 'ranking-a': 120, 'ranking-b': 30 }), { name: 'Best', status })
    const claimed = await makeTeam(api, cup, await player({ 'ranking-a': 2 }, false), { name: 'Claimed', status })
    await makeTeam(api, cup, await player({ 'ranking-a': 3 }), { name: 'Not registered' })
    await api.sql(`update teams set registered_at = now() where tournament_guid = $1 and status = 'registered'`, [
      cup.guid,
    ])
    const reply = await ask(cup)
    const rows = (body: Reply['body']) =>
      body.teams.map(({ team, rank, ranked, players }: Reply['body']) => [team.guid, rank, ranked, players])
    expect(rows(reply.body)).toEqual([
      [best.guid, 120, 1, 1],
      [three.guid, 150.5, 2, 3],
      [claimed.guid, null, 0, 1],
    ])
    expect(rows((await ask(cup, 'ranking-b')).body).slice(0, 2)).toEqual([
      [three.guid, 9, 1, 3],
      [best.guid, 30, 1, 1],
    ])
  })

  test('are for those who seed', async () => {
    const cup = await makeTournament(api, organiser)
    expect((await ask(cup, 'ranking-a', await roleHolder(api, cup, 'role:admin'))).status).toBe(200)
    for (const caller of [await api.user(), await roleHolder(api, cup, 'role:hcoordinator')])
      expect(outcome(await ask(cup, 'ranking-a', caller))).toEqual([403, 'role.missing'])
    expect(outcome(await ask(cup, 'ranking-a', null))).toEqual([401, 'token.missing'])
    expect(outcome(await ask(cup, 'streaming'))).toEqual([400, 'request.invalid'])
  })
})
