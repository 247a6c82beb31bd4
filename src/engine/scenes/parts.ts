import type { ElementType } from './document.ts'

/**
 * Elements that the page draws from the tree consist of parts. A document may choose which parts are shown.
 * (overlays: Scene document)
 */

export const elementParts = {
  mapCard: [
    ...['cover', 'title', 'subtitle', 'artist', 'mapper', 'pickedBy', 'difficulty', 'characteristic', 'flair'],
    ...['modifiers', 'duration', 'bpm', 'njs', 'nps', 'notes', 'stars', 'key', 'target'],
  ],
  pickBans: [
    ...[
      'turn',
      'pool',
      'cover',
      'title',
      'mapper',
      'difficulty',
      'flair',
      'modifiers',
      'action',
      'order',
      'side',
      'winner',
    ],
  ],
  bracket: ['before', 'current', 'after', 'highlighted', 'images', 'scores', 'times', 'labels'],
  standings: ['head', 'rank', 'image', 'name', 'played', 'won', 'lost', 'points', 'value', 'qualified'],
  schedule: ['recent', 'upcoming', 'time', 'label', 'images', 'scores'],
  casters: ['image', 'name', 'handle', 'pronouns'],
} as const satisfies Partial<Record<ElementType, readonly string[]>>

export type DrawnType = keyof typeof elementParts

/**
 * Parts that are hidden unless a document names them, because few viewers understand them and they take room from the
 * others.
 */
const onRequest: ReadonlySet<string> = new Set(['mapCard njs', 'mapCard notes'])

/** The parts that are shown if a document names none. */
export function usualParts(type: DrawnType): readonly string[] {
  return elementParts[type].filter((part) => !onRequest.has(`${type} ${part}`))
}
