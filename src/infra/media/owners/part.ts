import { listMediaOf } from './store.ts'

/** What is kept of users' media; accounts sees to what becomes of them when an account is given up. (M17) */
export const mediaOwners = { name: 'mediaOwners', personalData: { sections: { media: listMediaOf } } }
