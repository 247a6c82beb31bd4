import type { Slice } from '../../slice.ts'
import { badgesMediaFields } from './commands/media.ts'
import { badgesEvents } from './events.ts'
import { badgeImportJobs } from './jobs.ts'
import { resolveBadge } from './resolve.ts'
import { badgeRecordOperations } from './routes/badges.ts'
import { badgeGrantOperations, badgesProfilePart } from './routes/grants.ts'
import { badgeImportOperations } from './routes/imports.ts'
import { badgesPersonalData } from './store/personal-data.ts'

export const badges: Slice = {
  name: 'badges',
  tags: { badges: 'What users hold for what they did: granted, asked for and imported.' },
  operations: [...badgeRecordOperations, ...badgeGrantOperations, ...badgeImportOperations],
  profile: { badges: badgesProfilePart },
  parameters: {
    badge: {
      description: 'GUID of a badge, as `GET /badges` lists them.',
      resolve: resolveBadge,
      problems: { 'badge.unknown': 'missing' },
    },
    badgeGrant: { description: 'GUID of a grant of the badge, as its holders are listed with.' },
    badgeImport: { description: 'GUID of an import of badges.' },
  },
  events: badgesEvents,
  jobs: badgeImportJobs,
  mediaFields: badgesMediaFields,
  personalData: badgesPersonalData,
}
