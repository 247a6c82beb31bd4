import type { Scene, SceneElement } from '../../../src/engine/scenes/document.ts'
import { inOrder } from '../../../src/engine/scenes/order.ts'

/** An element with its children. */
export interface Node {
  readonly id: string
  readonly element: SceneElement
  readonly children: readonly Node[]
}

/** The maximum depth of groups; deeper elements are not drawn. */
const maxDepth = 16

/** The elements as a tree. Elements with a missing parent, or that contain themselves, are left out. (OV6) */
export function treeOf({ elements }: Scene): readonly Node[] {
  const inside = new Map<string | null, (readonly [string, SceneElement])[]>()
  for (const entry of inOrder(elements)) {
    const parent = entry[1].parent ?? null
    inside.set(parent, [...(inside.get(parent) ?? []), entry])
  }
  const nodesIn = (parent: string | null, depth: number): readonly Node[] =>
    (depth > maxDepth ? [] : (inside.get(parent) ?? [])).map(([id, element]) => {
      const holds = element.type === 'group' || element.type === 'list'
      return { id, element, children: holds ? nodesIn(id, depth + 1) : [] }
    })
  return nodesIn(null, 1)
}
