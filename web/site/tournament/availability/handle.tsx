import { type PointerEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import styles from './availability.module.css'
import type { Place } from './stroke.ts'

/**
 * A finger scrolls the grid, so it cannot paint as a mouse does. The time that it tapped gets a handle, which alone
 * does not scroll: pulled over other times it paints them, too. Keys and taps do the same. (WCAG 2.5.7)
 */

interface Props {
  readonly table: RefObject<HTMLTableElement | null>
  /** The cell at whose lower end the handle is. */
  readonly at: Place
  readonly to: (place: Place) => void
  /** A tap is meant for the cell under it. */
  readonly tap: (place: Place) => void
}

interface Pull {
  /** From the pointer to the middle of the cell that it moves. */
  readonly away: readonly [number, number]
  pointer: readonly [number, number]
  frame: number
}

/** How near to the edge of the grid the handle makes it scroll, and by how much a frame. */
const edgePx = 28
const scrollPx = 8

const cellAt = (table: HTMLTableElement, { day, row }: Place) =>
  table.querySelector<HTMLElement>(`[data-cell="${day} ${row}"]`)

export function Handle({ table, at, to, tap }: Props) {
  const own = useRef<HTMLSpanElement>(null)
  const pull = useRef<Pull | null>(null)
  useLayoutEffect(() => {
    const cell = table.current && cellAt(table.current, at)
    if (cell == null || own.current === null) return
    own.current.style.left = `${cell.offsetLeft + cell.offsetWidth / 2}px`
    own.current.style.top = `${cell.offsetTop + cell.offsetHeight}px`
  })
  useLayoutEffect(() => () => cancelAnimationFrame(pull.current?.frame ?? 0), [])

  /** Paints to where the handle is now, and goes on while the grid scrolls under it. */
  const follow = () => {
    const scroller = table.current?.closest('section')
    if (pull.current === null || table.current === null || scroller == null) return
    const { away, pointer } = pull.current
    const shown = shownOf(scroller, table.current)
    const x = Math.min(Math.max(pointer[0] + away[0], shown.left + 1), shown.right - 1)
    const y = Math.min(Math.max(pointer[1] + away[1], shown.top + 1), shown.bottom - 1)
    const place = placeAt(x, y)
    if (place !== undefined && (place.day !== at.day || place.row !== at.row)) to(place)
    const down = scrollPx * pastEdge(pointer[1], shown.top, shown.bottom)
    const { top, bottom } = scroller.getBoundingClientRect()
    // A part of the grid may be outside of the window.
    if (down < 0 ? top < 0 : bottom > innerHeight) scrollBy({ top: down, behavior: 'instant' })
    const left = scrollPx * pastEdge(pointer[0], shown.left, shown.right)
    scroller.scrollBy({ left, top: down, behavior: 'instant' })
    pull.current.frame = requestAnimationFrame(() => latest.current())
  }
  const latest = useRef(follow)
  useLayoutEffect(() => {
    latest.current = follow
  })
  const begin = (event: PointerEvent) => {
    const cell = table.current && cellAt(table.current, at)
    if (cell == null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { left, top, width, height } = cell.getBoundingClientRect()
    const { clientX, clientY } = event
    const away = [left + width / 2 - clientX, top + height / 2 - clientY] as const
    pull.current = { away, pointer: [clientX, clientY], frame: requestAnimationFrame(() => latest.current()) }
  }
  const end = () => {
    cancelAnimationFrame(pull.current?.frame ?? 0)
    pull.current = null
  }
  return (
    <span
      ref={own}
      aria-hidden="true"
      className={styles.handle}
      onPointerDown={begin}
      onPointerMove={({ clientX, clientY }) => {
        if (pull.current !== null) pull.current.pointer = [clientX, clientY]
      }}
      onClick={({ clientX, clientY }) => {
        const place = placeAt(clientX, clientY)
        if (place !== undefined) tap(place)
      }}
      onPointerUp={end}
      onPointerCancel={end}
    />
  )
}

/** The part of the grid in which cells can be seen: within the window, and not under the heads that stay. */
function shownOf(scroller: Element, table: HTMLTableElement) {
  const box = scroller.getBoundingClientRect()
  const corner = table.querySelector('td')?.getBoundingClientRect()
  const isMirrored = getComputedStyle(table).direction === 'rtl'
  return {
    left: isMirrored ? box.left : (corner?.right ?? box.left),
    right: isMirrored ? (corner?.left ?? box.right) : box.right,
    top: Math.max(0, corner?.bottom ?? box.top),
    bottom: Math.min(innerHeight, box.bottom),
  }
}

const pastEdge = (at: number, from: number, to: number): number => (at < from + edgePx ? -1 : at > to - edgePx ? 1 : 0)

/** The cell at a place of the window; the handle may be over it. */
function placeAt(x: number, y: number): Place | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const cell = element.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(' ')
    if (cell !== undefined) return { day: Number(cell[0]), row: Number(cell[1]) }
  }
  return undefined
}
