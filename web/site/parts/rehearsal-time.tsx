import { type ReactNode, useMemo } from 'react'
import { address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { shownBy } from '../data/rehearsal-clock.ts'
import { useTournament } from '../data/tournament.ts'
import { Blocks } from './loaded.tsx'
import { ClockOf } from './time.tsx'

/** Pages of a tournament, in which a rehearsal's time is that of its clock. (R2) */
export function RehearsalTime({ children }: { readonly children: ReactNode }) {
  const { data } = useTournament()
  if (data?.rehearsal === undefined) return children
  return (
    <ByClock of={data.rehearsal.of} guid={data.guid}>
      {children}
    </ByClock>
  )
}

function ByClock({ of, guid, children }: { readonly of: string; readonly guid: string; readonly children: ReactNode }) {
  const path = '/tournaments/{tournament}/rehearsals/{rehearsal}'
  const { data, error } = useRead(address(path, { tournament: of, rehearsal: guid }), { live: true })
  const clock = data?.clock
  const shownAt = useMemo(() => (real: number) => (clock === undefined ? real : shownBy(clock, real)), [clock])
  // Pages remember when they were opened, so they wait for it.
  if (clock === undefined && error === null) return <Blocks rows={8} />
  return <ClockOf value={shownAt}>{children}</ClockOf>
}
