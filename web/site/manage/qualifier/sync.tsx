import { useState } from 'react'
import type { Qualifier, QualifierStandings } from '../../../../client/generated.ts'
import { ApiError, address } from '../../data/api.ts'
import type { QualifierSyncResult } from '../../data/generated.ts'
import { useRead } from '../../data/queries.ts'
import { useMay, useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Failure, Loaded } from '../../parts/loaded.tsx'
import { wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Ago } from '../../parts/time.tsx'
import { boardAddress } from '../map-reads.ts'
import styles from './qualifier.module.css'
import { ledgerPath } from './reads.ts'

/** Results from elsewhere: of the linked assistant, an address, or a table; how old they are, and what to do where they fail. */

export function Source({ qualifier }: { readonly qualifier: Qualifier }) {
  const tournament = useTournamentId()
  const may = useMay()
  const read = useRead(boardAddress(tournament), { live: true })
  const hasLink = may('assistant.read')
  // Most tournaments have no link: what is not there is not asked for.
  const [isAsked, setAsked] = useState(false)
  const link = useRead(address('/tournaments/{tournament}/assistant', { tournament }), {
    enabled: hasLink && isAsked,
  })
  const isUnlinked = link.error instanceof ApiError && link.error.status === 404
  const [result, setResult] = useState<QualifierSyncResult | null>(null)
  const form = useForm({ key: `board-${qualifier.guid}`, saved: { csv: '' } })
  const sync = useWrite('POST /tournaments/{tournament}/qualifier/sync', (known, reply) => {
    setResult(reply)
    known.renew(ledgerPath(tournament))
    known.renew(boardAddress(tournament))
  })
  const isOver = qualifier.status === 'final'
  const fetchNow = () => void sync.send({ params: { tournament } })
  return (
    <Section
      title={words('ledger.source')}
      beside={
        isOver ? null : (
          <button type="button" className="btn" aria-disabled={sync.isSending} onClick={fetchNow}>
            {words('ledger.fetch')}
          </button>
        )
      }
    >
      <dl className="facts">
        <dt>{words('ledger.from')}</dt>
        <dd>
          {link.data !== undefined ? (
            <>
              <State
                shape={link.data.status.state === 'failing' ? 'problem' : 'done'}
                {...(link.data.status.state === 'failing' && { tone: 'warning' as const })}
              >
                {words(`ledger.link-${link.data.status.state}`, { name: link.data.assistantTournament.name })}
              </State>
              {link.data.status.lastError !== null && link.data.status.state === 'failing' && (
                <p>
                  <bdi>{link.data.status.lastError.message}</bdi>{' '}
                  <span className="small muted">
                    <Ago at={link.data.status.lastError.at} />
                  </span>
                </p>
              )}
              {link.data.qualifierEvents.length === 0 && <p className="muted">{words('ledger.no-events')}</p>}
              {link.data.status.missingPermissions.length > 0 && (
                <p>{words('ledger.permissions', { names: link.data.status.missingPermissions.join(', ') })}</p>
              )}
            </>
          ) : isUnlinked ? (
            words('ledger.no-link')
          ) : link.error !== null ? (
            <Failure error={link.error} again={() => void link.refetch()} />
          ) : (
            hasLink && (
              <button type="button" className="btn" aria-disabled={link.isFetching} onClick={() => setAsked(true)}>
                {words('ledger.look-at-link')}
              </button>
            )
          )}
          <p>{words(qualifier.syncUrl === 'configured' ? 'ledger.has-address' : 'ledger.no-address')}</p>
        </dd>
        <dt>{words('ledger.last')}</dt>
        <dd>
          <Loaded of={read} rows={1}>
            {({ syncedAt, lastSyncError }) => (
              <>
                {syncedAt === null ? words('ledger.never') : <Ago at={syncedAt} />}
                {lastSyncError !== null && (
                  <p className="notice notice-warning">
                    <span>
                      {words('ledger.failed-last')} <bdi>{lastSyncError}</bdi> {words('ledger.what-to-do')}
                    </span>
                  </p>
                )}
              </>
            )}
          </Loaded>
        </dd>
      </dl>
      {sync.error !== null && <Failure error={sync.error} again={sync.again} isTrying={sync.isSending} />}
      {result !== null && (
        <p className={`notice ${result.success ? '' : 'notice-warning'}`} role="status">
          <span>
            <bdi>{result.message}</bdi>{' '}
            {words('ledger.sync-result', { recorded: result.recorded, unmatched: result.unmatched })}
            {result.keptPreviousCache && <> {words('ledger.kept')}</>}
          </span>
        </p>
      )}
      {!isOver && (
        <details className={styles.details}>
          <summary>{words('ledger.paste')}</summary>
          <Form
            error={null}
            isChanged={form.isChanged}
            onSubmit={async () => {
              const isDone = await sync.send({ params: { tournament }, body: { source: { csv: form.values.csv } } })
              if (isDone) form.take()
            }}
          >
            <TextField
              form={form}
              name="csv"
              label={words('ledger.table')}
              hint={words('ledger.table-hint')}
              rows={6}
              placeholder={'player,map,score,accuracy,externalId\n76561198000000000,1a2b…,912345,0.9312,42'}
            />
            <button type="submit" className="btn" aria-disabled={sync.isSending || form.values.csv.trim() === ''}>
              {words('ledger.enter-table')}
            </button>
          </Form>
        </details>
      )}
      {read.data?.unmatched !== undefined && read.data.unmatched.length > 0 && <Unmatched rows={read.data.unmatched} />}
    </Section>
  )
}

function Unmatched({ rows }: { readonly rows: NonNullable<QualifierStandings['unmatched']> }) {
  return (
    <>
      <h3 className={styles.heading}>{words('ledger.unmatched', { count: rows.length })}</h3>
      <p className="muted">{words('ledger.unmatched-hint')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the page is scrolled by keys too */}
      <section className="wide-content" tabIndex={0} aria-label={words('ledger.unmatched-rows')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{words('qualifier.player')}</th>
              <th scope="col">{words('maps.map')}</th>
              <th scope="col" className="n narrow">
                {words('match.score')}
              </th>
              <th scope="col">{words('ledger.why')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ player, name, map, score, reason }) => (
              <tr key={`${player} ${map} ${score}`}>
                <th scope="row">
                  <bdi>{name ?? player}</bdi>
                </th>
                <td className={styles.cut}>
                  <bdi>{map}</bdi>
                </td>
                <td className="n">{score === null ? '–' : wholeOf(score)}</td>
                <td>
                  <bdi>{reason}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}
