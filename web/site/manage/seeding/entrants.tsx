import { Fragment, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { TeamName } from '../../parts/team.tsx'
import { opponentOf } from '../bracket-places.ts'
import { MoveMenu } from './move-menu.tsx'
import { indexesOf, moved, type Order, type Place, put, swapped } from './order.ts'
import styles from './seeding.module.css'

/** The entrants by seed. Each goes elsewhere by dragging, by its menu, or by keys alone. */

export interface EntrantsProps {
  readonly bracket: BracketWithMatches
  readonly places: readonly Place[]
  readonly order: Order
  readonly saved: Order
  readonly known: ReadonlyMap<string, TeamReference>
  /** Teams that may come in. */
  readonly others: readonly TeamReference[]
  /** How the others are read. */
  readonly reading: { readonly error: Error | null; readonly again: () => unknown; readonly isTrying: boolean }
  readonly tier: number
  readonly isCompared: boolean
  readonly isClosed: boolean
  readonly change: (order: Order, said: string) => void
}

export function Entrants(props: EntrantsProps) {
  const { bracket, places, order, saved, known, others, reading, tier, isCompared, isClosed, change } = props
  const [active, setActive] = useState(0)
  const [open, setOpen] = useState<number | null>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  /** Where the focus goes once the list is drawn anew: React may move the row that has it. */
  const next = useRef<string | null>(null)
  const before = indexesOf(saved)
  const nameAt = (at: number) => known.get(order[at] ?? '')?.name ?? words('seeding.empty')
  const seedAt = (at: number) => places[at]?.seed ?? at + 1

  useLayoutEffect(() => {
    if (next.current === null) return
    body.current?.querySelector<HTMLElement>(next.current)?.focus()
    next.current = null
  })

  const place = (after: Order, from: number, to: number) => {
    setActive(to)
    change(after, said({ bracket, places, order: after, known }, to))
    if (open !== null) setOpen(to)
    return from !== to
  }
  const step = (from: number, to: number) => {
    if (to < 0 || to >= order.length) return
    next.current = `[data-at="${to}"]`
    place(moved(order, from, to), from, to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const at = Number((event.target as HTMLElement).dataset.at ?? Number.NaN)
    if (Number.isNaN(at) || event.ctrlKey || event.metaKey) return
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      Home: 0,
      End: order.length - 1,
      PageUp: Math.max(0, at - tier),
      PageDown: Math.min(order.length - 1, at + tier),
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    if (event.altKey) step(at, to)
    else body.current?.querySelector<HTMLElement>(`[data-at="${to}"]`)?.focus()
  }

  const latest = useRef({ order, place })
  latest.current = { order, place }
  useEffect(() => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    if (isClosed || rows.length !== order.length) return
    let stop: (() => void) | undefined
    let isGone = false
    void import('./dragging.ts').then(({ dragRows }) => {
      if (isGone) return
      stop = dragRows({
        rows,
        move: (from, to) => latest.current.place(moved(latest.current.order, from, to), from, to),
      })
    })
    return () => {
      isGone = true
      stop?.()
    }
  }, [order, isClosed])

  return (
    <Section
      title={words('seeding.entrants')}
      beside={!isClosed && <span className="small muted only-wide">{words('seeding.keys')}</span>}
    >
      {reading.error !== null && <Failure {...reading} error={reading.error} />}
      <table className={`table ${styles.entrants}`}>
        <thead>
          <tr>
            {!isClosed && (
              <th scope="col" className={styles.grip}>
                <span className="unseen">{words('seeding.handle')}</span>
              </th>
            )}
            <th scope="col" className="n narrow">
              {words('seeding.seed')}
            </th>
            <th scope="col">{words('seeding.team')}</th>
            <th scope="col" className="narrow">
              {words('seeding.change')}
            </th>
            {!isClosed && (
              <th scope="col" className="narrow">
                <span className="unseen">{words('seeding.move')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {order.map((guid, at) => {
            const team = guid === null ? undefined : known.get(guid)
            const was = guid === null ? undefined : before.get(guid)
            const isMoved = isCompared && (guid === null ? saved[at] !== null : was !== at)
            const classes = [
              isMoved && styles.moved,
              (at + 1) % tier === 0 && at + 1 < order.length && styles.last,
              open === at && styles.open,
            ]
            return (
              <Fragment key={guid ?? `empty ${at}`}>
                <tr data-row className={classes.filter(Boolean).join(' ')}>
                  {!isClosed && (
                    <td className={styles.grip} data-handle>
                      <Grip />
                    </td>
                  )}
                  <td className={`n narrow ${styles.seed}`}>{seedAt(at)}</td>
                  <th scope="row" className={styles.team}>
                    {team === undefined ? (
                      <span className="muted">{guid ?? words('seeding.empty')}</span>
                    ) : (
                      <TeamName team={team} />
                    )}
                  </th>
                  <td className="narrow">{isMoved && <Change was={was} at={at} seedAt={seedAt} />}</td>
                  {!isClosed && (
                    <td className="narrow end">
                      <button
                        type="button"
                        className={`btn btn-quiet btn-icon ${styles.more}`}
                        data-at={at}
                        tabIndex={at === Math.min(active, order.length - 1) ? 0 : -1}
                        aria-expanded={open === at}
                        aria-label={words('seeding.move-of', { team: nameAt(at), seed: seedAt(at) })}
                        onFocus={() => setActive(at)}
                        onClick={() => setOpen(open === at ? null : at)}
                      >
                        <More />
                      </button>
                    </td>
                  )}
                </tr>
                {open === at && (
                  <tr className={styles.menu}>
                    <td colSpan={5}>
                      <MoveMenu
                        key={seedAt(at)}
                        {...{ at, places, order, known, others }}
                        was={was}
                        move={(to) => place(moved(order, at, to), at, to)}
                        swap={(to) => place(swapped(order, at, to), at, to)}
                        fill={(chosen) => place(put(order, at, chosen), at, at)}
                        refocus={(act) => {
                          next.current = `[data-act="${act}"]`
                        }}
                        close={() => {
                          next.current = `[data-at="${at}"]`
                          setOpen(null)
                        }}
                      />
                    </td>
                  </tr>
                )}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}

/** What is said of a team that has moved: its seed, and the team that it meets first. */
function said(
  { bracket, places, order, known }: Pick<EntrantsProps, 'bracket' | 'places' | 'order' | 'known'>,
  at: number,
) {
  const team = known.get(order[at] ?? '')?.name ?? words('seeding.empty')
  const seed = places[at]?.seed ?? at + 1
  const opponent = opponentOf(bracket, places[at]?.slot)
  if (opponent === undefined) return words('seeding.said', { team, seed })
  const other = places.findIndex(({ slot }) => slot === opponent)
  return words('seeding.said-meets', {
    team,
    seed,
    opponent: known.get(order[other] ?? '')?.name ?? words('seeding.empty'),
  })
}

interface ChangeProps {
  readonly was: number | undefined
  readonly at: number
  readonly seedAt: (at: number) => number
}

/** By how much a team has moved, and where it was. */
function Change({ was, at, seedAt }: ChangeProps) {
  if (was === undefined) return <span className={styles.was}>{words('seeding.new')}</span>
  return (
    <span className={styles.was}>
      <svg width="10" height="10" viewBox="0 0 12 12" aria-hidden="true">
        <path d={at < was ? 'M2 8l4-4 4 4' : 'M2 4l4 4 4-4'} fill="none" stroke="currentColor" strokeWidth="1.5" />
      </svg>
      {words(at < was ? 'seeding.up-by' : 'seeding.down-by', { places: Math.abs(was - at), seed: seedAt(was) })}
    </span>
  )
}

const Grip = () => (
  <svg width="12" height="16" viewBox="0 0 12 16" aria-hidden="true">
    <path d="M3 3h2v2H3zM7 3h2v2H7zM3 7h2v2H3zM7 7h2v2H7zM3 11h2v2H3zM7 11h2v2H7z" fill="currentColor" />
  </svg>
)

const More = () => (
  <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M3 7h2v2H3zM7 7h2v2H7zM11 7h2v2h-2z" fill="currentColor" />
  </svg>
)
