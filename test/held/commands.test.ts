import { afterAll, beforeAll, expect, test } from 'vitest'
import { api as described } from '../../src/app.ts'
import { shownByOf } from '../../src/infra/http/shown-answers.ts'
import { isForOutsiders } from '../../src/infra/http/trial.ts'
import { addBracket, makeBracket } from '../bracket-play.ts'
import { FlowPlay, makeFlowPlay } from '../flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { makeTeam, touch } from '../make.ts'
import { showOverlay } from '../overlay-rows.ts'
import { openSocket } from '../realtime/sockets.ts'
import { countStatements } from '../statements.ts'

/** Commands of outsiders of a held tournament: their refusals tell what is shown, and nothing of the present. (V3) */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ rateLimits: true })
})
afterAll(() => api[Symbol.asyncDispose]())

test('while nothing is held, a command sends no statement for it', async () => {
  const { cup, captains } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  await unlockRosters(cup.guid)
  const paint = (round: number) =>
    api.patch(`/tournaments/${cup.guid}/teams/team-1`, captains[0] as Caller, { color: `#00000${round}` })
  const { statements, answer } = await countStatements(['held', 'spoiler_horizons', 'search_path'], paint)
  expect([outcome(answer), statements]).toEqual([[200, null], 0])
})

const { operations } = described

test('what outsiders are answered is read as it is shown, or has nothing that is held', () => {
  const forOutsiders = operations.filter((operation) => isForOutsiders(operation, described.parameters))
  const unread = forOutsiders.filter((operation) => shownByOf(operation, operations) === null)
  expect(unread.map(({ name }) => name).toSorted()).toEqual([
    // Sheets, pools, documents of overlays, and the caller's own new record or own song: they are in no held table.
    'availability.respondForTeam',
    'live.finish',
    'scenes.keepVersion',
    'scenes.replace',
    'scenes.restoreVersion',
    'suggestions.create',
    'teams.acceptInvitation',
    'teams.create',
    'teams.declineInvitation',
    'teams.delete',
    'teams.invite',
    'teams.removeMember',
    'teams.revokeInvitation',
  ])
  // Before their transaction these ask of players' accounts, maps of pools, turns and documents, nothing that is held.
  const asking = forOutsiders.filter(({ prepare }) => prepare !== undefined)
  expect(asking.map(({ name }) => name).toSorted()).toEqual([
    'overlays.control',
    'overlays.point',
    'registration.register',
    'scenes.replace',
    'suggestions.create',
  ])
})

/** So that captains may change their teams. */
const unlockRosters = (cup: string) =>
  api.sql('update teams set roster_locked = false where tournament_guid = $1', [cup])

const withdrawal = { reason: 'Ill.', policy: 'walkover' }

test('a command that the present alone refuses is refused without a reason; others as what is shown refuses them', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { organiser, cup, teams, captains } = made
  const base = `/tournaments/${cup.guid}`
  const teamPath = (number: number) => `${base}/teams/${teams[number - 1]?.guid}`
  const captainOf = (number: number) => captains[number - 1] as Caller
  const good = async (call: ReturnType<Harness['post']>) => expect(outcome(await call)).toEqual([200, null])
  const [painter, returning, stranger] = [await api.user(), await api.user(), await api.user()]
  const returned = `${base}/teams/${(await makeTeam(api, cup, returning, { status: 'registered' })).guid}`
  const painted = `${base}/teams/${(await makeTeam(api, cup, painter, { status: 'unregistered' })).guid}`
  const paint = (as: Caller, color = '#ff8800') => api.patch(painted, as, { color })
  const seen = async (address: string, as: Caller | null = null) => (await api.get(address, as)).text

  await good(api.post(`${returned}/withdraw`, organiser, withdrawal))
  await good(api.patch(base, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 }))
  await good(paint(painter, '#0088ff'))
  expect(outcome(await api.patch(painted, painter, { name: 'Team 1' }))).toEqual([409, 'team.name_taken'])

  const guest = await api.user()
  const invited = await api.post(`${painted}/invitations`, painter, { userIdentifier: guest.guid })
  expect(outcome(invited)).toEqual([201, null])
  const accept = async () => outcome(await api.post(`/invitations/${invited.body.guid}/accept`, guest))

  // Behind the horizon one team comes back, another leaves, matches are made, and the tournament ends.
  const shownTeams = await seen(`${base}/teams`)
  expect(shownTeams).toContain('"isActive":true')
  await good(api.delete(`${returned}/withdrawal`, organiser))
  await good(api.post(`${teamPath(4)}/withdraw`, organiser, withdrawal))
  expect(await seen(`${base}/teams`)).toBe(shownTeams)
  const withdraw = async (team: string, captain: Caller) =>
    outcome(await api.post(`${team}/withdraw`, captain, withdrawal))
  expect(await withdraw(teamPath(4), captainOf(4))).toEqual([409, 'spoiler.held'])
  expect(await withdraw(returned, returning)).toEqual([409, 'team.withdrawn'])
  const register = await api.post(`${base}/register/${teams[3]?.guid}`, captainOf(4), {})
  expect(outcome(register)).toEqual([400, 'registration.refused'])
  expect(register.text).not.toContain('withdrawn')
  await api.post(`${base}/divisions`, organiser, { name: 'Late', id: 'late' })
  const late = await addBracket(api, { ...made, teams: teams.slice(0, 2) }, { format: 'round_robin', division: 'late' })
  const call = `${base}/matches/${late.matches[0].guid}/call`
  for (const caller of [stranger, captainOf(4)]) {
    expect(outcome(await api.post(call, caller, {}))).toEqual([404, 'match.unknown'])
    await using socket = await openSocket(api, { as: caller })
    const told = await socket.ask({
      type: 'command',
      name: 'matches.call',
      params: { tournament: cup.guid, match: late.matches[0].guid },
      body: {},
    })
    expect(JSON.stringify(told)).toContain('match.unknown')
  }
  await api.sql(`update tournaments set status = 'completed', completed_at = now() where guid = $1`, [cup.guid])
  await touch(api, cup.guid)

  expect(await accept()).toEqual([409, 'spoiler.held'])
  expect(outcome(await paint(painter))).toEqual([409, 'spoiler.held'])
  expect(outcome(await paint(painter, 'orange'))).toEqual([400, 'team.invalid'])
  expect(outcome(await paint(stranger))).toEqual([403, 'role.missing'])
  expect(await seen(`${base}/teams`)).toBe(shownTeams)
  // The organiser is refused, or not, by what is so.
  expect(outcome(await api.post(`${teamPath(4)}/withdraw`, organiser, withdrawal))).toEqual([409, 'tournament.over'])

  await good(api.post(`${base}/reveal`, organiser, { all: true }))
  expect(outcome(await paint(painter))).toEqual([409, 'tournament.over'])
  expect(await accept()).toEqual([409, 'tournament.not_open'])
  expect(outcome(await api.post(call, stranger, {}))).toEqual([403, 'role.missing'])
})

test('answers, previews and repetitions tell what is shown', async () => {
  const made = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const { organiser, captains, path: base } = made
  await unlockRosters(made.cup.guid)
  const [third, fourth] = [captains[2] as Caller, captains[3] as Caller]
  const [ofThird, ofFourth] = [`${base}/teams/team-3`, `${base}/teams/team-4`]
  const preview = async () => api.post(`${ofThird}/withdraw?dryRun=true`, third, withdrawal)
  const keyed = (key: string, body: object) =>
    api.call('PATCH', ofFourth, { as: fourth, body, headers: { 'idempotency-key': key } })
  const put = await api.patch(base, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 })
  expect(outcome(put)).toEqual([200, null])
  const before = await preview()
  expect(outcome(before)).toEqual([200, null])

  // Behind the horizon one team leaves, and the match of another is over.
  expect(outcome(await api.post(`${ofFourth}/withdraw`, organiser, withdrawal))).toEqual([200, null])
  await made.win(2, 'team-2')
  const painted = await keyed('paint-1', { color: '#ff8800' })
  expect([outcome(painted), painted.headers.get('delayed')]).toEqual([[200, null], '600'])
  expect(painted.body).toMatchObject({ color: '#ff8800', status: 'registered', seed: 4, withdrawnAt: null })
  expect(painted.body).toEqual((await api.get(ofFourth, fourth)).body)
  // It is counted once, however often it runs.
  const left = ({ headers }: typeof painted) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  const repeated = await keyed('paint-1', { color: '#ff8800' })
  expect([repeated.text, repeated.headers.get('idempotent-replayed')]).toEqual([painted.text, 'true'])
  expect([left(repeated), repeated.headers.get('delayed')]).toEqual([left(painted) - 1, '600'])

  // A preview is that of what is shown. What it names is compared with what is shown, too.
  const after = await preview()
  expect([after.text, after.status]).toEqual([before.text, 200])
  const { revisions } = before.body
  const [bracket, revision] = Object.entries<number>(revisions)[0] as [string, number]
  const present = (await made.read()).revision
  expect(present).toBeGreaterThan(revision)
  const withdraw = async (seen: object) =>
    outcome(await api.post(`${ofThird}/withdraw`, third, { ...withdrawal, revisions: seen }))
  expect(await withdraw({ [bracket]: present })).toEqual([409, 'correction.stale'])
  expect(await withdraw({ [bracket]: revision })).toEqual([409, 'spoiler.held'])

  // A refusal without a reason stays without one for its key.
  const leave = (key: string) =>
    api.call('POST', `${ofFourth}/withdraw`, { as: fourth, body: withdrawal, headers: { 'idempotency-key': key } })
  expect(outcome(await leave('leave-1'))).toEqual([409, 'spoiler.held'])
  expect(outcome(await api.post(`${base}/reveal`, organiser, { all: true }))).toEqual([200, null])
  const again = await leave('leave-1')
  expect([outcome(again), again.headers.get('idempotent-replayed')]).toEqual([[409, 'spoiler.held'], 'true'])
  expect(outcome(await leave('leave-2'))).toEqual([409, 'team.withdrawn'])
  const shown = await keyed('paint-2', { color: '#0088ff' })
  expect(shown.body).toMatchObject({ color: '#0088ff', status: 'unregistered', seed: null })
})

test('members of a match play it as it is; those who control an overlay from outside see it late', async () => {
  const made = await makeFlowPlay(api, { teams: 4 })
  const { organiser, path: base } = made
  const editor = await api.user()
  const overlay = await showOverlay(api, made.cup, organiser, { editors: [editor] })
  const at = `${base}/overlays/${overlay.guid}`
  const put = await api.patch(base, organiser, { spoilerMode: 'held', streamDelaySeconds: 600 })
  expect(outcome(put)).toEqual([200, null])

  const play = new FlowPlay(api, made)
  expect(outcome(await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid }))).toEqual([201, null])
  const [seat] = play.state.turn.seats
  expect(outcome(await play.act(seat, { action: 'choose', place: 1 }))).toEqual([200, null])
  const stranger = await api.user()
  expect(outcome(await play.call(stranger, 'act', { action: 'present' }))).toEqual([404, 'flow.session_unknown'])

  const seen = await api.get(`${at}/control`, editor)
  const changed = await api.patch(`${at}/control`, editor, { flavour: 'Hello.' })
  expect([outcome(changed), changed.headers.get('delayed')]).toEqual([[200, null], '600'])
  expect(changed.body).toEqual(seen.body)
  await using socket = await openSocket(api, { as: editor })
  const params = { tournament: made.cup.guid, overlay: overlay.guid }
  const told = await socket.ask({ type: 'command', name: 'overlays.control', params, body: { flavour: 'Again.' } })
  expect(JSON.stringify(told)).not.toContain('Hello.')
  expect(JSON.stringify(told)).not.toContain('Again.')
  expect((await api.get(`${at}/control`, organiser)).body.flavour).toBe('Again.')
})
