import { type PointerEvent as ReactPointerEvent, useRef, useState } from 'react'
import { live } from '../../../data/live.ts'
import { type Editing, useEditing } from '../editing.ts'
import { around, type Box, boxOf, type Guide, isLocked, outermost, rounded, snapped } from '../geometry.ts'
import { dragPoint } from './drag-point.ts'
import type { Drawing } from './drawing.ts'
import { follow } from './follow.ts'
import type { Handle } from './marks.tsx'

/**
 * Dragging what is chosen, and its corners. While it lasts only what is dragged moves, without the document: the document
 * changes once, when it is dropped. Others see it by the way of a topic. (overlays: Co-editing)
 */

/** A press that moves less, in pixels of the window, chooses only. */
const least = 3
/** How near something snaps, in pixels of the window. */
const reach = 6
const smallest = 1
const noGuides: readonly Guide[] = []

interface Drag {
  readonly begun: { readonly x: number; readonly y: number }
  readonly ids: readonly string[]
  readonly box: Box
  readonly others: readonly Box[]
  readonly handle: Handle | null
  readonly nodes: readonly HTMLElement[]
  readonly zoom: number
  isMoving: boolean
  result: Box
}

export function useDrag(drawing: Drawing | null, zoom: number) {
  const editing = useEditing()
  const latest = useRef(editing)
  latest.current = editing
  const [guides, setGuides] = useState(noGuides)
  const onPointerDown = (event: ReactPointerEvent<HTMLElement>) => {
    if (event.button !== 0 || drawing === null) return
    const board = event.currentTarget
    const { point } = (event.target as HTMLElement).dataset
    if (point !== undefined) return dragPoint(event, Number(point), drawing, zoom, () => latest.current)
    const handle = (event.target as HTMLElement).dataset.handle as Handle | undefined
    const ids = handle === undefined ? pressed(editing, drawing, event) : editing.selection
    const { scene, mayEdit } = editing
    const movable = outermost(scene.elements, ids).filter((id) => !isLocked(scene.elements, id))
    const box = around(movable.flatMap((id) => boxOf(scene.elements, id) ?? []))
    if (!mayEdit || box === null) return
    const inner = new Set(movable)
    const siblings = Object.entries(scene.elements).filter(
      ([id, { parent, visible }]) => !inner.has(id) && visible !== false && (parent ?? null) === null,
    )
    const { width, height } = editing.document.canvas
    const drag: Drag = {
      begun: { x: event.clientX, y: event.clientY },
      ids: movable,
      box,
      result: box,
      others: [{ x: 0, y: 0, width, height }, ...siblings.map(([, element]) => element)],
      handle: handle ?? null,
      nodes: movable.flatMap((id) => [...drawing.nodesOf(id)]),
      zoom,
      isMoving: false,
    }
    follow(board, event.pointerId, {
      move: (x, y, isShift) => setGuides(moved(drag, { x, y, isShift, board }, latest.current)),
      end: (isDropped) => {
        restore(drag)
        setGuides(noGuides)
        if (!drag.isMoving) return
        live().publish(previewTopic(latest.current), 'connection', null)
        if (isDropped) drop(drag, latest.current)
      },
    })
  }
  return { guides, onPointerDown }
}

const previewTopic = ({ draft }: Editing) => draft.previewTopic

/** What a press chooses: with Shift, one more or one less. */
function pressed(editing: Editing, drawing: Drawing, event: ReactPointerEvent): readonly string[] {
  const { scene, selection, select } = editing
  const hit = drawing.at(event.clientX, event.clientY).find((id) => !isLocked(scene.elements, id))
  if (hit === undefined) {
    if (!event.shiftKey) select([])
    return []
  }
  if (event.shiftKey) {
    const next = selection.includes(hit) ? selection.filter((id) => id !== hit) : [...selection, hit]
    select(next)
    return next
  }
  // What is chosen already is dragged together with the rest, also by what it contains.
  if (selection.some((id) => id === hit || contains(editing, id, hit))) return selection
  select([hit])
  return [hit]
}

function contains({ scene }: Editing, outer: string, inner: string): boolean {
  return outermost(scene.elements, [outer, inner]).length === 1
}

interface Pointer {
  readonly x: number
  readonly y: number
  readonly isShift: boolean
  readonly board: HTMLElement
}

function moved(drag: Drag, { x, y, isShift, board }: Pointer, editing: Editing): readonly Guide[] {
  const { zoom } = drag
  const by = { x: (x - drag.begun.x) / zoom, y: (y - drag.begun.y) / zoom }
  if (!drag.isMoving && Math.max(Math.abs(by.x), Math.abs(by.y)) * zoom < least) return noGuides
  drag.isMoving = true
  const { box } = drag
  let guides = noGuides
  if (drag.handle === null) {
    const to = { ...box, x: box.x + by.x, y: box.y + by.y }
    const snap = snapped(to, drag.others, reach / zoom)
    if (snap.guides.length > 0) guides = snap.guides
    drag.result = { ...to, x: Math.round(to.x + snap.x), y: Math.round(to.y + snap.y) }
  } else {
    const [id = ''] = drag.ids
    const keeps = isShift !== (editing.scene.elements[id]?.keepAspect === true)
    drag.result = resized(box, drag.handle, by, keeps)
  }
  draw(drag, board)
  const [id] = drag.ids
  const element = editing.scene.elements[id ?? '']
  if (id !== undefined && element !== undefined) {
    const { result } = drag
    const geometry = {
      x: element.x + result.x - box.x,
      y: element.y + result.y - box.y,
      width: drag.handle === null ? element.width : result.width,
      height: drag.handle === null ? element.height : result.height,
    }
    live().publish(previewTopic(editing), 'connection', { scene: editing.sceneId, element: id, geometry })
  }
  return guides
}

function resized(box: Box, handle: Handle, by: { readonly x: number; readonly y: number }, keeps: boolean): Box {
  const isWest = handle.includes('w')
  const isNorth = handle.includes('n')
  let width = Math.max(smallest, box.width + (isWest ? -by.x : handle.includes('e') ? by.x : 0))
  let height = Math.max(smallest, box.height + (isNorth ? -by.y : handle.includes('s') ? by.y : 0))
  if (keeps) {
    const share = handle === 'n' || handle === 's' ? height / box.height : width / box.width
    width = box.width * share
    height = box.height * share
  }
  return {
    x: Math.round(isWest ? box.x + box.width - width : box.x),
    y: Math.round(isNorth ? box.y + box.height - height : box.y),
    width: Math.round(width),
    height: Math.round(height),
  }
}

/** Moves what is drawn, and its marks, by styles alone. */
function draw(drag: Drag, board: HTMLElement): void {
  const { box, result, handle, zoom } = drag
  const by = { x: result.x - box.x, y: result.y - box.y }
  const size = { width: `${result.width}px`, height: `${result.height}px` }
  for (const node of drag.nodes) Object.assign(node.style, { translate: `${by.x}px ${by.y}px`, ...(handle && size) })
  for (const mark of board.querySelectorAll<HTMLElement>('[data-mark]')) {
    mark.style.translate = `${by.x * zoom}px ${by.y * zoom}px`
    if (handle !== null)
      Object.assign(mark.style, { width: `${result.width * zoom}px`, height: `${result.height * zoom}px` })
  }
}

function restore({ nodes, box, handle, zoom }: Drag): void {
  for (const node of nodes) {
    node.style.translate = ''
    if (handle !== null) Object.assign(node.style, { width: `${box.width}px`, height: `${box.height}px` })
  }
  for (const mark of document.querySelectorAll<HTMLElement>('[data-mark]')) {
    mark.style.translate = ''
    if (handle !== null) Object.assign(mark.style, { width: `${box.width * zoom}px`, height: `${box.height * zoom}px` })
  }
}

/** The one step of the whole drag. */
function drop({ ids, box, result, handle }: Drag, { scene, set }: Editing): void {
  const by = { x: result.x - box.x, y: result.y - box.y }
  set(
    ids.flatMap((id) => {
      const element = scene.elements[id]
      if (element === undefined) return []
      const place = { x: rounded(element.x + by.x), y: rounded(element.y + by.y) }
      return [[id, handle === null ? place : { ...place, width: result.width, height: result.height }] as const]
    }),
  )
}
