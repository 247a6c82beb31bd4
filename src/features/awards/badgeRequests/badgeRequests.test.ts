import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caughtUp } from '../../../../test/event-log.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTeam, makeTournament, roleHolder } from '../../../../test/make.ts'
import { makeMedia, usesOf } from '../../../../test/media-rows.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import { until } from '../../../../test/waiting.ts'
import { reopeningFollower } from './followers.ts'

let api: Harness
let organiser: Caller
let manager: Caller
let owner: Caller

beforeAll(async () => {
  api = await startHarness()
  ;[organiser, manager, owner] = await Promise.all([
    api.user(),
    api.user({ globalRoles: ['global:badges:manage'] }),
    api.user({ globalRoles: ['role:owner'] }),
  ])
})
afterAll(() => api[Symbol.asyncDispose]())

async function completed(by = organiser): Promise<MadeTournament> {
  const cup = await makeTournament(api, by, { status: 'completed' })
  await api.sql('update tournaments set completed_at = now() where guid = $1', [cup.guid])
  return cup
}

const pathOf = ({ id }: MadeTournament) => `/tournaments/${id}/badgeRequests`
const reviewOf = (guid: string) => `/admin/badgeRequests/${guid}/review`

// biome-ignore lint/suspicious/noExplicitAny: parts of bodies, of every form.
type Part = any

async function badgeFor(cup: MadeTournament, users: readonly Caller[], more: Part = {}): Promise<Part> {
  const { guid } = await makeMedia(api, 'badge_image', { owner: organiser, tournament: cup })
  const recipients = users.map((user, index) => ({ user: user.guid, label: `No. ${index + 1}`, place: index + 1 }))
  return { name: 'Champion', description: 'Won.', kind: 'placement', mediaGuid: guid, recipients, ...more }
}

async function asked(cup: MadeTournament, users: readonly Caller[], more: Part = {}) {
  const reply = await api.post(pathOf(cup), organiser, {
    message: 'Please.',
    badges: [await badgeFor(cup, users, more)],
  })
  expect(outcome(reply)).toEqual([201, null])
  return reply.body
}

const approve = ({ guid, updatedAt }: Part, more: object = {}, as = manager) =>
  api.post(reviewOf(guid), as, { decision: 'approved', expectedUpdatedAt: updatedAt, ...more })
const reject = ({ guid, updatedAt }: Part, reason: string | null = 'No.') =>
  api.post(reviewOf(guid), manager, { decision: 'rejected', reason, expectedUpdatedAt: updatedAt })

const grantsOf = (cup: MadeTournament) =>
  api.sql<Part>(
    `select b.name, b.kind, b.holders, b.created_by as by, g.user_guid as user, g.label, g.place, g.source, g.granted_by as "grantedBy"
     from badges b left join badge_grants g on g.badge_guid = b.guid where b.tournament_guid = $1 order by b.name, g.place`,
    [cup.guid],
  )

describe('asking', () => {
  test('is answered with the request, of which managers and the audit are told', async () => {
    const [cup, player] = [await completed(), await api.user({ name: 'winner' })]
    const request = await asked(cup, [player])
    expect(request).toMatchObject({
      tournament: { guid: cup.guid, id: cup.id },
      status: 'pending',
      message: 'Please.',
      reason: null,
      reviewedBy: null,
      decidedAt: null,
      createdBy: { guid: organiser.guid },
      badges: [
        {
          name: 'Champion',
          description: 'Won.',
          kind: 'placement',
          imageUrl: expect.stringContaining('/media/'),
          recipients: [{ user: { guid: player.guid, username: 'winner' }, label: 'No. 1', place: 1 }],
        },
      ],
    })
    expect((await api.get(pathOf(cup), organiser)).body).toEqual({ badgeRequests: [request], nextCursor: null })
    const notified = {
      type: 'badge_request.created',
      data: { badgeRequestGuid: request.guid, tournamentGuid: cup.guid },
    }
    for (const one of [manager, owner])
      expect(await messagesOf(api, one)).toContainEqual(expect.objectContaining(notified))
    for (const one of [organiser, player]) expect(await messagesOf(api, one)).toEqual([])
    const audit = (await api.get(`/tournaments/${cup.id}/audit`, organiser)).body
    expect(JSON.stringify(audit)).toContain('badge_request.created')
    expect(await usesOf(api, { guid: request.badges[0].mediaGuid, url: '' })).toEqual({
      uses: ['badge_request.badges'],
      state: 'used',
    })
  })

  test('is for organisers of completed tournaments, for 90 days', async () => {
    const cup = await completed()
    const body = { badges: [await badgeFor(cup, [await api.user()])] }
    const [admin, staff, stranger] = [
      await roleHolder(api, cup, 'role:admin'),
      await roleHolder(api, cup, 'role:staff'),
      await api.user(),
    ]
    for (const one of [staff, stranger, manager]) {
      expect(outcome(await api.post(pathOf(cup), one, body))).toEqual([403, 'role.missing'])
      expect((await api.get(pathOf(cup), one)).status).toBe(403)
      expect((await api.get(`${pathOf(cup)}/draft`, one)).status).toBe(403)
    }
    expect((await api.post(pathOf(cup), null, body)).status).toBe(401)
    await api.sql(`update tournaments set completed_at = now() - interval '90 days 1 minute' where guid = $1`, [
      cup.guid,
    ])
    expect(outcome(await api.post(pathOf(cup), organiser, body))).toEqual([409, 'badge_request.too_late'])
    await api.sql(`update tournaments set completed_at = now() - interval '89 days' where guid = $1`, [cup.guid])
    expect((await api.post(pathOf(cup), admin, body)).status).toBe(201)
    expect(outcome(await api.post(pathOf(cup), organiser, body))).toEqual([409, 'badge_request.pending'])
    for (const status of ['draft', 'approved', 'ongoing', 'cancelled'] as const) {
      const other = await makeTournament(api, organiser, { status })
      expect(outcome(await api.post(pathOf(other), organiser, body))).toEqual([409, 'tournament.not_completed'])
      expect(outcome(await api.get(`${pathOf(other)}/draft`, organiser))).toEqual([409, 'tournament.not_completed'])
    }
  })

  test('takes pictures of its own, and people who are there', async () => {
    const [cup, other, user] = [await completed(), await completed(await api.user()), await api.user()]
    const code = async (more: Part) => {
      const body = { badges: [await badgeFor(cup, [user], more)] }
      return outcome(await api.post(pathOf(cup), organiser, body))
    }
    const [foreign, ofOther, banner, mine] = await Promise.all([
      makeMedia(api, 'badge_image', { owner: user }),
      makeMedia(api, 'badge_image', { owner: user, tournament: other }),
      makeMedia(api, 'tournament_banner', { owner: organiser, tournament: cup }),
      makeMedia(api, 'badge_image', { owner: organiser }),
    ])
    for (const mediaGuid of [foreign.guid, ofOther.guid, banner.guid, crypto.randomUUID()]) {
      expect(await code({ mediaGuid })).toEqual([400, 'media.reference_invalid'])
    }
    const recipients = (...users: string[]) => users.map((one) => ({ user: one }))
    expect(await code({ recipients: recipients(crypto.randomUUID()) })).toEqual([404, 'user.unknown'])
    expect(await code({ recipients: recipients(user.guid, user.chatPlatformId) })).toEqual([
      400,
      'badge_request.invalid',
    ])
    expect(await code({ recipients: [] })).toEqual([400, 'badge_request.invalid'])
    expect(await code({ name: ' \u200B ' })).toEqual([400, 'request.invalid'])
    expect(await code({ kind: 'best' })).toEqual([400, 'request.invalid'])
    expect(await code({ recipients: [{ user: user.guid, place: 1000 }] })).toEqual([400, 'request.invalid'])
    expect((await api.get(pathOf(cup), organiser)).body.badgeRequests).toEqual([])
    expect((await code({ mediaGuid: mine.guid.toUpperCase() }))[0]).toBe(201)
  })

  test('can be changed, withdrawn, and done again', async () => {
    const [cup, one, two] = [await completed(), await api.user(), await api.user()]
    const request = await asked(cup, [one])
    const address = `${pathOf(cup)}/${request.guid}`
    const change = (body: object, as = organiser) =>
      api.patch(address, as, { expectedUpdatedAt: request.updatedAt, ...body })
    expect(outcome(await change({}))).toEqual([400, 'badge_request.nothing_given'])
    expect(outcome(await api.patch(address, organiser, { message: 'x' }))).toEqual([400, 'request.invalid'])
    for (const stranger of [manager, await api.user()]) {
      expect(outcome(await change({ message: 'x' }, stranger))).toEqual([404, 'badge_request.unknown'])
    }
    const { body: changed } = await change({ badges: [await badgeFor(cup, [two])] })
    expect(changed).toMatchObject({ message: 'Please.', badges: [{ recipients: [{ user: { guid: two.guid } }] }] })
    expect(await usesOf(api, { guid: request.badges[0].mediaGuid, url: '' })).toEqual({ uses: [], state: 'unused' })
    expect(outcome(await change({ message: 'again' }))).toEqual([409, 'badge_request.stale'])
    const other = await completed()
    expect(outcome(await api.post(`${pathOf(other)}/${request.guid}/withdraw`, organiser))).toEqual([
      ...[404, 'badge_request.unknown'],
    ])
    const withdrawn = await api.post(`${address}/withdraw`, organiser)
    expect(withdrawn.body).toMatchObject({ guid: request.guid, status: 'withdrawn', reviewedBy: null })
    expect(await usesOf(api, { guid: changed.badges[0].mediaGuid, url: '' })).toEqual({ uses: [], state: 'unused' })
    expect(outcome(await api.post(`${address}/withdraw`, organiser))).toEqual([409, 'badge_request.decided'])
    expect(outcome(await change({ message: 'late' }))).toEqual([409, 'badge_request.decided'])
    expect(outcome(await approve(withdrawn.body))).toEqual([409, 'badge_request.decided'])
    const again = await asked(cup, [one])
    expect((await api.get(pathOf(cup), organiser)).body.badgeRequests.map(({ guid }: Part) => guid)).toEqual([
      ...[again.guid, request.guid],
    ])
  })
})

test('a tournament asks fifty times at most, whatever became of it and whoever asks at once', async () => {
  const [cup, player] = [await completed(), await api.user()]
  await asked(cup, [player])
  await api.sql("update badge_requests set status = 'withdrawn' where tournament_guid = $1", [cup.guid])
  await api.sql(
    `insert into badge_requests (tournament_guid, status, message, badges, created_by)
     select tournament_guid, status, message, '[]', created_by from badge_requests, generate_series(1, 48) where tournament_guid = $1`,
    [cup.guid],
  )
  const body = { badges: [await badgeFor(cup, [player])] }
  const ask = () => api.post(pathOf(cup), organiser, body)
  const { body: last } = await ask()
  const withdrawn = await api.post(`${pathOf(cup)}/${last.guid}/withdraw`, organiser)
  expect(withdrawn.body.status).toBe('withdrawn')
  const refused = [409, 'badge_request.limit_reached']
  expect((await Promise.all([ask(), ask()])).map(outcome)).toEqual([refused, refused])
  await asked(await completed(), [player])
})

describe('deciding', () => {
  test('makes all badges as they were asked for, and tells each recipient once', async () => {
    const [cup, one, two] = [await completed(), await api.user(), await api.user()]
    const badges = [await badgeFor(cup, [one, two]), await badgeFor(cup, [two], { name: 'Helper', kind: 'staff' })]
    const { body: request } = await api.post(pathOf(cup), organiser, { badges })
    const reply = await approve(request)
    expect(outcome(reply)).toEqual([200, null])
    expect(reply.body).toMatchObject({
      request: { guid: request.guid, status: 'approved', reviewedBy: { guid: manager.guid } },
      skipped: [],
    })
    const by = { by: manager.guid, source: 'request', grantedBy: manager.guid }
    expect(await grantsOf(cup)).toEqual([
      { name: 'Champion', kind: 'placement', holders: 2, user: one.guid, label: 'No. 1', place: 1, ...by },
      { name: 'Champion', kind: 'placement', holders: 2, user: two.guid, label: 'No. 2', place: 2, ...by },
      { name: 'Helper', kind: 'staff', holders: 1, user: two.guid, label: 'No. 1', place: 1, ...by },
    ])
    expect((await messagesOf(api, one)).map(({ type, title }) => [type, title])).toEqual([
      ['badge.granted', 'You have a new badge: Champion'],
    ])
    const [notified, ...rest] = await messagesOf(api, two)
    expect(rest).toEqual([])
    expect(notified).toMatchObject({
      type: 'badge.granted',
      body: expect.stringMatching(/Champion.*Helper|Helper.*Champion/),
    })
    expect(await messagesOf(api, organiser)).toContainEqual(
      expect.objectContaining({
        type: 'badge_request.approved',
        data: { badgeRequestGuid: request.guid, tournamentGuid: cup.guid },
      }),
    )
    expect(await usesOf(api, { guid: badges[0].mediaGuid, url: '' })).toEqual({
      uses: ['badge.imageUrl'],
      state: 'used',
    })
    expect(outcome(await approve(reply.body.request))).toEqual([409, 'badge_request.decided'])
    expect(outcome(await reject(reply.body.request))).toEqual([409, 'badge_request.decided'])
    const audit = JSON.stringify((await api.get(`/tournaments/${cup.id}/audit`, organiser)).body)
    expect(audit).toContain('badge_request.approved')
  })

  test('takes what the manager has edited, with pictures of theirs', async () => {
    const [cup, one, two] = [await completed(), await api.user(), await api.user()]
    const request = await asked(cup, [one])
    const drawn = await makeMedia(api, 'badge_image', { owner: manager })
    const edited = {
      ...request.badges[0],
      name: 'Winner',
      mediaGuid: drawn.guid,
      recipients: [{ user: two.chatPlatformId }],
    }
    const reply = await approve(request, { badges: [edited], reason: 'With a better picture.' })
    expect(outcome(reply)).toEqual([200, null])
    expect(reply.body.request).toMatchObject({
      reason: 'With a better picture.',
      badges: [{ name: 'Winner', mediaGuid: drawn.guid }],
    })
    expect(await grantsOf(cup)).toMatchObject([{ name: 'Winner', user: two.guid, label: null, place: null }])
    expect(await messagesOf(api, one)).toEqual([])
  })

  test('is for managers, with a reason where it rejects', async () => {
    const cup = await completed()
    const request = await asked(cup, [await api.user()])
    for (const as of [organiser, await api.user()]) {
      expect((await approve(request, {}, as)).status).not.toBe(200)
      expect((await api.get('/admin/badgeRequests', as)).status).toBe(403)
    }
    for (const reason of [null, '', ' ']) {
      expect(outcome(await reject(request, reason))).toEqual([400, 'badge_request.reason_missing'])
    }
    expect(outcome(await reject({ ...request, updatedAt: '2026-01-01T00:00:00.000Z' }))).toEqual([
      ...[409, 'badge_request.stale'],
    ])
    const rejected = await reject(request, 'The picture is too small.')
    expect(rejected.body).toMatchObject({
      request: { status: 'rejected', reason: 'The picture is too small.' },
      skipped: [],
    })
    expect(await grantsOf(cup)).toEqual([])
    expect(await messagesOf(api, organiser)).toContainEqual(
      expect.objectContaining({ type: 'badge_request.rejected', body: 'The picture is too small.' }),
    )
    const audit = JSON.stringify((await api.get(`/tournaments/${cup.id}/audit`, organiser)).body)
    expect(audit).toContain('badge_request.rejected')
    expect(audit).not.toContain('too small')
    expect((await asked(cup, [await api.user()])).status).toBe('pending')
    expect(
      outcome(
        await api.post(reviewOf(crypto.randomUUID()), manager, {
          decision: 'approved',
          expectedUpdatedAt: request.updatedAt,
        }),
      ),
    ).toEqual([...[404, 'badge_request.unknown']])
  })

  test('leaves out whoever gave up the account or is banned, and names them', async () => {
    const cup = await completed()
    const [stays, leaves, banned] = [await api.user(), await api.user({ name: 'leaver' }), await api.user()]
    const request = await asked(cup, [stays, leaves, banned])
    expect((await api.delete('/users/@me', leaves)).status).toBe(204)
    await api.sql('update users set banned_at = now() where guid = $1', [banned.guid])
    const [waiting] = (await api.get(pathOf(cup), organiser)).body.badgeRequests
    expect(waiting.updatedAt).toBe(request.updatedAt)
    expect(waiting.badges[0].recipients[1]).toMatchObject({ label: null, place: null })
    expect(JSON.stringify(waiting)).not.toContain('leaver')
    // An approval with the badges as they were read is accepted.
    const badges = waiting.badges.map((badge: Part) => ({
      ...badge,
      recipients: badge.recipients.map(({ user, ...rest }: Part) => ({ ...rest, user: user.guid })),
    }))
    const reply = await approve(request, { badges })
    expect(outcome(reply)).toEqual([200, null])
    expect(new Set(reply.body.skipped)).toEqual(
      new Set([
        { userGuid: leaves.guid, why: 'account_deleted' },
        { userGuid: banned.guid, why: 'banned' },
      ]),
    )
    expect((await grantsOf(cup)).map(({ user }) => user)).toEqual([stays.guid])
  })

  test('waits while the tournament is not completed; once badges were given, reopening tells the organiser', async () => {
    const host = await api.user()
    const [cup, player] = [await completed(host), await api.user()]
    const picture = await makeMedia(api, 'badge_image', { owner: host })
    const badges = [{ ...(await badgeFor(cup, [player])), mediaGuid: picture.guid }]
    const step = (status: string) => api.post(`/tournaments/${cup.id}/status`, host, { status })
    const { body: request } = await api.post(pathOf(cup), host, { badges })
    expect((await step('ongoing')).status).toBe(200)
    expect(outcome(await approve(request))).toEqual([409, 'tournament.not_completed'])
    await caughtUp(api, reopeningFollower)
    expect(await messagesOf(api, host)).toEqual([])
    expect((await step('completed')).status).toBe(200)
    expect((await approve(request)).status).toBe(200)
    expect((await step('ongoing')).status).toBe(200)
    await caughtUp(api, reopeningFollower)
    expect((await messagesOf(api, host)).map(({ type }) => type)).toContain('badge.tournament_reopened')
    expect((await grantsOf(cup)).map(({ user }) => user)).toEqual([player.guid])
  })

  test('needs a picture in place of one that was taken out', async () => {
    const cup = await completed()
    const request = await asked(cup, [await api.user()])
    const [{ mediaGuid }] = request.badges
    const usages = (await api.get(`/media/${mediaGuid}/usages`, organiser)).body
    expect(JSON.stringify(usages)).toContain('badge_request')
    expect((await api.delete(`/media/${mediaGuid}?detach=true`, organiser)).status).toBe(204)
    const [waiting] = (await api.get(pathOf(cup), organiser)).body.badgeRequests
    expect(waiting.badges[0]).toMatchObject({ mediaGuid: null, imageUrl: null })
    expect(outcome(await approve(request))).toEqual([409, 'badge_request.stale'])
    expect(outcome(await approve(waiting))).toEqual([400, 'media.reference_invalid'])
    expect(await grantsOf(cup)).toEqual([])
  })
})

test('managers list those that wait first, the oldest at the head, page by page', async () => {
  await using own = await startHarness()
  const [host, reviewer] = [await own.user(), await own.user({ globalRoles: ['role:dev'] })]
  const insert = async (status: string, age: number) => {
    const cup = await makeTournament(own, host, { status: 'completed' })
    const [row] = await own.sql<{ guid: string }>(
      `insert into badge_requests (tournament_guid, status, message, badges, created_by, created_at)
       values ($1, $2, '', '[]', $3, now() - make_interval(days => $4)) returning guid`,
      [cup.guid, status, host.guid, age],
    )
    return row?.guid
  }
  const [c, b, x, a, y] = [
    await insert('pending', 1),
    await insert('pending', 2),
    await insert('rejected', 3),
    await insert('pending', 4),
    await insert('approved', 5),
  ]
  const read = async (query: string) => {
    const { body } = await own.get(`/admin/badgeRequests?${query}`, reviewer)
    return { guids: body.badgeRequests.map(({ guid }: Part) => guid), next: body.nextCursor }
  }
  expect(await read('')).toEqual({ guids: [a, b, c, y, x], next: null })
  const seen: string[] = []
  for (let next: string | null = ''; next !== null; ) {
    const page: Awaited<ReturnType<typeof read>> = await read(`limit=2${next === '' ? '' : `&before=${next}`}`)
    seen.push(...page.guids)
    next = page.next
  }
  expect(seen).toEqual([a, b, c, y, x])
  expect((await read('status=pending')).guids).toEqual([a, b, c])
  expect((await read('status=approved,rejected')).guids).toEqual([y, x])
  expect((await read('status=pending,approved')).guids).toEqual([a, b, c, y])
  expect(outcome(await own.get('/admin/badgeRequests?status=done', reviewer))).toEqual([
    ...[400, 'badge_request.status_unknown'],
  ])
})

test('a draft names those who were in a placed team when it last played', async () => {
  const host = await api.user()
  const cup = await makeTournament(api, host, { status: 'ongoing', name: 'Autumn Cup' })
  const [captain, mate, late, gone, second, deleted] = await Promise.all(Array.from({ length: 6 }, () => api.user()))
  const first = await makeTeam(api, cup, captain as Caller, {
    status: 'registered',
    members: [mate, gone, deleted] as Caller[],
  })
  const other = await makeTeam(api, cup, second as Caller, { status: 'registered' })
  const path = `/tournaments/${cup.id}`
  await api.post(`${path}/divisions`, host, { name: 'Main', id: 'main' })
  const made = await api.post(`${path}/divisions/main/brackets`, host, {
    name: 'Bracket',
    format: 'single_elimination',
    entrants: { source: 'manual', teamGuids: [first.guid, other.guid] },
  })
  expect(outcome(made)).toEqual([201, null])
  const result = await api.put(`${path}/matches/1/result`, host, { outcome: 'score', scores: [2, 0], winner: 1 })
  expect(outcome(result)).toEqual([200, null])
  // One member leaves and another joins after the final.
  const left = await api.delete(`${path}/teams/${first.guid}/members/${gone?.guid}`, host)
  expect(left.status).toBe(204)
  const invited = await api.post(`${path}/teams/${first.guid}/invitations`, host, { userIdentifier: late?.guid })
  expect(outcome(invited)).toEqual([201, null])
  expect((await api.post(`/invitations/${invited.body.guid}/accept`, late as Caller)).status).toBe(200)
  expect((await api.delete('/users/@me', deleted as Caller)).status).toBe(204)
  expect(outcome(await api.post(`${path}/status`, host, { status: 'completed' }))).toEqual([200, null])
  const { body } = await api.get(`${path}/badgeRequests/draft`, host)
  const named = body.badges.map(({ recipients, ...badge }: Part) => ({
    ...badge,
    recipients: recipients.map(({ user, label, place }: Part) => [user.guid, label, place]),
  }))
  expect(named).toEqual([
    {
      name: 'Autumn Cup: 1st place',
      description: 'Took the 1st place in Autumn Cup.',
      kind: 'placement',
      mediaGuid: null,
      recipients: [captain, mate, gone].map((one) => [one?.guid, '1st place', 1]),
    },
    {
      name: 'Autumn Cup: 2nd place',
      description: 'Took the 2nd place in Autumn Cup.',
      kind: 'placement',
      mediaGuid: null,
      recipients: [[second?.guid, '2nd place', 2]],
    },
  ])
})

test('an export tells what was asked for its owner, and what they asked for', async () => {
  const [cup, one, two] = [await completed(), await api.user(), await api.user()]
  const request = await asked(cup, [one, two])
  const mine = (await api.get('/users/@me/export', one)).body
  expect(mine.held.badgesAskedFor.records).toEqual([
    expect.objectContaining({ guid: request.guid, badge: 'Champion', label: 'No. 1', place: 1, status: 'pending' }),
  ])
  expect(JSON.stringify(mine)).not.toContain(two.guid)
  const theirs = (await api.get('/users/@me/export', organiser)).body
  expect(theirs.held.badgeRequests.records).toContainEqual(
    expect.objectContaining({ guid: request.guid, message: 'Please.' }),
  )
})

describe('at once, on two processes', () => {
  test('one request waits, one decision counts, and each change is made for what was seen', async () => {
    await using sibling = await api.sibling()
    const ways = [api, sibling]
    for (let round = 0; round < 5; round++) {
      const [cup, player] = [await completed(), await api.user()]
      const body = { badges: [await badgeFor(cup, [player])] }
      const all = await Promise.all(
        Array.from({ length: 6 }, (_, index) => (ways[index % 2] as Harness).post(pathOf(cup), organiser, body)),
      )
      expect(all.map(outcome).sort()).toEqual([
        [201, null],
        ...Array.from({ length: 5 }, () => [409, 'badge_request.pending']),
      ])
      const request = all.find(({ status }) => status === 201)?.body
      const { guid, updatedAt: expectedUpdatedAt } = request
      const decide = (service: Harness, decision: string) =>
        service.post(reviewOf(guid), manager, { decision, reason: 'So it is.', expectedUpdatedAt })
      const replies = await Promise.all([
        decide(api, 'approved'),
        decide(sibling, 'approved'),
        decide(api, 'rejected'),
        sibling.patch(`${pathOf(cup)}/${guid}`, organiser, { message: `No. ${round}`, expectedUpdatedAt }),
        api.post(`${pathOf(cup)}/${guid}/withdraw`, organiser),
      ])
      // Exactly one of the ending operations succeeds. The change comes before it or fails.
      const [change] = replies.splice(3, 1)
      const codes = replies.map((reply) => outcome(reply)[1])
      expect(['badge_request.decided', 'badge_request.stale', null]).toContain(change && outcome(change)[1])
      expect(codes.filter((code) => code === null)).toHaveLength(1)
      for (const code of codes) expect([null, 'badge_request.decided', 'badge_request.stale']).toContain(code)
      const [now] = (await api.get(pathOf(cup), organiser)).body.badgeRequests
      expect(['approved', 'rejected', 'withdrawn']).toContain(now.status)
      expect(await grantsOf(cup)).toHaveLength(now.status === 'approved' ? 1 : 0)
      const notified = (await messagesOf(api, player)).filter(({ type }) => type === 'badge.granted')
      expect(notified).toHaveLength(now.status === 'approved' ? 1 : 0)
      await until(
        async () => (await usesOf(api, { guid: body.badges[0].mediaGuid, url: '' })).uses.length === notified.length,
      )
    }
  })

  test('accounts are given up while requests that name them are decided', async () => {
    const cups = await Promise.all(Array.from({ length: 4 }, () => completed()))
    const players = await Promise.all(Array.from({ length: 4 }, () => api.user()))
    const requests = []
    for (const cup of cups) requests.push(await asked(cup, players))
    const [replies, left] = await Promise.all([
      Promise.all(requests.map((request) => approve(request))),
      Promise.all(players.slice(0, 2).map((player) => api.delete('/users/@me', player))),
    ])
    expect(left.map(({ status }) => status)).toEqual([204, 204])
    expect(replies.map(outcome)).toEqual(cups.map(() => [200, null]))
    const gone = new Set(players.slice(0, 2).map(({ guid }) => guid))
    for (const [index, cup] of cups.entries()) {
      const holders = (await grantsOf(cup)).map(({ user }) => user)
      const skipped = new Set(replies[index]?.body.skipped.map(({ userGuid }: Part) => userGuid))
      for (const { guid } of players.slice(2)) expect(holders).toContain(guid)
      for (const guid of skipped) expect(gone).toContain(guid)
      for (const guid of skipped) expect(holders).not.toContain(guid)
    }
  })
})
