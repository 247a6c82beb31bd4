import type { Notice } from '../../../people/notifications/types.ts'
import type { Medium } from '../types.ts'

/** The notification for owner and organiser: which medium was taken down, and why. (media: Operations, takedown) */
export function takedownNotice({ guid, kind, name, tournamentGuid }: Medium, reason: string): Notice {
  return {
    type: 'media.taken_down',
    title: `${name} was taken down`,
    body: reason,
    data: { mediaGuid: guid, kind, ...(tournamentGuid === null ? {} : { tournamentGuid }) },
  }
}
