import type { Slice } from '../../slice.ts'
import { rankingsPersonalData } from './store/personal-data.ts'

export const rankings: Slice = {
  name: 'rankings',
  personalData: rankingsPersonalData,
}
