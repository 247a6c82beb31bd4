import type { Outcome } from '../../../../engine/types.ts'
import { escaped, timeOf } from '../rules/text.ts'
import { type Place, placeText } from './places.ts'
import type { Words } from './words.ts'

/** Lines about matches. */

export interface Side {
  /** null while the team is not known. */
  readonly team: string | null
  readonly from: { readonly match: number; readonly outcome: 'winner' | 'loser' } | null
  readonly score: number | null
}

export interface MatchFacts {
  readonly number: number
  readonly place: Place
  readonly sides: readonly [Side, Side]
  readonly bestOf: number
  readonly status: string
  readonly outcome: Outcome | null
  /** The side that won: 0 or 1. */
  readonly winner: number | null
  readonly scheduledAt: Date | null
  readonly streamUrl: string | null
  readonly games: readonly { readonly map: string | null; readonly scores: readonly (number | null)[] }[]
  /** The next matches of its teams. */
  readonly next: readonly NextMatch[]
}

export interface NextMatch {
  readonly team: string
  readonly other: Side
  readonly place: Place
  readonly scheduledAt: Date | null
}

export function sideText({ team, from }: Side, say: Words): string {
  if (team !== null) return escaped(team)
  if (from === null) return say('unknown')
  return say(from.outcome === 'winner' ? 'winner_of' : 'loser_of', { number: from.match })
}

/** “**A** – **B**” */
export function versus({ sides }: MatchFacts, say: Words): string {
  return sides.map((side) => (side.team === null ? sideText(side, say) : `**${sideText(side, say)}**`)).join(' – ')
}

/** A match that is to be played or is played. */
export function matchLine(match: MatchFacts, say: Words): string {
  const { place, bestOf, streamUrl } = match
  const line = say('match_line_to_come', { sides: versus(match, say), place: placeText(place, say), bestOf })
  return streamUrl === null ? line : `${line} · ${say('stream', { address: `<${new URL(streamUrl).href}>` })}`
}

export function briefLine(match: MatchFacts, say: Words): string {
  return say('match_line', { sides: versus(match, say), place: placeText(match.place, say) })
}

/** “**A** 2 : 1 B”, with the winner in bold, and how it came about where it was not played. */
export function resultLine(match: MatchFacts, say: Words): string {
  const { sides, winner, outcome, status } = match
  const named = sides.map((side, index) => {
    const name = sideText(side, say)
    return index === winner ? `**${name}**` : name
  })
  const place = placeText(match.place, say)
  if (status !== 'completed') return say('result_withdrawn', { sides: named.join(' – '), place })
  const hasScores = sides.every(({ score }) => score !== null)
  const score = hasScores ? ` ${sides.map((side) => side.score).join(' : ')} ` : ' – '
  const line = { sides: named.join(score), place }
  if (outcome === 'walkover') return say('result_walkover', { sides: named.join(' – '), place })
  if (outcome === 'double_forfeit') return say('result_double_forfeit', { sides: named.join(' – '), place })
  return say(outcome === 'draw' ? 'result_draw' : 'match_line', line)
}

/** The maps of a result in one line; null if none is known. */
export function gamesLine({ games, status }: MatchFacts, say: Words): string | null {
  if (status !== 'completed' || games.length === 0) return null
  return games
    .map(({ map, scores }, index) =>
      say('game', {
        map: map === null ? say('unknown_map', { number: index + 1 }) : escaped(map),
        scores: scores.map((score) => (score === null ? '–' : say('points', { n: score }))).join(' : '),
      }),
    )
    .join(' · ')
}

/** Where the teams of a result play next; null if no match of theirs is known. */
export function nextLine({ place: from, next, status }: MatchFacts, say: Words): string | null {
  if (status !== 'completed' || next.length === 0) return null
  const list = next.map(({ team, other, place, scheduledAt }) => {
    const where = placeText(place, say, from)
    const text =
      other.team === null
        ? say('next_open', { team: escaped(team), place: where })
        : say('next_against', { team: escaped(team), other: escaped(other.team), place: where })
    return scheduledAt === null ? text : say('next_at', { next: text, time: timeOf(scheduledAt) })
  })
  return say('next', { list: list.join('; ') })
}
