import { conflict, invalid } from '../../../../core/problem.ts'
import { readSettings, settingNames } from '../../../../engine/settings.ts'
import type { Format, Settings } from '../../../../engine/types.ts'
import { roundKeyOf } from '../../matches/rules.ts'
import type { MatchRecord } from '../../matches/types.ts'
import type { Bracket } from '../types.ts'

export const maxNameCharacters = 100
export const maxOrder = 1_000
/** The list of divisions returns all brackets in one answer. (D8) */
export const maxBrackets = 100
/** Far more than any tournament plays; limits what one tournament can store. (D8) */
export const maxMatches = 50_000

/**
 * The maximum of entrants and matches that a list of divisions returns. Above it, entrants and matches are in the
 * record of each bracket only. (D8)
 */
export const maxListed = 10_000

/**
 * A tournament has at most as many brackets as one answer holds. (D8)
 * @throws Problem `bracket.too_many`
 */
export function checkRoom(brackets: number): void {
  if (brackets < maxBrackets) return
  throw conflict('bracket.too_many', `A tournament can have at most ${maxBrackets} brackets.`)
}

/**
 * A tournament has a limited number of matches. (D8)
 * @throws Problem `bracket.too_many_matches`
 */
export function checkRoomForMatches(present: number, more: number): void {
  if (present + more <= maxMatches) return
  throw conflict(
    'bracket.too_many_matches',
    `A tournament can have at most ${maxMatches} matches: there are ${present}, and this bracket would add ${more}.`,
  )
}

/** The settings that the format reads. */
export function settingsShown({ format, settings }: Pick<Bracket, 'format' | 'settings'>): Partial<Settings> {
  return Object.fromEntries(settingNames[format].map((name) => [name, settings[name]]))
}

/** Whether a match has begun, or a Swiss round was paired from earlier results. */
export function isPlayed({ started, roundsMade }: Pick<Bracket, 'started' | 'roundsMade'>): boolean {
  return started > 0 || roundsMade > 1
}

/**
 * Played results are deleted only with `force`. (additions: Divisions, brackets, matches)
 * @throws Problem `bracket.played`
 */
export function checkUnplayed(bracket: Pick<Bracket, 'started' | 'roundsMade'>, force: boolean): void {
  if (force || !isPlayed(bracket)) return
  throw conflict('bracket.played', 'Matches of the bracket were played; with `force` their results would be lost.')
}

/**
 * Teams can change places until the first match begins. (additions: Divisions, brackets, matches)
 * @throws Problem `bracket.played`
 */
export function checkPlaceable(bracket: Pick<Bracket, 'started' | 'roundsMade'>): void {
  if (!isPlayed(bracket)) return
  throw conflict('bracket.played', 'Matches of the bracket were played, so that its teams keep their places.')
}

/**
 * Two organisers who place teams at once do not undo each other's work: who gives the revision that they have seen is refused
 * once it is old. (additions: Divisions, brackets, matches)
 * @throws Problem `bracket.stale`
 */
export function checkRevision(seen: number | undefined, { revision }: Pick<Bracket, 'revision'>): void {
  if (seen === undefined || seen === revision) return
  throw conflict('bracket.stale', 'The bracket has changed since this revision; read it again.')
}

/**
 * The next round of a Swiss bracket is paired when no match is open, until the bracket has all its rounds. (additions:
 * Divisions, brackets, matches)
 * @throws Problem `bracket.not_swiss`, `bracket.draft`, `bracket.round_open`, `bracket.rounds_complete`
 */
export function checkNextRound({
  format,
  settings,
  status,
  open,
  roundsMade,
}: Pick<Bracket, 'format' | 'settings' | 'status' | 'open' | 'roundsMade'>): void {
  if (format !== 'swiss') throw conflict('bracket.not_swiss', 'Only Swiss brackets are paired round by round.')
  if (status === 'draft') throw conflict('bracket.draft', 'A place of the bracket has no team yet.')
  if (open > 0)
    throw conflict('bracket.round_open', `Round ${roundsMade} is not over: ${open} matches are to be played.`)
  if (roundsMade >= settings.rounds) {
    throw conflict('bracket.rounds_complete', `The bracket has all of its ${settings.rounds} rounds.`)
  }
}

/**
 * The bracket's settings with other best-of values for some rounds. (additions: Divisions, brackets, matches; G2)
 * @throws Problem `bracket.settings_invalid`
 */
export function lengthen(
  bracket: Pick<Bracket, 'format' | 'settings'>,
  bestOfByRound: Readonly<Record<string, number>>,
  entrants: number,
): Settings {
  const merged = { ...bracket.settings.bestOfByRound, ...bestOfByRound }
  return readSettings(bracket.format, { ...settingsShown(bracket), bestOfByRound: merged }, entrants)
}

/**
 * The matches that get another length: those of the given rounds that have not begun. (additions: Divisions, brackets,
 * matches)
 * @throws Problem `bracket.settings_invalid`, `bracket.round_played`
 */
export function matchesToLengthen(
  matches: readonly MatchRecord[],
  bestOfByRound: Readonly<Record<string, number>>,
  { format, settings }: Pick<Bracket, 'format' | 'settings'>,
): readonly MatchRecord[] {
  const made = new Set(matches.map(roundKeyOf))
  return Object.entries(bestOfByRound).flatMap(([key, bestOf]) => {
    const round = matches.filter((match) => roundKeyOf(match) === key)
    if (!hasRound(key, made, { format, settings })) {
      throw invalid('bracket.settings_invalid', `The bracket has no round ${key}.`)
    }
    const unplayed = round.filter((match) => !match.started)
    if (round.length > 0 && unplayed.length === 0) {
      throw conflict('bracket.round_played', `Every match of ${key} was begun, and keeps its length.`)
    }
    return unplayed.filter((match) => match.bestOf !== bestOf).map((match) => ({ ...match, bestOf }))
  })
}

/** @param made keys of the rounds that have matches */
export function hasRound(
  key: string,
  made: ReadonlySet<string>,
  { format, settings }: Pick<Bracket, 'format' | 'settings'>,
): boolean {
  return made.has(key) || isToCome(key, format, settings)
}

/** Whether the key names a round of a Swiss bracket that is not paired yet. */
function isToCome(key: string, format: Format, { rounds }: Pick<Settings, 'rounds'>): boolean {
  return format === 'swiss' && Array.from({ length: rounds }, (_, index) => `swiss:${index + 1}`).includes(key)
}
