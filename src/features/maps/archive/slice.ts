import type { Slice } from '../../slice.ts'
import { archiveOperations } from './routes.ts'

export const archive: Slice = {
  name: 'archive',
  tags: { archive: 'Published pools and their maps, over all tournaments.' },
  operations: archiveOperations,
  parameters: { mapGuid: { description: 'GUID of a map, as pools and lists of maps give it.' } },
}
