import { type Static, Type } from 'typebox'
import { aboutHtml } from '../../../core/rendered.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../../infra/db/database.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import { type Notice, noticeAudiences, noticeLevels } from './types.ts'

const members = {
  guid: Guid,
  title: Type.String({ examples: ['Maintenance on Sunday'] }),
  content: Type.String({ description: 'Markdown.', examples: ['The site will be **read-only** for an hour.'] }),
  level: oneOf(noticeLevels),
  link: nullable(Type.String({ examples: ['https://status.example.org'] })),
  startsAt: Instant,
  endsAt: nullable(Instant, 'Null while nobody has set an end.'),
  dismissible: Type.Boolean({ description: 'Whether a visitor may put it away.' }),
  audience: oneOf(noticeAudiences, {
    description:
      'Whom it is meant for; `staff` is whoever holds a global role, is a member of a platform, organises a tournament or holds a role in one.',
  }),
}

/** A notice as visitors see it: without its author, who speaks for the site. */
export const NoticeView = Type.Object(
  {
    ...members,
    html: Type.Optional(
      Type.Object(
        { content: Type.String({ examples: ['<p>The site will be <strong>read-only</strong> for an hour.</p>\n'] }) },
        { title: 'RenderedNotice', description: `The content as ${aboutHtml}` },
      ),
    ),
  },
  { title: 'Notice', description: 'A message of those who run the site to its visitors.' },
)
export type NoticeView = Static<typeof NoticeView>

/** A notice as managers of notices see it. */
export const ManagedNotice = Type.Object(
  { ...members, createdBy: UserCard, createdAt: Instant, updatedAt: Instant },
  { title: 'ManagedNotice' },
)
export type ManagedNotice = Static<typeof ManagedNotice>

export function noticeView(notice: Notice): NoticeView {
  return {
    guid: notice.guid,
    title: notice.title,
    content: notice.content,
    level: notice.level,
    link: notice.link,
    startsAt: formatInstant(notice.startsAt),
    endsAt: formatInstant(notice.endsAt),
    dismissible: notice.dismissible,
    audience: notice.audience,
  }
}

/** Reads the cards of all authors with one query. */
export async function managedNotices(db: Db, notices: readonly Notice[]): Promise<ManagedNotice[]> {
  const creators = await listUserFacts(
    db,
    notices.map(({ createdByGuid }) => createdByGuid),
  )
  return notices.map((notice) => {
    const creator = creators.get(notice.createdByGuid)
    if (creator === undefined) throw new Error('a notice was written by nobody')
    return {
      ...noticeView(notice),
      createdBy: userCard(creator),
      createdAt: formatInstant(notice.createdAt),
      updatedAt: formatInstant(notice.updatedAt),
    }
  })
}

export async function managedNotice(db: Db, notice: Notice): Promise<ManagedNotice> {
  const [view] = await managedNotices(db, [notice])
  if (view === undefined) throw new Error('one notice was asked for')
  return view
}
