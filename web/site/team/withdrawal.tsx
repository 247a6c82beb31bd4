import { useRef, useState } from 'react'
import type { Team, WithdrawalCorrection } from '../../../client/generated.ts'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { doneAsSeen } from '../parts/as-seen.ts'
import { Danger } from '../parts/danger.tsx'
import { useChanged } from './changed.ts'

/** Withdrawing a team, and taking that back, after a look at every match that changes. (W19, D60) */

type Policy = 'walkover' | 'void'

interface Props {
  readonly team: Team
  /** Whether the reader may choose what becomes of the results that the team has. */
  readonly mayVoid?: boolean
}

/** Withdraws the team from the running tournament. */
export function Withdraw({ team, mayVoid = false }: Props) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const [reason, setReason] = useState('')
  const [policy, setPolicy] = useState<Policy>('walkover')
  const [preview, setPreview] = useState<WithdrawalCorrection | null>(null)
  const changed = useChanged(team)
  const found = useRef<WithdrawalCorrection | null>(null)
  const look = useWrite('POST /tournaments/{tournament}/teams/{team}/withdraw', (_known, reply) => {
    if ('dryRun' in reply) found.current = reply
  })
  const withdraw = useWrite('POST /tournaments/{tournament}/teams/{team}/withdraw', (known) => changed(known))
  const body = { reason, policy }
  // The first step shows what would happen; the second one does exactly that.
  const act = async () => {
    const seeNow = async () => ((await look.send({ params, query: { dryRun: true }, body })) ? found.current : null)
    const left =
      preview === null
        ? await seeNow()
        : await doneAsSeen(preview, ({ revisions }) => withdraw.send({ params, body: { ...body, revisions } }), seeNow)
    if (preview !== null && left === null) return true
    setPreview(left ?? null)
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
        {mayVoid && (
          <fieldset>
            <legend className="strong">{words('withdraw.policy')}</legend>
            {(['walkover', 'void'] as const).map((each) => (
              <label key={each} className="choice">
                <input
                  type="radio"
                  name="policy"
                  checked={policy === each}
                  onChange={() => {
                    setPolicy(each)
                    setPreview(null)
                  }}
                />
                {words(`withdraw.policy-${each}`)}
              </label>
            ))}
          </fieldset>
        )}
        {preview !== null && (
          <div role="status">
            <Affected preview={preview} />
            <p className="muted">{words('withdraw.back')}</p>
          </div>
        )}
      </Danger>
    </li>
  )
}

/** Gives a withdrawn team back what it had. */
export function TakeBack({ team }: Props) {
  const params = { tournament: useTournamentId(), team: team.guid }
  const [preview, setPreview] = useState<WithdrawalCorrection | null>(null)
  const changed = useChanged(team)
  const at = 'DELETE /tournaments/{tournament}/teams/{team}/withdrawal' as const
  const found = useRef<WithdrawalCorrection | null>(null)
  const look = useWrite(at, (_known, reply) => {
    found.current = reply
  })
  const takeBack = useWrite(at, (known) => {
    changed(known)
    known.renew(`/tournaments/${params.tournament}/corrections`)
  })
  const act = async () => {
    const seeNow = async () => ((await look.send({ params, query: { dryRun: true }, body: {} })) ? found.current : null)
    const left =
      preview === null
        ? await seeNow()
        : await doneAsSeen(preview, ({ revisions }) => takeBack.send({ params, body: { revisions } }), seeNow)
    setPreview(left ?? null)
    return preview !== null && left === null
  }
  return (
    <li>
      <p>{words('withdraw.back-text')}</p>
      <Danger
        label={words('withdraw.take-back')}
        title={words('withdraw.take-back-title', { name: team.name })}
        confirm={words(preview === null ? 'withdraw.show' : 'withdraw.take-back')}
        isPlain
        error={takeBack.error ?? look.error}
        isSending={takeBack.isSending || look.isSending}
        act={act}
      >
        {preview === null ? (
          <p>{words('withdraw.back-what')}</p>
        ) : (
          <div role="status">
            <p>
              {words(`withdraw.back-as-${preview.team.after.status}`, {
                seed: preview.team.after.seed ?? 'none',
              })}
            </p>
            <Affected preview={preview} />
          </div>
        )}
      </Danger>
    </li>
  )
}

/** How many matches change in which way, then each of them. */
function Affected({ preview: { affected } }: { readonly preview: WithdrawalCorrection }) {
  const kinds = [...Map.groupBy(affected, ({ change }) => change)]
  return (
    <>
      <p className="strong">{words('withdraw.affected', { count: affected.length })}</p>
      {kinds.length > 1 && (
        <p>{kinds.map(([change, those]) => `${those.length} × ${words(`correction.${change}`)}`).join('; ')}</p>
      )}
      <ul>
        {affected.map(({ matchGuid, number, change, before }) => {
          const names = before.sides.flatMap(({ team }) => team?.name ?? []).join(' – ')
          return (
            <li key={matchGuid}>
              {words('withdraw.match', { number })}
              {names !== '' && (
                <>
                  {' '}
                  (<bdi>{names}</bdi>)
                </>
              )}
              : {words(`correction.${change}`)}
            </li>
          )
        })}
      </ul>
    </>
  )
}
