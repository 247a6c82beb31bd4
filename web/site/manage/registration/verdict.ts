import type { RegistrationDeskEntry, RegistrationFailure } from '../../../../client/generated.ts'
import { type WordId, words } from '../../data/words.ts'

/** The obstacles of a team, in as few words as a line of the desk has room for. */

export interface Finding {
  readonly tone: 'alert' | 'warning' | 'quiet'
  readonly text: string
  /** In the words of the service, each once. */
  readonly messages: readonly string[]
}

/** Failures that are the same to somebody who looks over a whole list. */
const kinds: readonly (readonly [test: RegExp, word: WordId, tone: Finding['tone']])[] = [
  [/^team\.too_/, 'desk.finding-size', 'alert'],
  [/^ranking_.\.out_of_range$/, 'desk.finding-rank', 'alert'],
  [/^ranking_.\.not_linked$/, 'desk.finding-not-linked', 'alert'],
  [/^ranking_.\.unranked$/, 'desk.finding-unranked', 'alert'],
  [/^account\.none$/, 'desk.finding-placeholder', 'alert'],
  [/^email\./, 'desk.finding-email', 'alert'],
  [/^links\./, 'desk.finding-links', 'alert'],
  [/^country\./, 'desk.finding-country', 'alert'],
  [/^field\./, 'desk.finding-answers', 'warning'],
  [/^ranking\.unreachable$/, 'desk.finding-unreachable', 'quiet'],
]

/** Those of the tournament are the same for each team: the head of the desk tells them. */
export const failuresOf = ({ eligibility }: RegistrationDeskEntry): readonly RegistrationFailure[] =>
  [...eligibility.team.failures, ...eligibility.players.flatMap((player) => player.failures)].filter(
    ({ code }) => !code.startsWith('registration.'),
  )

export function verdictOf(entry: RegistrationDeskEntry): readonly Finding[] {
  const { members } = entry
  const failures = failuresOf(entry)
  const known = kinds.flatMap(([test, word, tone]): Finding[] => {
    const found = failures.filter(({ code }) => test.test(code))
    if (found.length === 0) return []
    return [{ tone, text: words(word, { count: found.length, members: members.length }), messages: messagesOf(found) }]
  })
  const others = failures.filter(({ code }) => !kinds.some(([test]) => test.test(code)))
  return [...known, ...messagesOf(others).map((text): Finding => ({ tone: 'alert', text, messages: [text] }))].sort(
    (one, other) => weights[one.tone] - weights[other.tone],
  )
}

const weights = { alert: 0, warning: 1, quiet: 2 } as const

export const messagesOf = (failures: readonly RegistrationFailure[]) => [
  ...new Set(failures.map(({ message }) => message)),
]
