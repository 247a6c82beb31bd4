import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeSheet, respond } from '../../../../test/availability.ts'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeTournament, touch } from '../../../../test/make.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'

/** The topic `/users/@me/agenda`: its answers follow every change that they were made from. (RT2; additions: Agenda) */

let api: Harness
let second: Harness
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const topic = '/users/@me/agenda'
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const hour = 3_600_000

// biome-ignore lint/suspicious/noExplicitAny: answers are compared whole with those of a GET.
type Agenda = any

async function follow(user: Caller) {
  const sockets = await Promise.all([api, second].map((on) => openSocket(on, { as: user })))
  for (const socket of sockets)
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  return {
    /** Waits until a GET satisfies the check and all followers have its answer. */
    async holds(what: string, check: (agenda: Agenda) => boolean) {
      await vi.waitFor(
        async () => {
          const { body } = await api.get(topic, user)
          expect([what, check(body)]).toEqual([what, true])
          for (const socket of sockets) expect(socket.copies.of(topic).body, what).toEqual(body)
        },
        { timeout: 20_000, interval: 50 },
      )
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sockets.map((socket) => socket.close()))
    },
  }
}

async function done(call: Promise<Reply>): Promise<Reply['body']> {
  const reply = await call
  expect([reply.status < 300, reply.text]).toEqual([true, reply.text])
  return reply.body
}

test('of a player: team, invitation, requirements, matches and results reach it', async () => {
  const organiser = await api.user()
  const cup = await makeTournament(api, organiser, { teamSize: { min: 1, max: 3, active: 1 } })
  const [player, captain, mate] = (await Promise.all([1, 2, 3].map(() => api.user()))) as [Caller, Caller, Caller]
  const address = `/tournaments/${cup.guid}`
  await using follower = await follow(player)

  const { newTeam } = await done(api.post(`${address}/teams`, captain, { captainId: captain.guid }))
  const invitation = await done(
    api.post(`${address}/teams/${newTeam.guid}/invitations`, captain, { userIdentifier: player.guid }),
  )
  await follower.holds('an invitation', ({ invitations }) => invitations.length === 1)
  await done(api.post(`/invitations/${invitation.guid}/decline`, player))
  await follower.holds('no invitation', ({ invitations }) => invitations.length === 0)

  // A team that the organiser makes for the player is the first that they have to do with the tournament.
  const own = (await done(api.post(`${address}/teams`, organiser, { captainId: player.guid }))).newTeam
  await done(api.patch(address, organiser, { requirements: { emailVerified: true } }))
  await follower.holds('a problem', ({ rosterProblems }) => rosterProblems.length === 1)
  await done(
    api
      .post(`${address}/teams/${own.guid}/invitations`, player, { userIdentifier: mate.guid })
      .then(async (reply) => api.post(`/invitations/${reply.body.guid}/accept`, mate)),
  )
  const players = ({ rosterProblems }: Agenda) => rosterProblems[0]?.eligibility.players.length
  await follower.holds('a problem of two', (agenda) => players(agenda) === 2)
  await done(api.patch(address, organiser, { requirements: {}, startsAt: inMs(24 * hour) }))
  await follower.holds('no problem', ({ rosterProblems }) => rosterProblems.length === 0)
  await done(api.post(`${address}/register/${own.guid}`, player))
  await follower.holds('a start', ({ deadlines }) => deadlines.length === 1)
  await done(api.post(`${address}/register/${newTeam.guid}`, captain))

  const division = await done(api.post(`${address}/divisions`, organiser, { name: 'Main' }))
  await done(
    api.post(`${address}/divisions/${division.guid}/brackets`, organiser, {
      name: 'Final',
      format: 'single_elimination',
      entrants: { source: 'registered' },
    }),
  )
  await follower.holds('a match', ({ matches }) => matches.length === 1)
  await done(api.patch(`${address}/matches/1`, organiser, { scheduledAt: inMs(2 * hour) }))
  await follower.holds('its time', ({ matches }) => matches[0]?.match.scheduledAt !== null)
  await done(api.post(`${address}/matches/1/start`, organiser))
  await done(api.put(`${address}/matches/1/result`, organiser, { outcome: 'score', scores: [2, 0] }))
  await follower.holds('its result', ({ matches }) => matches[0]?.match.status === 'completed')
  await done(api.post(`${address}/status`, organiser, { status: 'cancelled', reason: 'Nobody came.' }))
  await follower.holds('nothing', (agenda) => Object.values(agenda).flat().length === 0)
})

test('of staff: roles, sheets with answers and closing by the clock, officials without a role, streams', async () => {
  const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const { organiser, cup, path } = made
  const user = await api.user()
  await using follower = await follow(user)

  await done(api.patch(made.match(1), organiser, { officials: [{ user: user.guid, role: 'role:referee' }] }))
  await follower.holds('a duty', ({ duties }) => duties.length === 1)
  await done(api.patch(made.match(1), organiser, { officials: [] }))
  await follower.holds('no duty', ({ duties }) => duties.length === 0)

  const start = new Date(Math.ceil(Date.now() / hour) * hour + 24 * hour)
  const window = { startsAt: start.toISOString(), endsAt: new Date(start.getTime() + hour).toISOString() }
  const sheet = await makeSheet(api, cup, organiser, { windows: [window] })
  await done(api.post(`${path}/permissions/${user.guid}/grant`, organiser, { role: 'role:caster' }))
  await follower.holds('a sheet', ({ sheets }) => sheets.length === 1 && !sheets[0].answered)
  await done(respond(api, sheet, user, [{ status: 'available', ...window }]))
  await follower.holds('an answer', ({ sheets }) => sheets[0]?.answered === true)
  await done(
    api.post(`${path}/streamAssignments`, organiser, {
      user: user.guid,
      role: 'caster',
      startsAt: inMs(hour),
      endsAt: inMs(2 * hour),
    }),
  )
  await follower.holds('a stream', ({ streams }) => streams.length === 1)
  await done(api.delete(`${path}/permissions/${user.guid}/revoke`, organiser, { role: 'role:caster' }))
  await follower.holds('no sheet', ({ sheets }) => sheets.length === 0)
  await done(api.post(`${path}/permissions/${user.guid}/grant`, organiser, { role: 'role:caster' }))
  await follower.holds('the sheet again', ({ sheets }) => sheets.length === 1)
  await api.sql(`update availability_sheets set closes_at = now() + interval '2 seconds' where guid = $1`, [sheet.guid])
  await touch(api, cup.guid)
  // It closes by the clock alone.
  await follower.holds('no sheet any more', ({ sheets }) => sheets.length === 0)
})

test('is one’s own: it is followed with a token alone, and by nobody for somebody else', async () => {
  await using anonymous = await openSocket(api)
  expect(await anonymous.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'error' })
  const [one, other] = await Promise.all([api.user(), api.user()])
  await using socket = await openSocket(api, { as: one })
  const answer = await socket.ask({ type: 'subscribe', topic: `/users/${other.guid}/agenda` })
  expect(answer).toMatchObject({ code: 'topic.unknown' })
})
