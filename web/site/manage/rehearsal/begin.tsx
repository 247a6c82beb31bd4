import type { ReactNode } from 'react'
import { tournamentAddress, useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Failure, Loaded } from '../../parts/loaded.tsx'

/** A rehearsal is copied as a draft, in which nothing can be played: it is started here, without a question, since it reaches no person. (R1) */
export function Begin({ children }: { readonly children: ReactNode }) {
  const read = useTournament()
  return (
    <Loaded of={read} rows={4}>
      {({ status }) => (status === 'draft' ? <Draft /> : children)}
    </Loaded>
  )
}

function Draft() {
  const tournament = useTournamentId()
  const mayBegin = useMay()('tournaments.changeStatus')
  const begin = useWrite('POST /tournaments/{tournament}/status', (known, record) =>
    known.change(tournamentAddress(tournament), (before) => ({ ...before, ...record })),
  )
  const act = () => void begin.send({ params: { tournament }, body: { status: 'ongoing' } })
  return (
    <>
      <div className="notice">
        <p className="push">{words(mayBegin ? 'rehearse.begin-what' : 'rehearse.begin-others')}</p>
        {mayBegin && (
          <button
            type="button"
            className="btn btn-primary"
            aria-disabled={begin.isSending}
            onClick={() => begin.isSending || act()}
          >
            {words('rehearse.begin')}
          </button>
        )}
      </div>
      {begin.error !== null && <Failure error={begin.error} again={act} isTrying={begin.isSending} />}
    </>
  )
}
