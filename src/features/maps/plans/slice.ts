import type { Slice } from '../../slice.ts'

export const plans: Slice = {
  name: 'plans',
}
