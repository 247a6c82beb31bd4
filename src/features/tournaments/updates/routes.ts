import { type Static, Type } from 'typebox'
import { anyone, publicAudience } from '../../../core/actor.ts'
import { normaliseGuid } from '../../../core/ids.ts'
import { command, query, tournamentPath } from '../../../core/operation.ts'
import {
  decodeCursor,
  defaultPageSize,
  isMakingPosition,
  jsonBytes,
  makingPosition,
  toPage,
} from '../../../core/page.ts'
import { HtmlQuery, htmlProblems, readHtmlInclude } from '../../../core/rendered.ts'
import { exampleGuid, Guid, Instant, NextCursor, nullable, PageQuery, pageLimit } from '../../../core/schema.ts'
import { checkReach } from '../../../infra/http/refusals.ts'
import { isOrganiserOrStaff, organisersAndStaff } from '../access/policy.ts'
import { listDeliveries } from '../chatDeliveries/store/deliveries.ts'
import { deleteUpdate, editUpdate, publishUpdate, retryDelivery } from './commands/updates.ts'
import { previewUpdate, renderContents } from './queries.ts'
import { maxCardTexts, maxContentCharacters, maxTitleCharacters } from './rules/content.ts'
import { isChatAvailable } from './rules/editing.ts'
import { bytesWithHtml } from './rules/listing.ts'
import { listUpdates } from './store/updates.ts'
import type { Card, Content } from './types.ts'
import {
  DeliveryView,
  deliveryView,
  ListedUpdate,
  PublishedUpdate,
  previewView,
  UpdatePreview,
  updateView,
} from './views.ts'

const content = Type.String({
  minLength: 1,
  maxLength: maxContentCharacters,
  description: 'Markdown.',
  examples: ['The finals take place on **Sunday**.'],
})
const title = Type.Optional(
  Type.String({ maxLength: maxTitleCharacters, description: 'Plain text.', examples: ['Finals moved'] }),
)
const changes = Type.Optional(
  Type.Array(
    Type.Unsafe<Card>({
      type: 'object',
      additionalProperties: true,
      examples: [{ title: 'Grand final', before: 'Saturday', after: 'Sunday' }],
    }),
    {
      maxItems: 12,
      description: `Before/after cards, free in form; at most 24,000 characters of JSON and ${maxCardTexts} texts altogether. Their texts are Markdown; together they may hold as much markup as one long text.`,
    },
  ),
)
const expectedUpdatedAt = nullable(Instant, 'The `updatedAt` that the caller has seen; null before the first edit.')

const contentProblems = { 'update.content_empty': 400, 'update.changes_invalid': 400, 'media.reference_invalid': 400 }
const stateProblems = { 'update.stale': 409, 'update.delivery_active': 409 }

const listName = 'updates'
const maxPage = 50
/** How often the delivery states are read again, in milliseconds, while a user who may post follows the list. */
const deliveryMs = 3_000

const list = query({
  name: 'updates.list',
  method: 'GET',
  path: `${tournamentPath}/updates`,
  scope: 'public',
  allow: anyone,
  summary: 'The updates of the tournament, newest first.',
  description:
    'Who may post is told so, whether there is a chat to post to, and where each announcement there stands. With `include=html` pages of long updates end early.',
  query: Type.Object({
    ...HtmlQuery,
    ...PageQuery,
    limit: pageLimit(maxPage),
  }),
  reply: {
    200: Type.Object({
      updates: Type.Array(ListedUpdate),
      nextCursor: NextCursor,
      canPost: Type.Optional(Type.Boolean({ description: 'For those who may post alone.' })),
      chatAvailable: Type.Optional(Type.Boolean({ description: 'For those who may post alone.' })),
    }),
  },
  problems: htmlProblems,
  // Not cached for users who may post: the delivery state changes without an event.
  audience: (actor) => (isOrganiserOrStaff(actor) ? null : publicAudience),
  live: { query: ['include'], sends: ['update.published', 'update.edited', 'update.deleted'] },
  run: async ({ db, actor, tournament, query, depends, services, now }) => {
    const { limit = defaultPageSize, before, include } = query
    const html = readHtmlInclude(include)
    // Every event of an update also belongs to its tournament.
    depends(tournament.guid)
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listUpdates(db, tournament.guid, { after, limit })
    const { items, nextCursor } = toPage(
      listName,
      rows,
      limit,
      makingPosition,
      rows.map(html ? bytesWithHtml : jsonBytes),
    )
    const rendered = html ? await renderContents(services.markdown, tournament.guid, items) : []
    const shown = items.map((update, index) => ({
      ...updateView(update),
      ...(rendered[index] === undefined ? {} : { html: rendered[index] }),
    }))
    if (!isOrganiserOrStaff(actor)) return { updates: shown, nextCursor }
    depends.until(new Date(now.getTime() + deliveryMs))
    const deliveries = await listDeliveries(
      db,
      items.map(({ guid }) => guid),
    )
    return {
      updates: shown.map((update) => ({ ...update, delivery: deliveryView(deliveries.get(update.guid) ?? null) })),
      nextCursor,
      canPost: true,
      chatAvailable: isChatAvailable(tournament, services.config.chat.apiUrl),
    }
  },
})

const Written = Type.Object({ content, title, changes })

function contentOf({ content, title = '', changes = [] }: Static<typeof Written>): Content {
  return { title, content, changes }
}

const publish = command({
  name: 'updates.publish',
  method: 'POST',
  path: `${tournamentPath}/updates`,
  scope: 'rest:write',
  socket: true,
  allow: organisersAndStaff,
  inRehearsals: true,
  summary: 'Publish an update, and send it to the chat.',
  description:
    'The caller chooses the GUID, and uses it again when the answer was lost: the same publication is answered as it was at first, and changes nothing. Delivery to the chat begins after the answer. A tournament has at most 5,000 updates, deleted ones among them.',
  body: Type.Object(
    {
      guid: Guid,
      content,
      title,
      changes,
      sendToChat: Type.Optional(Type.Boolean({ description: 'Needs a chat webhook; false unless given.' })),
    },
    {
      title: 'NewTournamentUpdate',
      examples: [
        {
          guid: exampleGuid,
          title: 'Finals moved',
          content: 'The finals take place on **Sunday**.',
          changes: [{ title: 'Grand final', before: 'Saturday', after: 'Sunday' }],
        },
      ],
    },
  ),
  reply: { 201: PublishedUpdate },
  problems: {
    ...contentProblems,
    'update.chat_missing': 400,
    'update.guid_reused': 409,
    'update.limit_reached': 409,
    'rehearsal.not_possible': 409,
  },
  run: async ({ tx, actor, tournament, body, now, services }) => {
    checkReach(tournament, body.sendToChat === true)
    const { update, delivery } = await publishUpdate(
      tx,
      actor,
      tournament.guid,
      {
        guid: normaliseGuid(body.guid),
        content: contentOf(body),
        sendToChat: body.sendToChat ?? false,
      },
      { now, chatApiUrl: services.config.chat.apiUrl, mediaUrl: services.config.media.url },
    )
    return { update: updateView(update), delivery: deliveryView(delivery) }
  },
})

const preview = command({
  name: 'updates.preview',
  method: 'POST',
  path: `${tournamentPath}/updates/preview`,
  scope: 'rest:write',
  allow: organisersAndStaff,
  inRehearsals: true,
  summary: 'What an update would look like on a page and in the chat.',
  description:
    'Nothing is stored and nothing is sent. The messages are split and counted exactly as a publication with these texts would send them, even where the tournament has no chat webhook.',
  body: Type.Object(Written.properties, {
    title: 'UpdateToPreview',
    examples: [
      {
        title: 'Finals moved',
        content: 'The finals take place on **Sunday**.',
        changes: [{ title: 'Grand final', before: 'Saturday', after: 'Sunday' }],
      },
    ],
  }),
  reply: { 200: UpdatePreview },
  problems: { 'update.content_empty': 400, 'update.changes_invalid': 400 },
  prepare: ({ services, tournament, body }) => previewUpdate(services.markdown, tournament.guid, contentOf(body)),
  run: ({ prepared }) => previewView(prepared),
})

const edit = command({
  name: 'updates.edit',
  method: 'PATCH',
  path: `${tournamentPath}/updates/:update`,
  scope: 'rest:write',
  allow: organisersAndStaff,
  inRehearsals: true,
  summary: 'Edit an update, its change cards and its chat announcement.',
  description: 'A title or cards that are not given stay. Nothing can be edited while it is being sent to the chat.',
  body: Type.Object(
    { content, expectedUpdatedAt, title, changes },
    {
      title: 'TournamentUpdateEdit',
      examples: [{ content: 'The finals take place on **Sunday**, at 18:00.', expectedUpdatedAt: null }],
    },
  ),
  reply: { 200: PublishedUpdate },
  problems: { ...contentProblems, ...stateProblems },
  run: async ({ tx, actor, update: addressed, body, services: { config }, now }) => {
    const around = { mediaUrl: config.media.url, now }
    const { update, delivery } = await editUpdate(tx, actor, addressed, body, around)
    return { update: updateView(update), delivery: deliveryView(delivery) }
  },
})

const remove = command({
  name: 'updates.delete',
  method: 'DELETE',
  path: `${tournamentPath}/updates/:update`,
  scope: 'rest:write',
  allow: organisersAndStaff,
  inRehearsals: true,
  summary: 'Delete an update, and remove its chat announcement.',
  description:
    'Answers what is left in the chat, which is removed after the answer. A removal that fails is tried again by itself; deleting the update once more tries it at once, until nothing is left and the update is unknown.',
  body: Type.Object({ expectedUpdatedAt }, { examples: [{ expectedUpdatedAt: null }] }),
  reply: { 200: DeliveryView },
  problems: stateProblems,
  run: async ({ tx, actor, update, body, now }) =>
    deliveryView(await deleteUpdate(tx, actor, update, body.expectedUpdatedAt, now)),
})

const retry = command({
  name: 'updates.retryChat',
  method: 'POST',
  path: `${tournamentPath}/updates/:update/chat`,
  scope: 'rest:write',
  allow: organisersAndStaff,
  summary: 'Take up a chat delivery that failed or was interrupted.',
  description: 'Parts that were delivered are not sent again.',
  reply: { 200: DeliveryView },
  problems: { 'update.chat_not_requested': 404 },
  run: async ({ tx, update, now }) => deliveryView(await retryDelivery(tx, update, now)),
})

export const updatesOperations = [list, publish, preview, edit, remove, retry]
