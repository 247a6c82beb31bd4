import type { Slice } from '../../slice.ts'

export const catalogue: Slice = {
  name: 'catalogue',
}
