import { type KeyboardEvent, startTransition, useEffect, useMemo, useRef, useState } from 'react'
import { words } from '../../data/words.ts'
import { say } from '../../parts/announcer.tsx'
import type { View } from '../../parts/bracket/cell.tsx'
import type { DrawnRound, Part } from '../../parts/bracket/layout.ts'
import { classesOf, measuresOf, PartDrawing } from '../../parts/bracket/part.tsx'
import { plays, Steps, toFollow } from '../../parts/bracket/steps.ts'
import { useMatchLinks } from './links.ts'

/** The drawing of a bracket. It is one stop of the tabulator; arrows move in space. */

interface TreeProps {
  readonly parts: readonly Part[]
  readonly view: View
  readonly zoom: number
  readonly follow?: (team: string) => void
}

export function Tree({ parts, view, zoom, follow }: TreeProps) {
  const steps = useMemo(() => new Steps(parts), [parts])
  const [active, setActive] = useState<string>()
  const root = useRef<HTMLDivElement>(null)
  const onClick = useMatchLinks()
  const current = steps.find(active) ?? steps.first
  const filled = useFilledRows(parts)
  useShownRound(root, parts)

  const onKeyDown = (event: KeyboardEvent) => {
    if (current === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') {
      document.getElementById('after-bracket')?.focus()
      return
    }
    if (event.key === 'F' || (event.key === 'f' && !plays(current, view.followed))) {
      const team = toFollow(current, event.key === 'F', view.followed)
      if (team !== undefined) follow?.(team)
      const name = current.sides.find((side) => side.team?.guid === team)?.team?.name
      if (name !== undefined) say(words('bracket.follows', { team: name }))
      return
    }
    const next =
      event.key === 'f' && view.followed !== undefined
        ? steps.next(current, view.followed)
        : steps.from(current, event.key)
    if (next !== undefined) linkOf(root.current, next.guid)?.focus()
    if (next !== undefined || event.key.startsWith('Arrow')) event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move the focus among the links inside
    <div
      ref={root}
      className={classesOf(parts)}
      style={measuresOf(parts, zoom)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocus={({ target }) => setActive(target.dataset.match)}
    >
      {parts.map((part) => (
        <PartDrawing key={part.key} part={part} parts={parts} view={view} active={current?.guid} filled={filled} />
      ))}
    </div>
  )
}

const linkOf = (root: HTMLElement | null, guid: string) =>
  root?.querySelector<HTMLAnchorElement>(`a[data-match="${guid}"]`)

/** So many rows are drawn before the browser may do something else. */
const rowsAtOnce = 8

/** So many rows have their matches by now. A large bracket is filled from above, so that its first rounds come at once. */
function useFilledRows(parts: readonly Part[]): number {
  const [filled, setFilled] = useState(rowsAtOnce)
  const most = Math.max(...parts.map(({ rows }) => rows))
  useEffect(() => {
    if (filled >= most) return
    const timer = setTimeout(() => startTransition(() => setFilled(filled + rowsAtOnce)), 30)
    return () => clearTimeout(timer)
  }, [filled, most])
  return filled
}

/** Begins at the round of the address, or on a phone at the one that is played. */
function useShownRound(root: { readonly current: HTMLElement | null }, parts: readonly Part[]): void {
  const isShown = useRef(false)
  useEffect(() => {
    if (isShown.current || root.current === null) return
    isShown.current = true
    const asked = document.getElementById(location.hash.slice(1))
    if (asked !== null && root.current.contains(asked)) asked.scrollIntoView({ block: 'nearest', inline: 'start' })
    else if (matchMedia('(max-width: 699px)').matches) {
      const scroller = root.current.parentElement
      const round = document.getElementById(playedRound(parts)?.key ?? '')
      if (scroller !== null && round !== null)
        scroller.scrollLeft += round.getBoundingClientRect().left - scroller.getBoundingClientRect().left
    }
  }, [root, parts])
}

function playedRound(parts: readonly Part[]): DrawnRound | undefined {
  const rounds = parts.flatMap((part) => part.rounds)
  const has = (status: string) => rounds.find(({ matches }) => matches.some((match) => match.status === status))
  return has('running') ?? has('ready')
}
