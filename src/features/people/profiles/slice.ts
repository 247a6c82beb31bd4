import type { Slice } from '../../slice.ts'
import { profilesOperations } from './routes.ts'

export const profiles: Slice = {
  name: 'profiles',
  operations: profilesOperations,
}
