import type { AvailabilityState } from '../../../../client/generated.ts'

/** When teams can play, by their answers to availability sheets. A team that no sheet asks can at any time. */

export type Will = 'available' | 'maybe' | 'would_rather_not' | 'unavailable'

/** What a team says of a time; `unanswered` as long as it has answered no sheet, `none` where it said nothing of the time. */
export type Word = Will | 'unanswered' | 'none'

interface Run {
  readonly start: number
  readonly end: number
  readonly status: Will
}

export interface TeamAnswers {
  readonly hasAnswered: boolean
  /** In order of their starts. */
  readonly runs: readonly Run[]
}

export type Answers = ReadonlyMap<string, TeamAnswers>

const quarterMs = 900_000
const fromBest: readonly Word[] = ['available', 'maybe', 'would_rather_not', 'none', 'unavailable']

type State = Pick<AvailabilityState, 'canManageTeams' | 'sheets'>

/** Of each team that is asked, by its GUID; nothing for readers who may not see the answers. */
export function answersIn(state: State | undefined): Answers {
  const found = new Map<string, { hasAnswered: boolean; runs: Run[] }>()
  if (state === undefined || !state.canManageTeams) return found
  for (const { audience, eligibleTeams, teamResponses, teamSubmissions } of state.sheets) {
    if (audience !== 'teams') continue
    for (const { guid } of eligibleTeams) if (!found.has(guid)) found.set(guid, { hasAnswered: false, runs: [] })
    for (const { teamGuid } of teamSubmissions) {
      const own = found.get(teamGuid)
      if (own !== undefined) own.hasAnswered = true
    }
    for (const { teamGuid, status, startsAt, endsAt } of teamResponses)
      found.get(teamGuid)?.runs.push({ status, start: Date.parse(startsAt), end: Date.parse(endsAt) })
  }
  for (const { runs } of found.values()) runs.sort((one, other) => one.start - other.start)
  return found
}

const quarterOf = (at: number) => Math.floor(at / quarterMs) * quarterMs

/** The worst of what a team says of a span; null for a team that is not asked. */
export function wordOf(answers: Answers, team: string, start: number, end: number): Word | null {
  const own = answers.get(team)
  if (own === undefined) return null
  if (!own.hasAnswered) return 'unanswered'
  let worst = 0
  for (let at = quarterOf(start); at < end; at += quarterMs) {
    const here = own.runs.filter((run) => run.start < at + quarterMs && run.end > at)
    const ranks = here.map(({ status }) => fromBest.indexOf(status))
    worst = Math.max(worst, ...(ranks.length === 0 ? [fromBest.indexOf('none')] : ranks))
  }
  return fromBest[worst] ?? 'none'
}

export const isWilling = (word: Word | null): boolean =>
  word === null || word === 'available' || word === 'maybe' || word === 'would_rather_not'

export interface Common {
  readonly start: number
  readonly end: number
  /** Whether both are available through all of it. */
  readonly isSure: boolean
}

/** The spans in which both teams can play for long enough; null where there is nothing to compare. */
export function commonSpans(answers: Answers, teams: readonly string[], lengthMs: number): readonly Common[] | null {
  const asked = teams.flatMap((team) => answers.get(team) ?? [])
  if (asked.length === 0 || asked.some(({ hasAnswered }) => !hasAnswered)) return null
  const starts = new Set<number>()
  for (const { runs } of asked)
    for (const { start, end } of runs) for (let at = quarterOf(start); at < end; at += quarterMs) starts.add(at)
  const spans: { start: number; end: number; isSure: boolean }[] = []
  for (const start of [...starts].toSorted((one, other) => one - other)) {
    const end = start + quarterMs
    const words = teams.map((team) => wordOf(answers, team, start, end))
    if (!words.every(isWilling)) continue
    const isSure = words.every((word) => word === null || word === 'available')
    const last = spans.at(-1)
    if (last !== undefined && last.end === start) {
      last.end = end
      last.isSure &&= isSure
    } else spans.push({ start, end, isSure })
  }
  return spans.filter(({ start, end }) => end - start >= lengthMs)
}
