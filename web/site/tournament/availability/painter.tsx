import { type KeyboardEvent, memo, type PointerEvent, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { dayOf } from '../../parts/time.tsx'
import styles from './availability.module.css'
import type { Day, Grid, Row } from './grid.ts'
import { Handle } from './handle.tsx'
import { type Answer, type Answers, isSameAnswer, type Slot, type Status } from './slots.ts'
import { type Place, useStroke } from './stroke.ts'

/** The answers by day and time of day: painted by the mouse, by fingers, and by keys. */

interface Props {
  readonly grid: Grid
  readonly slots: readonly Slot[]
  readonly zone: string
  readonly answers: Answers
  /** The keys of slots that somebody else answered otherwise meanwhile. */
  readonly open: ReadonlySet<string>
  readonly brush: Answer | null
  readonly isClosed: boolean
  readonly label: string
  readonly paint: (answers: Answers) => void
  /** The day that is being copied. */
  readonly copied: string | null
  readonly copy: (day: string) => void
}

const signs = { available: 'done', maybe: 'ready', would_rather_not: 'waiting', unavailable: 'off' } as const

export function Painter(props: Props) {
  const { grid, slots, answers, open, brush, isClosed, label, paint } = props
  const { days, rows } = grid
  const slotAt = ({ day, row }: Place): string | undefined =>
    slots[grid.at(days[day]?.key ?? '', rows[row]?.key ?? '') ?? -1]?.key
  const [focus, setFocus] = useState<Place>(() => ({
    day: 0,
    row: Math.max(
      0,
      rows.findIndex((_, row) => slotAt({ day: 0, row }) !== undefined),
    ),
  }))
  const table = useRef<HTMLTableElement>(null)
  const stroke = useStroke({ answers, slotAt, paint })
  /** Where the rectangle ends that began with a tap. */
  const [tapped, setTapped] = useState<Place | null>(null)
  useEffect(() => {
    const end = ({ pointerType }: globalThis.PointerEvent) => {
      if (pointerType === 'mouse') stroke.end()
    }
    addEventListener('pointerup', end)
    return () => removeEventListener('pointerup', end)
  }, [stroke])
  /** Painting what has the brush's colour already takes it away. */
  const nextOf = (key: string) => (isSameAnswer(answers[key], brush) ? null : brush)
  const paintAll = (keys: readonly string[], answer: Answer | null) =>
    paint(Object.fromEntries(keys.map((key) => [key, answer])))

  const move = (event: KeyboardEvent, to: Place) => {
    if (days[to.day] === undefined || rows[to.row] === undefined) return
    event.preventDefault()
    if (event.shiftKey && !isClosed)
      paintAll(
        [slotAt(focus), slotAt(to)].filter((key) => key !== undefined),
        brush,
      )
    setFocus(to)
    table.current?.querySelector<HTMLElement>(`[data-cell="${to.day} ${to.row}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (placeOf(event) === undefined) return
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
      while (
        days[toDay] !== undefined &&
        rows[toRow] !== undefined &&
        slotAt({ day: toDay, row: toRow }) === undefined
      ) {
        toDay += Math.sign(step[0] - day)
        toRow += event.key === 'Home' ? 1 : event.key === 'End' ? -1 : Math.sign(step[1] - row)
      }
      return move(event, { day: toDay, row: toRow })
    }
    const key = slotAt(focus)
    if (key === undefined || isClosed) return
    if (event.key === ' ' || event.key === 'Enter') paintAll([key], nextOf(key))
    else if (event.key === 'Delete' || event.key === 'Backspace') paintAll([key], null)
    else return
    event.preventDefault()
  }
  const begin = (event: PointerEvent) => {
    const [from, key] = cellOf(event)
    if (isClosed || event.pointerType !== 'mouse' || event.button !== 0 || key === undefined) return
    setTapped(null)
    stroke.begin(from, nextOf(key))
  }
  const tap = (place: Place) => {
    const key = slotAt(place)
    if (isClosed || key === undefined) return
    stroke.begin(place, nextOf(key))
    setTapped(place)
  }
  const cellOf = (event: SyntheticEvent): readonly [Place, string | undefined] => {
    const place = placeOf(event) ?? { day: -1, row: -1 }
    return [place, slotAt(place)]
  }

  return (
    <section
      className={`wide-content ${styles.scroll}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys
      tabIndex={0}
      aria-label={label}
    >
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are painted is a grid
        role="grid"
        aria-label={label}
        aria-readonly={isClosed}
        className={styles.grid}
        onKeyDown={onKeyDown}
        onPointerDown={begin}
        onPointerOver={(event) => {
          const place = placeOf(event)
          if (place !== undefined && event.pointerType === 'mouse') stroke.to(place)
        }}
        onClick={(event) => {
          // A finger taps; the mouse has painted as it was pressed.
          const isMouse = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse'
          if (!isMouse) tap(cellOf(event)[0])
        }}
        onFocus={(event) => {
          const place = placeOf(event)
          if (place !== undefined) setFocus(place)
        }}
      >
        <thead>
          <tr>
            <td />
            {days.map((day) => (
              <DayHead key={day.key} day={day} all={props} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowAt) => (
            <tr key={row.key}>
              <th scope="row" className="num">
                <Time row={row} />
              </th>
              {days.map((day, dayAt) => {
                const key = slotAt({ day: dayAt, row: rowAt })
                if (key === undefined) return <NoCell key={day.key} isSkipped={grid.isSkipped(day, row)} />
                const answer = answers[key] ?? null
                return (
                  <Cell
                    key={day.key}
                    at={`${dayAt} ${rowAt}`}
                    status={answer?.status ?? null}
                    hasReason={answer?.reason !== undefined}
                    isOpen={open.has(key)}
                    isFocus={focus.day === dayAt && focus.row === rowAt}
                  />
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {tapped !== null && !isClosed && (
        <Handle
          table={table}
          at={tapped}
          to={(place) => {
            stroke.to(place)
            setTapped(place)
          }}
          tap={tap}
        />
      )}
    </section>
  )
}

/** The cell in which something happened; undefined outside of cells. */
function placeOf({ target }: SyntheticEvent): Place | undefined {
  const cell = (target as Element).closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(' ')
  return cell && { day: Number(cell[0]), row: Number(cell[1]) }
}

function DayHead({ day: { key, at, change }, all }: { readonly day: Day; readonly all: Props }) {
  const { grid, slots, zone, answers, brush, isClosed, paint, copied, copy } = all
  const name = dayOf(new Date(at).toISOString(), zone)
  const paintDay = () => {
    const keys = grid.rows.flatMap((row) => slots[grid.at(key, row.key) ?? -1]?.key ?? [])
    const isPainted = keys.every((slot) => isSameAnswer(answers[slot], brush))
    paint(Object.fromEntries(keys.map((slot) => [slot, isPainted ? null : brush])))
  }
  return (
    <th scope="col" className={copied === key ? styles.source : undefined}>
      {name}
      {change !== null && (
        <span className="small muted">
          <br />
          {words(change === 'back' ? 'availability.clocks-back' : 'availability.clocks-forward')}
        </span>
      )}
      {!isClosed && (
        <span className={styles.day}>
          <button type="button" className="btn btn-quiet" onClick={paintDay}>
            {words('availability.day')}
            <span className="unseen"> {name}</span>
          </button>
          {grid.days.length > 1 && (
            <button
              type="button"
              className="btn btn-quiet"
              aria-pressed={copied === null ? undefined : copied === key}
              onClick={() => copy(key)}
            >
              {words(copied === null || copied === key ? 'availability.copy' : 'availability.paste')}
              <span className="unseen"> {name}</span>
            </button>
          )}
        </span>
      )}
    </th>
  )
}

/** A time that a day does not ask about, or does not have. */
const NoCell = memo(({ isSkipped }: { readonly isSkipped: boolean }) => (
  <td className={isSkipped ? styles.skipped : styles.none}>
    {isSkipped && <span className="unseen">{words('availability.skipped')}</span>}
  </td>
))

interface CellProps {
  readonly at: string
  readonly status: Status | null
  readonly hasReason: boolean
  readonly isOpen: boolean
  readonly isFocus: boolean
}

const Cell = memo(({ at, status, hasReason, isOpen, isFocus }: CellProps) => (
  <td
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of a grid
    role="gridcell"
    data-cell={at}
    tabIndex={isFocus ? 0 : -1}
    className={`${styles.cell} ${status === null ? '' : styles[status]} ${isOpen ? styles.open : ''}`}
  >
    {status !== null && <StateIcon name={signs[status]} />}
    {hasReason && <span className={styles.reason} />}
    <span className="unseen">
      {status === null ? words('availability.unanswered') : words(`availability.${status}`)}
      {hasReason && <>, {words('availability.with-reason')}</>}
      {isOpen && <>, {words('availability.differs')}</>}
    </span>
  </td>
))

function Time({ row: { time, isRepeated } }: { readonly row: Row }) {
  return (
    <>
      {time}
      {isRepeated && <span className="small muted"> {words('availability.again')}</span>}
    </>
  )
}
