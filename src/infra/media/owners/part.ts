import { declarePersonalData } from '../../db/personal-data.ts'
import { mediaSections } from './store.ts'

export const mediaOwners = { name: 'mediaOwners', personalData: declarePersonalData({ sections: mediaSections }) }
