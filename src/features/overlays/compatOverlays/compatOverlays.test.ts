import { afterAll, beforeAll, expect, test } from 'vitest'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type Body, type CompatClient, openCompat } from '../../../../test/realtime/compatible.ts'

/**
 * What clients of the compatibility door receive about overlays, and which clients receive it.
 * (realtime: Compatibility door)
 */

let api: Harness
let second: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness({ compatSocket: true })
  second = await api.sibling()
  made = await makeFlowPlay(api, {
    teams: 4,
    bestOf: 3,
    bracket: { tournament: { teamSize: { min: 1, max: 1, active: 1 } } },
  })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const details = 'tournamentOverlayUpdate:matchDetails'
const scored = 'matchOverlayUpdate:scoreSubmit'
const acted = 'picksBansOverlayUpdate:state:addAction'
const pointed = 'tournamentOverlayUpdate:match'
const linked = 'matchOverlayUpdate:TAData'

const flow = {
  name: 'Picks',
  bestOf: 3,
  steps: [
    { action: 'ban', actor: 'seat:1' },
    {
      repeat: 'until_decided',
      steps: [
        { action: 'pick', actor: 'seat:1' },
        { action: 'play' },
        { action: 'pick', actor: 'seat:2' },
        { action: 'play' },
      ],
    },
  ],
  rules: { replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'team', windowSeconds: 3_600 } },
}

function kept({ status, body, text }: Reply): Body {
  if (status >= 300) throw new Error(`what a test starts from was refused: ${text}`)
  return body
}

let names = 0

interface Shown {
  readonly guid: string
  readonly path: string
  readonly asked: { readonly tournamentGuid: string; readonly overlayGuid: string }
  readonly point: (match: string | null) => Promise<void>
  readonly token: () => Promise<{ readonly guid: string; readonly token: string }>
}

async function makeOverlay(of: MadeFlowPlay = made, body: object = {}): Promise<Shown> {
  const base = `/tournaments/${of.cup.guid}/overlays`
  const { guid } = kept(await api.post(base, of.organiser, { name: `Overlay ${++names}` }))
  const path = `${base}/${guid}`
  if (Object.keys(body).length > 0) kept(await api.patch(path, of.organiser, body))
  return {
    guid,
    path,
    asked: { tournamentGuid: of.cup.guid, overlayGuid: guid },
    point: async (matchGuid) => void kept(await api.put(`${path}/match`, of.organiser, { matchGuid })),
    token: async () => kept(await api.post(`${path}/tokens`, of.organiser, { label: 'Stage' })),
  }
}

const ask = (client: CompatClient, { asked }: Shown) => client.ask('getTournamentOverlay', asked)
const sign = (client: CompatClient, token: string) => client.ask('authenticate', { token: `Bearer ${token}` })

async function openAs(token: string | null, at = api): Promise<CompatClient> {
  const client = await openCompat(at)
  if (token !== null) expect(await sign(client, token)).toEqual({ success: true })
  return client
}

/** Returns the body of the next message of each event; all of them must be equal. */
async function told(client: CompatClient, ...events: readonly string[]): Promise<Body> {
  const bodies = await Promise.all(events.map((event) => client.next(event)))
  for (const body of bodies) {
    expect(Object.keys(body)).toEqual(['newOverlay'])
    expect(body).toEqual(bodies[0])
  }
  return bodies[0].newOverlay
}

/** Builds the expected view of a match from the answers of other reads. */
async function expectedOf(of: MadeFlowPlay, number: number, play: FlowPlay | null): Promise<Body> {
  const match = kept(await api.get(of.match(number)))
  const state = play === null ? null : kept(await api.get(`${of.match(number)}/flow`))
  const pool = kept(await api.get(`${of.path}/pools/${of.pool.guid}`))
  const teamOf = async (side: Body) => {
    if (side.team === null) return null
    const team = kept(await api.get(`${of.path}/teams/${side.team.guid}`))
    const user = ({ guid, preferredName, avatarUrl, rankingIdB }: Body) => {
      return { guid, preferredName, avatarUrl, beatleaderId: rankingIdB }
    }
    const { captain, members } = team
    return {
      guid: team.guid,
      name: team.name,
      imageUrl: team.imageUrl,
      isSolo: true,
      captain: user(captain),
      members: members.filter(({ isActive }: Body) => isActive).map((each: Body) => ({ teamMember: user(each.user) })),
    }
  }
  const teams = await Promise.all(match.sides.map(teamOf))
  const maps = (state === null ? [] : pool.maps).map(({ guid, map, flair }: Body) => {
    const { name, artist, mapper, imageUrl, key, hash, difficulty } = map
    return { guid, name, artist, mapper, imageUrl, key, hash, difficulty, flair }
  })
  const scores = (state?.games ?? []).flatMap(({ chains }: Body) =>
    chains.flat(2).flatMap((run: Body) =>
      run.scores.map((score: Body) => ({
        guid: score.guid,
        user: score.user,
        matchResultGuid: match.guid,
        mapGuid: score.map,
        score: score.score,
        mapHashIfNotMap: null,
        completionType: 0,
        misses: score.misses,
        badCuts: null,
        goodCuts: null,
        endTime: score.playedAt,
        createdAt: score.playedAt,
        accuracy: score.accuracy && score.accuracy * 100,
        isCallingReplay: false,
      })),
    ),
  )
  const winner = match.sides.find(({ result }: Body) => result === 'win')
  return {
    guid: match.guid,
    matchNumber: match.number,
    matchType: expect.stringContaining('Semi-finals'),
    scheduledTime: match.scheduledAt,
    actualStartTime: match.startedAt,
    actualEndTime: match.completedAt,
    status: match.status,
    maxScore: match.winsNeeded,
    sides: { team1: teams[0], team2: teams[1] },
    mapPool: { maps },
    picksBans: (state?.picksBans ?? []).map((row: Body) => ({
      ...row,
      map: maps.find(({ guid }: Body) => guid === row.mapGuid),
      actioner: teams.find((team) => team.guid === row.actionerGuid),
    })),
    results: {
      guid: match.guid,
      winnerGuid: winner?.team.guid ?? null,
      scores,
      team1Score: match.sides[0].score ?? 0,
      team2Score: match.sides[1].score ?? 0,
      team1ReplaysRemaining: state?.seats[0].replaysLeft ?? null,
      team2ReplaysRemaining: state?.seats[1].replaysLeft ?? null,
    },
    nextMatchGuid: match.nextMatchGuid,
    loserMatchGuid: match.loserMatchGuid,
  }
}

test('a match is followed from pointing to its picks, scores and result, on whichever process', async () => {
  const shown = await makeOverlay()
  const { token } = await shown.token()
  await using client = await openAs(token, second)
  expect(await ask(client, shown)).toEqual({
    overlay: {
      guid: shown.guid,
      name: expect.any(String),
      match: null,
      matchOverlay: { taServerGuid: null },
      tournament: { guid: made.cup.guid, id: made.cup.id, name: expect.any(String) },
    },
  })

  const { guid } = await made.readMatch(1)
  await shown.point(guid)
  const first = await client.next(pointed)
  expect(Object.keys(first)).toEqual(['overlay'])
  expect(first.overlay).toMatchObject({ guid: shown.guid })
  expect(first.overlay.match).toEqual(await expectedOf(made, 1, null))

  const play = new FlowPlay(api, made, 1)
  const { guid: flowGuid } = kept(await api.post(`${made.path}/flows`, made.organiser, flow))
  kept(await play.begin({ flowGuid, poolGuid: made.pool.guid }))
  // The match is running, and the sides may still call replays.
  const begun = await told(client, details, scored)
  expect(begun.match).toEqual(await expectedOf(made, 1, play))
  expect(begun.match).toMatchObject({ status: 'running', results: { team1ReplaysRemaining: 1 } })

  kept(await play.act(1, { action: 'ban', map: made.poolMaps[0] }))
  const banned = await told(client, acted)
  expect(banned.match).toEqual(await expectedOf(made, 1, play))
  expect(banned.match.picksBans).toMatchObject([{ mapGuid: made.poolMaps[0], isBan: true, isPick: false }])
  kept(await play.act(1, { action: 'pick', map: made.poolMaps[1] }))
  expect((await told(client, acted)).match).toEqual(await expectedOf(made, 1, play))

  kept(await play.scores({ score: 900_000, accuracy: 0.9, misses: 3 }, { score: 800_000, accuracy: 0.8 }))
  const provisional = await told(client, scored)
  expect(provisional.match).toEqual(await expectedOf(made, 1, play))
  expect(provisional.match.results.scores).toMatchObject([
    { user: play.player(1), score: 900_000, accuracy: 90, misses: 3, completionType: 0, mapGuid: made.poolMaps[1] },
    { user: play.player(2), score: 800_000, accuracy: 80, misses: null },
  ])
  // The loser calls a replay, and loses again.
  kept(await play.call(play.captain(2), 'claims', {}))
  const claimed = await told(client, scored)
  expect(claimed.match.results.scores.map(({ isCallingReplay }: Body) => isCallingReplay)).toEqual([false, true])
  expect(claimed.match.results.team2ReplaysRemaining).toBe(0)
  kept(await play.scores(700_000, 650_000))
  const again = await told(client, scored)
  expect(again.match.results.scores).toHaveLength(4)
  for (let turn = 0; (await play.read()).phase === 'window' && turn < 3; turn++) {
    kept(await play.call(made.referee, 'act', { action: 'accept', seat: 2 }))
  }
  await expect.poll(() => client.held().match.results.team1Score).toBe(1)

  kept(await play.act(2, { action: 'pick', map: made.poolMaps[2] }))
  kept(await play.scores(950_000, 100_000))
  if ((await play.read()).phase === 'window') {
    kept(await play.call(made.referee, 'act', { action: 'accept', seat: 2 }))
  }
  await expect.poll(() => client.held().match.status).toBe('completed')
  const last = client.held()
  expect(last.match.results).toMatchObject({ winnerGuid: last.match.sides.team1.guid, team1Score: 2, team2Score: 0 })
  // A client that asks now gets the same answer.
  await using late = await openAs(token)
  expect(await ask(late, shown)).toEqual({ overlay: last })
})

test('a match that is told without a session has results, too', async () => {
  const shown = await makeOverlay(made, { access: 'public' })
  const { guid } = await made.readMatch(2)
  await shown.point(guid)
  await using client = await openAs(null)
  expect((await ask(client, shown)).overlay.match).toEqual(await expectedOf(made, 2, null))
  const map = { hash: 'AB'.repeat(20), difficulty: 'Expert', characteristic: 'Standard', name: 'Told' }
  kept(
    await api.put(`${made.match(2)}/games/1`, made.organiser, {
      sides: [{ score: 500_000, accuracy: 0.98765, completion: 'passed' }, { score: 400_000 }],
      map,
    }),
  )
  const after = await told(client, details, scored)
  const { team1, team2 } = after.match.sides
  const told1 = { guid: null, matchResultGuid: guid, mapGuid: null, mapHashIfNotMap: 'ab'.repeat(20), createdAt: null }
  expect(after.match.results).toMatchObject({
    winnerGuid: null,
    team1Score: 1,
    team2Score: 0,
    team1ReplaysRemaining: null,
    scores: [
      { ...told1, user: team1.captain.guid, score: 500_000, accuracy: 98.77, completionType: 0 },
      { ...told1, user: team2.captain.guid, score: 400_000, accuracy: null, completionType: null },
    ],
  })
})

test('what changes of it is told by one event, and what changes nothing by none', async () => {
  const of = await makeFlowPlay(api, { teams: 4 })
  const shown = await makeOverlay(of, { access: 'public' })
  const [one, two] = [await of.readMatch(1), await of.readMatch(2)]
  await shown.point(one.guid)
  await using client = await openAs(null)
  expect((await ask(client, shown)).overlay.match).toMatchObject({
    guid: one.guid,
    sides: { team1: { isSolo: false } },
  })

  const scheduledAt = '2099-05-03T18:00:00.000Z'
  kept(await api.patch(of.match(1), of.organiser, { scheduledAt, notes: 'For the staff.' }))
  expect((await told(client, details)).match.scheduledTime).toBe(scheduledAt)
  kept(await api.patch(shown.path, of.organiser, { name: 'Renamed' }))
  expect(await told(client, details)).toMatchObject({ name: 'Renamed', match: { scheduledTime: scheduledAt } })
  const team = one.sides[0].team.guid
  kept(await api.patch(`${of.path}/teams/${team}`, of.organiser, { name: 'Other name' }))
  expect((await told(client, details)).match.sides.team1.name).toBe('Other name')
  // The view contains none of these: control texts, other matches, notes.
  kept(await api.patch(`${shown.path}/control`, of.organiser, { flavour: 'A text', swapSides: true }))
  kept(await api.patch(of.match(1), of.organiser, { notes: 'For them, too.' }))
  kept(await api.patch(of.match(2), of.organiser, { scheduledAt }))
  await shown.point(two.guid)
  expect((await client.next(pointed)).overlay.match.guid).toBe(two.guid)
  await shown.point(null)
  expect((await client.next(pointed)).overlay).toMatchObject({ match: null, name: 'Renamed' })
  expect(client.told).toEqual([])
})

test('outsiders see sessions as late as they see them elsewhere, and pages see them now', async () => {
  const of = await makeFlowPlay(api, { teams: 2 })
  const shown = await makeOverlay(of, { access: 'public' })
  const { guid } = await of.readMatch(1)
  await shown.point(guid)
  const { token } = await shown.token()
  await using page = await openAs(token)
  await using outsider = await openAs(null)
  for (const client of [page, outsider]) expect((await ask(client, shown)).overlay.match.picksBans).toEqual([])
  const play = new FlowPlay(api, of, 1)
  const { guid: flowGuid } = kept(await api.post(`${of.path}/flows`, of.organiser, flow))
  kept(await play.begin({ flowGuid, poolGuid: of.pool.guid, viewDelaySeconds: 900 }))
  kept(await play.act(1, { action: 'ban', map: of.poolMaps[0] }))
  expect((await told(page, acted)).match.picksBans).toMatchObject([{ mapGuid: of.poolMaps[0], isBan: true }])
  await using later = await openAs(null)
  expect((await ask(later, shown)).overlay.match.picksBans).toEqual([])
  expect(outsider.told.map(({ event }) => event)).not.toContain(acted)
})

test('where it is linked to an assistant, the staff is told by what, and nobody else', async () => {
  const of = await makeFlowPlay(api, { teams: 2 })
  const shown = await makeOverlay(of, { access: 'public' })
  const editor = await api.user()
  kept(await api.patch(shown.path, of.organiser, { editors: [editor.guid] }))
  const staff = await roleHolder(api, of.cup, 'role:caster')
  const { token } = await shown.token()
  const clients = await Promise.all([staff.token, editor.token, token, null].map((each) => openAs(each)))
  for (const client of clients) {
    expect((await ask(client, shown)).overlay.matchOverlay).toEqual({ taServerGuid: null })
  }
  const link = { host: 'assistant.example.org', assistantTournament: { guid: 'ta-guid', name: 'Cup' } }
  kept(await api.put(`${of.path}/assistant`, of.organiser, { ...link, tokenKind: 'own', enabled: true }))
  const [first, ...others] = clients as [CompatClient, ...CompatClient[]]
  expect(await told(first, linked)).toMatchObject({ matchOverlay: { taServerGuid: 'ta-guid' } })
  kept(await api.put(`${of.path}/assistant`, of.organiser, { ...link, tokenKind: 'own', enabled: false }))
  expect(await told(first, linked)).toMatchObject({ matchOverlay: { taServerGuid: null } })
  for (const client of others) {
    expect((await ask(client, shown)).overlay.matchOverlay).toEqual({ taServerGuid: null })
    expect(client.told).toEqual([])
  }
  for (const client of clients) await client[Symbol.asyncDispose]()
})

test('whoever holds an overlay that they may see no longer is told that there is none, as whoever asks for it', async () => {
  const of = await makeFlowPlay(api, { teams: 2 })
  const caster: Caller = await roleHolder(api, of.cup, 'role:caster')
  const shown = await makeOverlay(of)
  await using staff = await openAs(caster.token, second)
  await using stranger = await openAs(null)
  await using outsider = await openAs((await api.user()).token)
  expect((await ask(staff, shown)).overlay.guid).toBe(shown.guid)
  const unknown = await ask(stranger, { ...shown, asked: { ...shown.asked, overlayGuid: of.cup.guid } })
  expect(unknown).toEqual({ overlay: null, error: { code: 'topic.unknown', message: expect.any(String) } })
  for (const client of [stranger, outsider]) expect(await ask(client, shown)).toEqual(unknown)

  const gone = 'getTournamentOverlay:response'
  kept(await api.patch(shown.path, of.organiser, { access: 'public' }))
  expect((await ask(stranger, shown)).overlay.guid).toBe(shown.guid)
  kept(await api.delete(`${of.path}/permissions/${caster.guid}/revoke`, of.organiser, { role: 'role:caster' }))
  // The overlay is public, so clients without a role may still read it.
  expect((await ask(staff, shown)).overlay.guid).toBe(shown.guid)
  const began = performance.now()
  kept(await api.patch(shown.path, of.organiser, { access: 'token' }))
  for (const client of [staff, stranger]) expect(await client.next(gone)).toEqual({ overlay: null })
  expect(performance.now() - began).toBeLessThan(5_000)
  kept(await api.patch(shown.path, of.organiser, { name: 'Unseen' }))
  expect(await ask(stranger, shown)).toEqual(unknown)
  kept(await api.patch(shown.path, of.organiser, { access: 'public' }))
  expect((await ask(outsider, shown)).overlay.name).toBe('Unseen')
  kept(await api.delete(shown.path, of.organiser))
  expect(await outsider.next(gone)).toEqual({ overlay: null })
  for (const client of [staff, stranger, outsider]) expect(client.told).toEqual([])
})
