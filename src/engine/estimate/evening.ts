import { defaultMinutes } from '../match-duration.ts'
import { chanceOf, type Draw, purposes } from './draws.ts'
import { type Fixture, none, type Programme } from './layout.ts'
import { Progress } from './progress.ts'
import type { EstimateProblem, Evening } from './types.ts'

/** How long a match waits for a team that does not appear, before its opponent gets a walkover. (R5) */
export const graceSeconds = 600
/** A team plays back to back if its next match begins sooner than this after the one before. (R5) */
export const backToBackSeconds = 300

type Rules = Pick<EstimateProblem, 'strengths' | 'channels' | 'durations'>

interface Channel {
  match: number
  end: number
  seconds: number
  matches: number
}

/**
 * Plays one evening. Whenever a channel is free, the first waiting match whose teams are free begins there. A team that
 * does not appear loses its first match by a walkover once the grace time is over, and withdraws. (R5)
 * @param absent the teams that do not appear
 */
export function playEvening(
  programme: Programme,
  { strengths, channels: count, durations }: Rules,
  draw: Draw,
  run: number,
  absent: ReadonlySet<number>,
): Evening {
  const progress = new Progress(programme, strengths.length)
  const channels = Array.from({ length: count }, (): Channel => ({ match: none, end: 0, seconds: 0, matches: 0 }))
  const isBusy = new Uint8Array(strengths.length)
  /** When each team ended its last match; -1 before its first. */
  const lastEnds = new Int32Array(strengths.length).fill(-1)
  const waits: number[] = []
  let [now, matches, running, backToBacks] = [0, 0, 0, 0]

  const fixture = (match: number): Fixture => programme.fixtures[match] as Fixture
  const teamsOf = (match: number) => [progress.team(match, 0), progress.team(match, 1)] as const
  const isPlayed = (match: number) => teamsOf(match).every((team) => !absent.has(team))

  const secondsOf = (match: number): number => {
    if (!isPlayed(match)) return graceSeconds
    const { bracket, index, bestOf } = fixture(match)
    const past = durations.get(bestOf) ?? []
    const at = Math.floor(draw(run, subjectOf(bracket, index), purposes.duration) * past.length)
    return past[at] ?? defaultMinutes(bestOf) * 60
  }

  const start = (match: number, channel: Channel): void => {
    const seconds = secondsOf(match)
    progress.waiting.remove(match)
    channel.match = match
    channel.end = now + seconds
    channel.seconds += seconds
    running += 1
    for (const team of teamsOf(match)) isBusy[team] = 1
    if (!isPlayed(match)) return
    channel.matches += 1
    matches += 1
    for (const team of teamsOf(match)) {
      const last = lastEnds[team] ?? -1
      if (last < 0) continue
      waits.push(now - last)
      if (now - last < backToBackSeconds) backToBacks += 1
    }
  }

  const fill = (): void => {
    for (const channel of channels) {
      if (channel.match !== none) continue
      let match = progress.waiting.first()
      while (match !== none && teamsOf(match).some((team) => isBusy[team] === 1)) match = progress.waiting.after(match)
      if (match === none) return
      start(match, channel)
    }
  }

  const end = (channel: Channel): void => {
    const { match } = channel
    channel.match = none
    running -= 1
    const [first, second] = teamsOf(match)
    for (const team of [first, second]) isBusy[team] = 0
    if (isPlayed(match)) {
      for (const team of [first, second]) lastEnds[team] = now
      const { bracket, index } = fixture(match)
      const chance = chanceOf(strengths[first] ?? 0, strengths[second] ?? 0)
      progress.finish(match, draw(run, subjectOf(bracket, index), purposes.winner) < chance ? 0 : 1)
      return
    }
    const missing = [first, second].filter((team) => absent.has(team))
    progress.finish(match, missing.length === 2 ? null : missing[0] === first ? 1 : 0)
    for (const team of missing) progress.withdraw(team)
  }

  progress.begin()
  for (fill(); running > 0; fill()) {
    now = Math.min(...channels.map((each) => (each.match === none ? Number.POSITIVE_INFINITY : each.end)))
    for (const channel of channels) if (channel.match !== none && channel.end === now) end(channel)
  }
  return {
    seconds: now,
    matches,
    channels: channels.map((each) => ({ seconds: each.seconds, matches: each.matches })),
    waits,
    backToBacks,
  }
}

/** The subject of the draws of a match: its bracket and its number there. No bracket has 65,536 matches. */
export function subjectOf(bracket: number, index: number): number {
  return bracket * 65_536 + index
}
