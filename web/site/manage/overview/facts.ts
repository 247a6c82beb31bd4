import { address } from '../../data/api.ts'
import { useRead } from '../../data/queries.ts'
import { staffAddress, useDivisions, useMay, useTournament } from '../../data/tournament.ts'
import { qualifierAddress, usePools } from '../map-reads.ts'
import { useMatches } from '../matches.ts'
import { useVisibility } from '../visibility-reads.ts'
import type { Facts } from './checklist.ts'

/** What the steps of a tournament are judged by; undefined until all of it has come, or has failed. */
export function useChecklistFacts(): Facts | undefined {
  const tournament = useTournament()
  const may = useMay()
  const { id = '' } = tournament.data ?? {}
  const at = { tournament: id }
  const isRead = id !== ''
  const staff = useRead(staffAddress(id), { live: true, enabled: isRead })
  const visibility = useVisibility()
  const poolPlan = useRead(address('/tournaments/{tournament}/pool-plan', at), {
    live: true,
    enabled: isRead && may('plans.read'),
  })
  const flowPlan = useRead(address('/tournaments/{tournament}/flow-plan', at), { enabled: isRead })
  const pools = usePools()
  // Where no pool is meant for a qualifier there is none: its address would answer that it is unknown.
  const hasQualifier = pools.data?.some(({ kind }) => kind === 'qualifier') === true
  const qualifier = useRead(qualifierAddress(id), { live: true, enabled: isRead && hasQualifier })
  const divisions = useDivisions()
  const matches = useMatches()
  const reads = [staff, visibility, poolPlan, flowPlan, pools, qualifier, divisions, matches]
  const isThere = reads.every(({ data, error, isFetching }) => data !== undefined || error !== null || !isFetching)
  if (tournament.data === undefined || !isThere) return undefined
  return {
    tournament: tournament.data,
    staff: staff.data,
    visibility: visibility.data,
    divisions: divisions.data,
    pools: pools.data,
    poolPlan: poolPlan.data,
    flowPlan: flowPlan.data,
    qualifier: qualifier.data,
    matches: matches.data,
  }
}
