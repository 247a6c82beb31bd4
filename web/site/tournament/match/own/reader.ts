import { useMemo } from 'react'
import type { FlowState } from '../../../../../client/generated.ts'
import type { Sent } from '../../../data/api.ts'
import type { Index } from '../people.ts'
import { indexOf, type View } from '../view.ts'

/** The reader of the page as one who plays in the match. */

export type Session = FlowState

export interface Player {
  /** The reader's GUID. */
  readonly user: string
  /** The side of the reader's team. */
  readonly at: Index | null
  /** The seat that the reader speaks for; null for the other members of a team. (match-flows: Flow) */
  readonly seat: number | null
}

export function usePlayer({ people, session }: View, user: string): Player {
  return useMemo(() => {
    const spoken = (session?.seats ?? [])
      .filter(({ speakers }) => speakers.some(({ guid }) => guid === user))
      .map(({ seat }) => seat)
    const seat = spoken.find((each) => session?.turn?.seats.includes(each)) ?? spoken[0] ?? null
    return { user, seat, at: people.sideOf(user) ?? indexOf(seat) }
  }, [people, session, user])
}

type Act = NonNullable<Sent<'POST /tournaments/{tournament}/flow-sessions/{flowSession}/act'>['body']> & object
type ActBody = Omit<Extract<Act, { readonly expect: number }>, 'expect'>

/** What is sent to the service; `expect` is added as it is sent. */
export type Deed =
  | { readonly kind: 'act'; readonly body: ActBody }
  | { readonly kind: 'claim'; readonly body: { readonly seat: number; readonly user?: string } }
  | { readonly kind: 'timeout'; readonly body: { readonly seat: number } }
  | { readonly kind: 'undo' }

/** The kind of the row that a deed leads to in the log. */
export const rowKindOf = (deed: Deed): string => (deed.kind === 'act' ? deed.body.action : deed.kind)
