import { useQueries } from '@tanstack/react-query'
import { write } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { type WordId, words } from '../../data/words.ts'
import { Failure } from '../../parts/loaded.tsx'
import styles from './brackets.module.css'

/** What goes with brackets that are deleted or made again, as the service tells it before. (W19) */

const members = ['matches', 'results', 'running', 'scheduled', 'corrections', 'queued'] as const
/** These are told also where there are none. */
const always: readonly string[] = ['matches', 'results']
const grave: readonly string[] = ['results', 'running', 'corrections']

export function Losses({ brackets }: { readonly brackets: readonly string[] }) {
  const tournament = useTournamentId()
  const reads = useQueries({
    queries: brackets.map((bracket) => ({
      queryKey: ['losses', tournament, bracket],
      queryFn: () => askLosses(tournament, bracket),
      staleTime: 0,
      gcTime: 0,
    })),
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
  return (
    <ul className={`lines ${styles.losses}`}>
      {members.map((member) => {
        const count = found.reduce((sum, losses) => sum + losses[member], 0)
        if (count === 0 && !always.includes(member)) return null
        return (
          <li key={member} className={count > 0 && grave.includes(member) ? 'strong' : ''}>
            {words(`draw.lost-${member}` as WordId, { count })}
          </li>
        )
      })}
    </ul>
  )
}

async function askLosses(tournament: string, bracket: string) {
  const losses = await write(
    'DELETE /tournaments/{tournament}/brackets/{bracket}',
    // Whether it was played is no matter here: nothing is deleted.
    { params: { tournament, bracket }, query: { dryRun: true, force: true }, body: undefined },
    crypto.randomUUID(),
  )
  if (losses === null || losses === undefined) throw new Error('nothing was told of what would be lost')
  return losses
}
