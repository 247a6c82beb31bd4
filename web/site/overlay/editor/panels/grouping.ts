import { inOrder } from '../../../../../src/engine/scenes/order.ts'
import { words } from '../../../data/words.ts'
import { addElements, lastOrder, newId, removeElements, setMembers } from '../draft/changes.ts'
import type { Editing } from '../editing.ts'
import { around, boxOf, outermost } from '../geometry.ts'

/** Elements that belong together: they are moved, shown and hidden as one. */

const chosenOf = ({ scene, selection }: Editing) => outermost(scene.elements, selection)

export function isGroupable(editing: Editing): boolean {
  const ids = chosenOf(editing)
  const parents = new Set(ids.map((id) => editing.scene.elements[id]?.parent ?? null))
  return ids.length > 1 && parents.size === 1
}

/** Elements of a group become elements of what contains the group, where they are. */
export function dissolve({ scene, sceneId, draft, select }: Editing, id: string): void {
  const group = scene.elements[id]
  if (group === undefined) return
  const inner = Object.entries(scene.elements).filter(([, { parent }]) => parent === id)
  const isDone = draft.step((root) => {
    setMembers(
      sceneId,
      inner.map(
        ([each, { x, y }]) => [each, { parent: group.parent ?? null, x: x + group.x, y: y + group.y }] as const,
      ),
    )(root)
    removeElements(sceneId, [id])(root)
  })
  if (isDone) select(inner.map(([each]) => each))
}

export function makeGroup(editing: Editing): void {
  const { scene, sceneId, draft, select } = editing
  const chosen = new Set(chosenOf(editing))
  const ids = inOrder(scene.elements).flatMap(([id]) => (chosen.has(id) ? [id] : []))
  const box = around(ids.flatMap((id) => boxOf(scene.elements, id) ?? []))
  const first = scene.elements[ids[0] ?? '']
  if (box === null || first === undefined) return
  // Inside of another group the place counts from its corner.
  const own = boxOf(scene.elements, ids[0] ?? '')
  const corner = { x: box.x + first.x - (own?.x ?? 0), y: box.y + first.y - (own?.y ?? 0) }
  const id = newId()
  const group = {
    type: 'group',
    name: words('editor.type-group'),
    order: lastOrder(scene.elements),
    parent: first.parent ?? null,
    ...corner,
    width: box.width,
    height: box.height,
  } as const
  const isDone = draft.step((root) => {
    addElements(sceneId, [[id, group]])(root)
    setMembers(
      sceneId,
      ids.map((each) => {
        const element = scene.elements[each]
        return [each, { parent: id, x: (element?.x ?? 0) - corner.x, y: (element?.y ?? 0) - corner.y }] as const
      }),
    )(root)
  })
  if (isDone) select([id])
}
