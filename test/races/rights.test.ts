import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { keysOf } from '../assistant.ts'
import { callAs, makeParty, obtain, refresh } from '../authorization.ts'
import { eventsSince, lastEvent, makeBracket } from '../bracket-play.ts'
import { startFakeAssistant } from '../fakes/assistant/assistant.ts'
import type { FakeAssistant } from '../fakes/assistant/types.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { hold } from '../locks.ts'
import { roleHolder } from '../make.ts'
import { makeStage, type Request, type Stage, tournamentCommands } from '../tournament-commands.ts'

/** Requests that were accepted, but whose callers or tournaments changed before the requests run. */

/** The time limit in milliseconds, because a stage with a request for every command takes long. */
const patience = 120_000

const held = { 'x-held': 'yes' }
let arrived = 0
let gate = Promise.withResolvers<void>()

let api: Harness
let fake: FakeAssistant
beforeAll(async () => {
  const stop = (app: App) =>
    app.http.addHook('preHandler', async ({ headers }) => {
      if (headers['x-held'] === undefined) return
      arrived += 1
      await gate.promise
    })
  api = await startHarness({ webhookAllowPrivate: true }, {}, stop)
  fake = await startFakeAssistant({ keys: keysOf(api) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await fake.close()
})

/** The responses to requests that were accepted and have their bodies before `meanwhile`, and run after it. */
async function overtaken<T>(sent: () => Promise<T>[], meanwhile: () => Promise<unknown>): Promise<T[]> {
  arrived = 0
  gate = Promise.withResolvers()
  const replies = sent()
  const tooEarly = Promise.race(replies).then((reply) => {
    throw new Error(`answered before it was let go: ${JSON.stringify(reply)}`)
  })
  const allIn = (async () => {
    while (arrived < replies.length) await new Promise((resolve) => setTimeout(resolve, 5))
  })()
  await Promise.race([allIn, tooEarly])
  tooEarly.catch(() => {})
  await meanwhile()
  gate.resolve()
  return Promise.all(replies)
}

const overtake = (stage: Stage, requests: readonly Request[], meanwhile: () => Promise<unknown>) =>
  overtaken(() => requests.map((request) => stage.send(request, held)), meanwhile)

const problem = ({ status, headers }: Reply) => [status, headers.get('problem-code')]

async function succeed(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  expect([reply.status, reply.status < 300 ? '' : reply.text]).toEqual([reply.status, ''])
  return reply
}

/** The types of events that these users have caused since. */
async function deedsSince(seq: number, users: readonly Caller[]): Promise<string[]> {
  const rows = await api.sql<{ type: string }>(
    'select distinct type from event_log where seq > $1 and actor = any($2::uuid[]) order by type',
    [seq, users.map(({ guid }) => guid)],
  )
  return rows.map(({ type }) => type)
}

const callersOf = (requests: readonly Request[]) => requests.map(({ caller }) => caller)

test(
  'there is a request for every command of a tournament, and each is carried out where nothing happens meanwhile',
  async () => {
    const stage = await makeStage(api, fake)
    expect(stage.requests.map(({ name }) => name).toSorted()).toEqual(
      tournamentCommands.map(({ name }) => name).toSorted(),
    )
    for (const request of stage.requests) {
      const reply = await stage.send(request)
      expect([request.name, reply.status < 300 ? 'done' : reply.text]).toEqual([request.name, 'done'])
    }
  },
  patience,
)

const ofPools = /^(pools|poolMaps|poolComments|flairs|pooling|suggestions|imports|plans)\./

/** The commands that are refused in a cancelled tournament, by problem; all others still work. */
const refusedWhenCancelled: Readonly<Record<string, readonly string[]>> = {
  'tournament.cancelled': [
    ...[
      'matches.call',
      'matches.start',
      'matches.reportGame',
      'matches.removeGame',
      'matches.reportResult',
      'matches.update',
    ],
    ...['matches.reopen', 'corrections.undo', 'qualifiers.recordAttempts', 'qualifiers.synchronise'],
    ...['availability.respond', 'availability.respondForTeam', 'schedules.propose', 'schedules.apply'],
    ...['flows.create', 'flows.replace', 'flows.delete', 'flowPlans.replace'],
    ...['channels.replace', 'channels.replaceQueue', 'streamAssignments.create', 'streamAssignments.update'],
    ...['streamAssignments.replaceOfMatch', 'proposals.accept', 'live.set', 'live.finish', 'assistant.open'],
    ...['bridgeTickets.make'],
    ...['assistant.setPlayer', 'assistant.setMap', 'assistant.load', 'assistant.readyCheck', 'assistant.play'],
    ...['assistant.return', 'assistant.modify', 'assistant.syncColor', 'assistant.setDelays', 'assistant.resync'],
    ...tournamentCommands.map(({ name }) => name).filter((name) => name.startsWith('flowSessions.')),
    ...tournamentCommands.map(({ name }) => name).filter((name) => ofPools.test(name)),
  ],
  'tournament.over': [
    ...['divisions.create', 'divisions.update', 'divisions.delete', 'brackets.create', 'brackets.update'],
    ...['brackets.generate', 'brackets.placeEntrants', 'brackets.pairRound', 'brackets.delete', 'teams.update'],
    ...['teams.updateMember', 'teams.removeMember', 'teams.withdraw', 'teams.takeWithdrawalBack'],
    ...['registration.unregister'],
    ...['registration.qualify', 'registration.disqualify', 'qualifiers.seed'],
  ],
  'team.entries_closed': ['teams.create', 'teams.import'],
  'team.deletion_closed': ['teams.delete'],
  'tournament.not_open': ['teams.invite'],
  'registration.refused': ['registration.register'],
  'visibility.not_active': ['visibility.choose', 'visibility.request'],
  'tournament.not_completed': ['badgeRequests.create'],
  'tournament.not_draft': ['tournaments.delete'],
  'tournament.step_illegal': ['tournaments.changeStatus'],
}

test(
  'a cancellation that was acknowledged: nothing is planned, played, told or changed of a team behind it',
  async () => {
    const stage = await makeStage(api, fake)
    const seq = await lastEvent(api)
    const replies = await overtake(stage, stage.requests, async () => {
      for (const { guid } of stage.tournaments) {
        // A completed tournament cannot be cancelled, but can be resumed.
        const status = stage.completed.some((over) => over.guid === guid) ? 'ongoing' : 'cancelled'
        await succeed(api.post(`/tournaments/${guid}/status`, stage.organiser, { status }))
      }
    })
    const codes = new Map(
      Object.entries(refusedWhenCancelled).flatMap(([code, names]) => names.map((name) => [name, code])),
    )
    expect(replies.map((reply, index) => [stage.requests[index]?.name, problem(reply)[1]])).toEqual(
      stage.requests.map(({ name }) => [name, codes.get(name) ?? null]),
    )
    const touched =
      /^(match|correction|bracket|division|team|invitation|schedule|qualifier\.(attempts_recorded|seeded))/
    expect((await deedsSince(seq, callersOf(stage.requests))).filter((type) => touched.test(type))).toEqual([])
    const answers =
      'select from availability_responses r join availability_sheets s on s.guid = sheet_guid where tournament_guid = $1'
    expect(await api.sql(answers, [stage.tournaments[0]?.guid])).toEqual([])
  },
  patience,
)

describe('whoever has lost what let them in does nothing any more', () => {
  const hidden = ['tournament', 'sheet', 'pool', 'suggestion', 'comment', 'badge_request', 'overlay', 'rehearsal']
  const barred = ['role.missing', ...hidden.map((noun) => `${noun}.unknown`)]

  test(
    'a role, the tournament, the captaincy',
    async () => {
      const stage = await makeStage(api, fake)
      // A suggestion belongs to its author, whatever their role in the tournament.
      const own = ['suggestions.update', 'suggestions.withdraw']
      const requests = stage.requests.filter(({ by, name }) => by !== 'player' && !own.includes(name))
      const seq = await lastEvent(api)
      const replies = await overtake(stage, requests, () => takeAway(stage, requests))
      expect(
        replies.map((reply, index) => [requests[index]?.name, barred.includes(String(problem(reply)[1]))]),
      ).toEqual(requests.map(({ name }) => [name, true]))
      expect(await deedsSince(seq, callersOf(requests))).toEqual([])
    },
    patience,
  )

  async function takeAway(stage: Stage, requests: readonly Request[]): Promise<void> {
    const [owner, heir] = [await api.user({ globalRoles: ['role:owner'] }), await api.user()]
    for (const { guid } of stage.tournaments) {
      const path = `/tournaments/${guid}`
      await succeed(api.delete(`${path}/permissions/${stage.admin.guid}/revoke`, owner, { role: 'role:admin' }))
      await succeed(api.post(`${path}/organiser`, owner, { userIdentifier: heir.guid }))
    }
    const [system] = await api.sql<{ id: string }>('select context_id as id from platforms where is_system')
    await succeed(api.delete(`/tournament-platforms/${system?.id}/members/${stage.reviewer.guid}`, owner))
    for (const { team, tournament, caller } of requests) {
      if (team === undefined) continue
      const [successor] = await api.sql<{ guid: string }>(
        'select user_guid as guid from team_members where team_guid = $1 and user_guid <> $2',
        [team.guid, caller.guid],
      )
      const address = `/tournaments/${tournament.guid}/teams/${team.guid}`
      await succeed(api.patch(address, owner, { captain: successor?.guid }))
    }
  }

  test(
    'the account, by a ban',
    async () => {
      const stage = await makeStage(api, fake)
      const owner = await api.user({ globalRoles: ['role:owner'] })
      const seq = await lastEvent(api)
      const replies = await overtake(stage, stage.requests, async () => {
        for (const guid of new Set(callersOf(stage.requests).map((caller) => caller.guid))) {
          await succeed(api.patch(`/admin/users/${guid}`, owner, { banned: true }))
        }
      })
      expect(replies.map((reply, index) => [stage.requests[index]?.name, ...problem(reply)])).toEqual(
        stage.requests.map(({ name }) => [name, 401, 'token.invalid']),
      )
      expect(await deedsSince(seq, callersOf(stage.requests))).toEqual([])
    },
    patience,
  )

  test('the token, however it was ended', async () => {
    const made = async () => {
      const party = await makeParty(api, { scopes: ['rest:write'] })
      const { application, browser } = party
      const [tokens, own] = [await obtain(party, 'rest:write'), (await browser.post('/api/auth/token')).body.token]
      const [{ user, owner } = {}] = await api.sql<{ user: string; owner: string }>(
        `select g.user_guid as user, a.owner_guid as owner
         from grants g join applications a using (client_id) where client_id = $1`,
        [application.clientId],
      )
      if (user === undefined || owner === undefined) throw new Error('nothing was granted')
      return { party, tokens, own, user, asOwner: await api.token({ guid: owner }, ['rest:write']), ...application }
    }
    type Made = Awaited<ReturnType<typeof made>>
    const ways: ((one: Made) => Promise<unknown>)[] = [
      ({ clientId, own }) => succeed(api.call('DELETE', `/users/@me/sessions/${clientId}`, { token: own })),
      ({ party, tokens }) => succeed(callAs(party, '/oauth/revoke', { token: tokens.access_token })),
      ({ party, tokens }) => succeed(callAs(party, '/oauth/revoke', { token: tokens.refresh_token })),
      async ({ party, tokens }) => {
        await succeed(refresh(party, tokens.refresh_token))
        expect((await refresh(party, tokens.refresh_token)).status).toBe(400)
      },
      ({ clientId, asOwner }) => succeed(api.call('DELETE', `/oauth/applications/${clientId}`, { token: asOwner })),
      async ({ user, own }) => {
        const [session] = await api.sql<{ guid: string }>('select guid from sessions where user_guid = $1', [user])
        await succeed(api.call('DELETE', `/users/@me/sessions/${session?.guid}`, { token: own }))
      },
    ]
    const parties = await Promise.all(ways.map(made))
    const isOwn = (index: number) => index === ways.length - 1
    const replies = await overtaken(
      () =>
        parties.map(({ tokens, own }, index) =>
          api.call('POST', '/updateUserSettings', {
            token: isOwn(index) ? own : tokens.access_token,
            headers: held,
            body: { pronouns: 'late' },
          }),
        ),
      async () => {
        for (const [index, way] of ways.entries()) await way(parties[index] as Made)
      },
    )
    expect(replies.map(problem)).toEqual(ways.map(() => [401, 'token.invalid']))
    const late = `select from users where guid = any($1::uuid[]) and pronouns = 'late'`
    expect(await api.sql(late, [parties.map(({ user }) => user)])).toEqual([])
  })

  test('a global role, in a tournament and elsewhere', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const developer = await api.user({ globalRoles: ['role:dev'] })
    const { path } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const replies = await overtaken(
      () => [
        api.call('POST', `${path}/matches/1/start`, { as: developer, headers: held }),
        api.call('PATCH', path, { as: developer, headers: held, body: { summary: 'Mine' } }),
        api.call('POST', '/notices', { as: developer, headers: held, body: { title: 'Hello', content: 'There' } }),
      ],
      () => succeed(api.patch(`/admin/users/${developer.guid}`, owner, { roles: [] })),
    )
    expect(replies.map(problem)).toEqual(Array(3).fill([403, 'role.missing']))
  })

  test('what is wrong with a body is told to whoever keeps their rights, though they were judged anew', async () => {
    const { path, cup, organiser } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const other = await roleHolder(api, cup, 'role:admin')
    const [reply] = await overtaken(
      () => [api.call('PUT', `${path}/matches/1/result`, { as: organiser, headers: held, body: { outcome: 'luck' } })],
      () => succeed(api.delete(`${path}/permissions/${other.guid}/revoke`, organiser, { role: 'role:admin' })),
    )
    expect(reply && problem(reply)).toEqual([400, 'request.invalid'])
  })

  test('what they sent is not judged any more either', async () => {
    const { path, cup, organiser } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const admin = await roleHolder(api, cup, 'role:admin')
    const [reply] = await overtaken(
      () => [api.call('PUT', `${path}/matches/1/result`, { as: admin, headers: held, body: { outcome: 'luck' } })],
      () => succeed(api.delete(`${path}/permissions/${admin.guid}/revoke`, organiser, { role: 'role:admin' })),
    )
    expect(reply && problem(reply)).toEqual([403, 'role.missing'])
  })

  test('but whoever keeps one of two roles, or gets another, goes on', async () => {
    const { path, cup, organiser, tell } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const referee = await roleHolder(api, cup, 'role:referee')
    const revoked = `${path}/permissions/${referee.guid}`
    const [reply] = await overtaken(
      () => [
        api.call('PUT', `${path}/matches/1/result`, {
          as: referee,
          headers: held,
          body: { outcome: 'score', scores: [2, 0] },
        }),
      ],
      async () => {
        await succeed(api.post(`${revoked}/grant`, organiser, { role: 'role:coordinator' }))
        await succeed(api.delete(`${revoked}/revoke`, organiser, { role: 'role:referee' }))
      },
    )
    expect(reply && problem(reply)).toEqual([200, null])
    expect(problem(await tell(1, { outcome: 'score', scores: [2, 1] }))).toEqual([409, 'match.completed'])
  })
})

describe('behind a lock, for which it waited in its transaction', () => {
  const result = { outcome: 'score', scores: [2, 0] }
  const cancel = (path: string, organiser: Caller) => api.post(`${path}/status`, organiser, { status: 'cancelled' })

  test('a result is not told in a tournament that was cancelled, nor by somebody who is no referee any more', async () => {
    const { path, cup, organiser, bracket, readMatch } = await makeBracket(api, {
      teams: 4,
      format: 'single_elimination',
    })
    const referee = await roleHolder(api, cup, 'role:referee')
    const locked = async (meanwhile: () => Promise<Reply>) => {
      const other = await hold(api, ['select from brackets where guid = $1 for update', bracket.guid])
      const told = api.put(`${path}/matches/1/result`, referee, result)
      await other.waiting(1)
      await succeed(meanwhile())
      await other.release()
      return problem(await told)
    }
    const role = { role: 'role:referee' }
    expect(await locked(() => api.delete(`${path}/permissions/${referee.guid}/revoke`, organiser, role))).toEqual([
      ...[403, 'role.missing'],
    ])
    await succeed(api.post(`${path}/permissions/${referee.guid}/grant`, organiser, role))
    expect(await locked(() => cancel(path, organiser))).toEqual([409, 'tournament.cancelled'])
    expect((await readMatch(1)).status).toBe('ready')
  })

  test('a result in a tournament that was completed meanwhile is told, and the places follow it', async () => {
    const { path, organiser, bracket } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    // Completing the tournament waits for the bracket too, and the result waits behind it.
    const other = await hold(api, ['select from brackets where guid = $1 for update', bracket.guid])
    const completed = api.post(`${path}/status`, organiser, { status: 'completed' })
    await other.waiting(1)
    const told = api.put(`${path}/matches/1/result`, organiser, result)
    await other.waiting(2)
    await other.release()
    expect([(await completed).status, (await told).status]).toEqual([200, 200])
    const { placements } = (await api.get(path)).body
    expect(placements.map(({ place, team }: Reply['body']) => [place, team.id])).toEqual([
      [1, 'team-1'],
      [2, 'team-2'],
    ])
  })
})

test('results and cancellations at once: what was told stands in the log before the cancellation', async () => {
  const sibling = await api.sibling()
  try {
    for (let round = 0; round < 6; round += 1) {
      const made = await makeBracket(api, { teams: 16, format: 'single_elimination' })
      const seq = await lastEvent(api)
      const tell = (number: number) => {
        const service = number % 2 === 0 ? api : sibling
        return service.put(`${made.match(number)}/result`, made.organiser, { outcome: 'score', scores: [2, 0] })
      }
      const first = [1, 2, 3, 4].map(tell)
      const cancelled = sibling.post(`${made.path}/status`, made.organiser, { status: 'cancelled' })
      const replies = await Promise.all([...first, ...[5, 6, 7, 8].map(tell)])
      expect((await cancelled).status).toBe(200)
      const types = (await eventsSince(api, made.cup, seq)).map(({ type }) => type)
      const told = replies.filter(({ status }) => status === 200).length
      expect(types).toEqual([...Array(told).fill('match.completed'), 'tournament.status_changed'])
      const refused = replies.filter(({ status }) => status !== 200).map(problem)
      expect(refused).toEqual(Array(8 - told).fill([409, 'tournament.cancelled']))
    }
  } finally {
    await sibling[Symbol.asyncDispose]()
  }
})
