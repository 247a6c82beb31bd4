import { memo, useState } from 'react'
import type { FlowState } from '../../../../../client/generated.ts'
import { type WordId, words } from '../../../data/words.ts'
import { Key } from '../../../parts/key.tsx'
import { Empty } from '../../../parts/loaded.tsx'
import { decimalOf, lengthOf } from '../../../parts/numbers.ts'
import { Section } from '../../../parts/section.tsx'
import { Flair } from '../flair.tsx'
import { indexOf, type PoolMap, titleOf } from '../view.ts'
import styles from './cockpit.module.css'
import { nameOfSeat, type Ops, type Table } from './ops.ts'

/** The maps of the pool with what became of each. Where one is to be chosen, the referee can choose it for the seat. */

const mapActions = ['protect', 'ban', 'pick', 'random', 'tiebreaker'] as const
type MapAction = 'protect' | 'ban' | 'pick'

/** What can be done to maps now, and for which seats; a referee's own step has none. */
function choosingOf({ session }: Table): { readonly action: MapAction; readonly seats: readonly number[] } | null {
  const { turn, status, phase } = session
  if (turn === null || status !== 'running' || (phase !== 'choosing' && phase !== 'referee')) return null
  if (turn.action !== 'protect' && turn.action !== 'ban' && turn.action !== 'pick') return null
  if (turn.actor === 'system') return null
  return { action: turn.action, seats: turn.seats }
}

export function Pool(table: Table) {
  const { session, ops } = table
  const choosing = choosingOf(table)
  const [wanted, setWanted] = useState<number | null>(null)
  const seats = choosing?.seats ?? []
  const seat = seats.find((each) => each === wanted) ?? seats[0] ?? null
  const maps = session.pool?.maps ?? []
  const free = session.maps.filter(({ state }) => state === 'available').length
  const legal = new Set(choosing === null ? [] : session.turn?.options.map(String))
  const open = maps.filter(({ guid }) => legal.has(guid)).map(({ guid }) => guid)
  return (
    <Section
      title={words('play.pool')}
      beside={<span className="small muted">{words('play.maps-left', { count: free })}</span>}
    >
      {seats.length > 1 && (
        <div className="choices">
          {seats.map((each) => (
            <button
              key={each}
              type="button"
              className="btn"
              aria-pressed={each === seat}
              onClick={() => setWanted(each)}
            >
              {words('cockpit.for', { team: nameOfSeat(session, each) })}
            </button>
          ))}
        </div>
      )}
      {seats.length === 1 && (
        <p className="small muted">{words('cockpit.act-for', { team: nameOfSeat(session, seat) })}</p>
      )}
      {maps.length === 0 ? (
        <Empty>{words('cockpit.no-pool')}</Empty>
      ) : (
        <ul className={styles.pool}>
          {maps.map((entry) => {
            const place = open.indexOf(entry.guid) + 1
            const found = session.maps.find(({ map }) => map === entry.guid)
            return (
              <Line
                key={entry.guid}
                entry={entry}
                found={found}
                by={nameOfSeat(session, found?.seat)}
                act={legal.has(entry.guid) ? (choosing?.action ?? null) : null}
                seat={seat}
                digit={place < 10 ? String(place) : null}
                isSending={ops.isSending}
                send={ops.send}
              />
            )
          })}
        </ul>
      )}
    </Section>
  )
}

interface LineProps {
  readonly entry: PoolMap
  /** What became of it. */
  readonly found: FlowState['maps'][number] | undefined
  /** The name of the seat that chose it. */
  readonly by: string
  readonly act: MapAction | null
  readonly seat: number | null
  /** The key that chooses it. */
  readonly digit: string | null
  readonly isSending: boolean
  readonly send: Ops['send']
}

/** Drawn again only where something of it has changed. */
const Line = memo(function Line({ entry, found, by, act, seat, digit, isSending, send }: LineProps) {
  const isOut = found?.state === 'banned' || found?.state === 'void'
  const at = indexOf(found?.seat ?? null)
  const { nps, durationSeconds } = entry.map
  const done =
    found === undefined || found.state === 'available'
      ? null
      : found.game === null
        ? words(`choice.${found.state as 'banned'}` as WordId)
        : words('live.game', { game: found.game })
  return (
    <li>
      <span className={styles.flair}>
        <Flair of={entry} />
      </span>
      <bdi className={`${styles.map} ${isOut ? styles.out : act === null ? '' : 'strong'}`}>{titleOf(entry.map)}</bdi>
      <span className={`num muted ${styles.number}`}>{nps === null ? '' : decimalOf(nps)}</span>
      <span className={`num muted ${styles.number}`}>{durationSeconds === null ? '' : lengthOf(durationSeconds)}</span>
      <span className={`${styles.state} ${at === 0 ? styles.one : at === 1 ? styles.other : ''}`}>
        {act !== null ? (
          <button
            type="button"
            className="btn"
            aria-disabled={isSending}
            {...(digit !== null && { 'data-key': digit })}
            onClick={() => void send('act', { action: act, map: entry.guid, ...(seat !== null && { seat }) })}
          >
            {words(`cockpit.do-${act}`)}
            <span className="unseen"> {titleOf(entry.map)}</span>
            {digit !== null && <Key of={digit} />}
          </button>
        ) : (
          done !== null && (
            <span className="small">
              {done}
              {found?.seat != null && (
                <>
                  , <bdi>{by}</bdi>
                </>
              )}
            </span>
          )
        )}
      </span>
    </li>
  )
})

/** Whether the pool has the buttons of this step. */
export const isOfPool = (action: string): boolean => (mapActions as readonly string[]).includes(action)
