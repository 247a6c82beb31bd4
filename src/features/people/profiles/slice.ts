import type { Slice } from '../../slice.ts'
import { profilesOperations } from '../users/routes/profiles.ts'

export const profiles: Slice = {
  name: 'profiles',
  operations: profilesOperations,
}
