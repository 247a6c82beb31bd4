import type { Slice } from '../../slice.ts'
import { rankingsEvents } from './events.ts'
import { rankingsPersonalData } from './store.ts'

export const rankings: Slice = {
  name: 'rankings',
  events: rankingsEvents,
  personalData: rankingsPersonalData,
}
