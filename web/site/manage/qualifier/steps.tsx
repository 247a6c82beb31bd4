import type { Qualifier } from '../../../../client/generated.ts'
import { useMay, useTournament, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { boardAddress, qualifierAddress } from '../map-reads.ts'

/** The next steps of a qualifier, and whether its scores are seen; each says what it changes. (W19) */

type Status = Qualifier['status']

const next: Readonly<Record<Status, readonly Exclude<Status, 'draft'>[]>> = {
  draft: ['open'],
  open: ['closed'],
  closed: ['open', 'final'],
  final: [],
}

export function Steps({ qualifier }: { readonly qualifier: Qualifier }) {
  const tournament = useTournamentId()
  const place = useTournament().data
  const may = useMay()
  const put = useWrite('PUT /tournaments/{tournament}/qualifier', (known, reply) => {
    known.put(qualifierAddress(tournament), reply)
    known.renew(boardAddress(tournament))
  })
  if (!may('qualifiers.seed')) return null
  const { status, hideScores, maps, closesAt } = qualifier
  const send = (body: { readonly status?: Status; readonly hideScores?: boolean }) =>
    put.send({ params: { tournament }, body })
  return (
    <div className="btns">
      {status !== 'final' && (
        <Danger
          key={String(hideScores)}
          label={words(hideScores ? 'ledger.show-scores' : 'ledger.hide-scores')}
          title={words(hideScores ? 'ledger.show-title' : 'ledger.hide-title')}
          isPlain
          error={put.error}
          isSending={put.isSending}
          act={() => send({ hideScores: !hideScores })}
        >
          <p>{words(hideScores ? 'ledger.show-text' : 'ledger.hide-text')}</p>
        </Danger>
      )}
      {next[status].map((to) => (
        <Danger
          key={`${status} ${to}`}
          label={words(`ledger.step-${status}-${to}` as 'ledger.step-draft-open')}
          title={words(`ledger.step-${status}-${to}` as 'ledger.step-draft-open')}
          isPlain={to !== 'final'}
          {...(to === 'final' && place !== undefined && { typed: place.name })}
          error={put.error}
          isSending={put.isSending}
          act={() => send({ status: to })}
        >
          <p>{words(`ledger.about-${to}`, { maps: maps.length, hidden: hideScores ? 'yes' : 'no' })}</p>
          {to === 'open' && maps.length === 0 && <p className="notice notice-warning">{words('ledger.no-maps-yet')}</p>}
          {to === 'open' && closesAt === null && <p className="muted">{words('ledger.never-closes')}</p>}
        </Danger>
      ))}
    </div>
  )
}
