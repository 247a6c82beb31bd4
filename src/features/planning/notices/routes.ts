import { Type } from 'typebox'
import { type Actor, anyone, isSignedIn, strangers } from '../../../core/actor.ts'
import { Answer, command, query } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../core/page.ts'
import { HtmlQuery, htmlProblems, readHtmlInclude } from '../../../core/rendered.ts'
import { Instant, NextCursor, nullable, oneOf, PageQuery } from '../../../core/schema.ts'
import { maxAddressLength } from '../../../core/web.ts'
import type { Db } from '../../../infra/db/database.ts'
import { changeNotice, createNotice, deleteNotice } from './commands.ts'
import { noticesTag } from './events.ts'
import { noticeManagers, seesAudience, wasShown } from './policy.ts'
import { inOrder, maxContentCharacters, readContent } from './rules.ts'
import { findNextChange, isStaffSomewhere, listActive, listNotices } from './store.ts'
import { noticeAudiences, noticeLevels } from './types.ts'
import { ManagedNotice, managedNotice, managedNotices, NoticeView, noticeView } from './views.ts'

const list = query({
  name: 'notices.list',
  method: 'GET',
  path: '/notices',
  scope: 'public',
  allow: anyone,
  summary:
    'The notices that are shown to the caller now: the most urgent first, then in the order in which they start.',
  description:
    'Anonymous callers see what is for everyone; signed-in ones also what is for them, or for the staff of tournaments.',
  query: Type.Object(HtmlQuery),
  reply: { 200: Type.Array(NoticeView) },
  problems: htmlProblems,
  audience: strangers,
  live: {
    query: ['include'],
    sends: ['notice.created', 'notice.deleted'],
    concerns: async ({ actor, db }) => {
      const viewer = { isSignedIn: isSignedIn(actor), isStaff: await isStaff(db, actor) }
      return { by: { tag: noticesTag }, isSent: (event) => wasShown(event, viewer) }
    },
  },
  run: async ({ db, actor, query: { include }, services, now, depends }) => {
    const isRendered = readHtmlInclude(include)
    const [active, next] = await Promise.all([listActive(db, now), findNextChange(db, now)])
    depends(noticesTag, ...(isSignedIn(actor) ? [actor.guid] : []))
    if (next !== null) depends.until(next)
    const isForStaff = active.some(({ audience }) => audience === 'staff')
    const viewer = { isSignedIn: isSignedIn(actor), isStaff: isForStaff && (await isStaff(db, actor)) }
    const shown = inOrder(active.filter(({ audience }) => seesAudience(audience, viewer))).map(noticeView)
    if (!isRendered) return shown
    const texts = await services.markdown.render(
      shown.map(({ content }) => content),
      noticesTag,
    )
    return shown.map((notice, index) => ({ ...notice, html: { content: texts[index] ?? '' } }))
  },
})

/** Whether the actor counts as staff. Call it only if the answer matters, as it may query the database. */
async function isStaff(db: Db, actor: Actor): Promise<boolean> {
  if (!isSignedIn(actor)) return false
  return actor.globalRoles.size > 0 || isStaffSomewhere(db, actor.guid)
}

const listName = 'notices.all'

const listAll = query({
  name: 'notices.listAll',
  method: 'GET',
  path: '/admin/notices',
  scope: 'rest:read',
  allow: noticeManagers,
  summary: 'All notices, past and future ones among them, newest first.',
  description: 'With who made each, for those who manage them.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ notices: Type.Array(ManagedNotice), nextCursor: NextCursor }) },
  run: async ({ db, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listNotices(db, { after, limit })
    const page = toPage(listName, rows, limit, makingPosition)
    return { notices: await managedNotices(db, page.items), nextCursor: page.nextCursor }
  },
})

const title = Type.String({ minLength: 1, maxLength: 120, examples: ['Maintenance on Sunday'] })
const content = Type.String({ minLength: 1, maxLength: maxContentCharacters, description: 'Markdown.' })
const others = {
  level: Type.Optional(oneOf(noticeLevels)),
  link: Type.Optional(nullable(Type.String({ maxLength: maxAddressLength, examples: ['https://status.example.org'] }))),
  startsAt: Type.Optional(nullable(Instant, 'Unset: now.')),
  endsAt: Type.Optional(nullable(Instant, 'Unset: until it is changed or deleted.')),
  dismissible: Type.Optional(Type.Boolean()),
  audience: Type.Optional(oneOf(noticeAudiences)),
}

const create = command({
  name: 'notices.create',
  method: 'POST',
  path: '/notices',
  scope: 'rest:write',
  allow: noticeManagers,
  summary: 'Show a notice on the site.',
  description: 'At most a hundred that have not ended may exist.',
  body: Type.Object(
    { title, content, ...others },
    {
      examples: [
        {
          title: 'Maintenance on Sunday',
          content: 'The service rests from **18:00** to 19:00 UTC.',
          level: 'warning',
          link: 'https://status.example.org',
          startsAt: '2099-05-01T18:00:00.000Z',
          endsAt: '2099-05-01T19:00:00.000Z',
          dismissible: true,
          audience: 'everyone',
        },
      ],
    },
  ),
  reply: { 201: ManagedNotice },
  problems: { 'notice.invalid': 400, 'notice.limit_reached': 409 },
  run: async ({ tx, actor, body, now }) => managedNotice(tx, await createNotice(tx, actor, body, now)),
})

const preview = command({
  name: 'notices.preview',
  method: 'POST',
  path: '/notices/preview',
  scope: 'rest:write',
  allow: noticeManagers,
  summary: 'What a text would look like as a notice.',
  description: 'Nothing is stored, and nobody is shown anything.',
  body: Type.Object({ content }, { examples: [{ content: 'The service rests from **18:00** to 19:00 UTC.' }] }),
  reply: {
    200: Type.Object({
      html: Type.String({ examples: ['<p>The service rests from <strong>18:00</strong> to 19:00 UTC.</p>\n'] }),
    }),
  },
  problems: { 'notice.invalid': 400 },
  prepare: async ({ services, body }) =>
    (await services.markdown.render([readContent(body.content)], noticesTag))[0] ?? '',
  run: ({ prepared: html }) => ({ html }),
})

const update = command({
  name: 'notices.update',
  method: 'PATCH',
  path: '/notices/:notice',
  scope: 'rest:write',
  allow: noticeManagers,
  summary: 'Change a notice; what is not given stays.',
  description: 'One that is shown already changes for everybody at once.',
  body: Type.Object(
    { title: Type.Optional(title), content: Type.Optional(content), ...others },
    { examples: [{ content: 'The service rests from **20:00** to 21:00 UTC.', level: 'info' }] },
  ),
  reply: { 200: ManagedNotice },
  problems: {
    'notice.unknown': 404,
    'notice.nothing_given': 400,
    'notice.invalid': 400,
    'notice.limit_reached': 409,
  },
  run: async ({ tx, actor, notice, body, now }) => managedNotice(tx, await changeNotice(tx, actor, notice, body, now)),
})

const remove = command({
  name: 'notices.delete',
  method: 'DELETE',
  path: '/notices/:notice',
  scope: 'rest:write',
  allow: noticeManagers,
  summary: 'Delete a notice for good.',
  description: 'To take it from the site but keep it in the list, give it an `endsAt` that has passed.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'notice.unknown': 404 },
  run: async ({ tx, actor, notice, now }) => {
    await deleteNotice(tx, actor, notice, now)
    return new Answer(204)
  },
})

export const noticesOperations = [list, listAll, preview, create, update, remove]
