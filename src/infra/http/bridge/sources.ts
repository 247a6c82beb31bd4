/**
 * Reads the messages of a player's game, from one of two local sources on their machine, into live values and results.
 * This file runs unchanged in the bridge page: plain functions, independent of the page and the service. The messages
 * are untrusted: only values of the expected form are passed on. (AS30, AS31)
 */

export type SourceName = 'bsplus' | 'status'

/** Both are on the machine of the game; the page's policy allows no other address. (AS30) */
export const addresses: Readonly<Record<SourceName, string>> = {
  bsplus: 'ws://127.0.0.1:2947',
  status: 'ws://127.0.0.1:6557/socket',
}

export interface Song {
  /** The map's hash in lower case; null for a map that is part of the game, which no match uses. */
  readonly hash: string | null
  readonly characteristic: string
  readonly difficulty: string
  readonly name: string
  /** null where it is unknown. */
  readonly seconds: number | null
  readonly maxScore: number | null
}

/** Members of a live score, as far as the source gives them. */
export interface LiveValue {
  readonly score: number | null
  readonly modifiedScore: number | null
  readonly maxScore: number | null
  readonly accuracy: number | null
  readonly combo: number | null
  readonly maxCombo: number | null
  readonly misses: number | null
  readonly health: number | null
  readonly songTime: number | null
  readonly fullCombo: boolean | null
  readonly state: 'playing' | 'paused' | 'failed' | 'finished'
}

export interface Result extends Omit<Song, 'seconds'> {
  readonly score: number
  readonly accuracy: number | null
  readonly misses: number
  readonly goodCuts: number
  readonly maxCombo: number | null
  readonly completion: 'passed' | 'failed' | 'quit'
  readonly endTime: number | null
}

export type Told =
  /** The player of the game; null where the source does not tell. */
  | { readonly type: 'player'; readonly platformId: string | null; readonly game: string | null }
  | { readonly type: 'song'; readonly song: Song }
  | { readonly type: 'live'; readonly value: LiveValue }
  | { readonly type: 'result'; readonly result: Result; readonly value: LiveValue }

/** The state of a running song. */
interface Run {
  readonly value: LiveValue
  readonly goodCuts: number
  /** Position in the song in seconds at the instant `at`. */
  readonly position: number
  readonly at: number
  /** Playback speed, which modifiers change. */
  readonly speed: number
}

export interface State {
  readonly song: Song | null
  readonly run: Run | null
}

export const initial: State = { song: null, run: null }

export interface Step {
  readonly state: State
  readonly told: readonly Told[]
}

type Message = Readonly<Record<string, unknown>>

/**
 * Processes one message of a source, received at an instant in milliseconds. Unknown messages change nothing.
 * @param text the message as received
 */
export function read(source: SourceName, state: State, text: string, at: number): Step {
  const message = parse(text)
  if (message === null) return { state, told: [] }
  return source === 'bsplus' ? readBsPlus(state, message, at) : readStatus(state, message, at)
}

// BS+

function readBsPlus(state: State, message: Message, at: number): Step {
  if (message._type === 'handshake') {
    const platformId = word(message.playerPlatformId, 64)
    return { state, told: [{ type: 'player', platformId, game: word(message.gameVersion, 32) }] }
  }
  if (message._type !== 'event') return { state, told: [] }
  switch (message._event) {
    case 'mapInfo':
      return takeMapInfo(state, part(message.mapInfoChanged), at)
    case 'gameState':
      return message.gameStateChanged === 'Playing'
        ? begin(state, at)
        : message.gameStateChanged === 'Menu'
          ? leave(state, at, leftBsPlus)
          : { state, told: [] }
    case 'score':
      return takeScoreEvent(state, part(message.scoreEvent), at)
    case 'pause':
      return halt(state, 'paused', at, number(message.pauseTime, 0, maxSong))
    case 'resume':
      return halt(state, 'playing', at, number(message.resumeTime, 0, maxSong))
    default:
      return { state, told: [] }
  }
}

function takeMapInfo(state: State, info: Message, at: number): Step {
  const milliseconds = number(info.duration, 1, maxSong * 1_000)
  const song: Song = {
    hash: hashOf(info.level_id),
    characteristic: characteristicOf(info.characteristic),
    difficulty: difficultyOf(info.difficulty),
    name: word(info.name, 200) ?? '',
    seconds: milliseconds === null ? null : milliseconds / 1_000,
    maxScore: null,
  }
  const position = number(info.time, 0, maxSong) ?? 0
  const speed = number(info.timeMultiplier, 0.1, 10) ?? 1
  // This message comes before or after the change to playing, and again when a song is restarted.
  const run = state.run === null ? null : { ...newRun(at), position, speed }
  return { state: { song, run }, told: [{ type: 'song', song }, ...(run === null ? [] : [live(run)])] }
}

function takeScoreEvent(state: State, score: Message, at: number): Step {
  const { run, song } = state
  if (run === null) return { state, told: [] }
  const combo = count(score.combo)
  const misses = count(score.missCount)
  const position = number(score.time, 0, maxSong) ?? positionOf(run, at)
  const points = count(score.score, maxPoints)
  const value: LiveValue = {
    ...run.value,
    score: points,
    modifiedScore: points,
    accuracy: number(score.accuracy, 0, 2),
    combo,
    misses,
    maxCombo: combo === null ? run.value.maxCombo : Math.max(combo, run.value.maxCombo ?? 0),
    health: number(score.currentHealth, 0, 1),
    songTime: position,
    fullCombo: misses === null ? null : misses === 0,
    // Scores are sent only while a song runs, so the state is `playing` even if an earlier message was missed.
    state: 'playing',
  }
  const next = { ...run, value, position, at }
  return { state: { song, run: next }, told: [live(next)] }
}

/** A song counts as finished when it ends within this many seconds of its length. (AS30) */
const endSeconds = 3

/**
 * BS+ sends no end: a return to the menu within three seconds of the song's length is a finish, an earlier one means
 * that the player quit. (AS30)
 */
function leftBsPlus({ seconds }: Song, position: number): Result['completion'] {
  return seconds !== null && position >= seconds - endSeconds ? 'passed' : 'quit'
}

// HTTP status

function readStatus(state: State, message: Message, at: number): Step {
  const status = part(message.status)
  const before = withBeatmap(state, part(status.beatmap))
  switch (message.event) {
    case 'hello': {
      const player = { type: 'player', platformId: null, game: word(part(status.game).gameVersion, 32) } as const
      // A song may be running when the page opens; the performance has the values until then.
      if (before.song === null || status.performance == null) return { state: initial, told: [player] }
      const { state: next, told } = takePerformance({ ...before, run: newRun(at) }, status, at)
      return { state: next, told: [player, { type: 'song', song: before.song }, ...told] }
    }
    case 'songStart': {
      if (before.song === null) return { state, told: [] }
      const run = newRun(at)
      return { state: { song: before.song, run }, told: [{ type: 'song', song: before.song }, live(run)] }
    }
    case 'scoreChanged':
    case 'softFailed':
      return takePerformance(before, status, at)
    case 'pause':
      return halt(takePerformance(before, status, at).state, 'paused', at, null)
    case 'resume':
      return halt(takePerformance(before, status, at).state, 'playing', at, null)
    case 'finished':
      return leave(takePerformance(before, status, at).state, at, () => 'passed')
    case 'failed':
      return leave(takePerformance(before, status, at).state, at, () => 'failed')
    case 'menu':
      return leave(before, at, () => 'quit')
    default:
      return { state, told: [] }
  }
}

/** Applies a change of the beatmap: messages carry only the changed parts of the status. */
function withBeatmap(state: State, beatmap: Message): State {
  if (Object.keys(beatmap).length === 0) return state
  const milliseconds = number(beatmap.length, 1, maxSong * 1_000)
  const hash = typeof beatmap.songHash === 'string' ? hashOf(`custom_level_${beatmap.songHash}`) : null
  const song: Song = {
    hash: hash ?? hashOf(beatmap.levelId),
    characteristic: characteristicOf(beatmap.characteristic),
    difficulty: difficultyOf(beatmap.difficultyEnum ?? beatmap.difficulty),
    name: word(beatmap.songName, 200) ?? '',
    seconds: milliseconds === null ? null : milliseconds / 1_000,
    maxScore: count(beatmap.maxScore, maxPoints),
  }
  return { ...state, song }
}

function takePerformance(state: State, status: Message, at: number): Step {
  const { run, song } = state
  const performance = part(status.performance)
  if (run === null || Object.keys(performance).length === 0) return { state, told: [] }
  const points = count(performance.rawScore, maxPoints) ?? count(performance.score, maxPoints)
  const most = count(performance.currentMaxScore, maxPoints)
  const misses = count(performance.missedNotes)
  const songTime = number(performance.currentSongTime, 0, maxSong) ?? positionOf(run, at)
  const value: LiveValue = {
    ...run.value,
    score: points,
    modifiedScore: count(performance.score, maxPoints) ?? points,
    maxScore: most,
    accuracy: points === null || most === null || most === 0 ? null : Math.min(2, points / most),
    combo: count(performance.combo),
    maxCombo: count(performance.maxCombo) ?? run.value.maxCombo,
    misses,
    health: number(performance.batteryEnergy, 0, 1),
    songTime,
    fullCombo: misses === null ? null : misses === 0,
    state: performance.softFailed === true ? 'failed' : run.value.state === 'paused' ? 'paused' : 'playing',
  }
  const next = { ...run, value, goodCuts: count(performance.hitNotes) ?? run.goodCuts, position: songTime, at }
  return { state: { song, run: next }, told: [live(next)] }
}

// Songs

const nothingYet: LiveValue = {
  score: 0,
  modifiedScore: 0,
  maxScore: null,
  accuracy: null,
  combo: 0,
  maxCombo: 0,
  misses: 0,
  health: null,
  songTime: 0,
  fullCombo: null,
  state: 'playing',
}

function newRun(at: number): Run {
  return { value: nothingYet, goodCuts: 0, position: 0, at, speed: 1 }
}

function begin({ song }: State, at: number): Step {
  const run = newRun(at)
  return { state: { song, run }, told: [live(run)] }
}

function halt(state: State, what: 'playing' | 'paused', at: number, position: number | null): Step {
  const { run, song } = state
  if (run === null) return { state, told: [] }
  const songTime = position ?? positionOf(run, at)
  const next = { ...run, value: { ...run.value, songTime, state: what }, position: songTime, at }
  return { state: { song, run: next }, told: [live(next)] }
}

/** The position in the song continues between two messages, unless the song is paused. */
function positionOf({ position, at: since, speed, value }: Run, at: number): number {
  return value.state === 'paused' ? position : position + (Math.max(0, at - since) / 1_000) * speed
}

function leave(state: State, at: number, how: (song: Song, position: number) => Result['completion']): Step {
  const { song, run } = state
  if (run === null) return { state, told: [] }
  // The next song is announced anew.
  if (song === null) return { state: initial, told: [] }
  const { seconds, ...map } = song
  const position = Math.min(positionOf(run, at), seconds ?? maxSong)
  const completion = how(song, position)
  const value: LiveValue = {
    ...run.value,
    songTime: position,
    state: completion === 'passed' ? 'finished' : 'failed',
  }
  const { score, accuracy, misses, maxCombo } = value
  const result: Result = {
    ...map,
    score: score ?? 0,
    accuracy,
    misses: misses ?? 0,
    goodCuts: run.goodCuts,
    maxCombo,
    completion,
    endTime: position,
  }
  return { state: initial, told: [{ type: 'result', result, value }] }
}

function live(run: Run): Told {
  return { type: 'live', value: run.value }
}

// Parsing: only values of the expected form are accepted

/** An hour, in seconds: no song is longer. */
const maxSong = 3_600
const maxPoints = 2_000_000_000
const maxMessage = 262_144

function parse(text: string): Message | null {
  if (text.length > maxMessage) return null
  try {
    return part(JSON.parse(text))
  } catch {
    return null
  }
}

function part(value: unknown): Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : {}
}

function number(value: unknown, least: number, most: number): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most ? value : null
}

function count(value: unknown, most = 1_000_000): number | null {
  const found = number(value, 0, most)
  return found === null ? null : Math.floor(found)
}

/** A text without invisible characters, of at most `most` characters. */
function word(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  const plain = value.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '').trim()
  return plain === '' ? null : [...plain].slice(0, most).join('')
}

/**
 * A result is saved whatever its map's characteristic is called: characters that no characteristic has become
 * underscores. (AS31)
 */
function characteristicOf(value: unknown): string {
  return word(value, 32)?.replace(/[^A-Za-z0-9_]/gu, '_') ?? 'Standard'
}

function hashOf(level: unknown): string | null {
  const found = typeof level === 'string' ? /^custom_level_([0-9a-f]{40})(?: WIP)?$/i.exec(level) : null
  return found?.[1]?.toLowerCase() ?? null
}

const difficulties = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus']

function difficultyOf(value: unknown): string {
  const named = word(value, 32)?.replace('+', 'Plus') ?? ''
  return difficulties.find((one) => one.toLowerCase() === named.toLowerCase()) ?? named
}

// The rate at which values are passed on

/** Milliseconds between two values: ten a second. (AS30) */
export const paceMs = 100

/**
 * Passes values on at most ten times a second. Of several values in one interval only the newest is passed on, at the
 * end of the interval. (AS30)
 */
export class Pace<Value> {
  readonly #give: (value: Value) => void
  readonly #now: () => number
  readonly #later: (ms: number, run: () => void) => unknown
  #waiting: { readonly value: Value } | null = null
  #givenAt = Number.NEGATIVE_INFINITY
  #isPlanned = false

  constructor(
    give: (value: Value) => void,
    now: () => number,
    later: (ms: number, run: () => void) => unknown = (ms, run) => setTimeout(run, ms),
  ) {
    this.#give = give
    this.#now = now
    this.#later = later
  }

  take(value: Value): void {
    this.#waiting = { value }
    this.#flush()
  }

  /** Discards the waiting value. */
  drop(): void {
    this.#waiting = null
  }

  #flush(): void {
    if (this.#waiting === null || this.#isPlanned) return
    const left = this.#givenAt + paceMs - this.#now()
    if (left > 0) {
      this.#isPlanned = true
      this.#later(left, () => {
        this.#isPlanned = false
        this.#flush()
      })
      return
    }
    const { value } = this.#waiting
    this.#waiting = null
    this.#givenAt = this.#now()
    this.#give(value)
  }
}
