import type { KeyboardEvent } from 'react'
import { additions, copiesOf, removals, withInner } from './draft/changes.ts'
import { type Editing, useEditing } from './editing.ts'
import { isLocked, outermost, rounded } from './geometry.ts'

/** Keys of the whole editor. In fields, keys belong to the field. */

export const isTyping = (target: EventTarget) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null

export function unlocked({ scene, selection }: Editing): readonly string[] {
  return outermost(scene.elements, selection).filter((id) => !isLocked(scene.elements, id))
}

export function remove(editing: Editing): void {
  const { draft, scene, sceneId, select } = editing
  const ids = unlocked(editing)
  if (ids.length > 0 && draft.steps(removals(sceneId, scene, ids))) select([])
}

/** Adds copies of the chosen elements, a little aside of them. */
export function duplicate({ draft, scene, sceneId, selection, select }: Editing): void {
  const ids = withInner(scene, outermost(scene.elements, selection))
  const entries = ids.flatMap((id) => {
    const element = scene.elements[id]
    return element === undefined ? [] : [[id, element] as const]
  })
  const copies = copiesOf(entries, scene.elements, 20)
  if (copies.length > 0 && draft.steps(additions(sceneId, copies)))
    select(copies.filter(([, { parent }]) => parent === null).map(([id]) => id))
}

export function nudge(editing: Editing, x: number, y: number): void {
  const { scene, set } = editing
  const changes = unlocked(editing).flatMap((id) => {
    const element = scene.elements[id]
    if (element === undefined) return []
    return [
      [id, { ...(x !== 0 && { x: rounded(element.x + x) }), ...(y !== 0 && { y: rounded(element.y + y) }) }],
    ] as const
  })
  if (changes.length > 0) set(changes, true)
}

export function useKeys(): (event: KeyboardEvent) => void {
  const editing = useEditing()
  return (event) => {
    const { draft, mayEdit } = editing
    const key = event.key.toLowerCase()
    if (!mayEdit || isTyping(event.target)) return
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && key === 'z') {
      if (event.shiftKey) draft.redo()
      else draft.undo()
    } else if (isCommand && key === 'y') draft.redo()
    else if (isCommand && key === 'd') duplicate(editing)
    else if (!isCommand && (key === 'delete' || key === 'backspace')) remove(editing)
    else return
    event.preventDefault()
  }
}
