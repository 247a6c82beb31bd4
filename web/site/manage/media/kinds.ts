import type { Media } from '../../data/generated.ts'
import { isOrganiser } from '../rights.ts'

/** What can be uploaded for a tournament here, who may do it, and how large it may be. (media: Record and kinds) */

export type Kind = Media['kind']
type Roles = Parameters<typeof isOrganiser>[0]

interface KindOf {
  readonly kind: Kind
  readonly accept: string
  readonly megabytes: number
  /** Whether the uploader has to confirm their rights. (M2) */
  readonly needsRights: boolean
}

const pictures = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

const kinds = [
  { kind: 'overlay_image', accept: pictures, megabytes: 16, needsRights: false },
  { kind: 'overlay_video', accept: 'video/webm,video/mp4', megabytes: 64, needsRights: true },
  { kind: 'overlay_font', accept: '.woff2,font/woff2', megabytes: 2, needsRights: true },
  { kind: 'tournament_image', accept: pictures, megabytes: 8, needsRights: false },
  { kind: 'tournament_banner', accept: pictures, megabytes: 8, needsRights: false },
  { kind: 'update_image', accept: pictures, megabytes: 8, needsRights: false },
  { kind: 'badge_image', accept: pictures, megabytes: 1, needsRights: false },
] as const satisfies readonly KindOf[]

const isStaff = (roles: Roles) => isOrganiser(roles) || roles.includes('role:staff')

/** Kinds that a reader may upload. */
export function kindsFor(roles: Roles): readonly KindOf[] {
  return kinds.filter(({ kind }) => {
    if (kind === 'badge_image') return isOrganiser(roles)
    return isStaff(roles) || (kind.startsWith('overlay_') && roles.includes('role:hcaster'))
  })
}

/** Whether a reader may delete what belongs to the tournament. */
export const mayDelete = isStaff
