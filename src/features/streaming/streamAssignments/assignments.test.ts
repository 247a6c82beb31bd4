import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { nobody } from '../../../../test/world.ts'

/** Assignments to streams: who may make them, which overlap, and who is notified. (S11) */

let api: Harness
let made: MadeBracket
let coordinator: Caller
let headCaster: Caller
let outsider: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  ;[coordinator, headCaster, outsider] = await Promise.all([
    roleHolder(api, made.cup, 'role:coordinator'),
    roleHolder(api, made.cup, 'role:hcaster'),
    api.user(),
  ])
})
afterAll(() => api[Symbol.asyncDispose]())

const start = Date.now()
/** Minutes from now. */
const at = (minute: number) => new Date(start + minute * 60_000).toISOString()
const times = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) })
const path = (of = made) => `${of.path}/streamAssignments`
const assign = (as: Caller | null, body: object, of = made) => api.post(path(of), as, body)
const codeOf = (reply: Reply) => outcome(reply).join(' ')

/** Creates an assignment as the organiser; it is expected to succeed. */
async function assigned(body: object, of = made): Promise<Reply['body']> {
  const reply = await assign(of.organiser, body, of)
  expect(codeOf(reply), reply.text).toBe('201 ')
  return reply.body
}

const list = async (query = '', as: Caller | null = null, of = made) => {
  const reply = await api.get(`${path(of)}${query}`, as)
  expect(codeOf(reply), reply.text).toBe('200 ')
  return reply.body.streamAssignments
}

describe('assigning', () => {
  test('coordinators assign players and observers, head casters casters, organisers all, others nobody', async () => {
    const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const as = {
      organiser: of.organiser,
      coordinator: await roleHolder(api, of.cup, 'role:coordinator'),
      hcoordinator: await roleHolder(api, of.cup, 'role:hcoordinator'),
      hcaster: await roleHolder(api, of.cup, 'role:hcaster'),
      caster: await roleHolder(api, of.cup, 'role:caster'),
      staff: await roleHolder(api, of.cup, 'role:staff'),
      player: of.captains[0] as Caller,
    }
    const seen: Record<string, string[]> = {}
    for (const [name, caller] of Object.entries(as)) {
      const replies: string[] = []
      for (const role of ['player', 'observer', 'caster']) {
        const user = role === 'player' ? (of.captains[1] as Caller) : await api.user()
        const reply = await assign(caller, { user: user.guid, role, ...times(10, 20) }, of)
        replies.push(codeOf(reply))
        if (reply.status !== 201) continue
        const address = `${path(of)}/${reply.body.guid}`
        expect(codeOf(await api.patch(address, caller, { note: 'Mind.' }))).toBe('200 ')
        expect(codeOf(await api.delete(address, caller))).toBe('204 ')
      }
      seen[name] = replies
    }
    const [yes, no, none] = ['201 ', '403 assignment.role_forbidden', '403 role.missing']
    expect(seen).toEqual({
      organiser: [yes, yes, yes],
      coordinator: [yes, yes, no],
      hcoordinator: [yes, yes, no],
      hcaster: [no, no, yes],
      caster: [none, none, none],
      staff: [none, none, none],
      player: [none, none, none],
    })
    const ofCaster = await assigned({ user: outsider.guid, role: 'caster', ...times(10, 20) }, of)
    const address = `${path(of)}/${ofCaster.guid}`
    for (const caller of [as.coordinator, as.caster, outsider]) {
      expect(codeOf(await api.patch(address, caller, { note: 'x' }))).toBe('403 role.missing')
      expect(codeOf(await api.delete(address, caller))).toBe('403 role.missing')
    }
    expect(codeOf(await assign(null, {}, of))).toBe('401 token.missing')
  })

  test('is answered with the record, by any identifier of the user and the match', async () => {
    const player = made.captains[0] as Caller
    const body = { user: player.chatPlatformId, role: 'player', match: '1', division: 'main', note: 'Has two screens.' }
    const record = await assigned({ ...body, ...times(100, 160) })
    const match = await made.readMatch(1)
    const side = match.sides.findIndex((of: Reply['body']) => of.team?.id === 'team-1') + 1
    expect(record).toMatchObject({
      tournament: made.cup,
      match: { guid: match.guid, number: 1 },
      user: { guid: player.guid, username: player.username },
      role: 'player',
      side,
      slot: 1,
      ...times(100, 160),
      status: 'planned',
      note: 'Has two screens.',
    })
    expect(await list('?match=1', coordinator)).toEqual([record])
    // Notes are visible only to staff.
    expect(await list(`?user=${player.guid}`)).toEqual([{ ...record, note: null }])
    await api.delete(`${path()}/${record.guid}`, made.organiser)
  })

  test.each([
    ['nothing', {}, '400 request.invalid'],
    ['an end before the start', { ...times(20, 10) }, '400 assignment.times_invalid'],
    ['more than a week', { ...times(0, 10_081) }, '400 assignment.times_invalid'],
    ['what is over', { ...times(-20, -10) }, '400 assignment.times_invalid'],
    ['no time', { startsAt: '1970-01-01T00:00:00Z', endsAt: at(10) }, '400 assignment.times_invalid'],
    ['the seventh slot', { ...times(0, 10), slot: 7 }, '400 request.invalid'],
    ['a side of no match', { ...times(0, 10), side: 1 }, '400 assignment.side_invalid'],
    ['an unknown user', { ...times(0, 10), user: nobody }, '404 user.unknown'],
    ['an unknown match', { ...times(0, 10), match: nobody }, '404 match.unknown'],
    ['a number that no match has', { ...times(0, 10), match: '99' }, '404 match.unknown'],
    ['a player who is in no team', { ...times(0, 10), role: 'player' }, '400 assignment.not_a_player'],
    ['a player of another match', { ...times(0, 10), role: 'player', match: '1' }, '400 assignment.not_a_player'],
  ])('%s is refused', async (_what, body, expected) => {
    const needed = Object.keys(body).length === 0 ? {} : { user: outsider.guid, role: 'observer' }
    expect(codeOf(await assign(coordinator, { ...needed, ...body }))).toBe(expected)
  })

  test('players have a slot each, six on a side, and in a match that is open whoever may come to play there', async () => {
    const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const final = (await of.read()).matches.find((match: Reply['body']) => match.nextMatchGuid === null)
    const [first, second] = of.captains as readonly [Caller, Caller]
    const player = { role: 'player', match: final.guid, ...times(10, 20) }
    const one = await assigned({ ...player, user: first.guid, side: 1 }, of)
    expect([one.side, one.slot]).toEqual([1, 1])
    const taken = { ...player, user: second.guid, side: 1, slot: 1 }
    expect(codeOf(await assign(of.organiser, taken, of))).toBe('409 assignment.slot_taken')
    const other = await assigned({ ...taken, slot: undefined }, of)
    expect(other.slot).toBe(2)
    const address = `${path(of)}/${other.guid}`
    expect(codeOf(await api.patch(address, of.organiser, { slot: 1 }))).toBe('409 assignment.slot_taken')
    expect((await api.patch(address, of.organiser, { side: 2 })).body).toMatchObject({ side: 2, slot: 2 })
    expect((await api.patch(address, of.organiser, { slot: 1 })).body).toMatchObject({ side: 2, slot: 1 })
  })

  test('a tournament that was cancelled takes no more; a draft shows nothing', async () => {
    const of = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const standing = await assigned({ user: outsider.guid, role: 'observer', ...times(10, 20) }, of)
    await api.sql(`update tournaments set status = 'cancelled' where guid = $1`, [of.cup.guid])
    const cancelled = '409 tournament.cancelled'
    const body = { user: outsider.guid, role: 'observer', ...times(30, 40) }
    expect(codeOf(await assign(of.organiser, body, of))).toBe(cancelled)
    expect(codeOf(await api.patch(`${path(of)}/${standing.guid}`, of.organiser, { slot: 2 }))).toBe(cancelled)
    expect(codeOf(await api.put(`${of.match(1)}/streams`, of.organiser, { assignments: [] }))).toBe(cancelled)
    expect(codeOf(await api.delete(`${path(of)}/${standing.guid}`, of.organiser))).toBe('204 ')
    const draft = await makeTournament(api, of.organiser, { status: 'draft' })
    expect(codeOf(await api.get(`/tournaments/${draft.id}/streamAssignments`))).toBe('404 tournament.unknown')
    // An assignment of another tournament is unknown.
    expect(codeOf(await api.patch(`${path()}/${standing.guid}`, made.organiser, { slot: 2 }))).toBe(
      '404 assignment.unknown',
    )
    expect(codeOf(await api.delete(`${path()}/none`, made.organiser))).toBe('404 assignment.unknown')
  })
})

describe('as many as there may be, cancelled ones among them,', () => {
  const keep = (count: number, of: MadeBracket, match: string | null) =>
    api.sql(
      `insert into stream_assignments (tournament_guid, match_guid, user_guid, role, slot, starts_at, ends_at, cancelled_at)
       select $1, $2, $3, 'observer', 1, now() - interval '2 hours', now() - interval '1 hour', now() from generate_series(1, $4::int)`,
      [of.cup.guid, match, outsider.guid, count],
    )
  const limit = '409 assignment.limit_reached'

  test('are a thousand of a tournament as a whole, whoever asks at once', async () => {
    const of = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await keep(998, of, null)
    const observer = { user: outsider.guid, role: 'observer', ...times(10, 20) }
    const all = await Promise.all(Array.from({ length: 4 }, () => assign(of.organiser, observer, of)))
    expect(all.map(codeOf).toSorted()).toEqual(['201 ', '201 ', limit, limit])
    const made = all.find(({ status }) => status === 201)
    expect((await api.delete(`${path(of)}/${made?.body.guid}`, of.organiser)).status).toBe(204)
    expect(codeOf(await assign(of.organiser, observer, of))).toBe(limit)
    // Assignments to matches are counted separately.
    await assigned({ ...observer, match: '1' }, of)
  })

  test('are two hundred of a match, one by one or all at once', async () => {
    const of = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const [match] = (await of.read()).matches
    await keep(199, of, match.guid)
    const [observer, other] = (await Promise.all([api.user(), api.user()])).map(({ guid }) => {
      return { user: guid, role: 'observer', ...times(10, 20) }
    })
    const replace = (assignments: unknown[]) => api.put(`${of.match(1)}/streams`, of.organiser, { assignments })
    expect(codeOf(await replace([observer, other]))).toBe(limit)
    expect(await list('?match=1&status=planned', null, of)).toEqual([])
    expect(codeOf(await replace([observer]))).toBe('200 ')
    expect(codeOf(await assign(of.organiser, { ...other, match: match.guid }, of))).toBe(limit)
    expect(codeOf(await replace([{ ...observer, ...times(30, 40) }]))).toBe('200 ')
  })
})

describe('overlaps', () => {
  test('nobody is assigned to two matches at once, in any tournament; the other is told where it is of the same', async () => {
    const user = await api.user()
    const observer = { user: user.guid, role: 'observer', side: 1 }
    const first = await assigned({ ...observer, match: '1', ...times(200, 230), note: 'Early.' })
    const again = await assign(made.organiser, { ...observer, match: '2', ...times(229, 240) })
    expect(codeOf(again)).toBe('409 assignment.overlap')
    expect(again.body).toMatchObject({ message: expect.stringContaining('match 1'), assignment: first })
    expect(codeOf(await assign(made.organiser, { ...observer, match: '1', ...times(210, 220) }))).toBe(
      '409 assignment.overlap',
    )

    const secret = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await api.sql(`update tournaments set status = 'draft' where guid = $1`, [secret.cup.guid])
    const elsewhere = await assign(secret.organiser, { ...observer, match: '1', ...times(200, 201) }, secret)
    expect(codeOf(elsewhere)).toBe('409 assignment.overlap')
    const hidden = await assigned({ ...observer, match: '1', ...times(300, 310) }, secret)
    const refused = await api.call('POST', path(), {
      as: made.organiser,
      headers: { accept: 'application/json' },
      body: { ...observer, match: '1', ...times(305, 306) },
    })
    expect(codeOf(refused)).toBe('409 assignment.overlap')
    for (const secrecy of [secret.cup.guid, secret.cup.id, hidden.guid]) expect(refused.text).not.toContain(secrecy)
    expect(refused.body).not.toHaveProperty('assignment')
    // Assignments of a tournament that is over do not count.
    await api.sql(`update tournaments set status = 'completed' where guid = $1`, [secret.cup.guid])
    await assigned({ ...observer, match: '1', ...times(305, 306) })

    // Assignments that follow immediately, are for the whole tournament or are cancelled do not overlap.
    const next = await assigned({ ...observer, match: '2', ...times(230, 240) })
    await assigned({ ...observer, side: null, ...times(200, 240) })
    expect(codeOf(await api.patch(`${path()}/${next.guid}`, made.organiser, { startsAt: at(229) }))).toBe(
      '409 assignment.overlap',
    )
    await api.delete(`${path()}/${first.guid}`, made.organiser)
    expect(codeOf(await api.patch(`${path()}/${next.guid}`, made.organiser, { startsAt: at(229) }))).toBe('200 ')
  })

  test('of twenty at once in four tournaments on two processes, one stands', async () => {
    await using second = await api.sibling()
    const cups = await Promise.all(
      Array.from({ length: 4 }, () => makeBracket(api, { teams: 2, format: 'single_elimination' })),
    )
    const user = await api.user()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const of = cups[index % cups.length] as MadeBracket
        const body = { user: user.guid, role: 'observer', match: '1', ...times(10 + index / 10, 20) }
        return (index % 2 === 0 ? api : second).post(path(of), of.organiser, body)
      }),
    )
    const codes = replies.map(codeOf).sort()
    expect(codes).toEqual(['201 ', ...Array.from({ length: 19 }, () => '409 assignment.overlap')])
  })
})

describe('changing', () => {
  test('ends, cancels and moves; what changes nothing is no change, and what is over stays', async () => {
    const user = await api.user()
    const record = await assigned({ user: user.guid, role: 'observer', ...times(-10, 60) })
    expect(record.status).toBe('active')
    const address = `${path()}/${record.guid}`
    const events = async () =>
      api.sql(`select type, before, after, touches from event_log where subject = $1 order by seq`, [record.guid])
    expect(codeOf(await api.patch(address, coordinator, {}))).toBe('400 assignment.nothing_to_change')
    expect((await api.patch(address, coordinator, { endsAt: at(60), slot: 1 })).body).toEqual(record)
    expect(await events()).toHaveLength(1)
    expect((await api.patch(address, coordinator, { note: 'Late.' })).body).toEqual({ ...record, note: 'Late.' })
    expect((await api.patch(address, coordinator, { endsAt: at(0) })).body).toMatchObject({ status: 'ended' })
    expect(codeOf(await api.delete(address, coordinator))).toBe('409 assignment.over')
    expect((await api.patch(address, coordinator, { endsAt: at(30) })).body).toMatchObject({ status: 'active' })
    expect(codeOf(await api.delete(address, coordinator))).toBe('204 ')
    expect(codeOf(await api.delete(address, coordinator))).toBe('409 assignment.over')
    expect(codeOf(await api.patch(address, coordinator, { slot: 2 }))).toBe('409 assignment.over')
    expect((await list('?status=cancelled', coordinator)).map(({ guid }: Reply['body']) => guid)).toContain(record.guid)
    const touches = [record.guid, made.cup.guid, user.guid]
    const changed = { type: 'assignment.changed', touches: expect.arrayContaining(touches) }
    expect(await events()).toEqual([
      {
        ...changed,
        before: null,
        after: {
          user: user.guid,
          match: null,
          role: 'observer',
          side: null,
          slot: 1,
          ...times(-10, 60),
          status: 'active',
        },
      },
      { ...changed, before: {}, after: { noteChanged: true } },
      { ...changed, before: { endsAt: at(60), status: 'active' }, after: { endsAt: at(0), status: 'ended' } },
      { ...changed, before: { endsAt: at(0), status: 'ended' }, after: { endsAt: at(30), status: 'active' } },
      { ...changed, before: { status: 'active' }, after: { status: 'cancelled' } },
    ])
  })

  test('the user is told of it, unless it was their own doing, and never of notes', async () => {
    const user = await api.user()
    const record = await assigned({ user: user.guid, role: 'observer', match: '1', ...times(400, 410), note: 'Hm.' })
    const address = `${path()}/${record.guid}`
    await api.patch(address, coordinator, { note: 'Psst.' })
    await api.patch(address, coordinator, { startsAt: at(395) })
    await api.delete(address, coordinator)
    const where = `match 1 of Tournament ${made.cup.id}`
    const data = { tournamentGuid: made.cup.guid, assignmentGuid: record.guid, matchGuid: record.match.guid }
    expect(await messagesOf(api, user)).toEqual([
      {
        type: 'assignment.cancelled',
        title: `You are no longer to stream as an observer in ${where}`,
        body: '',
        data: { ...data, ...times(395, 410) },
      },
      {
        type: 'assignment.moved',
        title: `The times at which you are to stream in ${where} have changed`,
        body: `From ${at(395)} until ${at(410)}.`,
        data: { ...data, ...times(395, 410) },
      },
      {
        type: 'assignment.created',
        title: `You are to stream as an observer in ${where}`,
        body: `From ${at(400)} until ${at(410)}.`,
        data: { ...data, ...times(400, 410) },
      },
    ])
    await assign(headCaster, { user: headCaster.guid, role: 'caster', ...times(400, 410) })
    expect(await messagesOf(api, headCaster)).toEqual([])
  })
})

describe('all of a match', () => {
  test('is replaced in one step, in the roles of the caller, and keeps who is named again', async () => {
    const of = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const head = await roleHolder(api, of.cup, 'role:hcaster')
    const leader = await roleHolder(api, of.cup, 'role:coordinator')
    const [one, two] = of.captains as readonly [Caller, Caller]
    const [watching, casting] = [await api.user(), await api.user()]
    const address = `${of.match(1)}/streams`
    const replace = (as: Caller, assignments: object[]) => api.put(address, as, { assignments })
    const player = (user: Caller, more: object = {}) => ({
      user: user.guid,
      role: 'player',
      ...times(10, 60),
      ...more,
    })
    const first = await replace(leader, [player(one), player(two), { ...player(watching), role: 'observer' }])
    expect(codeOf(first), first.text).toBe('200 ')
    expect(first.body.streamAssignments.map(({ user, slot }: Reply['body']) => [user.guid, slot])).toEqual(
      expect.arrayContaining([one, two, watching].map(({ guid }) => [guid, 1])),
    )
    expect(codeOf(await replace(leader, [{ ...player(casting), role: 'caster' }]))).toBe(
      '403 assignment.role_forbidden',
    )
    expect(codeOf(await replace(head, [{ ...player(casting), role: 'caster' }]))).toBe('200 ')
    expect(codeOf(await replace(leader, [player(one), player(one)]))).toBe('400 assignment.twice')

    // A refused request changes nothing.
    const before = await list('', null, of)
    expect(codeOf(await replace(leader, [player(one, times(20, 40)), player(outsider)]))).toBe(
      '400 assignment.not_a_player',
    )
    expect(await list('', null, of)).toEqual(before)

    const last = await replace(leader, [player(one, times(20, 40)), player(two)])
    const guidOf = (reply: Reply, user: Caller) =>
      reply.body.streamAssignments.find((entry: Reply['body']) => entry.user.guid === user.guid)?.guid
    expect(guidOf(last, one)).toBe(guidOf(first, one))
    const shown = (await list('', null, of)).map(({ user, status, ...more }: Reply['body']) => [
      ...[user.guid, status, more.startsAt, more.endsAt],
    ])
    expect(shown.sort()).toEqual(
      [
        [one.guid, 'planned', at(20), at(40)],
        [two.guid, 'planned', at(10), at(60)],
        [watching.guid, 'cancelled', at(10), at(60)],
        [casting.guid, 'planned', at(10), at(60)],
      ].sort(),
    )
    const events = await api.sql(
      `select after from event_log where type = 'assignment.changed' and tournament = $1 and after ? 'slot'`,
      [of.cup.guid],
    )
    // Assignments that do not change emit no event.
    expect(events).toHaveLength(4)

    // Two players swap times, in either order: the second is compared with the new times of the first.
    const swapped = await replace(of.organiser, [player(one, times(60, 70)), player(two, times(70, 80))])
    expect(codeOf(swapped), swapped.text).toBe('200 ')
    expect(codeOf(await api.put(`${of.path}/matches/77/streams`, of.organiser, { assignments: [] }))).toBe(
      '404 match.unknown',
    )
  })

  test('replaced by ten at once, it is what one of them said', async () => {
    const of = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await using second = await api.sibling()
    const users = await Promise.all(Array.from({ length: 10 }, () => api.user()))
    const replies = await Promise.all(
      users.map((user, index) => {
        const body = { assignments: [{ user: user.guid, role: 'observer', ...times(10, 20) }] }
        return (index % 2 === 0 ? api : second).put(`${of.match(1)}/streams`, of.organiser, body)
      }),
    )
    expect(replies.map(codeOf)).toEqual(users.map(() => '200 '))
    expect(await list('?status=planned', null, of)).toHaveLength(1)
    expect(await list('?status=cancelled', null, of)).toHaveLength(9)
  })
})

describe('the list', () => {
  test('goes by start, page by page, and is narrowed by match, user and status', async () => {
    const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
    const users = await Promise.all(Array.from({ length: 5 }, () => api.user()))
    const records = []
    for (const [index, user] of users.entries()) {
      const match = index < 2 ? { match: '1' } : {}
      records.push(await assigned({ user: user.guid, role: 'observer', ...match, ...times(50 - index, 60) }, of))
    }
    const guids = records.map(({ guid }) => guid).reverse()
    const ids = async (query: string) => (await list(query, null, of)).map(({ guid }: Reply['body']) => guid)
    expect(await ids('')).toEqual(guids)
    const pages = []
    for (let cursor = ''; ; ) {
      const { body } = await api.get(`${path(of)}?limit=2${cursor}`)
      pages.push(body.streamAssignments.map(({ guid }: Reply['body']) => guid))
      if (body.nextCursor === null) break
      cursor = `&before=${body.nextCursor}`
    }
    expect(pages).toEqual([guids.slice(0, 2), guids.slice(2, 4), guids.slice(4)])
    expect(await ids('?match=1')).toEqual([records[1].guid, records[0].guid])
    expect(await ids(`?user=${users[3]?.guid}`)).toEqual([records[3].guid])
    expect(await ids('?status=active,ended')).toEqual([])
    const refused = async (query: string) => codeOf(await api.get(`${path(of)}${query}`))
    expect(await refused('?status=over')).toBe('400 assignment.status_unknown')
    expect(await refused('?match=99')).toBe('404 match.unknown')
    expect(await refused(`?user=${nobody}`)).toBe('404 user.unknown')
    expect(await refused('?before=x')).toBe('400 cursor.invalid')
    expect(await refused('?limit=0')).toBe('400 request.invalid')
  })

  test('is followed: statuses by the clock, facts for everybody, notes for the staff', async () => {
    const of = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const topic = `/tournaments/${of.cup.guid}/streamAssignments`
    await using stranger = await openSocket(api)
    await using staff = await openSocket(api, { as: await roleHolder(api, of.cup, 'role:referee') })
    for (const socket of [stranger, staff]) await socket.ask({ type: 'subscribe', topic, facts: true })
    const now = Date.now()
    const soon = { startsAt: new Date(now + 700).toISOString(), endsAt: new Date(now + 1_500).toISOString() }
    const record = await assigned({ user: outsider.guid, role: 'caster', ...soon, note: 'Hush.' }, of)
    const copy = () => stranger.copies.of(`${topic}?facts=1`)
    const theirs = () => staff.copies.of(`${topic}?facts=1`)
    const statusOf = ({ body }: ReturnType<typeof copy>) => (body as Reply['body'])?.streamAssignments[0]?.status
    for (const status of ['planned', 'active', 'ended']) {
      await stranger.copies.until(() => statusOf(copy()) === status, status)
      expect((await list('', null, of))[0].status).toBe(status)
    }
    await staff.copies.until(() => statusOf(theirs()) === 'ended', 'ended')
    expect((theirs().body as Reply['body']).streamAssignments[0].note).toBe('Hush.')
    expect(JSON.stringify(copy().body)).not.toContain('Hush')
    const packets = stranger.copies.packets.length
    const address = `${path(of)}/${record.guid}`
    await api.patch(address, of.organiser, { note: 'Psst.' })
    await api.patch(address, of.organiser, { endsAt: new Date(now + 3_600_000).toISOString() })
    await staff.copies.until(() => theirs().facts.length === 3, 'the facts')
    await stranger.copies.until(() => copy().facts.length === 2, 'the facts')
    expect(stranger.copies.packets.length).toBe(packets + 1)
    expect(copy().facts.map(({ type, changed }) => [type, [...changed].sort()])).toEqual([
      ['assignment.changed', ['endsAt', 'match', 'role', 'side', 'slot', 'startsAt', 'status', 'user']],
      ['assignment.changed', ['endsAt', 'status']],
    ])
    expect(theirs().facts[1]).toMatchObject({ changed: ['noteChanged'], by: of.organiser.guid })
    expect(await api.sql(`select from event_log where after::text like '%Psst%'`)).toEqual([])
  })
})

test('who gives up their account is shown no more, and takes a list of it along', async () => {
  const user = await api.user({ scopes: ['rest:write', 'rest:user:read', 'rest:user:write'] })
  const past = await assigned({ user: user.guid, role: 'caster', ...times(-30, 30), note: 'Of them.' })
  await api.patch(`${path()}/${past.guid}`, made.organiser, { endsAt: at(-1) })
  const coming = await assigned({ user: user.guid, role: 'caster', match: '1', ...times(500, 510) })
  const exported = await api.get('/users/@me/export', user)
  expect(exported.body.held.streamAssignments.records).toMatchObject([
    { guid: coming.guid, tournamentGuid: made.cup.guid, role: 'caster', ...times(500, 510) },
    { guid: past.guid },
  ])
  expect(exported.text).not.toContain('Of them.')
  const left = await api.delete('/users/@me', user)
  expect(left.status, left.text).toBe(204)
  const all = await list('?limit=100', made.organiser)
  const statuses = [past, coming].map(({ guid }) => {
    const { status, note, user: shown } = all.find((entry: Reply['body']) => entry.guid === guid)
    return [status, note, shown.username === user.username]
  })
  expect(statuses).toEqual([
    ['ended', null, false],
    ['cancelled', null, false],
  ])
})
