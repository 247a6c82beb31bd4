import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { LiveScore } from '../../../../client/generated.ts'
import { connection } from '../../data/connection.ts'
import { epochOfLive, live } from '../../data/live.ts'
import { useReader } from '../../data/queries.ts'
import { type Index, indexes } from './people.ts'
import { type Measure, measureOf } from './sheets.ts'
import { poolMap, titleOf, type View } from './view.ts'

/** The values of a map while it is played. The service keeps none of them: what was is known since the page is open. */

type Value = LiveScore & { readonly at: string }
interface SongValue {
  readonly mapHash?: string | null
  readonly difficulty?: string | null
  readonly startedAt?: string | null
}

/** A player’s newest values. */
export interface Held {
  readonly user: string
  readonly value: Value
  /** The source is silent: these are its last values. */
  readonly isLost: boolean
}

/** What is played, as the source tells it. */
export interface LiveSong {
  readonly name: string
  readonly seconds: number | null
  readonly startedAt: string | null
}

/** A moment of the map: seconds into it, the lead of side 1, and the accuracy of each player. */
export interface Point {
  readonly at: number
  readonly lead: number | null
  readonly accuracies: Readonly<Record<string, number>>
}

/** What each side has by what decides the map. */
type Totals = readonly [number, number]

interface Known {
  readonly held: ReadonlyMap<string, Held>
  /** Of the last moment at which the values of all players were of one time. */
  readonly totals: Totals | null
  readonly song: SongValue | null
  readonly points: readonly Point[]
}

const nothing: Known = { held: new Map(), totals: null, song: null, points: [] }
/** About a quarter of an hour. */
const maxPoints = 2_000

export interface LiveValues {
  readonly held: readonly Held[]
  readonly song: LiveSong | null
  readonly points: readonly Point[]
  readonly totals: Totals | null
  /** The instant of the newest value, where nothing newer comes. */
  readonly asOf: string | null
}

/** @param isDelayed as viewers of the stream see them (RT42) */
export function useLiveValues(view: View, isDelayed = true): LiveValues {
  const { match, tournament, session } = view
  const { user } = useReader()
  const [known, setKnown] = useState(nothing)
  const { lostAt } = useSyncExternalStore(connection.subscribe, connection.seen)
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const isRunning = match.status === 'running'
  // Each run of a map begins with no values.
  const run = `${session?.turn?.game ?? match.games.length} ${session?.turn?.run ?? ''}`
  const read = { sides: sidesOf(view), by: measureOf(view) }
  const reading = useRef(read)
  reading.current = read
  useEffect(() => {
    if (!isRunning || user === undefined || epoch === null) return
    const topic = live().live(`/tournaments/${tournament}/matches/${match.guid}/live`, { delayed: isDelayed, rate: 4 })
    return topic.subscribe(({ value }) => {
      if (value !== undefined) setKnown((before) => follow(before, value, reading.current))
    })
  }, [isRunning, tournament, match.guid, user, epoch, isDelayed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: values end with the run that they are of
  useEffect(() => setKnown(nothing), [run])
  const held = [...known.held.values()]
  const isSilent = lostAt !== null || (held.length > 0 && held.every(({ isLost }) => isLost))
  const newest =
    held
      .map(({ value }) => value.at)
      .toSorted()
      .at(-1) ?? null
  const { points, totals } = known
  return { held, song: songOf(known.song, held, view), points, totals, asOf: isSilent ? newest : null }
}

function sidesOf({ people, session }: View): ReadonlyMap<string, Index> {
  const ofTeams = people.teams.flatMap((team, at) =>
    (team?.members ?? []).map(({ user }) => [user.guid, at as Index] as const),
  )
  const ofLineups = (session?.seats ?? []).flatMap(({ seat, lineup }) =>
    (lineup ?? []).flatMap((user) => (user === null ? [] : [[user, (seat - 1) as Index] as const])),
  )
  return new Map([...ofTeams, ...ofLineups])
}

interface Reading {
  readonly sides: ReadonlyMap<string, Index>
  readonly by: Measure
}

function follow(before: Known, states: Readonly<Record<string, unknown>>, reading: Reading): Known {
  const song = (states.session as SongValue | undefined) ?? before.song
  const held = new Map<string, Held>()
  for (const [user, each] of before.held) held.set(user, { ...each, isLost: true })
  for (const [key, value] of Object.entries(states)) {
    const [kind, user] = key.split(':')
    if (kind !== 'player' || user === undefined) continue
    const shown = value as Value
    held.set(user, { user, value: shown, isLost: shown.state === 'disconnected' })
  }
  const all = [...held.values()]
  const at = momentOf(all)
  if (at === null) return { ...before, held, song }
  const totals = totalsOf(all, reading)
  return { held, song, totals, points: lengthened(before.points, pointOf(at, all, totals)) }
}

/** Values of players that are further apart than this make no lead, in seconds. */
const maxSpread = 2

/** Seconds into the song of those who play; null where the values are of different times. */
function momentOf(held: readonly Held[]): number | null {
  const times = held.flatMap(({ value: { state, songTime }, isLost }) =>
    isLost || songTime == null || (state ?? 'playing') !== 'playing' ? [] : [songTime],
  )
  if (times.length === 0) return null
  const at = Math.max(...times)
  return at - Math.min(...times) > maxSpread ? null : at
}

function lengthened(points: readonly Point[], next: Point): readonly Point[] {
  const [last] = points.slice(-1)
  // The song began anew.
  if (last !== undefined && next.at < last.at - 5) return [next]
  if (last !== undefined && next.at <= last.at) return points
  return [...points.slice(1 - maxPoints), next]
}

function totalsOf(held: readonly Held[], { sides, by }: Reading): Totals | null {
  const [one, two] = indexes.map((side) => totalOf(held, (user) => sides.get(user) === side, by))
  return one == null || two == null ? null : [one, two]
}

function pointOf(at: number, held: readonly Held[], totals: Totals | null): Point {
  return {
    at,
    lead: totals === null ? null : totals[0] - totals[1],
    accuracies: Object.fromEntries(
      held.flatMap(({ user, value: { accuracy } }) => (accuracy == null ? [] : [[user, accuracy]])),
    ),
  }
}

/** What a side has by what decides the map; null where none of its players is known. More is better. */
function totalOf(held: readonly Held[], isOf: (user: string) => boolean, by: Measure): number | null {
  const values = held.flatMap(({ user, value }) => {
    if (!isOf(user)) return []
    const { score, modifiedScore, accuracy, misses } = value
    const own = by === 'score' ? (modifiedScore ?? score) : by === 'accuracy' ? accuracy : misses
    return own == null ? [] : [by === 'misses' ? -own : own]
  })
  if (values.length === 0) return null
  const sum = values.reduce((all, each) => all + each, 0)
  return by === 'accuracy' ? sum / values.length : sum
}

/** The song that the source names, else the map of the game; its beginning follows from the newest value. */
function songOf(song: SongValue | null, held: readonly Held[], view: View): LiveSong | null {
  const { session, planned } = view
  const hash = song?.mapHash?.toLowerCase()
  const game = session?.games.find(({ game: number }) => number === session.turn?.game)
  const entry =
    hash === undefined
      ? poolMap(view, game?.map ?? null)
      : (session ?? planned)?.pool?.maps.find(({ map }) => map.hash === hash)
  if (entry === undefined) return null
  const [newest] = held
    .flatMap(({ value: { at, songTime }, isLost }) => (songTime == null || isLost ? [] : [{ at, songTime }]))
    .toSorted((one, other) => other.songTime - one.songTime)
  const begun = newest === undefined ? null : new Date(Date.parse(newest.at) - newest.songTime * 1_000).toISOString()
  return {
    name: titleOf(entry.map),
    seconds: entry.map.durationSeconds,
    startedAt: begun ?? song?.startedAt ?? null,
  }
}
