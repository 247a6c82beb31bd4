import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { FlowState, Match } from '../../../../../client/generated.ts'
import { type Address, address } from '../../../data/api.ts'
import { onSent, report } from '../../../data/reports/sender.ts'
import type { NewReport, Report } from '../../../data/reports/types.ts'
import { showAnswer } from '../../../data/told.ts'
import { useTournamentId } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { useReports } from '../../../parts/reports/use-reports.ts'
import { nameAt, type View } from '../view.ts'

/** Reports of the match go through the queue of this browser, also while there is a connection. (W12) */

export interface Reporting {
  /** Those that the service has not taken yet. */
  readonly waiting: readonly Report[]
  /** Resolves to whether it is kept: a browser may keep nothing. */
  readonly keep: (made: Pick<NewReport, 'request' | 'game' | 'lines'> & Partial<NewReport>) => Promise<boolean>
}

export function useReporting(view: View): Reporting {
  const { match, tournament } = view
  const { reports } = useReports()
  const of = words('reports.match', { number: match.number, one: nameAt(view, 0), two: nameAt(view, 1) })
  return {
    waiting: reports.filter((each) => each.match === match.guid),
    keep: (made) =>
      report({ tournament, match: match.guid, of, ...made }).then(
        () => true,
        () => false,
      ),
  }
}

/** Shows what the service has answered to the reports of the match. (W7) */
export function useSent(view: View, at: Address<FlowState>): void {
  const cache = useQueryClient()
  const id = useTournamentId()
  const { guid } = view.match
  const path = address('/tournaments/{tournament}/matches/{match}', { tournament: id, match: guid })
  useEffect(
    () =>
      onSent(({ match, request }, answer) => {
        if (match !== guid) return
        if (request.at.startsWith('PUT')) {
          showAnswer(cache, path, answer as Match)
          void cache.invalidateQueries({ queryKey: [at] })
          return
        }
        const given = answer as FlowState | { readonly state: FlowState }
        showAnswer(cache, at, 'state' in given ? given.state : given)
      }),
    [cache, path, at, guid],
  )
}
