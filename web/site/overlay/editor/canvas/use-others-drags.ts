import { useEffect, useRef, useSyncExternalStore } from 'react'
import { epochOfLive, live } from '../../../data/live.ts'
import { useReader } from '../../../data/queries.ts'
import { useEditing } from '../editing.ts'
import type { Drawing } from './drawing.ts'

/** What other editors drag, where it is now; the document changes when they drop it. */

interface Dragged {
  readonly user: string | null
  readonly scene: string | null
  readonly element: string | null
  readonly geometry: { readonly x: number | null; readonly y: number | null } | null
}

export function useOthersDrags(drawing: Drawing | null): void {
  const { draft, sceneId, scene, mayEdit } = useEditing()
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const { user } = useReader()
  const latest = useRef({ sceneId, scene, own: user?.guid })
  latest.current = { sceneId, scene, own: user?.guid }
  useEffect(() => {
    if (drawing === null || epoch === null || !mayEdit) return
    let shown = new Set<string>()
    return live()
      .live<Dragged>(draft.previewTopic)
      .subscribe(({ value }) => {
        const { sceneId, scene, own } = latest.current
        const next = new Set<string>()
        for (const { user, scene: where, element, geometry } of Object.values(value ?? {})) {
          const known = scene.elements[element ?? '']
          if (user === own || where !== sceneId || element === null || !known || geometry === null) continue
          next.add(element)
          const by = { x: (geometry.x ?? known.x) - known.x, y: (geometry.y ?? known.y) - known.y }
          for (const node of drawing.nodesOf(element)) node.style.translate = `${by.x}px ${by.y}px`
        }
        for (const id of shown) if (!next.has(id)) for (const node of drawing.nodesOf(id)) node.style.translate = ''
        shown = next
      })
  }, [drawing, epoch, mayEdit, draft])
}
