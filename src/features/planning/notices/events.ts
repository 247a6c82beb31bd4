import { type Event, type EventTable, everyMember, type MembersOf } from '../../../core/events.ts'
import { type NoticeSettings, noticeSettings } from './types.ts'

/** The tag that every change of a notice touches. */
export const noticesTag = 'notices'

type Settings = MembersOf<NoticeSettings>

export type NoticeEvent =
  | Event<'notice.created', { after: Settings }>
  | Event<'notice.updated', { before: Settings; after: Settings }>
  | Event<'notice.deleted', { before: Settings }>

declare module '../../../core/events.ts' {
  interface Events {
    notices: NoticeEvent
  }
}

export const noticesEvents: EventTable<NoticeEvent> = {
  'notice.created': { subject: 'notice', members: everyMember(noticeSettings, 'public') },
  'notice.updated': { subject: 'notice', members: everyMember(noticeSettings, 'private') },
  'notice.deleted': { subject: 'notice', members: everyMember(noticeSettings, 'public') },
}
