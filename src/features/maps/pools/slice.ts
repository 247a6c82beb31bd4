import type { Slice } from '../../slice.ts'

export const pools: Slice = {
  name: 'pools',
}
