import { useMemo, useRef } from 'react'
import type { NewBracketWithMatches } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { partsOf } from '../../parts/bracket/layout.ts'
import { classesOf, measuresOf, PartDrawing } from '../../parts/bracket/part.tsx'
import { RoundsBar } from '../../parts/bracket/rounds-bar.tsx'
import styles from './brackets.module.css'

/** A bracket that does not exist yet, drawn as it will be. Nothing in it can be opened. */

/** More than this is no help in seeing how a bracket is laid out. */
const mostDrawn = 300

export function Drawing({ bracket }: { readonly bracket: NewBracketWithMatches }) {
  const parts = useMemo(() => partsOf(bracket), [bracket])
  const view = useMemo(
    () => ({
      base: null,
      numbers: new Map(bracket.matches.map(({ guid, number }) => [guid, number])),
      followed: undefined,
      own: new Set<string>(),
      isHidden: false,
    }),
    [bracket],
  )
  const scroller = useRef<HTMLElement>(null)
  if (bracket.matches.length > mostDrawn) return <p className="muted">{words('draw.too-large')}</p>
  return (
    <>
      <RoundsBar parts={parts} scroller={scroller} />
      <section
        ref={scroller}
        className={`wide-content ${styles.scroller}`}
        aria-label={words('draw.drawing')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a bracket wider than the page is scrolled by keys too
        tabIndex={0}
      >
        <div className={classesOf(parts)} style={measuresOf(parts, 0.9)}>
          {parts.map((part) => (
            <PartDrawing key={part.key} part={part} parts={parts} view={view} />
          ))}
        </div>
      </section>
    </>
  )
}
