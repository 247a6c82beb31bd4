import { type RefObject, useEffect, useState } from 'react'
import { words } from '../../data/words.ts'
import { StateIcon } from '../icon.tsx'
import type { Part } from './layout.ts'
import { nameOf } from './part.tsx'
import styles from './rounds-bar.module.css'

/**
 * On phones a round is a screen, and these are its tabs. The drawing is as high as the round in view, so that nothing is
 * scrolled that is not seen.
 */
export function RoundsBar({
  parts,
  scroller,
}: {
  readonly parts: readonly Part[]
  readonly scroller: RefObject<HTMLElement | null>
}) {
  const [shown, setShown] = useState<string>()
  const keys = parts.flatMap((part) => part.rounds.map(({ key }) => key)).join(' ')
  useEffect(() => {
    const root = scroller.current
    const isNarrow = matchMedia('(max-width: 699px)')
    if (root === null) return
    let round: Element | undefined
    const resize = () => {
      root.style.blockSize = isNarrow.matches && round !== undefined ? `${round.scrollHeight}px` : ''
    }
    const seen = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) round = target
        setShown(round?.id)
        resize()
      },
      // The middle of the screen is in one round at a time.
      { root, rootMargin: '100000px -49% 100000px -49%' },
    )
    for (const key of keys.split(' ')) {
      const found = document.getElementById(key)
      if (found !== null) seen.observe(found)
    }
    isNarrow.addEventListener('change', resize)
    return () => {
      seen.disconnect()
      isNarrow.removeEventListener('change', resize)
      root.style.blockSize = ''
    }
  }, [keys, scroller])
  useEffect(() => {
    if (shown === undefined) return
    const tab = document.getElementById(`tab-${shown}`)
    const bar = tab?.closest('nav')
    if (tab != null && bar != null) bar.scrollLeft += tab.getBoundingClientRect().left - bar.clientWidth / 3
  }, [shown])
  return (
    <nav className={styles.rounds} aria-label={words('bracket.rounds')}>
      {parts.flatMap((part) =>
        part.rounds.map((round) => (
          <a
            key={round.key}
            id={`tab-${round.key}`}
            href={`#${round.key}`}
            aria-current={shown === round.key ? 'true' : undefined}
            onClick={(event) => {
              event.preventDefault()
              show(round.key, scroller.current)
            }}
          >
            {round.matches.some(({ status }) => status === 'running') && <StateIcon name="running" />}
            {part.group === null ? round.name : `${nameOf(part, parts)}, ${round.name}`}
          </a>
        )),
      )}
    </nav>
  )
}

/** The round comes into view, below the bars if its beginning was above them; the address holds it. */
function show(key: string, scroller: HTMLElement | null): void {
  const round = document.getElementById(key)
  if (round === null || scroller === null) return
  const { left, top } = scroller.getBoundingClientRect()
  scroller.scrollLeft += round.getBoundingClientRect().left - left
  if (top < 0) scroller.scrollIntoView()
  history.replaceState(history.state, '', `#${key}`)
}
