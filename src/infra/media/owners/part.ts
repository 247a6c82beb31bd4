import { listMediaOf } from './store.ts'

/** The personal data in users' media; the accounts slice handles media when an account is given up. (M17) */
export const mediaOwners = { name: 'mediaOwners', personalData: { sections: { media: listMediaOf } } }
