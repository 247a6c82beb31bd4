import { words } from '../../data/words.ts'
import type { Entry } from './desk.ts'
import { verdictOf } from './verdict.ts'

/** What organisers do with the places of teams, and what it will do to each. */

export interface Act {
  readonly name: 'register' | 'qualify' | 'disqualify' | 'unregister'
  readonly at: `POST /tournaments/{tournament}/${Act['name']}/{team}`
  readonly fits: (entry: Entry) => boolean
  /** What will happen to a team; `left`: places that are free, `seed`: the one that is asked for. */
  readonly effect: (entry: Entry, given: { readonly left: number; readonly seed: number | null }) => string
  readonly isDanger?: true
}

const isIn = ({ withdrawnAt }: Entry) => withdrawnAt === null

export const acts: readonly Act[] = [
  {
    name: 'register',
    at: 'POST /tournaments/{tournament}/register/{team}',
    fits: (entry) => isIn(entry) && entry.status === 'unregistered',
    effect: (entry, { left }) => {
      const [worst] = verdictOf(entry)
      if (worst !== undefined) return words('desk.will-be-refused', { why: worst.text })
      return words(left <= 0 ? 'desk.will-be-full' : 'desk.will-register')
    },
  },
  {
    name: 'qualify',
    at: 'POST /tournaments/{tournament}/qualify/{team}',
    fits: (entry) => isIn(entry) && entry.status !== 'unregistered',
    effect: ({ seed: before }, { seed }) => {
      if (seed !== null) return words('desk.will-seed', { seed })
      return before === null ? words('desk.will-qualify') : words('desk.will-keep-seed', { seed: before })
    },
  },
  {
    name: 'disqualify',
    at: 'POST /tournaments/{tournament}/disqualify/{team}',
    fits: (entry) => isIn(entry) && entry.status === 'qualified',
    effect: ({ seed }) => (seed === null ? words('desk.will-disqualify') : words('desk.will-free-seed', { seed })),
    isDanger: true,
  },
  {
    name: 'unregister',
    at: 'POST /tournaments/{tournament}/unregister/{team}',
    fits: (entry) => isIn(entry) && entry.status !== 'unregistered',
    effect: ({ members }) =>
      words('desk.will-unregister', { players: members.filter(({ isActive }) => isActive).length }),
    isDanger: true,
  },
]
