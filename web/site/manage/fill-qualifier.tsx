import { useState } from 'react'
import type { Pool } from '../../../client/generated.ts'
import type { QualifierMapsFromPool } from '../data/generated.ts'
import { useTournamentId } from '../data/tournament.ts'
import { words } from '../data/words.ts'
import { useWrite } from '../data/writes.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Form, Save } from '../parts/form/form.tsx'
import { Failure } from '../parts/loaded.tsx'
import { State } from '../parts/state.tsx'
import { boardAddress, nameOfMap, poolsAddress, qualifierAddress } from './map-reads.ts'

/** The maps of a pool become those of the qualifier, once it was seen what that changes. (W19) */

interface Props {
  readonly pool: Pool
  /** Whether the qualifier has the same maps already; undefined where the reader is not told. */
  readonly isSynced: boolean | undefined
  /** On the page of the pool: its name is known there. */
  readonly isOfPool?: boolean
}

export function FillQualifier({ pool, isSynced, isOfPool = false }: Props) {
  const tournament = useTournamentId()
  const [preview, setPreview] = useState<QualifierMapsFromPool | null>(null)
  const at = 'POST /tournaments/{tournament}/pools/{pool}/qualifier'
  const params = { tournament, pool: pool.guid }
  const look = useWrite(at, (_known, reply) => setPreview(reply))
  const fill = useWrite(at, (known, reply) => {
    known.put(qualifierAddress(tournament), reply.qualifier)
    known.renew(boardAddress(tournament))
    known.renew(poolsAddress(tournament))
    setPreview(null)
  })
  const ask = () => void look.send({ params, query: { dryRun: true } })
  return (
    <div className="btns">
      {isSynced === true ? (
        <State shape="done" tone="quiet">
          {words('ledger.in-sync', { pool: pool.name })}
        </State>
      ) : (
        <button type="button" className="btn" aria-disabled={look.isSending} onClick={ask}>
          {isOfPool ? words('ledger.fill-from') : words('ledger.fill', { pool: pool.name })}…
        </button>
      )}
      {look.error !== null && <Failure error={look.error} again={ask} isTrying={look.isSending} />}
      {preview !== null && (
        <Dialog title={words('ledger.fill-title', { pool: pool.name })} close={() => setPreview(null)}>
          <Form error={fill.error} onSubmit={() => fill.send({ params })}>
            {(['added', 'removed', 'changed'] as const).map((part) => (
              <div key={part}>
                <p className="strong">{words(`ledger.fill-${part}`, { count: preview[part].length })}</p>
                <ul className="lines">
                  {preview[part].map((map) => (
                    <li key={map.guid}>
                      <bdi>{nameOfMap(map)}</bdi>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
            <p className="muted">{words('ledger.fill-hint')}</p>
            <Save isSending={fill.isSending}>{words('ledger.fill-do')}</Save>
          </Form>
        </Dialog>
      )}
    </div>
  )
}
