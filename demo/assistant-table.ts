import { type Static, Type } from 'typebox'
import type { FakePlayer } from '../test/fakes/assistant/players.ts'
import type { FakeAssistant } from '../test/fakes/assistant/types.ts'
import { type Answer, bodyOf } from './client.ts'
import type { Cup } from './cup.ts'
import { Table } from './flow-table.ts'
import { comesTrue } from './follow.ts'
import { State, showGames } from './semi-final-log.ts'
import type { Entry } from './teams.ts'
import type { Scene } from './tournament.ts'

/** The referee's work at the session of a match: each map is set, loaded, started and accepted. */

const preset = 'osu-bo9'
/** Whether the winner of the match wins each map, in order. */
const course = [true, true, false, true, true, true]
/** Counted from 1: the map in which a player of the losing side fails. */
const failedMap = 2
const songSeconds = 0.5
const patienceMs = 20_000

/** By the player’s place in the line-up. */
const accuracies = { better: [0.979, 0.967, 0.958, 0.951], worse: [0.974, 0.961, 0.949, 0.942] } as const

const OptionalText = Type.Union([Type.String(), Type.Null()])
const Session = Type.Object({
  status: Type.String(),
  phase: Type.String(),
  players: Type.Array(
    Type.Object({
      user: Type.Object({ guid: Type.String(), preferredName: Type.String() }),
      side: Type.Integer(),
      platformId: OptionalText,
      connected: Type.Boolean(),
      load: Type.Object({ state: Type.String() }),
    }),
  ),
  map: Type.Union([Type.Object({ name: Type.String(), difficulty: Type.String() }), Type.Null()]),
  play: Type.Union([Type.Object({ game: Type.Integer(), run: Type.Integer(), state: Type.String() }), Type.Null()]),
})
type Session = Static<typeof Session>
const Proposal = Type.Object({
  guid: Type.String(),
  status: Type.String(),
  game: Type.Integer(),
  run: Type.Integer(),
  map: Type.Object({ name: Type.String() }),
  players: Type.Array(
    Type.Object({ userGuid: Type.String(), score: Type.Integer(), misses: Type.Number(), completion: Type.String() }),
  ),
  sides: Type.Array(Type.Object({ score: Type.Number() })),
  winner: Type.Union([Type.Integer(), Type.Null()]),
  warnings: Type.Array(Type.Object({ code: Type.String(), user: OptionalText })),
})
type Proposal = Static<typeof Proposal>
const Proposals = Type.Object({ proposals: Type.Array(Proposal) })
const Accepted = Type.Object({ proposal: Proposal, state: State })

/** The match while it is played: the session of its flow, and the session at the assistant. */
export class AssistantTable {
  readonly #scene: Scene
  readonly #path: string
  readonly #fake: FakeAssistant
  readonly #table: Table
  /** By the user's GUID. */
  readonly #games = new Map<string, FakePlayer>()

  private constructor(scene: Scene, path: string, fake: FakeAssistant, table: Table) {
    this.#scene = scene
    this.#path = path
    this.#fake = fake
    this.#table = table
  }

  /** Starts the match, and waits until all players are connected. */
  static async begin(
    scene: Scene,
    id: string,
    guid: string,
    given: { fake: FakeAssistant; entries: readonly Entry[] },
  ) {
    const { client, story, officials } = scene
    const path = `/tournaments/${id}/matches/${guid}`
    const { token } = officials.referee
    const begun = await client.call('POST', `${path}/flow`, { token, json: { flowGuid: preset } })
    const state = story.succeed(`the referee begins it by a flow, ${preset}`, 201, begun, State)
    const match = new AssistantTable(scene, path, given.fake, new Table(scene, id, state, given.entries))
    await match.#open()
    await match.#connect()
    return match
  }

  async play({ teams, score }: Cup['matches'][number]): Promise<void> {
    const { story } = this.#scene
    const table = this.#table
    const isAhead = (score[0] > score[1] ? teams[0] : teams[1]) === table.entry(1).nation.code
    const [winner, loser] = isAhead ? [1, 2] : [2, 1]
    for (const [index, isWinners] of course.entries()) {
      await table.choose()
      await this.#song(isWinners ? winner : loser, index + 1)
      await table.waive(isWinners ? loser : winner)
    }
    table.state = bodyOf(await this.#scene.client.call('GET', table.path), 200, State)
    if (table.state.status !== 'over' || table.state.winner !== winner) throw new Error('the match is not decided')
    story.tell('')
    showGames(story, table.state, (seat) => table.name(seat))
    const ended = await this.#call('DELETE', '/assistant', { deleteMatch: true })
    story.succeed('they close the session, and have the match there deleted', 204, ended, Type.Unknown())
    if (!(await comesTrue(() => this.#fake.matches.length === 0, patienceMs))) {
      throw new Error('the match is still there at the assistant')
    }
  }

  async #open(): Promise<void> {
    const { story } = this.#scene
    const opened = await this.#call('POST', '/assistant')
    story.succeed('they open its session at the assistant, and have control of it', 201, opened, Session)
    const { status, phase, players } = await this.#until('players_missing')
    story.tell(`session: ${status}, ${phase.replace('_', ' ')}: ${players.length} of ${players.length}`)
  }

  async #connect(): Promise<void> {
    const { story } = this.#scene
    const { players } = await this.#read()
    for (const [index, { user, platformId }] of players.entries()) {
      if (platformId === null) throw new Error(`nothing is known of the account of ${user.preferredName}`)
      const kind = index % 2 === 0 ? 'desktop' : 'standalone'
      this.#games.set(user.guid, this.#fake.player({ platformId, name: user.preferredName, kind }))
    }
    const { status, phase } = await this.#until('ready')
    story.tell(`their games connect: ${players.map(({ user }) => user.preferredName).join(', ')}`)
    story.tell(`session: ${status}, ${phase}`)
  }

  /** Plays a picked map up to its accepted result. */
  async #song(seat: number, game: number): Promise<void> {
    const { story } = this.#scene
    const isFirst = game === 1
    this.#rehearse(seat, game)
    const renewed = await this.#call('POST', '/assistant/control', { action: 'renew' })
    bodyOf(renewed, 200, Session)
    const set = await this.#call('PUT', '/assistant/map', { source: 'flow' })
    const loaded = await this.#call('POST', '/assistant/load')
    const { phase } = bodyOf(loaded, 200, Session)
    if (phase !== 'loaded') throw new Error(`map ${game} was not loaded by everybody: ${phase}`)
    const started = await this.#call('POST', '/assistant/play', { mode: 'now' })
    if (isFirst) {
      const { map } = story.succeed('they set the map that was picked', 200, set, Session)
      story.tell(`“${map?.name}”, ${map?.difficulty}`)
      story.succeed('they have everybody load it', 200, loaded, Session)
      const { play } = story.succeed('they start it', 200, started, Session)
      story.tell(`play: map ${play?.game}, ${play?.state}`)
    }
    bodyOf(started, 200, Session)
    const proposal = await this.#proposal(game)
    if (isFirst) story.tell('the song is over, and nothing of it counts yet')
    const accepted = await this.#call('POST', `/proposals/${proposal.guid}/accept`)
    const { state } = bodyOf(accepted, 200, Accepted)
    this.#tell(proposal)
    if (isFirst)
      story.succeed('they accept what is proposed: it goes into the log of the flow', 200, accepted, Accepted)
    this.#table.state = state
  }

  /** Scripts what the players do in the next song. */
  #rehearse(seat: number, game: number): void {
    const scores = this.#table.scores(seat, accuracies.better, accuracies.worse)
    const last = scores.findLast(({ user }) => this.#table.state.seats[2 - seat]?.lineup?.includes(user))
    for (const { user, score, most } of scores) {
      const completion = game === failedMap && user === last?.user ? 'failed' : 'passed'
      const song = { seconds: songSeconds, score, maxScore: most, completion } as const
      this.#games.get(user)?.script.songs.push(song)
    }
  }

  async #proposal(game: number): Promise<Proposal> {
    let found: Proposal | undefined
    const isThere = await comesTrue(async () => {
      const { proposals } = bodyOf(await this.#call('GET', '/proposals'), 200, Proposals)
      found = proposals.find((proposal) => proposal.game === game && proposal.status === 'proposed')
      return found !== undefined
    }, patienceMs)
    if (!isThere || found === undefined) throw new Error(`there is no proposal for map ${game}`)
    return found
  }

  #tell({ game, map, sides, winner, warnings, players }: Proposal): void {
    const { story } = this.#scene
    const totals = sides.map(({ score }) => score.toLocaleString('en')).join(' : ')
    const whose = winner === null ? 'level' : this.#table.name(winner)
    const words = warnings.map(({ code, user }) => `${this.#nameOf(user)} ${code.replaceAll('_', ' ')}`)
    const warned = words.length === 0 ? '' : `; ${words.join(', ')}`
    story.tell(`proposal: map ${game}, “${map.name}”, ${players.length} players, ${totals}, ${whose}${warned}`)
  }

  #nameOf(user: string | null): string {
    return user === null ? 'the song:' : (this.#games.get(user)?.name ?? 'somebody')
  }

  async #read(): Promise<Session> {
    return bodyOf(await this.#call('GET', '/assistant'), 200, Session)
  }

  async #until(phase: string): Promise<Session> {
    let session: Session | undefined
    const isSo = await comesTrue(async () => {
      session = await this.#read()
      return session.status === 'connected' && session.phase === phase
    }, patienceMs)
    if (!isSo || session === undefined) throw new Error(`the session is ${session?.status}, ${session?.phase}`)
    return session
  }

  #call(method: string, path: string, json?: object): Promise<Answer> {
    const { client, officials } = this.#scene
    const { token } = officials.referee
    return client.call(method, `${this.#path}${path}`, { token, ...(json === undefined ? {} : { json }) })
  }
}
