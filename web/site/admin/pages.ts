import type { GlobalRole } from '../data/global-roles.ts'
import type { WordId } from '../data/words.ts'

/**
 * The pages of administration. The menu, the gate of the frame and the tests follow this list. A page exists for those whose
 * global role lets them use the operation that it is seen by. (W2)
 */

export interface AdminPage {
  readonly to: `/admin${string}`
  readonly word: WordId
  /** Pages about one record are reached from their list. */
  readonly isInMenu: boolean
  /** The operation of those who see the page. */
  readonly sees: string
  /** The least role that may use it; a test compares them. */
  readonly role: GlobalRole
}

export const adminPages = [
  {
    to: '/admin',
    word: 'admin.health',
    isInMenu: true,
    sees: 'admin.readHealth',
    role: 'global:tournaments:manage',
  },
  {
    to: '/admin/users',
    word: 'admin.users',
    isInMenu: true,
    sees: 'admin.listUsers',
    role: 'role:dev',
  },
  {
    to: '/admin/users/$user',
    word: 'admin.user',
    isInMenu: false,
    sees: 'admin.readUser',
    role: 'role:dev',
  },
  {
    to: '/admin/platforms',
    word: 'admin.platforms',
    isInMenu: true,
    sees: 'admin.platformsOverview',
    role: 'global:tournaments:manage',
  },
  {
    to: '/admin/notices',
    word: 'admin.notices',
    isInMenu: true,
    sees: 'notices.listAll',
    role: 'global:notices:manage',
  },
  {
    to: '/admin/awards',
    word: 'awards.title',
    isInMenu: true,
    sees: 'awards.create',
    role: 'global:badges:manage',
  },
  {
    to: '/admin/awards/$edition',
    word: 'awards.title',
    isInMenu: false,
    sees: 'awards.turnout',
    role: 'global:badges:manage',
  },
  {
    to: '/admin/badges',
    word: 'badges.title',
    isInMenu: true,
    sees: 'badgeRequests.listAll',
    role: 'global:badges:manage',
  },
  {
    to: '/admin/badges/$badge',
    word: 'badges.title',
    isInMenu: false,
    sees: 'badges.create',
    role: 'global:badges:manage',
  },
  {
    to: '/admin/media',
    word: 'admin-media.title',
    isInMenu: true,
    sees: 'admin.listMedia',
    role: 'role:dev',
  },
  {
    to: '/admin/streaming',
    word: 'admin-streaming.title',
    isInMenu: true,
    sees: 'streamServers.list',
    role: 'role:dev',
  },
] as const satisfies readonly AdminPage[]
