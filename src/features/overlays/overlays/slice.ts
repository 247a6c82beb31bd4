import type { Slice } from '../../slice.ts'
import { overlaysEvents } from './events.ts'
import { resolveOverlay } from './resolve.ts'
import { overlaysOperations } from './routes.ts'

export const overlays: Slice = {
  name: 'overlays',
  tags: { overlays: 'What broadcasts show of tournaments: which overlays there are, and who may see and change them.' },
  operations: overlaysOperations,
  events: overlaysEvents,
  parameters: {
    overlay: {
      description: 'GUID of an overlay.',
      resolve: resolveOverlay,
      problems: { 'overlay.unknown': 'missing' },
    },
  },
}
