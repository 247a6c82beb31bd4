import { memo, useEffect, useRef, useState } from 'react'
import type { FlowState } from '../../../../../client/generated.ts'
import { address, request } from '../../../data/api.ts'
import type { FlowRow } from '../../../data/generated.ts'
import { useReader } from '../../../data/queries.ts'
import { type WordId, words } from '../../../data/words.ts'
import { Section } from '../../../parts/section.tsx'
import { timeOf } from '../../../parts/time.tsx'
import matchStyles from '../match.module.css'
import { kindsInWords, sentenceOf } from '../own/meanwhile.tsx'
import { ownName } from '../people.ts'
import styles from './cockpit.module.css'
import type { Table } from './ops.ts'

/** What happened in the session, the latest first. Rows are only added: those behind the last known one are read. */

const shown = 8
const most = 500

export const Log = memo(function Log({ view, session }: Table) {
  const { user } = useReader()
  const [isWhole, setWhole] = useState(false)
  const rows = useLog(view.tournament, session.session, session.position)
  return (
    <Section
      title={words('cockpit.log')}
      beside={
        rows.length > shown && (
          <button type="button" className="btn btn-quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? words('cockpit.latest') : words('cockpit.all', { count: rows.length })}
          </button>
        )
      }
    >
      <Rows of={rows} isWhole={isWhole} user={user?.guid ?? ''} seats={session.seats} pool={session.pool} />
    </Section>
  )
})

interface RowsProps extends Pick<FlowState, 'seats' | 'pool'> {
  readonly of: readonly FlowRow[]
  readonly isWhole: boolean
  /** GUID of the reader. */
  readonly user: string
}

/** The same until a row is added. */
const Rows = memo(function Rows({ of: rows, isWhole, user, seats, pool }: RowsProps) {
  const latest = isWhole ? rows.toReversed() : rows.slice(-shown).toReversed()
  const undone = new Set(rows.flatMap(undoneBy))
  const named = { session: { seats, pool }, planned: undefined }
  const player = { user, at: null, seat: null }
  return (
    <ol className={styles.log} reversed>
      {latest.map((row) => {
        const { reason, game } = row.data as { readonly reason?: string | null; readonly game?: number | null }
        return (
          <li key={row.position} className={undone.has(row.position) ? matchStyles.struck : ''}>
            <span className="num muted">{timeOf(row.at)}</span>
            <span>
              <bdi>
                {kindsInWords.has(row.kind)
                  ? sentenceOf(row, named, player)
                  : words(`cockpit.row-${row.kind}` as WordId, { who: row.by === null ? '' : ownName(row.by) })}
              </bdi>
              {game != null && <span className="muted"> {words('play.of-game', { game })}</span>}
              {reason != null && reason !== '' && (
                <span className="muted">
                  : <bdi>{reason}</bdi>
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
})

/** The rows that a row took back. */
function undoneBy({ kind, data }: FlowRow): readonly number[] {
  return kind === 'undo' ? ((data as { readonly of?: readonly number[] }).of ?? []) : []
}

interface Kept {
  readonly session: string | null
  readonly rows: readonly FlowRow[]
}

const none: readonly FlowRow[] = []

function useLog(tournament: string, session: string | null, position: number): readonly FlowRow[] {
  const [kept, setKept] = useState<Kept>({ session, rows: none })
  const rows = kept.session === session ? kept.rows : none
  const known = rows.at(-1)?.position ?? 0
  // One read at a time: where much happens, the next one brings all of it.
  const reading = useRef<string | null>(null)
  useEffect(() => {
    if (session === null || known >= position || reading.current === session) return
    reading.current = session
    const at = address(
      '/tournaments/{tournament}/flow-sessions/{flowSession}/log',
      { tournament, flowSession: session },
      { after: known, limit: most },
    )
    const take = (body: { readonly rows: readonly FlowRow[] }) => {
      reading.current = null
      setKept((before) => {
        const own = before.session === session ? before.rows : none
        return { session, rows: [...own, ...body.rows.filter((row) => row.position > (own.at(-1)?.position ?? 0))] }
      })
    }
    // After the paint of what has changed. What does not arrive is read with the next change.
    setTimeout(() => {
      request<{ readonly rows: readonly FlowRow[] }>(at).then(take, () => {
        reading.current = null
      })
    })
  }, [tournament, session, position, known])
  return rows
}
