import { useState } from 'react'
import type { TournamentWithParts } from '../../../client/generated.ts'
import { tournamentAddress, useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Danger } from '../parts/danger.tsx'

/** Puts a tournament into another state; it says before what follows. (D25, W19) */
export function StatusAct({
  tournament: { id, name, status, counts },
  to,
}: {
  readonly tournament: TournamentWithParts
  readonly to: 'ongoing' | 'completed' | 'cancelled'
}) {
  const at = useTournamentId()
  const [reason, setReason] = useState('')
  const { send, error, isSending } = useWrite('POST /tournaments/{tournament}/status', (known, record) => {
    known.change(tournamentAddress(at), (before) => ({ ...before, ...record }))
    known.renew(`/tournaments/${id}/health`)
  })
  const act = to === 'ongoing' && status === 'completed' ? 'reopen' : to
  return (
    <Danger
      label={words(`manage.status-${act}`)}
      title={words(`manage.status-${act}-title`, { name })}
      isPlain={act !== 'cancelled'}
      {...(act === 'cancelled' && { typed: name })}
      error={error}
      isSending={isSending}
      act={() =>
        send({
          params: { tournament: id },
          body: { status: to, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        })
      }
    >
      <p>{words(`manage.status-${act}-text`, { teams: counts.registered, players: counts.players })}</p>
      {act === 'cancelled' && (
        <label className="field">
          <span>{words('manage.cancel-reason')}</span>
          <input className="in" maxLength={500} value={reason} onChange={({ target }) => setReason(target.value)} />
          <span className="small muted">{words('manage.cancel-reason-hint')}</span>
        </label>
      )}
    </Danger>
  )
}
