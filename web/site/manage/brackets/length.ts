import { defaultMinutes } from '../../../../src/engine/match-duration.ts'
import type { NewBracketWithMatches } from '../../data/generated.ts'

/** How much there is to play: matches, rounds, and hours if several are played at once. */

type Bracket = Pick<NewBracketWithMatches, 'format' | 'settings' | 'rounds' | 'matches'>

export interface Length {
  readonly matches: number
  /** Matches that are played only if another makes them necessary; they are among the others. */
  readonly conditional: number
  readonly rounds: number
  readonly minutes: number
}

interface Task {
  readonly id: string
  readonly minutes: number
  /** What has to be over before. */
  readonly after: readonly string[]
}

export function lengthOf(bracket: Bracket, atOnce: number): Length {
  const tasks = tasksOf(bracket)
  return {
    matches: tasks.length,
    conditional: bracket.matches.filter(({ conditional }) => conditional).length,
    rounds: bracket.format === 'swiss' ? (bracket.settings.rounds ?? 1) : bracket.rounds.length,
    minutes: makespan(tasks, Math.max(1, atOnce)),
  }
}

/** A match can begin when those are over from which its teams come, in groups and Swiss brackets the round before. */
function tasksOf({ format, settings, matches }: Bracket): readonly Task[] {
  const played = matches.filter(({ sides }) => !sides.some(({ bye }) => bye))
  if (format === 'swiss') {
    const first = played.filter(({ round }) => round === 1)
    return Array.from({ length: settings.rounds ?? 1 }, (_, at) => at + 1).flatMap((round) =>
      first.map((_, at) => ({
        id: `${round} ${at}`,
        minutes: defaultMinutes(settings.bestOfByRound[`swiss:${round}`] ?? settings.bestOf),
        after: round === 1 ? [] : first.map((__, other) => `${round - 1} ${other}`),
      })),
    )
  }
  const isPlayed = new Set(played.map(({ guid }) => guid))
  const byRound = Map.groupBy(played, ({ groupIndex, round }) => `${groupIndex} ${round}`)
  return played.map(({ guid, bestOf, sides, groupIndex, section, round }) => ({
    id: guid,
    minutes: defaultMinutes(bestOf),
    after:
      section === 'group'
        ? (byRound.get(`${groupIndex} ${round - 1}`) ?? []).map((match) => match.guid)
        : sides.flatMap(({ from }) => (from !== null && isPlayed.has(from.matchGuid) ? [from.matchGuid] : [])),
  }))
}

/** The minutes until all is over, if each match begins as soon as it can and there is room for it. */
function makespan(tasks: readonly Task[], atOnce: number): number {
  const missing = new Map(tasks.map(({ id, after }) => [id, after.length]))
  const next = new Map<string, Task[]>()
  for (const task of tasks) for (const id of task.after) next.set(id, [...(next.get(id) ?? []), task])
  const ready = tasks.filter(({ after }) => after.length === 0)
  const running: { readonly task: Task; readonly end: number }[] = []
  let now = 0
  for (;;) {
    while (running.length < atOnce) {
      const task = ready.shift()
      if (task === undefined) break
      running.push({ task, end: now + task.minutes })
    }
    running.sort((one, other) => one.end - other.end)
    const over = running.shift()
    if (over === undefined) return now
    now = over.end
    for (const task of next.get(over.task.id) ?? []) {
      const left = (missing.get(task.id) ?? 0) - 1
      missing.set(task.id, left)
      if (left === 0) ready.push(task)
    }
  }
}

const hours = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

export const hoursOf = (minutes: number): string => hours.format(minutes / 60)
