import { useEffect, useRef, useState } from 'react'
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

export function Log({ view, session }: Table) {
  const { user } = useReader()
  const [isWhole, setWhole] = useState(false)
  const rows = useLog(view.tournament, session.session, session.position)
  const latest = rows.toReversed()
  const player = { user: user?.guid ?? '', at: null, seat: null }
  const undone = new Map(rows.flatMap((row) => undoneBy(row).map((position) => [position, row.position] as const)))
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
      <ol className={styles.log} reversed>
        {(isWhole ? latest : latest.slice(0, shown)).map((row) => {
          const { reason, game } = row.data as { readonly reason?: string | null; readonly game?: number | null }
          return (
            <li key={row.position} className={undone.has(row.position) ? matchStyles.struck : ''}>
              <span className="num muted">{timeOf(row.at)}</span>
              <span>
                <bdi>
                  {kindsInWords.has(row.kind)
                    ? sentenceOf(row, view, player)
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
    </Section>
  )
}

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
    // What does not arrive is read with the next change.
    request<{ readonly rows: readonly FlowRow[] }>(at).then(
      (body) => {
        reading.current = null
        setKept((before) => {
          const own = before.session === session ? before.rows : none
          return { session, rows: [...own, ...body.rows.filter((row) => row.position > (own.at(-1)?.position ?? 0))] }
        })
      },
      () => {
        reading.current = null
      },
    )
  }, [tournament, session, position, known])
  return rows
}
