import type { ReactNode } from 'react'
import type { Pool } from '../../../../client/generated.ts'
import { FaultOf } from '../../chrome/faults.tsx'
import { useRead } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { poolAddress } from './reads.ts'

interface Props {
  readonly guid: string
  readonly className: string
  readonly children: (pool: Pool) => ReactNode
}

/** A page about one pool, once it is there. */
export function OfPool({ guid, className, children }: Props) {
  const read = useRead(poolAddress(useTournamentId(), guid), { live: true })
  if (read.data === undefined && read.error !== null)
    return <FaultOf error={read.error} again={() => void read.refetch()} />
  return (
    <div className={className}>
      <Loaded of={read} rows={14} hasTitle>
        {children}
      </Loaded>
    </div>
  )
}
