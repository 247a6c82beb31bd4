import type { ClipboardEvent } from 'react'
import type { SceneElement } from '../../../../src/engine/scenes/document.ts'
import { additions, copiesOf, withInner } from './draft/changes.ts'
import { useEditing } from './editing.ts'
import { outermost } from './geometry.ts'
import { isTyping, remove } from './use-keys.ts'

/** Elements in the clipboard, as text: they are taken to other scenes, and to other overlays. */

interface Copied {
  readonly format: 'downbeat-elements'
  readonly elements: readonly (readonly [id: string, SceneElement])[]
}

export function useClipboard() {
  const editing = useEditing()
  const { draft, scene, sceneId, selection, select, mayEdit } = editing
  const onCopy = (event: ClipboardEvent) => {
    if (isTyping(event.target) || selection.length === 0) return
    const elements = withInner(scene, outermost(scene.elements, selection)).flatMap((id) => {
      const element = scene.elements[id]
      return element === undefined ? [] : [[id, element] as const]
    })
    event.clipboardData.setData(
      'text/plain',
      JSON.stringify({ format: 'downbeat-elements', elements } satisfies Copied),
    )
    event.preventDefault()
  }
  const onCut = (event: ClipboardEvent) => {
    if (!mayEdit || isTyping(event.target) || selection.length === 0) return
    onCopy(event)
    remove(editing)
  }
  const onPaste = (event: ClipboardEvent) => {
    if (!mayEdit || isTyping(event.target)) return
    const copied = readCopied(event.clipboardData.getData('text/plain'))
    if (copied === null) return
    event.preventDefault()
    // In the scene that they are of, they stand a little aside, so that both are seen.
    const isHere = copied.elements.some(([id]) => scene.elements[id] !== undefined)
    const copies = copiesOf(copied.elements, scene.elements, isHere ? 20 : 0)
    if (copies.length > 0 && draft.steps(additions(sceneId, copies)))
      select(copies.filter(([, { parent }]) => parent === null).map(([id]) => id))
  }
  return { onCopy, onCut, onPaste }
}

/** Whatever else is in a clipboard is no fault. What is wrong with an element is judged as any step. */
function readCopied(text: string): Copied | null {
  try {
    const given = JSON.parse(text) as Partial<Copied> | null
    const isOurs = given?.format === 'downbeat-elements' && Array.isArray(given.elements)
    return isOurs && given.elements.every(isEntry) ? (given as Copied) : null
  } catch {
    return null
  }
}

function isEntry(entry: unknown): boolean {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return false
  const element = entry[1] as Partial<SceneElement> | null
  return (
    typeof element === 'object' &&
    typeof element?.x === 'number' &&
    typeof element.y === 'number' &&
    typeof element.order === 'string'
  )
}
