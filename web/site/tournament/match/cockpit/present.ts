import { useMemo } from 'react'
import type { Match, TournamentWithParts } from '../../../../../client/generated.ts'
import { address } from '../../../data/api.ts'
import { useRead } from '../../../data/queries.ts'
import { divisionIds, useDivisions } from '../../../data/tournament.ts'
import { usePeople } from '../people.ts'
import type { View } from '../view.ts'

interface Props {
  readonly match: Match
  readonly tournament: TournamentWithParts
}

/** The match as its staff sees it: now, never as the stream shows it. (W8) */
export function usePresent({ match, tournament: { id, timezone } }: Props) {
  const at = address('/tournaments/{tournament}/matches/{match}/flow', { tournament: id, match: match.guid })
  const read = useRead(at, { live: true })
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
  return { at, read, view }
}
