import type { Slice } from '../../slice.ts'

export const badgeRequests: Slice = {
  name: 'badgeRequests',
  tags: { badgeRequests: 'Badges that organisers ask for, for those who played and helped.' },
}
