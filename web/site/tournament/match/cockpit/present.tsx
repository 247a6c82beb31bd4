import { Fragment, type ReactNode, useMemo } from 'react'
import type { Match, TournamentWithParts } from '../../../../../client/generated.ts'
import { address } from '../../../data/api.ts'
import { cardAddress, useRead } from '../../../data/queries.ts'
import {
  divisionIds,
  divisionsAddress,
  staffAddress,
  tournamentAddress,
  useDivisions,
  useTournament,
  useTournamentId,
} from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { teamAddress, usePeople } from '../people.ts'
import type { View } from '../view.ts'
import styles from './cockpit.module.css'
import { useUrgent } from './urgent.ts'

/** A match as its staff sees it: now, never as the stream shows it. (W8) */

export interface Present {
  readonly match: Match
  readonly tournament: TournamentWithParts
}

interface Props {
  /** GUID. */
  readonly match: string
  readonly children: (present: Present) => ReactNode
}

const matchAddress = (tournament: string, match: string) =>
  address('/tournaments/{tournament}/matches/{match}', { tournament, match })

/** A page about one match for the staff, once it is there; another match begins anew. */
export function OfStaff({ match, children }: Props) {
  const tournament = useTournament()
  const id = useTournamentId()
  const read = useRead(matchAddress(id, match), { live: true })
  const both = read.data && tournament.data && { match: read.data, tournament: tournament.data }
  const refetch = () => Promise.all([read.refetch(), tournament.refetch()])
  const isFetching = read.isFetching || tournament.isFetching
  const of = { data: both, error: read.error ?? tournament.error, isFetching, refetch }
  return (
    <div className={`page ${styles.page}`}>
      <Loaded of={of} rows={20} title={words('cockpit.title')}>
        {(present) => <Fragment key={match}>{children(present)}</Fragment>}
      </Loaded>
    </div>
  )
}

/** @returns `addresses` of all the answers that the page needs to open without a connection */
export function usePresent({ match, tournament: { id, timezone } }: Present) {
  const at = address('/tournaments/{tournament}/matches/{match}/flow', { tournament: id, match: match.guid })
  const read = useRead(at, { live: true })
  const own = useTournamentId()
  // Under the address by which the page reads it.
  useUrgent(matchAddress(own, match.guid), at)
  const flow = read.data
  const people = usePeople(match, id)
  const divisions = divisionIds(useDivisions().data)
  const division = divisions.get(match.division) ?? match.division
  const view = useMemo((): View => {
    const isPlanned = flow?.status === 'planned'
    return {
      ...{ match, tournament: id, division, people, zone: timezone, isHidden: false, isLoading: people.isLoading },
      planned: isPlanned ? flow : undefined,
      session: isPlanned || flow?.status === 'void' ? undefined : flow,
    }
  }, [match, id, division, people, timezone, flow])
  const addresses = [
    ...[at, cardAddress, tournamentAddress(own), divisionsAddress(own), staffAddress(id)],
    address('/tournaments/{tournament}/access', { tournament: own }),
    matchAddress(own, match.guid),
    ...match.sides.flatMap(({ team }) => (team === null ? [] : [teamAddress(id, team.id)])),
  ]
  return { at, read, view, addresses }
}
