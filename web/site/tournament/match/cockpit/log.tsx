import { useEffect, useState } from 'react'
import { address } from '../../../data/api.ts'
import type { FlowRow } from '../../../data/generated.ts'
import { readNow, useReader } from '../../../data/queries.ts'
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
          const { reason } = row.data as { readonly reason?: string | null }
          return (
            <li key={row.position} className={undone.has(row.position) ? matchStyles.struck : ''}>
              <span className="num muted">{timeOf(row.at)}</span>
              <span>
                <bdi>
                  {kindsInWords.has(row.kind)
                    ? sentenceOf(row, view, player)
                    : words(`cockpit.row-${row.kind}` as WordId, { who: row.by === null ? '' : ownName(row.by) })}
                </bdi>
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

function useLog(tournament: string, session: string | null, position: number): readonly FlowRow[] {
  const [rows, setRows] = useState<readonly FlowRow[]>([])
  const known = rows.at(-1)?.position ?? 0
  useEffect(() => {
    if (session === null || known >= position) return
    let isOver = false
    const at = address(
      '/tournaments/{tournament}/flow-sessions/{flowSession}/log',
      { tournament, flowSession: session },
      { after: known, limit: most },
    )
    // What does not arrive is read with the next change.
    readNow(at).then(
      (body) => {
        if (!isOver)
          setRows((before) => [...before, ...body.rows.filter((row) => row.position > (before.at(-1)?.position ?? 0))])
      },
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [tournament, session, position, known])
  return rows
}
