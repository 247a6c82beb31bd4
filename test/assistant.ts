import { startFakeAssistant } from './fakes/assistant/assistant.ts'
import type { FakePlayer } from './fakes/assistant/players.ts'
import type { PlayerKind } from './fakes/assistant/scripts.ts'
import type { AssistantOptions, FakeAssistant } from './fakes/assistant/types.ts'
import { FlowPlay, type FlowPlayOptions, type MadeFlowPlay, makeFlowPlay } from './flow-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from './harness.ts'
import { touch } from './make.ts'

/** The world of assistant tests: a service, a fake assistant, a linked tournament, and players with games. */

export interface AssistantWorld extends AsyncDisposable {
  readonly api: Harness
  readonly fake: FakeAssistant
}

/** The fake trusts the tokens that the service signs. */
export async function startAssistantWorld(
  options: AssistantOptions = {},
  ...[overrides, ...rest]: Parameters<typeof startHarness>
): Promise<AssistantWorld> {
  const api = await startHarness({ webhookAllowPrivate: true, ...overrides }, ...rest)
  const fake = await startFakeAssistant({ keys: keysOf(api), ...options })
  return {
    api,
    fake,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await fake.close()
    },
  }
}

/** Where the service publishes its signing keys. */
export function keysOf({ url }: Harness): { readonly jwks: string } {
  return { jwks: `${url}/.well-known/jwks.json` }
}

/** Body of a link to the fake's main tournament, with tokens of the service. */
export function linkBody(fake: FakeAssistant): object {
  return {
    host: fake.host,
    port: fake.port,
    tls: fake.fingerprint !== null,
    certificate: fake.fingerprint ?? 'public',
    assistantTournament: fake.tournament,
    tokenKind: 'own',
    enabled: true,
  }
}

/** Sets the link as a link manager; returns any response. */
export function putLink(
  api: Harness,
  fake: FakeAssistant,
  { path, organiser }: { readonly path: string; readonly organiser: Caller },
  body: object = {},
): Promise<Reply> {
  return api.put(`${path}/assistant`, organiser, { ...linkBody(fake), ...body })
}

let sequence = 0

/** Creates a verified link to an account of a ranking platform. @returns the account's id */
export async function verifyRanking(
  api: Harness,
  user: { readonly guid: string },
  platform: 'ranking-a' | 'ranking-b' = 'ranking-a',
): Promise<string> {
  const id = `7656${process.pid}${String(++sequence).padStart(6, '0')}`
  await api.sql('insert into identities (user_guid, platform, external_id, verified_at) values ($1, $2, $3, now())', [
    ...[user.guid, platform, id],
  ])
  await touch(api, user.guid)
  return id
}

export interface AssistantPlayOptions extends FlowPlayOptions {
  /** The number of players on each side; 1 by default. */
  readonly players?: number
  /** The kind of the games; by default every second one is standalone. */
  readonly kind?: PlayerKind
  readonly link?: object
}

export interface AssistantPlayer {
  readonly user: Caller
  readonly team: string
  readonly platformId: string
  /** The player's game, connected to the fake. */
  readonly game: FakePlayer
}

export interface MadeAssistantPlay extends MadeFlowPlay {
  /** By team, in the order of the teams; the captain is first. */
  readonly players: readonly (readonly AssistantPlayer[])[]
  /** The path of the first match. */
  readonly first: string
  /** The hashes of the pool's maps, in lower case and in order. */
  readonly hashes: readonly string[]
}

/** Creates a bracket of teams with their games, a published pool, a referee and a link, and checks the link. */
export async function makeAssistantPlay(
  { api, fake }: AssistantWorld,
  options: AssistantPlayOptions = {},
): Promise<MadeAssistantPlay> {
  const { players: perSide = 1, kind, link, bracket, ...rest } = options
  const teamSize = { min: 1, max: Math.max(4, perSide), active: perSide }
  const made = await makeFlowPlay(api, {
    ...rest,
    bracket: { ...bracket, tournament: { teamSize, ...bracket?.tournament } },
  })
  const players = await Promise.all(
    made.teams.map(async (team, index) => {
      const captain = made.captains[index] as Caller
      const others = await Promise.all(Array.from({ length: perSide - 1 }, () => api.user()))
      await addMembers(api, made.cup.guid, team.guid, others)
      return Promise.all(
        [captain, ...others].map(async (user, place): Promise<AssistantPlayer> => {
          const number = index * perSide + place
          const platformId = await verifyRanking(api, user, number % 3 === 2 ? 'ranking-b' : 'ranking-a')
          const usual = number % 2 === 0 ? 'desktop' : 'standalone'
          const game = fake.player({ platformId, name: user.username, kind: kind ?? usual })
          return { user, team: team.guid, platformId, game }
        }),
      )
    }),
  )
  const linked = await putLink(api, fake, made, link)
  if (linked.status >= 300) throw new Error(`no link: ${linked.text}`)
  const rows = await api.sql<{ hash: string }>(
    `select maps.hash from unnest($1::uuid[]) with ordinality as asked (guid, place)
     join pool_maps on pool_maps.guid = asked.guid join maps on maps.guid = pool_maps.map_guid order by place`,
    [made.poolMaps],
  )
  return { ...made, players, first: made.match(1), hashes: rows.map(({ hash }) => hash) }
}

/** The flow session of a started match, by a preset or the GUID of a flow. */
export async function beginFlow(
  api: Harness,
  made: MadeAssistantPlay,
  flow = 'accsaber-bo3',
  number = 1,
): Promise<FlowPlay> {
  const play = new FlowPlay(api, made, number)
  const reply = await play.begin({ flowGuid: flow, poolGuid: made.pool.guid })
  if (reply.status !== 201) throw new Error(`no flow session: ${reply.text}`)
  return play
}

/** The path of a match's assistant, followed by `path`. */
export function assistantPath(made: MadeAssistantPlay, path = '', number = 1): string {
  return `${made.match(number)}/assistant${path}`
}

async function addMembers(api: Harness, tournament: string, team: string, users: readonly Caller[]): Promise<void> {
  if (users.length === 0) return
  await api.sql(
    `insert into team_members (team_guid, tournament_guid, user_guid, joined_at)
     select $1, $2, user_guid, now() + order_in_team * interval '1 ms'
     from unnest($3::uuid[]) with ordinality as players (user_guid, order_in_team)`,
    [team, tournament, users.map(({ guid }) => guid)],
  )
  await api.sql('update tournament_counts set players = players + $2 where tournament_guid = $1', [
    ...[tournament, users.length],
  ])
}
