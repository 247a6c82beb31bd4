import type { DivisionWithBrackets } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { ownZone } from '../../parts/time.tsx'
import { nameOf, textOf } from '../said.ts'

/** Names and values of what can differ between a rehearsal and its tournament. (R6) */

/** Gives the name of a field, such as `bestOf/a/1/upper:2`. */
export const fieldName =
  (divisions: readonly DivisionWithBrackets[]) =>
  (field: string): string => {
    const [kind, ...rest] = field.split('/')
    if (kind === 'channels') return words('channels.title')
    if (kind === 'settings') return nameOf(rest.join())
    const division = divisions.length > 1 ? divisions.find(({ id }) => id === rest[0])?.name : undefined
    const within = (text: string) => (division === undefined ? text : `${division}: ${text}`)
    if (kind === 'scheduledAt') return within(words('rehearsal.time-of', { number: rest[1] ?? '' }))
    return within(words('rehearsal.best-of', { round: roundName(divisions, rest) }))
  }

function roundName(divisions: readonly DivisionWithBrackets[], [id, first = '', key = '']: readonly string[]): string {
  const brackets = divisions.find((each) => each.id === id)?.brackets ?? []
  const rounds = brackets.flatMap((bracket) => bracket.rounds)
  const name = rounds.find(({ section, number }) => `${section}:${number}` === key)?.name ?? key
  return brackets.length > 1 ? words('rehearsal.round-from', { round: name, number: first }) : name
}

/** A text may be as long as the rules of a tournament. */
const long = 160

export function Value({ of: value }: { readonly of: unknown }) {
  const text = textOf(value, ownZone)
  return <bdi>{text.length > long ? `${text.slice(0, long)}…` : text}</bdi>
}
