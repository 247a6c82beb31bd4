import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api as described, operations } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import type { Operation } from '../src/core/operation.ts'
import { exampleGuid, exampleUser } from '../src/core/schema.ts'
import { describeApi } from '../src/infra/http/openapi.ts'
import { assistantPath, beginFlow, keysOf, type MadeAssistantPlay, makeAssistantPlay } from './assistant.ts'
import { basic, challengeOf, form, formOf, makeParty, obtain, requestOf } from './authorization.ts'
import { makeBracket } from './bracket-play.ts'
import type { Hop } from './browser.ts'
import { beginDevice, openDevice } from './device.ts'
import { startFakeAssistant } from './fakes/assistant/assistant.ts'
import type { FakeAssistant } from './fakes/assistant/types.ts'
import { type FakeCatalogue, startFakeCatalogue } from './fakes/catalogue.ts'
import { startFakeScoreSaberSignIn } from './fakes/game-proof.ts'
import { type FakeRanking, type ScoreSaberPlayer, startFakeScoreSaber } from './fakes/ranking.ts'
import { type FakeReceiver, startFakeReceiver } from './fakes/receiver.ts'
import { FlowPlay, makeFlowPlay } from './flow-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from './harness.ts'
import { grantRole, type MadeTeam, makeTeam, makeTournament, roleHolder } from './make.ts'
import { formOf as fileForm, picture } from './media.ts'
import { smallPackage } from './package-imports.ts'
import { songOfMatch } from './proposals.ts'
import { makeCup, open, someMaps } from './qualifiers.ts'
import { makeTable } from './schedules.ts'
import { makeStage, type Stage, win } from './stage.ts'
import { makeStreamKey, makeStreamServer, validate } from './streaming.ts'
import { actorOf, addressOf, makeWorld, type World, type WorldOptions } from './world.ts'

/**
 * Sends every example of a request in the API description, unchanged, in a state where it makes sense: it must be
 * accepted. Only GUIDs of records and values that the service issued are replaced by existing ones.
 */

/** Uses the stand-in for the chat platform, so that users can sign in. */
let website: Harness
let api: Harness
let rankings: FakeRanking<ScoreSaberPlayer>
let catalogue: FakeCatalogue
let receiver: FakeReceiver
let assistant: FakeAssistant
let signIn: Awaited<ReturnType<typeof startFakeScoreSaberSignIn>>
/** The user in the examples. */
let quaver: Caller
beforeAll(async () => {
  ;[rankings, receiver, catalogue] = await Promise.all([
    startFakeScoreSaber(),
    startFakeReceiver(),
    startFakeCatalogue(),
  ])
  catalogue.maps.add({ id: '1a2b3', difficulties: ['ExpertPlus'] })
  rankings.players.add({ id: '76561198000000001' })
  signIn = await startFakeScoreSaberSignIn()
  signIn.proofs.set('hQ3mVxZk81', {
    id: '76561198000000001',
    name: 'Quaver',
    avatar: 'https://cdn.example.org/quaver.png',
  })
  website = await startHarness()
  api = await startHarness({
    chat: readConfig({ DISCORD_API_URL: 'https://chat.example.org/api/v10' }).chat,
    rankingAUrl: rankings.url,
    catalogueUrl: catalogue.url,
    webhookAllowPrivate: true,
    gameSignInUrl: signIn.url,
  })
  assistant = await startFakeAssistant({ keys: keysOf(api) })
  quaver = await api.user({ chatPlatformId: exampleUser })
})
afterAll(async () => {
  await Promise.all([website[Symbol.asyncDispose](), api[Symbol.asyncDispose]()])
  await Promise.all([rankings, receiver, catalogue, assistant, signIn].map((fake) => fake.close()))
})

// biome-ignore lint/suspicious/noExplicitAny: examples have every form, and a test that reads what is not there fails.
type Example = any
type Answer = Pick<Reply | Hop, 'status' | 'text'>

const shown = Object.values(describeApi(described).paths as Example).flatMap((methods: Example) =>
  Object.values(methods).flatMap(({ operationId, requestBody }: Example) => {
    const [content]: Example[] = Object.values(requestBody?.content ?? {})
    // A form with a file needs no other part; bodies of any type have no example.
    return content === undefined || '*/*' in requestBody.content
      ? []
      : [[operationId as string, content.example] as const]
  }),
)

function operationOf(name: string): Operation {
  const operation = operations.find((candidate) => candidate.name === name)
  if (operation === undefined) throw new Error(`there is no operation ${name}`)
  return operation
}

interface Place {
  readonly as?: Caller
  readonly world?: WorldOptions
  /** Values that replace those of the world. */
  readonly names?: Readonly<Record<string, string>>
}

/** Sends the example as a caller who may do that, in a world of its own. */
async function send(name: string, body: Example, place: Place = {}): Promise<Reply> {
  const world = await makeWorld(api, place.world)
  const operation = operationOf(name)
  return api.call(operation.method, addressOf(operation, world, place.names), {
    as: place.as ?? actorOf(operation, world),
    ...(operation.kind === 'command' && operation.bodyType === 'text'
      ? { raw: body, headers: { 'content-type': 'text/csv' } }
      : { body }),
  })
}

/** Sends the example as a form with a picture. */
async function sendFile(name: string, { file: _file, ...parts }: Example): Promise<Reply> {
  const operation = operationOf(name)
  const form = fileForm(await picture(), parts)
  return api.call(operation.method, operation.path, { as: await api.user(), ...form })
}

async function withTeam(example: Example, name: string): Promise<Reply> {
  const { team, tournament } = await makeWorld(api)
  return send(name, naming(example, team), { names: { tournament: tournament.guid } })
}

/** Replaces the GUID in the example by that of a record. */
function naming(example: Example, guid: string): Example {
  return JSON.parse(JSON.stringify(example).replaceAll(exampleGuid, guid))
}

async function stage(options: Parameters<typeof makeStage>[2] = {}): Promise<Stage> {
  return makeStage(api, await api.user(), options)
}

const namesOf = ({ cup, division }: Stage, more: Readonly<Record<string, string>> = {}) => ({
  tournament: cup.guid,
  division,
  ...more,
})

/** Sends the example when the pool of the world is a draft. */
async function inDraft(name: string, example: Example): Promise<Answer> {
  const { organiser, tournament, named } = await makeWorld(api)
  await api.sql(
    `update pools set status = 'draft', revision = null, last_revision = 0, published_at = null, shown_at = null
     where guid = $1`,
    [named.pool],
  )
  await api.sql('update pool_maps set released_at = null where pool_guid = $1', [named.pool])
  const { pool = '', poolMap = '' } = named
  return send(name, example, { as: organiser, names: { tournament: tournament.guid, pool, poolMap } })
}

/** Sends the example to the awards of the world, whose category is of songs and similar things. */
async function inEdition(
  name: string,
  example: Example,
  {
    set = `status = 'nominating'`,
    values = [],
    of = 'nominee',
    arrange = async () => {},
  }: {
    readonly set?: string
    readonly values?: readonly unknown[]
    /** The record whose GUID the example contains. */
    readonly of?: 'category' | 'nominee' | 'nomination'
    readonly arrange?: (world: World) => Promise<unknown>
  } = {},
): Promise<Answer> {
  const world = await makeWorld(api)
  const { edition = '', category = '', nominee = '' } = world.named
  await api.sql(`update award_editions set ${set} where guid = $1`, [edition, ...values])
  await api.sql(`update award_categories set nominee_type = 'other' where guid = $1`, [category])
  await api.sql('update award_nominees set target_guid = null where category_guid = $1', [category])
  await api.sql(
    `update award_nominations set target_guid = null, label = 'A tune', target_key = 'a tune', nominee_guid = null
    where category_guid = $1`,
    [category],
  )
  await arrange(world)
  return send(name, naming(example, world.named[of] ?? ''), { as: world.owner, names: { edition, category, nominee } })
}

/** Sends the example when the tournament of the world is completed and has requested badges. */
async function inCompleted(
  name: string,
  example: Example,
  arrange: (world: World) => Promise<unknown> = async () => {},
): Promise<Answer> {
  const world = await makeWorld(api)
  const { named, tournament, organiser, owner } = world
  await api.sql(`update tournaments set status = 'completed', completed_at = now() where guid = $1`, [tournament.guid])
  await arrange(world)
  const [request] = await api.sql<{ at: Date }>('select updated_at as at from badge_requests where guid = $1', [
    named.badgeRequest,
  ])
  const { badgeRequest = '' } = named
  const body = naming({ ...example }, named.badgeMedium ?? '')
  if ('expectedUpdatedAt' in body) body.expectedUpdatedAt = request?.at.toISOString()
  return send(name, body, {
    as: name === 'badgeRequests.review' ? owner : organiser,
    names: { tournament: tournament.guid, badgeRequest },
  })
}

/** Matches are played in an ongoing tournament. */
const playing = { teams: 4, status: 'ongoing' } as const

async function captainOf({ guid }: MadeTeam): Promise<string> {
  const [row] = await api.sql<{ guid: string }>('select captain_guid as guid from teams where guid = $1', [guid])
  return row?.guid as string
}

/** The examples that need more than a world with a record of every kind. */
const places: Readonly<Record<string, (example: Example, name: string) => Promise<Answer>>> = {
  async 'scenes.replace'(example) {
    const world = await makeWorld(api)
    return api.call('PUT', addressOf(operationOf('scenes.replace'), world), {
      as: world.owner,
      body: example,
      headers: { 'if-match': '*' },
    })
  },
  async 'overlayTemplates.create'(example) {
    const world = await makeWorld(api)
    return api.post('/overlay-templates', world.owner, naming(example, world.named.overlay ?? ''))
  },
  'media.upload': (example) => sendFile('media.upload', { kind: 'avatar', ...example }),
  async 'packages.import'() {
    const form = fileForm((await smallPackage()).whole, { mode: 'copy', id: 'brought-cup' })
    return api.call('POST', '/tournaments/import', { as: await api.user(), ...form })
  },
  'media.setAvatar': (example) => sendFile('media.setAvatar', { ...example }),
  async 'oauth.decide'(example) {
    const { browser, ...party } = await makeParty(website)
    const page = await browser.visit(requestOf({ browser, ...party }))
    const { action, members } = formOf(page.text)
    return browser.visit(action, fromPage(page, { ...example, request: members.request }))
  },
  async 'oauth.decideDevice'(example) {
    const { browser, ...party } = await makeParty(website)
    const page = await openDevice(browser, (await beginDevice({ ...party, api: website })).user_code)
    const { action, members } = formOf(page.text)
    return browser.visit(action, fromPage(page, { ...example, request: members.request }))
  },
  async 'oauth.token'(example) {
    const party = await makeParty(website, { type: 'public', redirectUris: [example.redirect_uri] })
    const pkce = { code_challenge: challengeOf(example.code_verifier), code_challenge_method: 'S256' }
    const page = await party.browser.visit(requestOf(party, pkce))
    const { action, members } = formOf(page.text)
    const decided = await party.browser.visit(action, fromPage(page, { ...members, decision: 'approve' }))
    const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code')
    return post('/oauth/token', { ...naming(example, party.application.clientId), code })
  },
  'oauth.revoke': (example, name) => withToken(name, example),
  'oauth.introspect': (example, name) => withToken(name, example),
  async 'oauth.deviceAuthorization'(example) {
    const { application } = await makeParty(website, { type: 'public' })
    return post('/oauth/device_authorization', naming(example, application.clientId))
  },
  async 'access.revoke'(example, name) {
    const world = await makeWorld(api)
    await grantRole(api, world.tournament, world.member, example.role)
    return send(name, example, { names: { tournament: world.tournament.guid, user: world.member.guid } })
  },
  'pools.publish': (example, name) => inDraft(name, example),
  'pools.addMap': (example, name) => inDraft(name, example),
  'pools.replaceMap': (example, name) => inDraft(name, example),
  'imports.start': (example, name) => inDraft(name, example),
  async 'pools.orderMaps'(example, name) {
    const world = await makeWorld(api)
    const names = { tournament: world.tournament.guid, pool: world.named.pool ?? '' }
    return send(name, naming(example, world.named.poolMap ?? ''), { as: world.organiser, names })
  },
  async 'plans.fillQualifier'(example, name) {
    const world = await makeWorld(api)
    const names = { tournament: world.tournament.guid, pool: world.named.pool ?? '' }
    await api.sql(`update pools set kind = 'qualifier' where guid = $1`, [names.pool])
    await api.sql('delete from qualifier_attempts where guid = $1', [world.named.attempt])
    return send(name, example, { as: world.organiser, names })
  },
  async 'visibility.choose'(example, name) {
    const { platform } = await makeWorld(api)
    return send(name, naming(example, platform.guid))
  },
  async 'spoilers.reveal'(example, name) {
    const here = await stage(playing)
    await api.patch(`/tournaments/${here.cup.guid}`, here.organiser, { spoilerMode: 'held' })
    return send(name, example, { names: namesOf(here) })
  },
  async 'channels.replaceQueue'(example, name) {
    const here = await stage(playing)
    const [match] = (await here.bracket()).matches
    const channels = [{ name: 'Main stream', url: 'https://live.example.org/main' }]
    const made = await api.put(`/tournaments/${here.cup.guid}/channels`, here.organiser, { channels, revision: 0 })
    const names = namesOf(here, { channel: made.body.channels[0].guid })
    return send(name, naming(example, match.guid), { names })
  },
  async 'streamAssignments.update'(example) {
    const { tournament, organiser } = await makeWorld(api)
    const path = `/tournaments/${tournament.guid}/streamAssignments`
    const { guid } = (await api.post(path, organiser, exampleOf('streamAssignments.create'))).body
    return api.patch(`${path}/${guid}`, organiser, example)
  },
  'streamAssignments.replaceOfMatch': (example, name) => withMatch(name, async () => example),
  async 'streamSessions.validate'(example) {
    const server = await makeStreamServer(api, { assignmentRequired: false })
    const { key } = await makeStreamKey(api, await api.user())
    const reply = await validate(api, server, { ...example, key })
    expect(reply.body.allowed).toBe(true)
    return reply
  },
  async 'webhooks.test'(example) {
    const { platform, owner } = await makeWorld(api)
    const path = `/tournament-platforms/${platform.contextId}`
    await api.put(`${path}/settings`, owner, { customWebhookUrl: `${receiver.url}/hooks` })
    return api.post(`${path}/webhooks/test`, owner, example)
  },
  'teams.delete': withTeam,
  'registration.message': withTeam,
  'rehearsals.create': async (example, name) => send(name, example, { names: namesOf(await stage({ teams: 4 })) }),
  async 'divisions.create'(example, name) {
    const tournament = await makeTournament(api, await api.user())
    return send(name, example, { names: { tournament: tournament.guid } })
  },
  'brackets.create': async (example, name) => send(name, example, { names: namesOf(await stage()) }),
  'brackets.update': (example, name) => withBracket(name, () => example),
  'brackets.generate': (example, name) => withBracket(name, () => example),
  'brackets.placeEntrants': (example, name) =>
    withBracket(name, ({ teams }) => naming(example, teams.at(-1)?.guid ?? ''), {
      entrants: { source: 'registered', size: 4 },
    }),
  async 'badges.create'(example, name) {
    const { named, owner } = await makeWorld(api)
    await api.sql('update media set owner_guid = $1, tournament_guid = null where guid = $2', [
      owner.guid,
      named.badgeMedium,
    ])
    return send(name, naming(example, named.badgeMedium ?? ''), { as: owner })
  },
  async 'badges.update'(example, name) {
    const { named, owner } = await makeWorld(api)
    return send(name, naming(example, named.badgeMedium ?? ''), { as: owner, names: { badge: named.badge ?? '' } })
  },
  async 'badges.importRows'(example, name) {
    const { named, owner } = await makeWorld(api)
    await api.sql(`update badges set name = 'Cup winner' where guid = $1`, [named.badge])
    return send(name, example, { as: owner })
  },
  'badgeRequests.create': async (example, name) =>
    inCompleted(name, example, ({ named }) =>
      api.sql(`update badge_requests set status = 'withdrawn' where guid = $1`, [named.badgeRequest]),
    ),
  'badgeRequests.update': (example, name) => inCompleted(name, example),
  async 'rehearsals.apply'(example, name) {
    const { organiser, tournament, named } = await makeWorld(api)
    const { rehearsal = '' } = named
    await api.sql(`update tournaments set starts_at = '2099-05-02T18:00:00Z' where guid = $1`, [rehearsal])
    return send(name, example, { as: organiser, names: { tournament: tournament.guid, rehearsal } })
  },
  'badgeRequests.review': (example, name) => inCompleted(name, example),
  'awards.update': (example, name) =>
    inEdition(name, example, {
      set: `status = 'draft', updated_at = $2, nominations_open_at = '2099-09-10Z', nominations_close_at = '2099-09-20Z',
        voting_opens_at = '2099-11-01Z', voting_closes_at = '2099-11-20Z'`,
      values: [example.expectedUpdatedAt],
    }),
  'awards.status': (example, name) =>
    inEdition(name, example, { set: `status = 'draft', nominations_open_at = '2098-01-01Z'` }),
  'awards.addCategory': (example, name) => inEdition(name, example, { set: `status = 'draft'` }),
  'awards.updateCategory': (example, name) => inEdition(name, example, { set: `status = 'draft'` }),
  'awards.orderCategories': (example, name) => inEdition(name, example, { of: 'category' }),
  'awards.nominate': (example, name) => inEdition(name, example),
  'awards.addNominee': (example, name) => inEdition(name, example, { of: 'nomination' }),
  'awards.updateNominee': (example, name) => inEdition(name, example),
  'awards.vote': (example, name) => inEdition(name, example, { set: `status = 'voting'`, of: 'nominee' }),
  'awards.exclude': (example, name) =>
    inEdition(name, example, {
      set: `status = 'counting'`,
      arrange: ({ named }) =>
        api.sql(
          `insert into award_votes (category_guid, user_guid, nominee_guid, cast_at, failures) values ($1, $2, $3, now(), '{}')`,
          [named.category, quaver.guid, named.nominee],
        ),
    }),
  'awards.answerExclusion': (example, name) =>
    inEdition(name, example, {
      set: `status = 'counting'`,
      arrange: ({ named, owner }) =>
        api.sql('insert into award_exclusions (edition_guid, user_guid, reason) values ($1, $2, $3)', [
          ...[named.edition, owner.guid, 'One of nine.'],
        ]),
    }),
  'awards.recount': (example, name) =>
    inEdition(name, example, {
      set: `status = 'published', published_at = now(), results = $2`,
      values: [
        JSON.stringify({
          voters: 1,
          excluded: { votes: 0, byReason: {} },
          ballotsDigest: '0'.repeat(64),
          runoffDigest: null,
        }),
      ],
    }),
  'teams.withdraw': (example, name) => send(name, example, { world: { registered: true } }),
  async 'teams.takeWithdrawalBack'(example, name) {
    const { organiser, cup, path, teams, bracket } = await makeBracket(api, { teams: 4, format: 'round_robin' })
    const [team] = teams
    await api.post(`${path}/teams/${team?.guid}/withdraw`, organiser, { reason: 'Ill.', policy: 'walkover' })
    await api.sql('update brackets set revision = 17 where guid = $1', [bracket.guid])
    const names = { tournament: cup.guid, team: team?.guid ?? '' }
    return send(name, naming(example, bracket.guid), { as: organiser, names })
  },
  async 'streamServers.create'(example, name) {
    // Each world has a media server, and at most a hundred may exist.
    await api.sql('truncate stream_servers cascade')
    return send(name, example)
  },
  async 'claims.makeLink'(example, name) {
    const world = await makeWorld(api)
    return send(name, naming(example, world.tournament.guid), {
      as: world.organiser,
      names: { placeholder: world.named.placeholder ?? '' },
    })
  },
  'registration.qualify': (example, name) => send(name, example, { world: { registered: true } }),
  'registration.register': (example, name) => {
    const guid = '22222222-2222-4222-8222-222222222222'
    const field = { guid, label: 'From where?', help: null, type: 'select', required: true, subject: 'team' }
    const additionalFields = [{ ...field, options: ['Europe', 'Americas'], private: false }]
    return send(name, naming(example, guid), { world: { additionalFields } })
  },
  'matches.update': (example, name) =>
    withMatch(name, async ({ cup }) => {
      await grantRole(api, cup, quaver, 'role:referee')
      return example
    }),
  'matches.reportGame': (example, name) =>
    withMatch(name, async (_stage, { sides: [first] }) => naming(example, await captainOf(first.team))),
  'matches.call': (example, name) => withMatch(name, async () => example),
  'matches.reportResult': (example, name) => withMatch(name, async () => example),
  'matches.reopen': (example, name) =>
    withMatch(name, async (here, match) => {
      await win(api, here, match, 1)
      return example
    }),
  async 'qualifiers.put'(example, name) {
    const tournament = await makeTournament(api, await api.user())
    return send(name, example, { names: { tournament: tournament.guid } })
  },
  async 'qualifiers.recordAttempts'(example) {
    const cup = await makeCup(api)
    await makeTeam(api, cup.tournament, quaver, { status: 'registered' })
    const [map = ''] = await open(api, cup, { maps: [{ ...someMaps(1)[0], maxScore: 1_000_000 }] })
    const reply = await api.post(`${cup.path}/attempts`, cup.coordinator, naming(example, map))
    expect(reply.body.accepted).toHaveLength(1)
    return reply
  },
  async 'qualifiers.synchronise'(example) {
    const cup = await makeCup(api)
    await makeTeam(api, cup.tournament, quaver, { status: 'registered' })
    const { map: hash } = example.source.rows[0]
    await open(api, cup, { maps: [{ hash, difficulty: 'ExpertPlus', maxScore: 1_000_000 }] })
    const reply = await api.post(`${cup.path}/sync`, cup.organiser, example)
    expect(reply.body).toMatchObject({ success: true, recorded: 1, unmatched: 0 })
    return reply
  },
  async 'availability.respond'(example) {
    const { tournament, organiser } = await makeWorld(api)
    const caster = await roleHolder(api, tournament, 'role:caster')
    const sheets = `/tournaments/${tournament.guid}/availability/sheets`
    const { guid } = (await api.post(sheets, organiser, exampleOf('availability.createSheet'))).body
    return api.put(`${sheets}/${guid}/responses`, caster, example)
  },
  async 'availability.respondForTeam'(example) {
    const { tournament, organiser, team, captain } = await makeWorld(api, { registered: true })
    const sheets = `/tournaments/${tournament.guid}/availability/sheets`
    const sheet = { ...exampleOf('availability.createSheet'), audience: 'teams', roles: [] }
    const { guid } = (await api.post(sheets, organiser, sheet)).body
    return api.put(`${sheets}/${guid}/teams/${team}/responses`, captain, example)
  },
  'flowSessions.begin': async (example) => {
    const play = new FlowPlay(api, await makeFlowPlay(api))
    return play.begin(naming(example, play.made.pool.guid))
  },
  'flowSessions.beginFree': async (example) => {
    const { path, pool, referee } = await makeFlowPlay(api)
    return api.post(`${path}/flow-sessions`, referee, naming(example, pool.guid))
  },
  'flowSessions.restart': (example) => inSession('restart', example, async () => {}),
  'flowSessions.finish': (example) => inSession('finish', example, async () => {}),
  'flowSessions.act': (example) =>
    inSession('act', example, async (play) => {
      await play.act(play.state.turn.seats[0], { action: 'choose', place: 1 })
      return play.made.poolMaps[0]
    }),
  'flowSessions.claim': (example) => inSession('claims', { ...example, seat: 2 }, playMap),
  'flowSessions.cancelClaim': (example) =>
    inSession(
      ({ state }) => `claims/${state.claims[0].guid}/cancel`,
      example,
      async (play) => {
        await playMap(play)
        await play.call(play.captain(2), 'claims', {})
      },
    ),
  'flowSessions.undo': (example) =>
    inSession('undo', example, async (play) => {
      await play.act(play.state.turn.seats[0], { action: 'choose', place: 1 })
    }),
  'flowSessions.setClock': (example) => inSession('clock', example, playMap),
  'flowSessions.reportScores': (example) => inSession('scores', example, pickMap),
  'flowSessions.correctScore': (example) =>
    inSession(({ state }) => `scores/${state.games[0].chains[0][0].scores[0].guid}`, example, playMap),
  'flowSessions.penalise': (example) => inSession('penalties', example, async () => {}),
  'flowSessions.voidPenalty': (example) =>
    inSession(
      ({ state }) => `penalties/${state.seats[1].penalties[0].guid}/void`,
      example,
      async (play) => {
        await play.call(play.made.referee, 'penalties', exampleOf('flowSessions.penalise'))
      },
    ),
  'flowSessions.override': (example) => inSession('override', example, async () => {}),
  'assistant.close': async (example) => {
    const { path, organiser } = await makeAssistantMatch()
    return api.call('DELETE', path, { as: organiser, body: example })
  },
  'assistant.control': (example) => atAssistant('POST', 'control', example),
  'assistant.setPlayer': async (example) => {
    const { path, organiser, players } = await makeAssistantMatch()
    return api.put(`${path}/players/${players[0].guid}`, organiser, example)
  },
  'assistant.setMap': async (example) => {
    const { path, organiser, flow } = await makeAssistantMatch()
    await pickMap(flow)
    return api.put(`${path}/map`, organiser, example)
  },
  'assistant.load': (example) => atAssistant('POST', 'load', example, true),
  'assistant.push': async (example) => {
    const { made } = await makeAssistantMatch()
    return api.post(`${made.path}/assistant/push`, made.organiser, naming(example, made.pool.guid))
  },
  'assistant.readyCheck': (example) => atAssistant('POST', 'ready-check', example),
  'assistant.play': (example) =>
    atAssistant('POST', 'play', { ...example, ignore: ['player_missing', 'not_ready'] }, true),
  'assistant.modify': (example) => atAssistant('POST', 'modify', { ...example, confirm: true }),
  'assistant.syncColor': (example) => atAssistant('POST', 'sync-color', example),
  'assistant.setDelays': (example) => atAssistant('PUT', 'delays', example),
  'proposals.accept': async (example) => {
    const made = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const { players, address, finish, propose } = await songOfMatch(api, made, 1)
    for (const [index, player] of players.entries()) await finish(player, 900_000 + index)
    const { guid } = await propose()
    return api.post(`${address}/${guid}/accept`, made.organiser, naming(example, players[0]))
  },
  'live.set': async (example) => {
    const { match, organiser, captains } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    return api.put(`${match(1)}/live/${captains[0]?.guid}`, organiser, example)
  },
  'live.finish': async (example) => {
    const { match, captains } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    const [captain] = captains as [Caller, Caller]
    return api.post(`${match(1)}/live/${captain.guid}/finish`, captain, example)
  },
  'bridgeTickets.make': async (example) => {
    const { organiser, cup, teams, match } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
    await api.sql(
      'insert into team_members (team_guid, tournament_guid, user_guid, is_active) values ($1, $2, $3, false)',
      [teams[0]?.guid, cup.guid, quaver.guid],
    )
    return api.post(`${match(1)}/bridgeTickets`, organiser, example)
  },
  'bridgeTickets.open': (example, name) => byTicket(name, example),
  'bridgeTickets.live': (example, name) => byTicket(name, example),
  'bridgeTickets.finish': (example, name) => byTicket(name, example),
  async 'poolMaps.vote'(example, name) {
    const world = await makeWorld(api)
    await api.sql(`update pools set status = 'draft', revision = null where tournament_guid = $1`, [
      world.tournament.guid,
    ])
    return api.call('PUT', addressOf(operationOf(name), world), { as: world.owner, body: example })
  },
  'schedules.apply': async (example) => {
    const table = await makeTable(api, { teams: 2 })
    return table.apply(await table.proposed(), table.organiser, example)
  },
  'schedules.propose': (example, name) =>
    withMatch(name, async ({ cup, organiser }, { guid }) => {
      const sheets = `/tournaments/${cup.guid}/availability/sheets`
      const sheet = (await api.post(sheets, organiser, exampleOf('availability.createSheet'))).body
      return { ...example, matches: [guid], sheets: [sheet.guid] }
    }),
}

/** The match for all examples of the assistant's commands: its session is open, and its map is loaded. */
let readyMatch: Promise<AssistantMatch> | undefined

interface AssistantMatch {
  readonly path: string
  readonly players: readonly [Caller, Caller]
  readonly organiser: Caller
  readonly flow: FlowPlay
  readonly made: MadeAssistantPlay
}

async function makeAssistantMatch(): Promise<AssistantMatch> {
  const made = await makeAssistantPlay(
    { api, fake: assistant, [Symbol.asyncDispose]: async () => {} },
    {
      link: { allowModify: true },
    },
  )
  const flow = await beginFlow(api, made)
  const { organiser, players } = made
  const path = assistantPath(made)
  await api.post(path, organiser)
  await expect
    .poll(async () => (await api.get(path, organiser)).body.phase, { timeout: 30_000, interval: 100 })
    .toBe('ready')
  const [first, second] = players.map(([player]) => player?.user as Caller)
  return { made, path, organiser, flow, players: [first as Caller, second as Caller] }
}

/** Sends the example as the controller, in the right state; GUIDs are replaced by that of a player. */
async function atAssistant(method: string, address: string, example: Example, isLoaded = false): Promise<Reply> {
  readyMatch ??= makeAssistantMatch()
  const { path, organiser, players } = await readyMatch
  await api.post(path, organiser)
  if (isLoaded) {
    await api.post(`${path}/return`, organiser)
    const map = { hash: 'a'.repeat(40), characteristic: 'Standard', difficulty: 'Expert' }
    await api.put(`${path}/map`, organiser, map)
    if (address !== 'load') await api.post(`${path}/load`, organiser)
  }
  const body = naming(example, players[0].guid)
  return api.call(method, `${path}/${address.replace(':user', players[0].guid)}`, { as: organiser, body })
}

/** Sends the example as a referee in a new session, in the right state. */
async function inSession(
  operation: string | ((play: FlowPlay) => string),
  example: Example,
  prepare: (play: FlowPlay) => Promise<unknown>,
): Promise<Reply> {
  const play = new FlowPlay(api, await makeFlowPlay(api))
  await play.begin({ flowGuid: 'accsaber-bo3', poolGuid: play.made.pool.guid })
  const named = await prepare(play)
  const body = naming(example, typeof named === 'string' ? named : play.player(1))
  const expected = 'expect' in body ? { ...body, expect: play.state.position } : body
  const address = `${play.path}/${typeof operation === 'string' ? operation : operation(play)}`
  const method = address.includes('/scores/') ? 'PATCH' : 'POST'
  return api.call(method, address, { as: play.made.referee, body: expected })
}

/** The referee picks a map, instead of all earlier steps. */
async function pickMap(play: FlowPlay): Promise<void> {
  const override = (body: object) => play.call(play.made.referee, 'override', { reason: 'To the point.', ...body })
  await override({ op: 'go_to', step: '10.1' })
  await override({ op: 'set_map', map: play.made.poolMaps[0] })
}

async function playMap(play: FlowPlay): Promise<void> {
  await pickMap(play)
  await play.scores(900_000, 800_000)
}

function exampleOf(name: string): Example {
  return shown.find(([operation]) => operation === name)?.[1]
}

function fromPage({ url }: Hop, members: Record<string, string>): RequestInit {
  const init = form(members)
  return { ...init, headers: { ...init.headers, origin: url.origin } }
}

async function post(path: string, members: Record<string, string>, authorization?: string): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(authorization ? { authorization } : {}) }
  return website.call('POST', path, { headers, raw: new URLSearchParams(members).toString() })
}

async function byTicket(name: string, example: Example): Promise<Reply> {
  const { match, organiser, captains } = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const { ticket } = (await api.post(`${match(1)}/bridgeTickets`, organiser, { user: captains[0]?.guid })).body
  return api.post(operationOf(name).path, null, { ...example, ticket })
}

async function withToken(name: string, example: Example): Promise<Reply> {
  const party = await makeParty(website)
  const { clientId, clientSecret } = party.application
  const { access_token: token } = await obtain(party)
  return post(operationOf(name).path, { ...example, token }, basic(clientId, clientSecret ?? ''))
}

async function withBracket(name: string, body: (stage: Stage) => Example, made: object = {}): Promise<Reply> {
  const here = await stage()
  const { guid } = await here.bracket({ ...exampleOf('brackets.create'), ...made })
  return send(name, body(here), { names: namesOf(here, { bracket: guid }) })
}

async function withMatch(name: string, body: (stage: Stage, match: Example) => Promise<Example>): Promise<Reply> {
  const here = await stage(playing)
  const [match] = (await here.bracket()).matches
  return send(name, await body(here, match), { names: namesOf(here, { match: match.guid }) })
}

describe('the example of', () => {
  test.each(shown)('%s is accepted as it stands', async (name, example) => {
    const answer = await (places[name]?.(example, name) ?? send(name, example))
    expect([answer.status, answer.status < 400 ? '' : answer.text]).toEqual([expect.any(Number), ''])
    expect(Object.keys(operationOf(name).reply)).toContain(String(answer.status))
  })

  test('each operation with a body is shown, and there are many', () => {
    const withBody = operations.filter(
      (operation) =>
        operation.kind === 'command' &&
        (operation.body !== undefined ||
          operation.holds !== undefined ||
          (operation.method !== 'GET' && operation.parameters !== undefined)),
    )
    expect(shown.map(([name]) => name).sort()).toEqual(withBody.map(({ name }) => name).sort())
    expect(shown.length).toBeGreaterThan(50)
    expect(Object.keys(places).filter((name) => !shown.some(([operation]) => operation === name))).toEqual([])
  })
})

/** The names of members that contain a name. */
const isName = (member: string) => /^(?:name|title|label)$|Name$/.test(member)

/** The paths of names in a body, such as `channels.0.name`. */
function namesIn(schema: Example, at: readonly string[] = []): readonly string[] {
  const { properties = {}, items, anyOf = [] } = schema ?? {}
  const members = Object.entries<Example>(properties).flatMap(([member, each]) => {
    const kinds = [each, ...(each.anyOf ?? [])].flatMap(({ type }) => type)
    const here = [...at, member]
    return isName(member) && kinds.includes('string') ? [here.join('.')] : namesIn(each, here)
  })
  const inside = items === undefined ? [] : namesIn(items, [...at, '0'])
  return [...members, ...inside, ...anyOf.flatMap((each: Example) => namesIn(each, at))]
}

const named = shown.flatMap(([operation]) => {
  const { body, holds } = operationOf(operation) as { readonly body?: unknown; readonly holds?: unknown }
  return namesIn(body ?? holds).map((place) => [operation, place] as const)
})

/** Optional names: an invisible one counts as missing, and another name replaces it. */
const mayBeNone = new Set([
  'media.upload name',
  'media.setAvatar name',
  'media.rename name',
  'pools.create playlist.title',
  'pools.update playlist.title',
  'qualifiers.put maps.0.name',
  ...['badges.grant users.0.label', 'badgeRequests.create badges.0.recipients.0.label'],
  ...['badgeRequests.update badges.0.recipients.0.label', 'badgeRequests.review badges.0.recipients.0.label'],
])

/** Members with these names that contain no name. */
const noNames: Readonly<Record<string, string>> = {
  'updates.publish title': 'it may be empty',
  'updates.edit title': 'it may be empty',
  'updates.preview title': 'it may be empty',
  'matches.reportGame map.name': 'as the game calls it',
  'live.finish name': 'as the game calls it',
  'bridgeTickets.finish name': 'as the game calls it',
  'assistant.update assistantTournament.name': 'as the assistant calls it',
  'teams.import rows.0.teamName': 'a row that cannot be used is rejected, and not the sheet',
  'teams.import rows.0.captain.name': 'a row that cannot be used is rejected, and not the sheet',
  'teams.import rows.0.members.0.name': 'a row that cannot be used is rejected, and not the sheet',
  'scenes.takePackage assets.0.name': 'of a file that was written here',
}

/** Bodies with names whose examples have none. */
const { badges } = exampleOf('badgeRequests.create')
const withNames: Readonly<Record<string, Example>> = {
  'tournaments.update': { additionalFields: exampleOf('tournaments.create').additionalFields },
  'badgeRequests.update': { badges },
  'badgeRequests.review': { badges, decision: 'approved' },
}

/** The paths of texts that people write, without addresses, identifiers and secrets. */
function textsIn(schema: Example, at: readonly string[] = []): readonly string[] {
  const { properties = {}, items, anyOf = [] } = schema ?? {}
  const members = Object.entries<Example>(properties).flatMap(([member, each]) => {
    const here = [...at, member]
    const forms = [each, ...(each.anyOf ?? [])]
    const isText = forms.some(
      ({ type, maxLength = 0, pattern, format, enum: values }) =>
        [type].flat().includes('string') && maxLength >= 200 && !pattern && !format && !values,
    )
    const isCode =
      /url|address|endpoint|link|key|token|secret|source|code|avatar|cursor|verifier|challenge|^(?:ref|cover|host|proof|hls|webrtc|chatInvite)$/i.test(
        member,
      )
    return [...(isText && !isCode ? [here.join('.')] : []), ...textsIn(each, here)]
  })
  const inside = items === undefined ? [] : textsIn(items, [...at, '0'])
  return [...members, ...inside, ...anyOf.flatMap((form: Example) => textsIn(form, at))]
}

const withTexts = shown.flatMap(([operation]) => {
  const { body } = operationOf(operation) as { readonly body?: unknown }
  const places = [...new Set(textsIn(body))].filter(
    (place) => !isName(place.split('.').at(-1) as string) && !/^(links|announcements)\./.test(place),
  )
  // An account that the example links to one user cannot be linked to another; a preview answers the texts rendered.
  const isOther = ['admin.updateUser', 'updates.preview', 'notices.preview'].includes(operation)
  return places.length === 0 || isOther ? [] : [[operation, places] as const]
})

/**
 * Everything that is not HTML: names of keys, comparisons, arrows, and the chat platform's syntax in angle brackets.
 * (D61)
 */
const angles = 'Zq17 <key>, <Team A> vs <team>, a<b, x < y > z <t:1798761600:F> <@1> <:n:1> </c:1> <id:guide> -> <3'

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

describe('angle brackets come back as they were sent in the texts of', () => {
  test.each(withTexts)('%s', async (operation, texts) => {
    const body = structuredClone({ ...exampleOf(operation), ...withNames[operation] })
    for (const place of texts) {
      const at = place.split('.')
      const last = at.pop() as string
      const inner = at.reduce((part: Example, member) => part?.[member], body)
      if (typeof inner === 'object' && inner !== null && typeof inner[last] === 'string') inner[last] = angles
    }
    // The id is used by another example.
    if ('guid' in body) body.guid = randomUUID()
    for (const name of ['id', 'contextId'].filter((each) => each in body)) body[name] += '-2'
    const { status, text } = await (places[operation]?.(body, operation) ?? send(operation, body))
    // 409 when the example itself has created one already, or the maximum number exists.
    expect([status, status < 300 || status === 409 ? '' : text]).toEqual([status, ''])
    const answered = text.startsWith('{') || text.startsWith('[') ? textsOf(JSON.parse(text)) : []
    expect(answered.filter((each) => each.includes('Zq17') && each !== angles)).toEqual([])
  })

  // Texts that are not in responses are stored too: reasons, notes, and texts of audit lists.
  test('all, as they are stored', async () => {
    expect(withTexts.length).toBeGreaterThan(40)
    const tables = await api.sql<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const holding: string[] = []
    for (const { name } of tables) {
      const rows = await api.sql<{ row: object }>(
        `select to_jsonb(t) as row from "${name}" t where t::text like '%Zq17%' limit 200`,
      )
      const texts = rows.flatMap(({ row }) => textsOf(row)).filter((each) => each.includes('Zq17'))
      expect([name, texts.filter((each) => !each.includes(angles))]).toEqual([name, []])
      if (texts.length > 0) holding.push(name)
    }
    expect(holding).toEqual(expect.arrayContaining(['tournaments', 'updates', 'pools', 'teams', 'event_log']))
  })
})

describe('the name in', () => {
  // Each world has a media server, and at most a hundred may exist.
  beforeAll(() => api.sql('truncate stream_servers cascade'))

  const bodyWith = (example: Example, place: string, text: string): Example => {
    const body = structuredClone(example)
    const at = place.split('.')
    const last = at.pop() as string
    let inner = body
    for (const member of at) {
      if (inner[member] === undefined && member !== 'playlist') throw new Error(`the example has no ${member}`)
      inner = inner[member] ??= {}
    }
    inner[last] = text
    return body
  }
  const answerTo = (operation: string, place: string, text: string): Promise<Answer> => {
    const body = bodyWith({ ...exampleOf(operation), ...withNames[operation] }, place, text)
    return places[operation]?.(body, operation) ?? send(operation, body)
  }

  // (D56)
  test.each(named.filter((each) => !(each.join(' ') in noNames)))(
    '%s, %s, is seen, and stands on one line',
    async (operation, place) => {
      const [unseen, broken] = [await answerTo(operation, place, '\u3164'), await answerTo(operation, place, 'a\nb')]
      if (!mayBeNone.has(`${operation} ${place}`)) {
        expect([unseen.status, unseen.text]).toEqual([
          400,
          expect.stringMatching(/must have a visible|letters|pattern/),
        ])
      } else expect([unseen.status < 300, unseen.text.includes('\u3164')], unseen.text).toEqual([true, false])
      // It is 409 when the first body, or an earlier example, was accepted and only one may exist.
      expect([200, 201, 204, 400, 409]).toContain(broken.status)
      expect(broken.text).not.toContain('a\\nb')
    },
  )

  test('is looked for in all bodies, and what is left out is there', () => {
    const all = named.map((each) => each.join(' '))
    expect(all.length).toBeGreaterThan(50)
    expect([...mayBeNone, ...Object.keys(noNames)].filter((each) => !all.includes(each))).toEqual([])
  })
})
