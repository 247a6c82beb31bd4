import { createContext, useContext } from 'react'
import type { Overlay } from '../../../../client/generated.ts'
import type { Scene, SceneDocument, SceneElement } from '../../../../src/engine/scenes/document.ts'
import type { Filling } from './canvas/drawing.ts'
import type { Members } from './draft/changes.ts'
import type { Draft, DraftState } from './draft/draft.ts'
import type { Unread } from './use-filling.ts'
import type { Other } from './use-presence.ts'
import type { Stored } from './use-stored.ts'

/** What the parts of the editor share. */
export interface Editing {
  readonly tournament: string
  readonly overlay: Overlay
  readonly draft: Draft
  readonly state: DraftState
  readonly document: SceneDocument
  readonly sceneId: string
  readonly scene: Scene
  readonly openScene: (id: string) => void
  /** Ids of the chosen elements, all of the scene. */
  readonly selection: readonly string[]
  readonly select: (ids: readonly string[]) => void
  readonly mayEdit: boolean
  /** What the scenes are filled with; null until it has come. */
  readonly filling: Filling | null
  readonly unread: Unread | null
  readonly stored: Stored
  /** Whether the filling is what happens now. */
  readonly isLive: boolean
  readonly others: readonly Other[]
  /** Changes members of elements of the scene in one step. */
  readonly set: (changes: Iterable<readonly [id: string, Members]>, joins?: boolean) => boolean
}

const Context = createContext<Editing | null>(null)
export const EditingProvider = Context.Provider

export function useEditing(): Editing {
  const found = useContext(Context)
  if (found === null) throw new Error('there is no editor around')
  return found
}

/** The only chosen element. */
export function useChosen(): { readonly id: string; readonly element: SceneElement } | null {
  const { selection, scene } = useEditing()
  const [id] = selection
  const element = id === undefined || selection.length > 1 ? undefined : scene.elements[id]
  return id === undefined || element === undefined ? null : { id, element }
}
