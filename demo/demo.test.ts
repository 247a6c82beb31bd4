import { rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mintToken } from '../src/cli/token.ts'
import type { Allowances } from '../src/infra/http/limits.ts'
import { chatConfig, publicChat } from '../test/chat-sign-in.ts'
import { startFakeCatalogue } from '../test/fakes/catalogue.ts'
import { startFakeChat } from '../test/fakes/chat.ts'
import { type Caller, freePort, type Harness, startHarness } from '../test/harness.ts'
import { makeTournament } from '../test/make.ts'
import { linkAssistant } from './assistant.ts'
import { createClient, inParallel } from './client.ts'
import { askCommunities } from './communities.ts'
import { type Cup, readCup, scheduleAround } from './cup.ts'
import { type DemoSummary, demo } from './demo.ts'
import { follow } from './follow.ts'
import { findManager, findOwner, openSignIn } from './people.ts'
import { draftPools } from './pools.ts'
import { createStory } from './story.ts'
import { addServer, keyOf } from './streams.ts'
import type { Scene } from './tournament.ts'
import { announce } from './update.ts'

const minutes: Partial<Allowances> = {
  read: { calls: 6_000, seconds: 60 },
  write: { calls: 1_200, seconds: 60 },
  'sign-in': { calls: 300, seconds: 60 },
  upload: { calls: 60, seconds: 60 },
}

// With the usual limits but shorter pauses: 198 sign-ins may need more calls than a minute allows.
describe('the demo, played into a service with its limits on', () => {
  let api: Harness
  let summary: DemoSummary
  let organiser: Pick<Caller, 'token'>
  const told: string[] = []
  const address = () => `/tournaments/${summary.tournament.guid}`

  beforeAll(async () => {
    const socketPort = await freePort()
    api = await startHarness(
      { rateLimits: true, webhookAllowPrivate: true, socketPort, socketUrl: `ws://127.0.0.1:${socketPort}` },
      { allowances: { ...minutes, 'sign-in': { calls: 300, seconds: 3 } } },
    )
    await makeTournament(api, await api.user(), { id: 'world-cup-2023' })
    summary = await demo(api.app.config, { say: (line) => told.push(line) })
    const { body } = await api.get(address())
    organiser = { token: await api.token(body.organiser, ['rest:write']) }
  })
  afterAll(() => api[Symbol.asyncDispose]())

  test('takes the next id where an earlier run has taken the first', () => {
    expect(summary.tournament.id).toBe('world-cup-2023-2')
  })

  test('leaves a completed tournament with 32 qualified teams of six, of whom four are on the field', async () => {
    const { body } = await api.get(address())
    expect(body).toMatchObject({
      status: 'completed',
      timezone: 'UTC',
      teamSize: { min: 6, max: 8, active: 4 },
      capacity: 32,
      // 32 nations, and the captain of the team that came too late.
      counts: { teams: 33, registered: 32, qualified: 32, players: 193 },
    })
    const { teams } = (await api.get(`${address()}/teams?status=qualified&limit=100`)).body
    expect(teams).toHaveLength(32)
    for (const team of teams) {
      expect(team.members).toHaveLength(6)
      expect(team.members.filter((member: { isActive: boolean }) => member.isActive)).toHaveLength(4)
    }
  })

  test('gives the teams the seeds that they had', async () => {
    const { teams } = (await api.get(`${address()}/teams?status=qualified&limit=100`)).body
    const bySeed = new Map<number, string>(teams.map((team: { seed: number; name: string }) => [team.seed, team.name]))
    expect([...bySeed.keys()].sort((one, other) => one - other)).toEqual(Array.from({ length: 32 }, (_, i) => i + 1))
    expect([1, 2, 3, 8, 16, 17, 24, 31, 32].map((seed) => bySeed.get(seed))).toEqual([
      'South Korea',
      'Poland',
      'United States',
      'United Kingdom',
      'China',
      'Japan',
      'Ukraine',
      'Argentina',
      'Kazakhstan',
    ])
  })

  test('places the teams as they were placed, 5 and 6 and all beyond shared', async () => {
    const { placements } = (await api.get(address())).body
    const cup = await readCup()
    const nameOf = (code: string) => cup.teams.find((team) => team.code === code)?.name
    const line = ({ place, name }: { place: number; name: string | undefined }) => `${place} ${name}`
    expect(
      placements
        .map(({ place, team }: { place: number; team: { name: string } }) => line({ place, name: team.name }))
        .sort(),
    ).toEqual(cup.placements.map(({ place, team }) => line({ place, name: nameOf(team) })).sort())
    expect(placements.slice(0, 5).map(({ place }: { place: number }) => place)).toEqual([1, 2, 3, 4, 5])
  })

  test('has every result of the real tournament, between the teams that played', async () => {
    const cup = await readCup()
    const matches = await wholeList('/matches?status=completed&limit=100', 'matches')
    const played = (names: readonly (string | undefined)[], score: readonly (number | null)[]) =>
      names
        .map((name, side) => `${name} ${score[side]}`)
        .sort()
        .join(', ')
    type Side = { team: { name: string }; score: number }
    const ours = matches.map(({ sides }: { sides: Side[] }) =>
      played(
        sides.map(({ team }) => team.name),
        sides.map(({ score }) => score),
      ),
    )
    const nameOf = (code: string) => cup.teams.find((team) => team.code === code)?.name
    expect(ours.sort()).toEqual(cup.matches.map(({ teams, score }) => played(teams.map(nameOf), score)).sort())
  })

  test('shows a banner, and a picture and a colour of each team, which were uploaded or set', async () => {
    const { bannerUrl } = (await api.get(address())).body
    const { teams } = (await api.get(`${address()}/teams?status=qualified&limit=100`)).body
    const pictures: string[] = teams.map(({ imageUrl }: { imageUrl: string }) => imageUrl)
    expect(new Set(pictures).size).toBe(32)
    for (const { color } of teams) expect(color).toMatch(/^#[0-9a-f]{6}$/)
    expect(told.join('\n')).toContain(bannerUrl)
    for (const url of [bannerUrl, bannerUrl.replace('full.webp', 'card.jpeg'), pictures[7]]) {
      const reply = await fetch(url)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([
        200,
        expect.stringMatching(/^image\/(webp|jpeg)$/),
      ])
    }
  })

  /** The session with these nations, among the two matches that were played by a flow. */
  async function playedByFlow(...nations: readonly string[]): Promise<{ guid: string; match: string }> {
    const { sessions } = (await api.get(`${address()}/flow-sessions`)).body
    expect(sessions).toHaveLength(2)
    for (const session of sessions) {
      const { sides } = (await api.get(`${address()}/matches/${session.match}`)).body
      if (sides.every(({ team }: { team: { name: string } }) => nations.includes(team.name))) return session
    }
    throw new Error(`${nations} have played no match by a flow`)
  }

  async function logOf(...nations: readonly string[]) {
    const { guid } = await playedByFlow(...nations)
    return (await api.get(`${address()}/flow-sessions/${guid}/log?limit=500`)).body.rows
  }
  const semiFinalLog = () => logOf('Australia', 'Canada')

  test('played one semi-final by a flow, whose log says how it was', async () => {
    const { guid, match } = await playedByFlow('Australia', 'Canada')
    const state = (await api.get(`${address()}/flow-sessions/${guid}`)).body
    expect(state).toMatchObject({ status: 'over', match, flow: { bestOf: 11 }, pool: { name: 'Quarterfinals' } })
    expect(state.games).toHaveLength(8)
    expect(state.games[0]).toMatchObject({ because: 'better_of_each', chain: 1 })
    expect(state.games[2]).toMatchObject({ because: 'score', chain: 2 })
    expect(state.seats.flatMap(({ penalties }: { penalties: { voidedAt: string | null }[] }) => penalties)).toEqual([
      expect.objectContaining({ type: 'score_zero', voidedAt: expect.any(String) }),
    ])
    const played = (await api.get(`${address()}/matches/${match}`)).body
    const scores = played.sides.map(({ team, score }: { team: { name: string }; score: number }) => [team.name, score])
    expect(Object.fromEntries(scores)).toEqual({ Australia: 6, Canada: 2 })
    const rows = await semiFinalLog()
    const count = (kind: string) => rows.filter((row: { kind: string }) => row.kind === kind).length
    expect(
      Object.fromEntries(['ban', 'pick', 'claim', 'penalty', 'penalty_voided'].map((kind) => [kind, count(kind)])),
    ).toEqual({
      ban: 4,
      pick: 8,
      claim: 1,
      penalty: 1,
      penalty_voided: 1,
    })
    // One roll more for each map that was level.
    expect(count('roll')).toBeGreaterThanOrEqual(1)
    const text = told.join('\n')
    for (const words of [
      'claims a replay: Our tracking was lost.',
      'level',
      'voids the penalty',
      'publishes the seed',
    ]) {
      expect(text).toContain(words)
    }
    const end = rows.findIndex((row: { kind: string }) => row.kind === 'reveal')
    for (const { position } of rows.slice(0, end)) expect(text).toMatch(new RegExp(`^ +${position} │ `, 'm'))
  })

  test('played one match through an assistant, from the link to its result', async () => {
    const { guid, match } = await playedByFlow('South Korea', 'China')
    const path = `${address()}/matches/${match}`
    const as = (under: string) => api.call('GET', `${under}`, organiser)
    const state = (await api.get(`${address()}/flow-sessions/${guid}`)).body
    expect(state).toMatchObject({ status: 'over', flow: { bestOf: 9 }, pool: { name: 'Round of 32' } })
    const { sides } = (await api.get(path)).body
    expect(
      sides.map(({ team, score }: { team: { name: string }; score: number }) => [team.name, score]).sort(),
    ).toEqual([
      ['China', 1],
      ['South Korea', 5],
    ])
    const { proposals } = (await as(`${path}/proposals`)).body
    type Shown = { game: number; source: string; status: string; players: object[]; warnings: { code: string }[] }
    expect(
      proposals.map(({ game, source, status, players, warnings }: Shown) => {
        return [game, source, status, players.length, warnings.map(({ code }) => code)]
      }),
    ).toEqual([6, 5, 4, 3, 2, 1].map((game) => [game, 'assistant', 'accepted', 8, game === 2 ? ['failed'] : []]))
    // The proposed scores equal those in the flow's log and its totals.
    for (const { game, sides: proposed } of proposals) {
      const { totals } = state.games.find((each: { game: number }) => each.game === game)
      expect(proposed.map(({ score }: { score: number }) => score)).toEqual(totals)
    }
    expect((await as(`${path}/assistant`)).body).toMatchObject({ status: 'closed', controller: null })
    expect((await api.get(`${path}/assistant`)).body).toEqual({ phase: 'closed', map: null, play: null })
    expect((await as(`${address()}/assistant/sessions`)).body.sessions).toEqual([])
    const text = told.join('\n')
    for (const words of [
      'session: connected, players missing: 8 of 8',
      'session: connected, ready',
      'play: map 1, started',
      'china-4 failed',
      'South Korea 5 : 1 China',
    ]) {
      expect(text).toContain(words)
    }
    const [, values] = /follow the songs over the socket: (\d+) live scores of 8 players/.exec(text) ?? []
    // At least the last score of each player in each song.
    expect(Number(values)).toBeGreaterThanOrEqual(6 * 8)
    const [, number] = /South Korea go on to match (\d+) of the bracket/.exec(text) ?? []
    const third = (await wholeList('/matches?limit=100', 'matches')).find(
      (each: { number: number }) => each.number === Number(number),
    )
    expect(third.sides.map(({ team }: { team: { name: string } }) => team.name)).toContain('South Korea')
  })

  test('gave the first round times and officials, in nobody’s way', async () => {
    const matches = await wholeList('/matches?limit=100', 'matches')
    const scheduled = matches.filter(({ scheduledAt }: { scheduledAt: string | null }) => scheduledAt !== null)
    expect(scheduled).toHaveLength(16)
    const taken = scheduled.flatMap(
      ({
        scheduledAt,
        streamUrl,
        officials,
      }: {
        scheduledAt: string
        streamUrl: string
        officials: { user: { guid: string } }[]
      }) => [streamUrl, ...officials.map(({ user }) => user.guid)].map((what) => `${what} ${scheduledAt}`),
    )
    expect(taken).toHaveLength(48)
    expect(new Set(taken).size).toBe(48)
  })

  // biome-ignore lint/suspicious/noExplicitAny: answers are read as JSON, whose form the contract tests check.
  async function wholeList(path: string, name: string): Promise<any[]> {
    const { body } = await api.get(`${address()}${path}`)
    expect(body.nextCursor).toBeNull()
    return body[name]
  }

  test('stands on the public list, with its staff and the whole timeline', async () => {
    const { tournaments } = (await api.get('/tournaments?status=completed')).body
    expect(tournaments.map(({ guid }: { guid: string }) => guid)).toEqual([summary.tournament.guid])
    const { staff, timeline } = (await api.get(`${address()}?include=staff,timeline`)).body
    expect(staff.map(({ role }: { role: string }) => role)).toEqual([
      'organiser',
      'role:staff',
      'role:pooler',
      'role:hpooler',
      'role:caster',
      'role:referee',
    ])
    expect(timeline.map(({ title }: { title: string }) => title)).toEqual([
      'Registration',
      'Qualifier showcase',
      'Qualifiers',
      'Round of 32',
      'Round of 16',
      'Quarterfinals',
      'Semifinals',
      'Finals',
      'Grand Finals',
    ])
  })

  test('has an answer of every team for its staff, and of every player for everybody', async () => {
    const seen = async (as: Pick<Caller, 'token'> | null) => {
      const reply = await api.call('GET', `${address()}/teams?status=qualified&limit=100`, { token: as?.token ?? null })
      return reply.body.teams.map((team: { additionalFields: unknown[] }) => team.additionalFields.length)
    }
    expect(new Set(await seen(null))).toEqual(new Set([6]))
    expect(new Set(await seen(organiser))).toEqual(new Set([7]))
  })

  test('is listed by the community that took it, and not by the one that gave a reason', async () => {
    const { scope, platforms } = (await api.call('GET', `${address()}/visibility`, organiser)).body
    const standings = platforms.map(({ platform, request }: { platform: { name: string }; request: object }) => [
      platform.name,
      request,
    ])
    const reason = 'A cup for nations, while we list those for players.'
    expect([scope, standings]).toEqual([
      'selected',
      [
        ['Main listing', expect.objectContaining({ status: 'approved', reason: null })],
        ['Northern Circle', expect.objectContaining({ status: 'approved', reason: null })],
        ['Southern Circle', expect.objectContaining({ status: 'rejected', reason })],
      ],
    ])
    expect(told.join('\n')).toContain(`Southern Circle: rejected: “${reason}”`)
    expect(told.join('\n')).toContain('Northern Circle: approved')
  })

  test('has an update with a card, which stands in the chat channel too', async () => {
    const { updates } = (await api.call('GET', `${address()}/updates`, organiser)).body
    const card = { title: 'Status', before: 'registration', after: 'ongoing' }
    const [update] = updates
    expect(updates).toEqual([
      expect.objectContaining({
        title: 'The bracket is drawn',
        changes: [card],
        delivery: expect.objectContaining({ status: 'delivered', lastError: null }),
      }),
    ])
    expect(update.delivery.parts).toHaveLength(1)
    const [, channel = ''] = /chat channel +(\S+)$/m.exec(told.join('\n')) ?? []
    const page = await (await fetch(channel)).text()
    for (const words of ['The bracket is drawn', '<strong>32 nations</strong>', '>Status<', 'Before', 'ongoing']) {
      expect(page).toContain(words)
    }
    expect(page.split('<article>')).toHaveLength(2)
    // Everybody with the webhook's address may post to the channel.
    const [{ address: webhook } = { address: '' }] = await api.sql<{ address: string }>(
      'select chat_webhook_url as address from tournaments where guid = $1',
      [summary.tournament.guid],
    )
    expect(webhook).toContain(api.url)
    expect(told.join('\n')).not.toContain(webhook.split('/').at(-1))
  })

  test('has pools as large as they were, planned by round, and a playlist for the game', async () => {
    const { format } = await readCup()
    const sizeOf = (name: string) =>
      Object.values(format.stages.find((stage) => stage.name === name)?.pool ?? {}).reduce(
        (sum, count) => sum + count,
        0,
      )
    const { body: pools } = await api.get(`${address()}/pools`)
    type Shown = { name: string; kind: string; status: string; revision: number; maps: object[] }
    expect(
      pools.map(({ name, kind, status, revision, maps }: Shown) => [name, kind, status, revision, maps.length]),
    ).toEqual([
      ['Qualifiers', 'qualifier', 'published', 1, sizeOf('Qualifiers')],
      ['Round of 32', 'match', 'published', 1, sizeOf('Round of 32')],
      ['Quarterfinals', 'match', 'published', 1, sizeOf('Quarterfinals')],
      ['Grand Finals', 'match', 'published', 2, sizeOf('Grand Finals')],
    ])
    const { body: final } = await api.get(`/resources/pooling/pools/${pools.at(-1).guid}`)
    expect(final.maps.filter(({ isTiebreaker }: { isTiebreaker: boolean }) => isTiebreaker)).toHaveLength(1)
    expect(final.changes).toEqual([
      expect.objectContaining({ kind: 'edited', reason: 'The mapper asked for it.', by: null }),
    ])

    const matches = await wholeList('/matches?status=completed&limit=100', 'matches')
    const played = Map.groupBy(matches, ({ pool }: { pool: { name: string } | null }) => pool?.name)
    // 16 matches of the first round, 8 and 8 of the second; two for the title and the last one of the lower section.
    expect([...played].map(([name, all]) => [name, all.length])).toEqual(
      expect.arrayContaining([
        ['Round of 32', 32],
        ['Grand Finals', 3],
        ['Quarterfinals', 28],
      ]),
    )
    const [, playlistUrl = ''] = /bsplaylist:\/\/playlist\/(\S+)$/m.exec(told.join('\n')) ?? []
    expect(playlistUrl).toBe(final.playlistUrl)
    const playlist = (await (await fetch(playlistUrl)).json()) as { customData: object; songs: object[] }
    expect(playlist.customData).toMatchObject({ syncURL: playlistUrl })
    expect(playlist.songs).toHaveLength(final.maps.length)
  })

  test('has a channel whose queue has followed its matches', async () => {
    const { channels } = (await api.get(`${address()}/channels`)).body
    expect(channels).toEqual([expect.objectContaining({ name: 'Main stream', delaySeconds: 30 })])
    const [{ guid, url }] = channels
    const queue = (await api.get(`${address()}/channels/${guid}/queue`)).body
    const shown = await Promise.all(
      queue.entries.map(async ({ match }: { match: { guid: string } }) => {
        const { sides, streamUrl } = (await api.get(`${address()}/matches/${match.guid}`)).body
        return [streamUrl, ...sides.map(({ team }: { team: { name: string } }) => team.name).sort()]
      }),
    )
    expect(shown).toEqual([
      [url, 'Australia', 'Canada'],
      [url, 'South Korea', 'United States'],
      [url, 'South Korea', 'United States'],
    ])
    expect(queue.entries.map(({ status }: { status: string }) => status)).toEqual(['done', 'done', 'done'])
    expect(queue.next).toBeNull()
    const numbers = queue.entries.map(({ match }: { match: { number: number } }) => match.number)
    expect(told.filter((line) => line.includes('the channel shows match')).map((line) => line.trim())).toEqual(
      numbers.slice(1).map((number: number) => `the channel shows match ${number}`),
    )
  })

  test('told two captains how to set their encoders up, and nobody their keys', async () => {
    const text = told.join('\n')
    const encoders = [...text.matchAll(/their encoder: server (\S+), stream key sk-…(\S{4}),$/gm)]
    const { teams } = (await api.get(`${address()}/teams?status=qualified&limit=100`)).body
    const ends = await Promise.all(
      ['Australia', 'Canada'].map(async (nation) => {
        const { captain } = teams.find(({ name }: { name: string }) => name === nation)
        const token = await api.token(captain, ['rest:user:read'])
        const [key, ...rest] = (await api.call('GET', '/users/@me/streamKeys', { token })).body
        expect(rest).toEqual([])
        expect(key.key).toMatch(/^sk-[\w-]{43}$/)
        expect(text).not.toContain(key.key)
        return key.lastFour
      }),
    )
    expect(encoders.map(([, server, end]) => [server, end])).toEqual(
      ends.map((end) => ['rtmp://live.example.org/live', end]),
    )
    expect(await api.sql('select name, enabled, control from stream_servers')).toEqual([
      { name: 'Demo media server', enabled: true, control: null },
    ])
  })

  test('had the captains stream the semi-final until it was over, and shows who stands in for the caster', async () => {
    const { streamAssignments } = (await api.get(`${address()}/streamAssignments`)).body
    type Shown = { user: { preferredName: string }; role: string; side: number | null; match: object; status: string }
    const shown = streamAssignments.map(({ user, role, side, match, status }: Shown) => {
      return [user.preferredName, role, side === null, match === null, status]
    })
    expect(shown.sort()).toEqual([
      ['australia-1', 'player', false, false, 'cancelled'],
      ['canada-1', 'player', false, false, 'cancelled'],
      ['demo-caster', 'caster', true, true, 'active'],
    ])
    const channel = 'downbeat_demo_caster'
    const embedUrl = `https://player.twitch.tv/?channel=${channel}&parent=127.0.0.1`
    expect((await api.get(`${address()}/streams`)).body.streams).toEqual([
      expect.objectContaining({ role: 'caster', live: null, fallback: { embedUrl, channel } }),
    ])
    for (const line of [
      `demo-caster, caster: not here; perhaps at ${embedUrl}`,
      `australia-1, player: not here; perhaps at ${embedUrl.replace(channel, 'downbeat_australia_1')}`,
      'canada-1, player: not live',
    ]) {
      expect(told.map((each) => each.trim())).toContain(line)
    }
  })

  test('gave every placed player a badge, and held awards that anybody can count again', async () => {
    const { badges } = (await api.get(`/badges?tournament=${summary.tournament.guid}`)).body
    const held = badges.map(({ name, holders }: { name: string; holders: number }) => [name.split(': ')[1], holders])
    expect(held.toSorted()).toEqual([
      ['1st place', 6],
      ['2nd place', 6],
      ['3rd place', 6],
      ['participant', 174],
    ])
    const { guid, voters, categories } = (await api.get('/awards/demo/results')).body
    expect([guid, voters, categories.length]).toEqual([undefined, 24, 2])
    const votes = categories.map(({ nominees }: { nominees: { result: { place: number; votes: number } }[] }) =>
      nominees.map(({ result }) => [result.place, result.votes]),
    )
    expect(votes).toEqual([
      [
        [1, 16],
        [2, 8],
      ],
      [
        [1, 12],
        [1, 12],
      ],
    ])
  })

  test('was refused exactly where it must be', () => {
    const refused = summary.steps.filter(({ expected }) => expected >= 400)
    expect(refused.map(({ what, actual, problem }) => [what, actual, problem])).toEqual([
      ['a player looks for it', 404, 'tournament.unknown'],
      ['the caster writes a timeline of 9 events', 401, 'role.missing'],
      ['the caster uploads a banner', 403, 'media.kind_forbidden'],
      ['the organiser approves their own request', 403, 'role.missing'],
      ['the reviewer of the Southern Circle decides for the Northern Circle', 403, 'role.missing'],
      ['the Southern Circle rejects it without a word', 400, 'visibility.reason_missing'],
      ['a player looks for one', 404, 'pool.unknown'],
      ['the head pooler publishes the pool of the Grand Finals as it is', 409, 'pool.not_ready'],
      ['demo-pooler-2 suggests “Hollow Staircase”, too', 409, 'suggestion.exists'],
      ['demo-pooler-1 accepts their own suggestion', 403, 'role.missing'],
      ['a player downloads its playlist before that', 404, 'pool.unknown'],
      ['South Korea, one player yet and no answers, registers', 400, 'registration.refused'],
      ['the captain of Poland sets that of South Korea', 400, 'media.reference_invalid'],
      ['the captain of Poland registers South Korea', 401, 'role.missing'],
      ['Malaysia, team number 33, registers', 400, 'registration.refused'],
      ['role:staff closes registration', 403, 'tournament.setting_forbidden'],
      ['Malaysia tries again', 400, 'registration.refused'],
      ['the captain of South Korea unregisters', 403, 'registration.deadline_passed'],
      ['the caster qualifies a team', 401, 'role.missing'],
      ['the caster generates it', 403, 'role.missing'],
      ['the caster publishes an update', 403, 'role.missing'],
      ['the organiser, who has not seen that, plans others', 409, 'pool_plan.stale'],
      ['demo-pooler-1 changes a map of it', 403, 'pool.for_heads'],
      ['a caster looks at what the teams answered', 404, 'sheet.unknown'],
      ['the organiser applies what was proposed before that', 409, 'schedule.outdated'],
      ['the organiser adds a media server', 403, 'role.missing'],
      ['the caster opens a channel', 403, 'role.missing'],
      ['the organiser, who has not seen that, queues others', 409, 'queue.stale'],
      ['the referee makes an overlay', 403, 'role.missing'],
      ['a stranger, who has no token of it, reads what it shows', 404, 'overlay.unknown'],
      ['the referee links the tournament to an assistant', 403, 'role.missing'],
      ['somebody else tells another one for the same match', 409, 'match.completed'],
      ['the caster assigns the captains to stream it', 403, 'role.missing'],
      ['Australia, who hold the map, claim a replay', 409, 'claim.not_entitled'],
      ['a referee changes the result of match day one without having looked', 409, 'match.completed'],
      ['another referee, who saw the bracket before that, does it too', 409, 'correction.stale'],
      ['role:staff asks for them', 403, 'role.missing'],
      ['and again, while that waits', 409, 'badge_request.pending'],
      ['a captain nominates themselves', 403, 'award.self_nomination'],
      ['somebody votes for who has declined', 409, 'award.nominee_declined'],
      ['an owner asks for the results', 404, 'award.not_published'],
      ['the caster votes after all', 409, 'award.voting_closed'],
    ])
    for (const { what, expected, actual } of summary.steps) expect(actual, what).toBe(expected)
  })

  test('tells every failed check of a refused registration', () => {
    const failures = (what: string) => {
      const begin = told.findIndex((line) => line.includes(what)) + 2
      const length = told.slice(begin).findIndex((line) => !line.trim().startsWith('- '))
      return told.slice(begin, begin + length).map((line) => /- ([\w.]+):/.exec(line)?.[1])
    }
    expect(failures('one player yet')).toEqual(['team.too_small', 'field.unanswered', 'field.unanswered'])
    expect(failures('team number 33')).toEqual(['team.too_small', 'registration.full'])
    expect(failures('tries again')).toEqual(['team.too_small', 'registration.full', 'registration.closed'])
  })

  test('was followed over the socket, with every event that the public is told of, to the same state', async () => {
    const [, packets, events] = /got (\d+) packets, which told of (\d+) events;/.exec(told.join('\n')) ?? []
    const teams = { made: 33, registered: 32, qualified: 32 }
    const matches = { started: 63, completed: 63, corrected: 1 }
    // One event for each map except the last, which completes the match, and one for the map that was reported again.
    // The protest adds two rows to the log: one when the winner of the match changes, and one when it changes back.
    const semiFinal = { rows: (await semiFinalLog()).length, maps: 7, ruled: 2 }
    // Changes since it was listed; the address of the chat channel is not public.
    const rest = { registrationClosed: 1, started: 1, completed: 1, placesCorrectedAndBack: 2, divisionMade: 1 }
    // The semi-final and the two matches of the final: their addresses, that each is shown and over, that they are
    // queued, and which one is next. Two players are assigned and released, and the caster is assigned.
    const streams = { addresses: 3, shown: 3, over: 3, queued: 1, next: 1, assigned: 3, freed: 2 }
    // At the assistant each song starts, ends for each player, and is one map of the match, except the last, which
    // completes it.
    const assisted = { rows: (await logOf('South Korea', 'China')).length, begun: 6, ended: 6 * 8, maps: 5 }
    const all = [teams, matches, semiFinal, rest, streams, assisted].flatMap((each) => Object.values(each))
    expect(Number(events)).toBe(all.reduce((sum, count) => sum + count))
    // Several events in quick succession may come in one packet.
    expect(Number(packets)).toBeGreaterThan(63)
    expect(told.join('\n')).toContain(
      'every copy equals what a GET answers now: tournament, teams, divisions, matches, bracket, standings, streams, queue, flow, assistant, semi-final',
    )
  })

  test('leads to addresses that answer', async () => {
    const text = told.join('\n')
    const shown = [
      ...text.matchAll(
        /(?:tournament|teams|spreadsheet|what|updates|matches|bracket|pools|channel|banner|picture|streams|shown) +(http\S+)$/gm,
      ),
    ].map(([, url]) => url ?? '')
    expect(shown).toHaveLength(13)
    for (const url of shown) {
      const reply = await fetch(url, { headers: { authorization: `Bearer ${organiser.token}` } })
      expect([url, reply.status]).toEqual([url, 200])
    }
    const csv = await api.call('GET', `${address()}/teams.csv`, { token: organiser.token })
    expect(csv.text.trim().split('\n')).toHaveLength(1 + 193)
  })
})

describe('the demo, where no limit is reached,', () => {
  let api: Harness
  beforeAll(async () => {
    api = await startHarness()
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const quiet = { say: () => {} }

  test('ends with a line that says what to do where nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const start = `no service answers at ${url}; start it with npm start, or name another with --url`
    await expect(demo(api.app.config, { ...quiet, url })).rejects.toThrow(start)
    await expect(demo(api.app.config, { ...quiet, url: 'nonsense' })).rejects.toThrow('--url must be an address')
  })

  test('ends so where users sign in at the real chat platform', async () => {
    const chat = await startFakeChat()
    await using outside = await startHarness({ chat: chatConfig(chat) })
    await expect(demo(outside.app.config, quiet)).rejects.toThrow('runs without chat credentials')
    await chat.close()
  })

  test('asks the service for what it needs, whatever the settings here are', async () => {
    const signIn = await openSignIn(createClient(api.url, () => {}))
    const manager = await findManager(
      createClient(api.url, () => {}),
      undefined,
      signIn,
    )
    const roles = await api.sql('select global_roles as roles from users where guid = $1', [manager.guid])
    expect(roles).toEqual([{ roles: ['global:tournaments:manage'] }])
  })

  test('ends so where the data of the service cannot be read here, or are others', async () => {
    await using elsewhere = await startHarness()
    const keys = path.join(elsewhere.app.config.dataDir, 'keys', 'seal.key')
    const settings = { ...elsewhere.app.config, publicUrl: elsewhere.url }
    await writeFile(keys, 'others')
    await expect(demo(settings, quiet)).rejects.toThrow(
      `${elsewhere.app.config.dataDir} on this machine is not that of the service at ${elsewhere.url}; give the token`,
    )
    await rm(keys)
    await expect(demo(settings, quiet)).rejects.toThrow(
      /keeps its data in .*, which cannot be read from here; .* --manager-token/,
    )
  })

  test('ends so where the given token is not a manager’s', async () => {
    const { token } = await api.user()
    await expect(demo(api.app.config, { ...quiet, managerToken: token })).rejects.toThrow('is not a tournament manager')
    await expect(demo(api.app.config, { ...quiet, managerToken: 'x' })).rejects.toThrow('access tokens')
  })

  test('signs the same user in each time', async () => {
    const signIn = await openSignIn(createClient(api.url, () => {}))
    const [first, again, other] = [await signIn('poland-1'), await signIn('poland-1'), await signIn('poland-2')]
    expect(again.guid).toBe(first.guid)
    expect(other.guid).not.toBe(first.guid)
    expect((await api.get(`/users/${first.guid}/card`)).body).toMatchObject({
      preferredName: 'poland-1',
      chatPlatformId: first.chatPlatformId,
    })
  })

  async function makeScene(service: Harness) {
    const client = createClient(service.url, () => {})
    const signIn = await openSignIn(client)
    const owner = await findOwner(client, undefined, await signIn('demo-manager'), signIn)
    const [organiser, outsider] = [await signIn('demo-organiser'), await signIn('demo-caster')]
    const told: string[] = []
    const story = createStory((line) => told.push(line))
    const officials = { organiser, owner, manager: owner, staff: outsider, referee: outsider, caster: outsider }
    const tournament = async () => {
      const { guid, id } = await makeTournament(service, { ...organiser, username: organiser.name })
      return { guid, id, name: id, status: 'approved', additionalFields: [] }
    }
    const scene: Scene = { client, story, cup: await readCup(), officials }
    return { scene, signIn, told, tournament }
  }

  describe('following over the socket,', () => {
    let service: Harness
    const patienceMs = 5_000
    beforeAll(async () => {
      const socketPort = await freePort()
      service = await startHarness({ socketPort, socketUrl: `ws://127.0.0.1:${socketPort}` })
    })
    afterAll(() => service[Symbol.asyncDispose]())

    test('ends where a copy is not what the service answers', async () => {
      const { scene, told, tournament } = await makeScene(service)
      const played = await tournament()
      const { client } = scene
      let isOther = false
      const call: typeof client.call = async (method, path, asked) => {
        const answer = await client.call(method, path, asked)
        return isOther && path.endsWith('/teams') ? { ...answer, json: { teams: ['other'] } } : answer
      }
      using following = await follow({ ...scene, client: { ...client, call } }, played, patienceMs)
      await following.compare()
      expect(told.join('\n')).toContain('every copy equals what a GET answers now: tournament, teams')
      isOther = true
      await expect(following.compare()).rejects.toThrow(
        `the copy of /tournaments/${played.id}/teams that came over the socket is not what a GET of it answers`,
      )
    })

    test('ends where there is nothing to follow', async () => {
      const { scene } = await makeScene(service)
      await expect(follow(scene, { id: 'none' }, patienceMs)).rejects.toThrow('/tournaments/none over ws://127.0.0.1:')
    })

    test('ends where no socket answers', async () => {
      const socketUrl = `ws://127.0.0.1:${await freePort()}`
      await using astray = await startHarness({ socketUrl })
      const { scene, tournament } = await makeScene(astray)
      await expect(follow(scene, await tournament(), patienceMs)).rejects.toThrow(
        `the socket of the service, ${socketUrl}, cannot be reached`,
      )
    })
  })

  test('finds the communities of an earlier run', async () => {
    const { scene, signIn, told, tournament } = await makeScene(api)
    for (const _run of [1, 2]) await askCommunities(scene, await tournament(), signIn)
    expect(told.filter((line) => line.includes('opens the'))).toHaveLength(2)
    expect(told.filter((line) => line.includes('is there already'))).toHaveLength(2)
    expect(told.filter((line) => line.includes('Southern Circle: rejected'))).toHaveLength(2)
    for (const { what, expected, actual } of scene.story.steps) expect([what, actual]).toEqual([what, expected])
  })

  test('finds the media server and the stream keys of an earlier run', async () => {
    const { scene, signIn, told } = await makeScene(api)
    const captain = await signIn('france-1')
    const [server, key] = [await addServer(scene), await keyOf(scene, captain, 'France')]
    expect([await addServer(scene), await keyOf(scene, captain, 'France')]).toEqual([server, key])
    expect(told.filter((line) => line.includes('from an earlier run presumably'))).toHaveLength(2)
    for (const { what, expected, actual } of scene.story.steps) expect([what, actual]).toEqual([what, expected])
    const officials = { ...scene.officials, owner: scene.officials.staff }
    expect(await addServer({ ...scene, officials })).toBeNull()
    expect(told.at(-1)).toContain('demo-caster is not an owner')
  })

  test('leaves the communities out where nobody is an owner', async () => {
    await using service = await startHarness()
    const { scene, signIn, told, tournament } = await makeScene(service)
    const officials = { ...scene.officials, owner: scene.officials.staff }
    await askCommunities({ ...scene, officials }, await tournament(), signIn)
    expect(told.at(-1)).toContain('demo-caster is not an owner')
    expect((await service.get('/tournament-platforms')).body).toHaveLength(1)
  })

  describe('plays no match through an assistant, and says so,', () => {
    const following = { add: async () => {}, live: () => ({ counts: new Map() }), compare: async () => {} }
    const beside = { following: { ...following, [Symbol.dispose]: () => {} }, guidOf: () => '' }

    async function linked(service: Harness, change: (scene: Scene) => Scene = (scene) => scene) {
      const { scene, told, tournament } = await makeScene(service)
      const { organiser, owner, referee } = scene.officials
      const entries = scene.cup.teams
        .filter(({ code }) => code === 'KR' || code === 'CN')
        .map((nation) => ({ nation, guid: nation.code, captain: organiser, others: [owner, referee] }))
      const made = await tournament()
      expect(await linkAssistant(change(scene), made, entries, beside)).toBeNull()
      return told.join('\n')
    }

    test('where the service connects to nothing private', async () => {
      const told = await linked(api)
      expect(told).toContain('WEBHOOK_ALLOW_PRIVATE=true npm start')
      expect(told).not.toContain('they try the link')
    })

    describe('although it may,', () => {
      let service: Harness
      beforeAll(async () => {
        service = await startHarness({ webhookAllowPrivate: true })
      })
      afterAll(() => service[Symbol.asyncDispose]())

      test('where it does not reach this machine', async () => {
        const port = await freePort()
        const told = await linked(service, (scene) => {
          const { client } = scene
          const call: typeof client.call = (method, path, asked = {}) => {
            const json = method === 'PUT' ? { ...(asked.json as object), port } : asked.json
            return client.call(method, path, { ...asked, json })
          }
          return { ...scene, client: { ...client, call } }
        })
        expect(told).toContain('The assistant cannot be reached; check host, port and certificate. The match is told')
      })

      test('where nobody is an owner', async () => {
        const told = await linked(service, (scene) => {
          return { ...scene, officials: { ...scene.officials, owner: scene.officials.staff } }
        })
        expect(told).toContain('demo-caster is not an owner, who may verify accounts of players')
      })
    })
  })

  test('leaves the pools out, and says so, where another map catalogue is asked', async () => {
    await using catalogue = await startFakeCatalogue()
    await using service = await startHarness({ catalogueUrl: catalogue.url })
    const { scene, signIn, told, tournament } = await makeScene(service)
    const played = await tournament()
    expect(await draftPools(scene, played, { signIn, outsider: scene.officials.caster })).toBeNull()
    expect(told.at(-1)).toContain('the service asks another map catalogue (BEATSAVER_API_URL)')
    expect((await service.get(`/tournaments/${played.id}/pools`)).body).toEqual([])
  })

  test('leaves the chat out, and says so, where chat webhooks are elsewhere', async () => {
    await using service = await startHarness({ chat: publicChat })
    const { scene, told, tournament } = await makeScene(service)
    const played = await tournament()
    expect(await announce(scene, played)).toBeNull()
    expect(told.join('\n')).toContain('the chat is left out')
    const { updates } = (await service.call('GET', `/tournaments/${played.id}/updates`, scene.officials.organiser)).body
    expect(updates).toEqual([expect.objectContaining({ delivery: expect.objectContaining({ status: 'none' }) })])
  })

  test('gets another code where a pause has used the first one up', async () => {
    const client = createClient(api.url, () => {})
    const exchanges: number[] = []
    const signIn = await openSignIn({
      ...client,
      async call(method, path, asked = {}) {
        if (!path.endsWith('/oauth2/token')) return client.call(method, path, asked)
        const form = exchanges.length === 0 ? { ...asked.form, code: 'used-up' } : asked.form
        const answer = await client.call(method, path, { ...asked, ...(form === undefined ? {} : { form }) })
        exchanges.push(answer.status)
        return answer
      },
    })
    const { token } = await signIn('japan-1')
    expect(exchanges).toEqual([400, 200])
    expect((await api.call('GET', '/users/@me/invitations', { token })).status).toBe(200)
  })

  test('may be given a manager whom the command line has just made', async () => {
    const role = ['global:tournaments:manage']
    const token = await mintToken(api.app.config, '100000000000000001', { scope: 'rest:write', role })
    const { guid } = await makeTournament(api, await api.user(), { status: 'draft' })
    const { status, body } = await api.call('GET', `/tournaments/${guid}/access`, { token })
    expect([status, body.roles]).toEqual([200, role])
  })
})

describe('the demo’s client', () => {
  async function serve(listener: RequestListener) {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => server.close() }
  }

  test('waits as long as it is told to, with all calls, and tells it once', async () => {
    const began = Date.now()
    let refusals = 0
    using server = await serve((_request, response) => {
      const isOver = Date.now() - began >= 1_000
      if (isOver) response.end('now')
      else response.writeHead(429, { 'retry-after': '1' }).end('Too many requests.')
      refusals += isOver ? 0 : 1
    })
    const waits: number[] = []
    const client = createClient(server.url, (seconds) => waits.push(seconds))
    const answers = await Promise.all(['/a', '/b', '/c'].map((path) => client.call('POST', path)))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, 'now']))
    expect(waits).toEqual([1])
    expect(refusals).toBe(3)
  })

  test('repeats no other refusal', async () => {
    let calls = 0
    using server = await serve((_request, response) => {
      calls += 1
      response.writeHead(503).end('later')
    })
    const { status, text } = await createClient(server.url, () => {}).call('POST', '/tournaments')
    expect([status, text, calls]).toEqual([503, 'later', 1])
  })

  test('keeps to the number of calls at once, and begins nothing after a failure', async () => {
    const begun: number[] = []
    let running = 0
    const most: number[] = []
    const work = async (item: number) => {
      begun.push(item)
      most.push(++running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      if (item === 5) throw new Error('five')
      return item * 10
    }
    expect(await inParallel([1, 2, 3, 4], 2, work)).toEqual([10, 20, 30, 40])
    expect(Math.max(...most)).toBe(2)
    await expect(inParallel([4, 5, 6, 7, 8, 9], 2, work)).rejects.toThrow('five')
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(begun).not.toContain(8)
  })
})

describe('the tournament that is played', () => {
  const winsOf = (cup: Cup, round: string) => {
    const stage = cup.format.stages.find((each) => each.kind === 'bracket' && each.rounds.includes(round))
    return stage?.kind === 'bracket' ? (stage.bestOf + 1) / 2 : Number.NaN
  }

  test('has 57 nations, of whom the 32 best of the qualifiers are seeded by them', async () => {
    const { teams, qualifier } = await readCup()
    expect([teams.length, qualifier.standings.length]).toEqual([57, 57])
    const seedOf = new Map(teams.map(({ code, seed }) => [code, seed]))
    for (const { rank, team } of qualifier.standings) expect(seedOf.get(team), team).toBe(rank <= 32 ? rank : null)
    const sums = qualifier.standings.map(({ sumOfShares }) => sumOfShares)
    expect(sums).toEqual(sums.toSorted((one, other) => other - one))
  })

  test('has 63 matches, each won, and between the teams that their origins lead to', async () => {
    const cup = await readCup()
    const codeOf = new Map(cup.teams.map(({ code, seed }) => [seed, code]))
    const played = new Map<number, { winner: string; loser: string }>()
    for (const { number, round, teams, score, from } of cup.matches) {
      expect(Math.max(...score), `match ${number}`).toBe(winsOf(cup, round))
      expect(Math.min(...score), `match ${number}`).toBeLessThan(winsOf(cup, round))
      const origins = from.map((origin) => {
        if ('seed' in origin) return codeOf.get(origin.seed)
        return 'winnerOf' in origin ? played.get(origin.winnerOf)?.winner : played.get(origin.loserOf)?.loser
      })
      expect(origins, `match ${number}`).toEqual(teams)
      const [winner, loser] = score[0] > score[1] ? teams : [teams[1], teams[0]]
      played.set(number, { winner, loser })
    }
    expect(played.size).toBe(63)
    expect(played.get(63)).toEqual({ winner: 'US', loser: 'KR' })
    expect(cup.placements.slice(0, 3).map(({ place, team }) => [place, team])).toEqual([
      [1, 'US'],
      [2, 'KR'],
      [3, 'AU'],
    ])
  })

  test('places all 32, where shared places are as many as share them', async () => {
    const { placements } = await readCup()
    expect(new Set(placements.map(({ team }) => team)).size).toBe(32)
    for (const { place, sharedTo } of placements) {
      expect(placements.filter((other) => other.place === place)).toHaveLength(sharedTo - place + 1)
    }
  })

  test.each([
    ['on the day of the first edition', '2023-09-21T01:00:00Z', 0],
    ['a moment before its first week is over', '2023-09-28T00:59:59Z', 0],
    ['a week later', '2023-09-28T01:00:00Z', 1],
    ['years later', '2026-11-21T12:00:00Z', 165],
  ])('is moved by whole weeks so that registration is open %s', async (_when, instant, weeks) => {
    const now = new Date(instant)
    const schedule = scheduleAround(await readCup(), now)
    expect(schedule.weeks).toBe(weeks)
    expect(schedule.registrationOpensAt.getTime()).toBeLessThanOrEqual(now.getTime() - 3_600_000)
    expect(schedule.registrationClosesAt.getTime()).toBeGreaterThan(now.getTime() + 7 * 86_400_000)
    // The same weekdays as in the cup: registration from Thursday to Thursday, the qualifiers on a Saturday, and the
    // end after a Sunday.
    const { registrationOpensAt, registrationClosesAt, startsAt, endsAt } = schedule
    const days = [registrationOpensAt, registrationClosesAt, startsAt, endsAt].map((date) => date.getUTCDay())
    expect(days).toEqual([4, 4, 6, 1])
    expect(endsAt.getTime() - registrationOpensAt.getTime()).toBe(74 * 86_400_000)
    expect(schedule.stages).toHaveLength(9)
  })
})
