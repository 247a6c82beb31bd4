import type { Slice } from '../../slice.ts'
import { announcementsFollower } from './followers.ts'
import { announcementsDue, announcementsJobs } from './jobs.ts'
import { announcementsOperations } from './routes.ts'

export const announcements: Slice = {
  name: 'announcements',
  tags: { announcements: 'What the chat of a tournament is told by itself.' },
  operations: announcementsOperations,
  followers: [announcementsFollower],
  due: announcementsDue,
  jobs: announcementsJobs,
}
