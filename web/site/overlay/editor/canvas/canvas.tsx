import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { words } from '../../../data/words.ts'
import { Icon } from '../../../parts/icon.tsx'
import { useEditing } from '../editing.ts'
import { nudge } from '../use-keys.ts'
import styles from './canvas.module.css'
import { Drawing } from './drawing.ts'
import { Marks } from './marks.tsx'
import { useDrag } from './use-drag.ts'
import { useOthersDrags } from './use-others-drags.ts'

/** The scene as it is on air, with what is chosen. */

const zooms = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2] as const
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function Canvas() {
  const editing = useEditing()
  const { document: scenes, scene, sceneId, filling, selection, select, isLive, mayEdit } = editing
  const stage = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [fixed, setFixed] = useState<number | null>(null)
  const { width, height } = scenes.canvas
  const fit = useFit(stage, width, height)
  const zoom = fixed ?? fit
  useEffect(() => {
    if (host.current === null) return
    const made = new Drawing(host.current)
    setDrawing(made)
    return () => made.end()
  }, [])
  useLayoutEffect(() => {
    if (drawing !== null && filling !== null) drawing.show(scenes, sceneId, filling, zoom)
  }, [drawing, scenes, sceneId, filling, zoom])
  const { guides, onPointerDown } = useDrag(drawing, zoom)
  useOthersDrags(drawing)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrows[event.key]
    if (event.key === 'Escape') select([])
    else if (by !== undefined && mayEdit && selection.length > 0) {
      const step = event.shiftKey ? 10 : 1
      nudge(editing, by[0] * step, by[1] * step)
    } else return
    event.preventDefault()
  }
  const change = (by: 1 | -1) =>
    setFixed((by > 0 ? zooms.find((each) => each > zoom + 0.01) : zooms.findLast((each) => each < zoom - 0.01)) ?? zoom)
  const chosen = selection.map((id) => scene.elements[id]?.name).join(', ')
  return (
    <section className={styles.place} aria-label={words('editor.canvas', { width, height })}>
      <div
        ref={stage}
        className={styles.stage}
        role="application"
        aria-label={words('editor.canvas-keys', { name: scene.name })}
        aria-description={chosen === '' ? words('editor.none-chosen') : words('editor.chosen', { names: chosen })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move what is chosen
        tabIndex={0}
        onPointerDown={onPointerDown}
        // Browsers would drag pictures themselves.
        onDragStart={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
      >
        <div className={styles.board} style={{ width: width * zoom, height: height * zoom }}>
          <div ref={host} className={styles.host} aria-hidden="true" />
          <Marks zoom={zoom} guides={guides} />
        </div>
      </div>
      <footer className={styles.foot}>
        <span className="code">
          {width} × {height}
        </span>
        <span className="muted">{words(isLive ? 'editor.ground-live' : 'editor.ground')}</span>
        <div className={`choices ${styles.zoom}`}>
          <button
            type="button"
            className="btn btn-icon"
            aria-label={words('editor.smaller')}
            onClick={() => change(-1)}
          >
            <Icon name="minus" />
          </button>
          <button type="button" className="btn" onClick={() => setFixed(null)}>
            {words(fixed === null ? 'editor.fits' : 'editor.fit', { percent: Math.round(zoom * 100) })}
          </button>
          <button type="button" className="btn btn-icon" aria-label={words('editor.larger')} onClick={() => change(1)}>
            <Icon name="plus" />
          </button>
        </div>
      </footer>
    </section>
  )
}

const margin = 48

function useFit(stage: React.RefObject<HTMLElement | null>, width: number, height: number): number {
  const [fit, setFit] = useState(0.5)
  useLayoutEffect(() => {
    const node = stage.current
    if (node === null) return
    const measure = () => {
      const scale = Math.min((node.clientWidth - margin) / width, (node.clientHeight - margin) / height)
      setFit(Math.max(0.05, Math.min(2, Math.floor(scale * 1_000) / 1_000)))
    }
    measure()
    const seen = new ResizeObserver(measure)
    seen.observe(node)
    return () => seen.disconnect()
  }, [stage, width, height])
  return fit
}
