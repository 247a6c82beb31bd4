import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { create, equals, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampNow } from '@bufbuild/protobuf/wkt'
import type { Command } from '../../../src/infra/clients/assistant/generated/commands_pb.ts'
import {
  User_DownloadStates as DownloadStates,
  type GameplayParameters,
  User_PlayStates as PlayStates,
  RealtimeScoreSchema,
  type User,
  User_ClientTypes,
  UserSchema,
} from '../../../src/infra/clients/assistant/generated/models_pb.ts'
import type { Packet } from '../../../src/infra/clients/assistant/generated/packets_pb.ts'
import type { Push_SongFinishedSchema } from '../../../src/infra/clients/assistant/generated/pushes_pb.ts'
import { Response_ResponseType as ResponseType } from '../../../src/infra/clients/assistant/generated/responses_pb.ts'
import { levelOf } from './maps.ts'
import {
  defaultSong,
  type PlayerKind,
  type PlayerOptions,
  type PlayerScript,
  type ScriptedScore,
  type ScriptedSong,
} from './scripts.ts'
import { completions, type Playing, realtimeScore, scoresOf } from './songs.ts'
import { Timeline } from './timeline.ts'
import type { Identity } from './tokens.ts'
import { type Body, kindOf, packetOf } from './wire.ts'
import type { Peer, Room, World } from './world.ts'

/**
 * Players whose games follow a script. A game does not need its connection: a started song ends, and is reported if the
 * game is connected then.
 */

type Finished = Omit<MessageInitShape<typeof Push_SongFinishedSchema>, '$typeName'>

export class FakePlayer implements Peer {
  readonly platformId: string
  readonly name: string
  readonly kind: PlayerKind
  readonly script: PlayerScript
  readonly identity: Identity
  /** The packets that reached this game, except broadcasts. */
  readonly received: Packet[] = []
  user: User
  joined: string | null = null
  readonly #world: World
  readonly #room: Room
  readonly #levels: Set<string>
  #playing: Playing | null = null
  #last: Pick<Playing, 'song' | 'parameters'> | null = null
  #isPaused = false
  #closed = false

  constructor(world: World, room: Room, options: PlayerOptions) {
    const { platformId, name = `Player ${platformId}`, kind = 'desktop' } = options
    this.#world = world
    this.#room = room
    this.platformId = platformId
    this.name = name
    this.kind = kind
    this.identity = { kind: 'game', id: '', name, avatarUrl: '', platformId }
    this.#levels = new Set(options.levels?.map((hash) => levelOf(hash).toLowerCase()))
    this.script = {
      download: 'ok',
      starts: 'at_once',
      prompt: 'first',
      song: {},
      songs: [],
      tellsReturn: kind === 'desktop',
      ...options.script,
    }
    this.user = create(UserSchema, {
      guid: randomUUID(),
      name,
      platformId,
      clientType: User_ClientTypes.Player,
      modList: [...(options.mods ?? [])],
      playState: kind === 'desktop' ? PlayStates.WaitingForCoordinator : PlayStates.InMenu,
    })
    if (options.offline !== true) this.#enter()
  }

  /** The GUID of the connection, which changes with each one. */
  get guid(): string {
    return this.user.guid
  }

  get isConnected(): boolean {
    return this.#world.peers.get(this.user.guid) === this
  }

  get isInGame(): boolean {
    return this.user.playState === PlayStates.InGame
  }

  /** The number of received packets of a kind, such as `command.playSong`. */
  count(kind: string): number {
    return this.received.filter((packet) => kindOf(packet) === kind).length
  }

  /** Disconnects; the game continues. */
  disconnect(): void {
    if (this.isConnected) this.#world.leave(this)
  }

  /** Connects with a new GUID, and without its download state. */
  reconnect(): void {
    if (this.#closed) return
    this.disconnect()
    const { streamDelayMs, playState, modList, name, platformId, clientType } = this.user
    const guid = randomUUID()
    this.user = create(UserSchema, { guid, name, platformId, clientType, modList, playState, streamDelayMs })
    this.#enter()
  }

  setMods(...mods: readonly string[]): void {
    this.#change((user) => {
      user.modList = [...mods]
    })
  }

  setPlayState(state: 'menu' | 'waiting' | 'game'): void {
    const states = { menu: PlayStates.InMenu, waiting: PlayStates.WaitingForCoordinator, game: PlayStates.InGame }
    this.#change((user) => {
      user.playState = states[state]
    })
  }

  /** Pauses the current or the next song until `resume`. */
  pause(): void {
    this.#isPaused = true
    this.#playing?.timeline.pause()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#playing?.startedAt !== undefined) this.#playing.timeline.resume()
  }

  /** Ends the song immediately, and reports that end. */
  stop(completion: ScriptedSong['completion'] = 'quit'): void {
    if (this.#playing !== null) this.#end(this.#playing, completion)
  }

  /** Sends a score to the observers of the match, unless it equals the previous one. */
  tellScore(score: ScriptedScore): void {
    const playing = this.#playing
    const value = create(RealtimeScoreSchema, realtimeScore(this, score, playing))
    if (playing?.last !== undefined && equals(RealtimeScoreSchema, playing.last, value)) return
    if (playing !== null) playing.last = value
    const match = this.#world.matchOf(this)
    if (match === undefined || !this.isConnected) return
    const sent = this.kind === 'desktop' ? { ...value, timestamp: timestampNow() } : value
    const packet = packetOf({ case: 'push', value: { data: { case: 'realtimeScore', value: sent } } }, this.guid)
    for (const peer of this.#world.watchersOf(match)) peer.deliver(packet)
    this.#world.changed()
  }

  /** Reports the end of a song to everybody; missing members come from the current or last song. */
  tellFinished(given: Finished = {}): void {
    if (!this.isConnected) return
    const match = this.kind === 'desktop' ? this.#world.matchOf(this) : undefined
    const { song, parameters } = this.#playing ?? this.#last ?? { song: this.#nextSong(), parameters: undefined }
    const value = {
      player: this.user,
      ...(parameters?.beatmap === undefined ? {} : { beatmap: parameters.beatmap }),
      type: completions[song.completion],
      score: song.score,
      maxScore: song.maxScore,
      accuracy: song.maxScore === 0 ? 0 : song.score / song.maxScore,
      misses: song.misses,
      badCuts: song.badCuts,
      goodCuts: song.goodCuts,
      endTime: song.seconds,
      tournamentId: this.#room.tournament.guid,
      matchId: match?.guid ?? '',
      ...given,
    }
    this.#world.tellAll({ case: 'push', value: { data: { case: 'songFinished', value } } }, this.guid)
  }

  deliver(packet: Packet): void {
    const { packet: body } = packet
    if (body.case === 'request') {
      this.received.push(packet)
      if (body.value.type.case === 'loadSong') void this.#load(packet, body.value.type.value.levelId)
      if (body.value.type.case === 'showPrompt') {
        void this.#prompt(packet, body.value.type.value.options[0]?.value ?? '')
      }
    } else if (body.case === 'command') {
      this.received.push(packet)
      void this.#obey(body.value)
    }
  }

  /** Closes the player for good. */
  close(): void {
    this.#closed = true
    this.#playing?.timeline.stop()
    this.#playing = null
  }

  #enter(): void {
    this.#world.peers.set(this.user.guid, this)
    this.#world.enter(this, this.#room)
  }

  #change(change: (user: User) => void): void {
    change(this.user)
    if (this.isConnected) this.#world.userChanged(this)
  }

  #answer({ id, from }: Packet, isFine: boolean, details: ResponseDetails): void {
    if (!this.isConnected) return
    const type = isFine ? ResponseType.Success : ResponseType.Fail
    const body: Body = { case: 'response', value: { type, respondingToPacketId: id, details } }
    this.#world.forward(this, [from], packetOf(body))
  }

  async #load(packet: Packet, levelId: string): Promise<void> {
    const { download } = this.script
    if (download === 'silent') return
    const level = levelId.toLowerCase()
    if (!this.#levels.has(level) || typeof download === 'object') this.#downloads(DownloadStates.Downloading)
    if (typeof download === 'object' && download.afterMs !== undefined) await wait(download.afterMs)
    if (this.#closed) return
    if (typeof download === 'object' && 'error' in download) {
      this.#downloads(DownloadStates.DownloadError)
      this.#answer(packet, false, { case: 'loadSong', value: { levelId, message: download.error } })
      return
    }
    this.#levels.add(level)
    this.#downloads(DownloadStates.Downloaded)
    this.#answer(packet, true, { case: 'loadSong', value: { levelId } })
  }

  #downloads(state: DownloadStates): void {
    this.#change((user) => {
      user.downloadState = state
    })
  }

  async #prompt(packet: Packet, first: string): Promise<void> {
    const { prompt } = this.script
    if (prompt === 'silent') return
    if (typeof prompt === 'object' && prompt.afterMs !== undefined) await wait(prompt.afterMs)
    const value = prompt === 'first' ? first : prompt.value
    this.#answer(packet, true, { case: 'showPrompt', value: { value } })
  }

  async #obey({ type }: Command): Promise<void> {
    if (type.case === 'playSong' && type.value.gameplayParameters !== undefined) {
      await this.#start(type.value.gameplayParameters)
    } else if (type.case === 'returnToMenu') {
      const playing = this.#playing
      if (playing !== null) this.#end(playing, 'quit', this.script.tellsReturn)
    } else if (type.case === 'delayTestFinish') {
      this.#begin()
    }
  }

  async #start(parameters: GameplayParameters): Promise<void> {
    const { starts } = this.script
    const level = parameters.beatmap?.levelId.toLowerCase() ?? ''
    if (starts === 'never' || !this.#levels.has(level)) return
    if (typeof starts === 'object') await wait(starts.afterMs)
    // A game in a song does not start another one.
    if (this.#playing !== null || this.#closed) return
    const song = this.#nextSong()
    const timeline = new Timeline()
    const playing: Playing = { parameters, song, timeline, startedAt: undefined, last: undefined }
    this.#playing = playing
    for (const score of scoresOf(song)) timeline.add(score.at * song.seconds * 1000, () => this.tellScore(score))
    timeline.add(song.seconds * 1000, () => this.#end(playing, song.completion, song.reports))
    this.setPlayState('game')
    // With stream sync it waits for `delay_test_finish`.
    if (!parameters.useSync) this.#begin()
  }

  #begin(): void {
    const playing = this.#playing
    if (playing === null || playing.startedAt !== undefined) return
    playing.startedAt = timestampNow()
    if (!this.#isPaused) playing.timeline.resume()
  }

  #end(playing: Playing, completion: ScriptedSong['completion'], tells = true): void {
    playing.timeline.stop()
    if (tells) this.tellFinished({ type: completions[completion] })
    this.#last = playing
    this.#playing = null
    this.setPlayState(this.kind === 'desktop' ? 'waiting' : 'menu')
  }

  #nextSong(): ScriptedSong {
    return { ...defaultSong, ...(this.script.songs.shift() ?? this.script.song) }
  }
}

type ResponseInit = Extract<Body, { case: 'response' }>['value']
type ResponseDetails = NonNullable<ResponseInit['details']>
