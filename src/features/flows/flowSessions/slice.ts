import type { Slice } from '../../slice.ts'

export const flowSessions: Slice = {
  name: 'flowSessions',
}
