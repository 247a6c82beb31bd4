import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { dayOf } from '../../parts/time.tsx'
import styles from './availability.module.css'
import type { Grid, Row } from './slots.ts'

/** The answers by day and time of day: painted by drag, by tap, and by keys. */

export type Status = AvailabilitySheet['acceptedStatuses'][number]

interface Props {
  readonly grid: Grid
  readonly zone: string
  readonly answers: readonly (Status | null)[]
  readonly brush: Status | null
  readonly isClosed: boolean
  readonly label: string
  readonly paint: (places: readonly number[], status: Status | null) => void
  readonly copyDay: (from: string) => void
}

const signs = { available: 'done', maybe: 'ready', would_rather_not: 'waiting', unavailable: 'off' } as const

export function Painter({ grid, zone, answers, brush, isClosed, label, paint, copyDay }: Props) {
  const [focus, setFocus] = useState(() => ({
    day: 0,
    row: Math.max(
      0,
      grid.rows.findIndex(({ key }) => grid.at(grid.days[0]?.key ?? '', key) !== undefined),
    ),
  }))
  const table = useRef<HTMLTableElement>(null)
  const painting = useRef<Status | null | undefined>(undefined)
  useEffect(() => {
    const end = () => {
      painting.current = undefined
    }
    addEventListener('pointerup', end)
    return () => removeEventListener('pointerup', end)
  }, [])
  const { days, rows } = grid
  const placeOf = (day: number, row: number) => grid.at(days[day]?.key ?? '', rows[row]?.key ?? '')
  /** Painting what has the brush's colour already takes it away. */
  const nextOf = (place: number) => (answers[place] === brush ? null : brush)

  const move = (event: KeyboardEvent, day: number, row: number) => {
    if (days[day] === undefined || rows[row] === undefined) return
    event.preventDefault()
    const [before, after] = [placeOf(focus.day, focus.row), placeOf(day, row)]
    if (event.shiftKey && !isClosed)
      paint(
        [before, after].filter((place) => place !== undefined),
        brush,
      )
    setFocus({ day, row })
    table.current?.querySelector<HTMLElement>(`[data-cell="${day} ${row}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { day, row } = focus
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [day - 1, row],
      ArrowRight: [day + 1, row],
      ArrowUp: [day, row - 1],
      ArrowDown: [day, row + 1],
      Home: [day, 0],
      End: [day, rows.length - 1],
    }
    const step = steps[event.key]
    if (step !== undefined) {
      // Days may have different times: the next cell in that direction.
      let [toDay, toRow] = step
      while (days[toDay] !== undefined && rows[toRow] !== undefined && placeOf(toDay, toRow) === undefined) {
        toDay += Math.sign(step[0] - day)
        toRow += event.key === 'Home' ? 1 : event.key === 'End' ? -1 : Math.sign(step[1] - row)
      }
      return move(event, toDay, toRow)
    }
    const place = placeOf(day, row)
    if (place === undefined || isClosed) return
    if (event.key === ' ' || event.key === 'Enter') paint([place], nextOf(place))
    else if (event.key === 'Delete' || event.key === 'Backspace') paint([place], null)
    else return
    event.preventDefault()
  }

  return (
    <section
      className={`wide-content ${styles.scroll}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
      tabIndex={0}
      aria-label={label}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are painted is a grid */}
      <table ref={table} role="grid" aria-label={label} className={styles.grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <td />
            {days.map(({ key, at }) => (
              <th key={key} scope="col">
                {dayOf(new Date(at).toISOString(), zone)}
                {!isClosed && (
                  <span className={styles.day}>
                    <button
                      type="button"
                      className="btn btn-quiet"
                      onClick={() => {
                        const all = rows.flatMap((row) => grid.at(key, row.key) ?? [])
                        paint(all, all.every((place) => answers[place] === brush) ? null : brush)
                      }}
                    >
                      {words('availability.day')}
                      <span className="unseen"> {dayOf(new Date(at).toISOString(), zone)}</span>
                    </button>
                    {days.length > 1 && (
                      <button type="button" className="btn btn-quiet" onClick={() => copyDay(key)}>
                        {words('availability.copy-day')}
                        <span className="unseen"> {dayOf(new Date(at).toISOString(), zone)}</span>
                      </button>
                    )}
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowAt) => (
            <tr key={row.key}>
              <th scope="row" className="num">
                <Time row={row} />
              </th>
              {days.map(({ key }, dayAt) => {
                const place = grid.at(key, row.key)
                if (place === undefined) return <td key={key} className={styles.none} />
                const status = answers[place] ?? null
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys
                  <td
                    key={key}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid
                    role="gridcell"
                    data-cell={`${dayAt} ${rowAt}`}
                    tabIndex={focus.day === dayAt && focus.row === rowAt ? 0 : -1}
                    className={`${styles.cell} ${status === null ? '' : styles[status]}`}
                    onFocus={() => setFocus({ day: dayAt, row: rowAt })}
                    onPointerDown={(event) => {
                      if (isClosed || event.pointerType !== 'mouse' || event.button !== 0) return
                      painting.current = nextOf(place)
                      paint([place], painting.current)
                    }}
                    onPointerEnter={(event) => {
                      if (event.pointerType !== 'mouse' || painting.current === undefined) return
                      paint([place], painting.current)
                    }}
                    onClick={({ nativeEvent }) => {
                      const isMouse = (nativeEvent as PointerEvent).pointerType === 'mouse'
                      if (!isClosed && !isMouse) paint([place], nextOf(place))
                    }}
                  >
                    {status !== null && <StateIcon name={signs[status]} />}
                    <span className="unseen">
                      {status === null ? words('availability.unanswered') : words(`availability.${status}`)}
                    </span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Time({ row: { time, isRepeated } }: { readonly row: Row }) {
  return (
    <>
      {time}
      {isRepeated && <span className="small muted"> {words('availability.again')}</span>}
    </>
  )
}

/** Whether clocks change between the days of a grid. */
export function hasClockChange({ days }: Grid, zone: string): boolean {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return false
  const offset = (at: number) =>
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value
  return offset(first.at) !== offset(last.at + 86_400_000)
}
