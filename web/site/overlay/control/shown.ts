import { createContext, useContext } from 'react'
import type { Overlay, OverlayControl, OverlayData } from '../../../../client/generated.ts'
import { inOrder } from '../../../../src/engine/scenes/order.ts'
import { words } from '../../data/words.ts'
import type { Acts } from './acts.ts'

/** What all parts of the control of an overlay show. */

export interface Scene {
  readonly id: string
  readonly name: string
  readonly role: string | undefined
}

export interface Shown {
  readonly overlay: Overlay
  readonly control: OverlayControl
  /** Of the published document, in their order. */
  readonly scenes: readonly Scene[]
  /** What the scenes are bound to; undefined until it is there. */
  readonly data: OverlayData | undefined
  readonly acts: Acts
  /** Whether the reader may change anything. */
  readonly mayControl: boolean
}

export const ShownContext = createContext<Shown | null>(null)

export function useShown(): Shown {
  const shown = useContext(ShownContext)
  if (shown === null) throw new Error('outside of the control of an overlay')
  return shown
}

interface Named {
  readonly name: string
  readonly role?: string
  readonly order: string
}

/** The scenes of a document, whose type says nothing of them. */
export function scenesOf(document: unknown): readonly Scene[] {
  const { scenes = {} } = (document ?? {}) as { readonly scenes?: Readonly<Record<string, Named>> }
  return inOrder(scenes).map(([id, { name, role }]) => ({ id, name, role }))
}

/** The names of both sides, in the order in which they are shown. */
export function sideNames(data: OverlayData | undefined): readonly [string, string] {
  const name = (at: 0 | 1) => {
    const side = data?.sides[at]
    return side?.team?.name ?? side?.placeholder ?? words(at === 0 ? 'control.first-side' : 'control.second-side')
  }
  return [name(0), name(1)]
}

type When = 'song' | 'result' | 'delay' | 'begin' | 'end'

export type Next = { readonly why: 'off' | 'no-match' | 'no-scene' } | { readonly scene: Scene; readonly when: When }

type Step = readonly [role: string, when: When]
const song: Step = ['gameplay', 'song']
const result: Step = ['summary', 'result']
const delay: Step = ['pickBan', 'delay']

/** What may follow, the nearest first: a role without a scene is passed over. */
function stepsOf({ control, data }: Pick<Shown, 'control' | 'data'>, shown: string | undefined): readonly Step[] {
  const status = data?.match?.status
  // Winners are known once the tournament is over.
  if (status === 'completed') return data?.winners.length === 0 ? [['winners', 'end']] : []
  if (shown === 'gameplay') return [result, delay]
  if (data?.flow == null && status !== 'running') return [['pickBan', 'begin'], song, result]
  // A summary that somebody chose stays until the match goes on.
  if (shown === 'summary' && control.updatedBy === null) return [delay, song]
  return [song, result, delay]
}

/** The scene that follows by itself, and when. (OV14) */
export function nextByItself({ control, scenes, data }: Pick<Shown, 'control' | 'scenes' | 'data'>): Next {
  if (!control.autoAdvance) return { why: 'off' }
  if (control.matchGuid === null) return { why: 'no-match' }
  for (const [role, when] of stepsOf({ control, data }, scenes.find(({ id }) => id === control.scene)?.role)) {
    const scene = scenes.find((each) => each.role === role)
    if (scene !== undefined && scene.id !== control.scene) return { scene, when }
  }
  return { why: 'no-scene' }
}
