import type { Slice } from '../../slice.ts'
import { sceneDocumentsConstraints } from './constraints.ts'
import { sceneDocumentsEvents } from './events.ts'
import { sceneDocumentsPersonalData } from './store/personal-data.ts'

/** The documents that overlays look by, for the slices that stand above: how they are judged, stored, co-edited and kept. */
export const sceneDocuments: Slice = {
  name: 'sceneDocuments',
  events: sceneDocumentsEvents,
  constraints: sceneDocumentsConstraints,
  personalData: sceneDocumentsPersonalData,
}
