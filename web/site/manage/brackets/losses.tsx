import { useQueries } from '@tanstack/react-query'
import type { BracketWithMatches } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { readNow } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { Failure } from '../../parts/loaded.tsx'

/** What goes with brackets that are deleted or made again: counted in what the service has now. (W19) */

export function Losses({ brackets }: { readonly brackets: readonly string[] }) {
  const tournament = useTournamentId()
  const reads = useQueries({
    queries: brackets.map((bracket) => {
      const at = address('/tournaments/{tournament}/brackets/{bracket}', { tournament, bracket })
      return { queryKey: ['losses', at], queryFn: () => readNow(at), staleTime: 0, gcTime: 0 }
    }),
  })
  const failed = reads.find(({ error }) => error !== null)
  if (failed?.error) return <Failure error={failed.error} again={() => void failed.refetch()} />
  const found = reads.flatMap(({ data }) => data ?? [])
  if (found.length < brackets.length)
    return (
      <p aria-busy="true" className="muted">
        {words('state.loading')}
      </p>
    )
  const { matches, results, running, planned } = lossesOf(found)
  return (
    <ul className="lines">
      <li>{words('draw.lost-matches', { count: matches })}</li>
      <li className={results > 0 ? 'strong' : ''}>{words('draw.lost-results', { count: results })}</li>
      {running > 0 && <li className="strong">{words('draw.lost-running', { count: running })}</li>}
      {planned > 0 && <li>{words('draw.lost-times', { count: planned })}</li>}
    </ul>
  )
}

function lossesOf(brackets: readonly BracketWithMatches[]) {
  const matches = brackets.flatMap((bracket) => bracket.matches).filter(({ outcome }) => outcome !== 'bye')
  return {
    matches: matches.length,
    results: matches.filter(({ status }) => status === 'completed').length,
    running: matches.filter(({ status }) => status === 'running').length,
    planned: matches.filter(({ scheduledAt }) => scheduledAt !== null).length,
  }
}
