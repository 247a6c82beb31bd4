import { type ComponentType, lazy, Suspense } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import type { Found } from '../data/generated.ts'

/** Fields that find a record. What they consist of is large, and comes after the page. */

export interface Shared<Item> {
  readonly id: string
  readonly describedBy?: string | undefined
  readonly placeholder?: string
  readonly chosen: Item | null
  readonly choose: (item: Item | null) => void
}

export type FoundMap = Found['maps'][number]
export type FoundTeam = Found['teams'][number]
export type FoundTournament = Found['tournaments'][number]

function late<Item>(load: () => Promise<{ readonly default: ComponentType<Shared<Item>> }>) {
  const Field = lazy(load)
  return (props: Shared<Item>) => (
    <Suspense fallback={<input id={props.id} className="in" placeholder={props.placeholder} disabled />}>
      <Field {...props} />
    </Suspense>
  )
}

export const PersonField = late<UserCard>(async () => ({ default: (await import('./finder-fields.tsx')).PersonField }))
export const TeamField = late<FoundTeam>(async () => ({ default: (await import('./finder-fields.tsx')).TeamField }))
export const TournamentField = late<FoundTournament>(async () => ({
  default: (await import('./finder-fields.tsx')).TournamentField,
}))
export const MapField = late<FoundMap>(async () => ({ default: (await import('./finder-fields.tsx')).MapField }))
