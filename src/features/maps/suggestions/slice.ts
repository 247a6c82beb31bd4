import type { Slice } from '../../slice.ts'

export const suggestions: Slice = {
  name: 'suggestions',
}
