import { eq } from 'drizzle-orm'
import { clear, declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { badgeGrants, badgeImports, badges } from '../tables.ts'
import { deleteGrantsOf, lockBadgesOf } from './grants.ts'

/** Badges that a user has or had, hidden and revoked ones too, and badges that the user made as a manager. (B10) */
export const badgesPersonalData = declarePersonalData({
  sections: {
    badges: rowsOf(badgeGrants, 'userGuid', {
      join: [badges, eq(badges.guid, badgeGrants.badgeGuid)],
      shows: [
        ...['guid', 'badgeGuid', pick(badges, 'name'), 'label', 'place', 'awardedAt', 'source', 'hidden', 'position'],
        ...['revokedAt', 'revokeReason', 'createdAt'],
      ] as const,
    }),
    // Without the users who got them.
    badgesGranted: rowsOf(badgeGrants, 'grantedBy', {
      shows: ['guid', 'badgeGuid', 'awardedAt', 'source', 'createdAt'],
    }),
    badgesMade: rowsOf(badges, 'createdBy', { shows: ['guid', 'name', 'createdAt'] }),
    // Without the names of others.
    badgeImports: rowsOf(badgeImports, 'createdBy', {
      shows: ['guid', 'status', 'dryRun', 'createdAt', 'finishedAt'],
    }),
  },
  lock: (tx, { guid }) => lockBadgesOf(tx, guid),
  forget: [deleteGrantsOf, clear(badgeGrants, 'grantedBy'), clear(badges, 'createdBy')],
})
