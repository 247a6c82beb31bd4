import type { ElementType } from './document.ts'

/** What is drawn from the tree as a whole consists of parts, which a document may choose from. (overlays: Scene document) */

export const elementParts = {
  mapCard: [
    ...['cover', 'title', 'subtitle', 'artist', 'mapper', 'pickedBy', 'difficulty', 'characteristic', 'flair'],
    ...['modifiers', 'duration', 'bpm', 'njs', 'nps', 'notes', 'stars', 'key', 'target'],
  ],
  pickBans: [
    ...['turn', 'pool', 'cover', 'title', 'mapper', 'difficulty', 'flair', 'action', 'order', 'side', 'winner'],
  ],
  bracket: ['before', 'current', 'after', 'highlighted', 'images', 'scores', 'times', 'labels'],
  standings: ['head', 'rank', 'image', 'name', 'played', 'won', 'lost', 'points', 'value', 'qualified'],
  schedule: ['recent', 'upcoming', 'time', 'label', 'images', 'scores'],
  casters: ['image', 'name', 'handle', 'pronouns'],
} as const satisfies Partial<Record<ElementType, readonly string[]>>

export type DrawnType = keyof typeof elementParts

/** What is left out unless a document asks for it: few know what to do with it, and it takes room from all else. */
const onRequest: ReadonlySet<string> = new Set(['mapCard njs', 'mapCard notes', 'pickBans flair'])

/** Where a document names no parts. */
export function usualParts(type: DrawnType): readonly string[] {
  return elementParts[type].filter((part) => !onRequest.has(`${type} ${part}`))
}
