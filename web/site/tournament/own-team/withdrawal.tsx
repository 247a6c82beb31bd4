import { useState } from 'react'
import type { Team, WithdrawalCorrection } from '../../../../client/generated.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Danger } from '../../parts/danger.tsx'
import { useChanged } from './roster.tsx'

/** Withdraws the team from the running tournament, after a look at every match that changes. (W19, D60) */
export function Withdraw({ team }: { readonly team: Team }) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const [reason, setReason] = useState('')
  const [preview, setPreview] = useState<WithdrawalCorrection | null>(null)
  const changed = useChanged(team)
  const look = useWrite('POST /tournaments/{tournament}/teams/{team}/withdraw', (_known, reply) => {
    if ('dryRun' in reply) setPreview(reply)
  })
  const withdraw = useWrite('POST /tournaments/{tournament}/teams/{team}/withdraw', (known) => changed(known))
  const body = { reason, policy: 'walkover' } as const
  // The first step shows what would happen; the second one does exactly that.
  const act = async () => {
    if (preview !== null)
      return withdraw.send({ params, body: { ...body, revisions: preview.revisions } }).then((isDone) => {
        if (!isDone) setPreview(null)
        return isDone
      })
    await look.send({ params, query: { dryRun: true }, body })
    return false
  }
  return (
    <li>
      <p>{words('withdraw.text')}</p>
      <Danger
        label={words('withdraw.do')}
        title={words('withdraw.title', { name: team.name })}
        confirm={words(preview === null ? 'withdraw.show' : 'withdraw.do')}
        error={withdraw.error ?? look.error}
        isSending={withdraw.isSending || look.isSending}
        act={act}
      >
        <label className="field">
          <span>{words('withdraw.reason')}</span>
          <input
            className="in"
            value={reason}
            maxLength={500}
            required
            onChange={({ target }) => {
              setReason(target.value)
              setPreview(null)
            }}
          />
        </label>
        {preview !== null && (
          <div role="status">
            <p className="strong">{words('withdraw.affected', { count: preview.affected.length })}</p>
            <ul>
              {preview.affected.map(({ matchGuid, number, change }) => (
                <li key={matchGuid}>
                  {words('withdraw.match', { number })}: {words(`correction.${change}`)}
                </li>
              ))}
            </ul>
            <p className="muted">{words('withdraw.back')}</p>
          </div>
        )}
      </Danger>
    </li>
  )
}
