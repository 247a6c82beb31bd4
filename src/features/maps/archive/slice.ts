import type { Slice } from '../../slice.ts'

export const archive: Slice = {
  name: 'archive',
}
