import { type DragEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import type { Match } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { SideName } from '../../parts/match.tsx'
import { MatchState } from '../../parts/state.tsx'
import { fullOf, Instant, offsetOf } from '../../parts/time.tsx'
import { isOpen } from '../matches.ts'
import type { Clash } from './clashes.ts'
import { changesBetween, type Day, rowsOf } from './days.ts'
import { OpenMatch } from './match-link.tsx'
import type { Plan } from './plan.ts'
import styles from './schedule.module.css'
import { matchType } from './untimed.tsx'

/** One day as a table: a line for each time, a column for each channel, and one for what is on none. */

/** Moves a match on the page; nothing is saved by it. */
export interface Mover {
  readonly place: (guid: string, at: number, stream: string | null) => void
  readonly nudge: (guid: string, minutes: number, columns: number) => void
}

export interface ShownPlan {
  readonly plan: Plan
  readonly clashes: ReadonlyMap<string, readonly Clash[]>
  readonly isPinned: (guid: string) => boolean
  /** The GUID of the match that is open. */
  readonly open: string | undefined
  /** Whether the open one is shown where it is not saved yet. */
  readonly isMoved: boolean
  /** Nothing for readers who may not move matches. */
  readonly mover: Mover | null
}

const steps: Readonly<Record<string, readonly [minutes: number, columns: number]>> = {
  ArrowUp: [-15, 0],
  ArrowDown: [15, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

export function Grid({ day, shown }: { readonly day: Day; readonly shown: ShownPlan }) {
  const { plan, open, mover } = shown
  const keyed = useRef<string | null>(null)
  // A match that was moved by keys is drawn anew elsewhere, and keeps the focus.
  useEffect(() => {
    if (keyed.current === null || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>(`table [data-match="${keyed.current}"]`)?.focus()
    keyed.current = null
  })
  const rows = rowsOf(day, plan.rules.minutes)
  const [first, last] = [rows[0]?.at ?? 0, rows.at(-1)?.at ?? 0]
  const hasOffset = changesBetween(first, last, (at) => offsetOf(plan.zone, at))
  const columns = [
    ...plan.channels.map(({ guid, name, url }) => ({ key: guid, name, stream: url as string | null })),
    { key: 'none', name: words('plan.no-channel'), stream: null },
  ]
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const guid = (event.target as HTMLElement).closest<HTMLElement>('[data-match]')?.dataset.match
    if (!event.shiftKey || step === undefined || guid === undefined || mover === null) return
    event.preventDefault()
    keyed.current = guid
    mover.nudge(guid, ...step)
  }
  const drop = (event: DragEvent, at: number, stream: string | null) => {
    const guid = event.dataTransfer.getData(matchType)
    if (guid === '' || mover === null) return
    event.preventDefault()
    mover.place(guid, at, stream)
  }
  return (
    <table className={styles.grid} onKeyDown={press}>
      <caption className="unseen">{day.day}</caption>
      <thead>
        <tr>
          <th scope="col">{words('schedule.time')}</th>
          {columns.map(({ key, name }) => (
            <th key={key} scope="col">
              <bdi>{name}</bdi>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ at, matches }) => (
          <tr key={at} className={matches.length === 0 ? styles.free : ''}>
            <th scope="row">
              <Instant at={new Date(at).toISOString()} as="time" zone={plan.zone} />
              {hasOffset && <span className="small muted"> {offsetOf(plan.zone, at)}</span>}
            </th>
            {columns.map(({ key, name, stream }) => {
              const here = matches.filter((match) => columnOf(match, plan) === stream)
              return (
                <td
                  key={key}
                  onDragOver={(event) => mover !== null && event.preventDefault()}
                  onDrop={(event) => drop(event, at, stream)}
                >
                  <ul>
                    {here.map((match) => (
                      <Cell key={match.guid} match={match} shown={shown} />
                    ))}
                  </ul>
                  {here.length === 0 && open !== undefined && mover !== null && (
                    // Keys move it by Shift and arrows, and by the fields next to the plan.
                    <button
                      type="button"
                      tabIndex={-1}
                      className={styles.here}
                      aria-label={words('plan.to', {
                        time: fullOf(new Date(at).toISOString(), plan.zone),
                        channel: name,
                      })}
                      onClick={() => mover.place(open, at, stream)}
                    >
                      {words('plan.here')}
                    </button>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The address of the channel that a match is on; null for one that is on none of them. */
function columnOf({ streamUrl }: Match, { channelByUrl }: Plan): string | null {
  return streamUrl !== null && channelByUrl.has(streamUrl) ? streamUrl : null
}

function Cell({ match, shown }: { readonly match: Match; readonly shown: ShownPlan }) {
  const { clashes, open, isMoved, isPinned, mover } = shown
  const isShown = open === match.guid
  const wrong = clashes.get(match.guid) ?? []
  const look = [
    styles.match,
    wrong.length > 0 ? styles.wrong : '',
    isShown ? styles.open : '',
    isShown && isMoved ? styles.moved : '',
  ]
  const canMove = mover !== null && isOpen(match)
  return (
    <li draggable={canMove} onDragStart={({ dataTransfer }) => canMove && dataTransfer.setData(matchType, match.guid)}>
      <OpenMatch match={match} isOpen={isShown} className={`plain ${look.join(' ')}`}>
        <span className={styles.about}>
          <span className="code">{shown.plan.codeOf(match)}</span>
          <span className="muted">{shown.plan.roundOf(match)}</span>
          {!isOpen(match) && <MatchState status={match.status} />}
          <Marks wrong={wrong} isPinned={isPinned(match.guid)} isMoved={isShown && isMoved} />
        </span>
        {match.sides.map((side, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
          <SideName key={at} side={side} />
        ))}
      </OpenMatch>
    </li>
  )
}

/** What is worth knowing of a match at a glance. */
export function Marks({
  wrong,
  isPinned,
  isMoved = false,
}: {
  readonly wrong: readonly Clash[]
  readonly isPinned: boolean
  readonly isMoved?: boolean
}) {
  return (
    <>
      {isPinned && <span className={styles.mark}>{words('plan.pinned')}</span>}
      {isMoved && <span className={styles.mark}>{words('plan.unsaved')}</span>}
      {wrong.length > 0 && (
        <span className={styles.hard}>
          <StateIcon name="problem" />
          {words('plan.clashes', { count: wrong.length })}
        </span>
      )}
    </>
  )
}
