import type { Slice } from '../../slice.ts'

export const imports: Slice = {
  name: 'imports',
}
