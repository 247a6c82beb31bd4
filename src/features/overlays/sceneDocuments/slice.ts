import type { Slice } from '../../slice.ts'
import { sceneDocumentsConstraints } from './constraints.ts'
import { sceneDocumentsEvents } from './events.ts'
import { sceneDocumentsPersonalData } from './store/personal-data.ts'

/**
 * The scene documents of overlays: judging, storage, co-editing and versions. It has no operations of its own; other
 * slices use it.
 */
export const sceneDocuments: Slice = {
  name: 'sceneDocuments',
  events: sceneDocumentsEvents,
  constraints: sceneDocumentsConstraints,
  personalData: sceneDocumentsPersonalData,
}
