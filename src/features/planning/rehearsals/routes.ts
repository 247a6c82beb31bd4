import { Type } from 'typebox'
import { Answer, command, query, tournamentPath } from '../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isCursorInstant, jsonBytes, type Position, toPage } from '../../../core/page.ts'
import { NextCursor, nullable, oneOf, PageQuery } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { maxMessages } from '../../../infra/outbox/rules.ts'
import { outboxTag } from '../../../infra/outbox/sending.ts'
import { listMessages } from '../../../infra/outbox/store.ts'
import { messageStatuses, type OutboxKind, outboxKinds } from '../../../infra/outbox/types.ts'
import { receivePackage } from '../../packages/packages/prepare.ts'
import { missingFile, packageProblems, packageTerms } from '../../packages/packages/rules.ts'
import { ClockBody, FaultsBody, RehearsalBody, RenameBody } from './bodies.ts'
import { checkPlace, deleteRehearsal, makeRehearsal, renameRehearsal, setClock, setFaults } from './commands.ts'
import { rehearsalsTag } from './events.ts'
import { clockKeepers, rehearsalKeepers, rehearsalReaders } from './policy.ts'
import { viewOf, viewsOf } from './queries.ts'
import { advanceOf, checkAdvance, maxRehearsals, unknownRehearsal } from './rules.ts'
import { findRehearsal, listRehearsals } from './store.ts'
import { ClockView, clockView, FaultsView, faultsView, MessageView, messageView, RehearsalView } from './views.ts'

const path = `${tournamentPath}/rehearsals` as const

/** With each change of anything in a rehearsal it ends later, so that it could change many times a second. */
const paceMs = 1_000

const create = command({
  name: 'rehearsals.create',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: rehearsalKeepers,
  budget: 'upload',
  inRehearsals: true,
  summary: 'Copy the tournament, to try things out unseen.',
  description: `As JSON; or as a form with a package as its part \`file\`, of 512 MiB at most, which is then copied in place of the tournament as it is now. A rehearsal is a tournament of its own, a draft with everything that the tournament has now. Everybody in it is a placeholder, and nothing in it leaves it: it is on no list and in no count, sends nothing and asks no other service. Those who have a role in the real tournament have the same one here; to all others it is unknown. It goes from \`draft\` to \`ongoing\` without approval. What concerns accounts, other services or lists is refused with \`rehearsal.not_possible\`. With \`reset\` what was played is taken back. At most ${maxRehearsals} of a tournament; each is deleted with it, or 14 days after its last change.`,
  body: RehearsalBody,
  bodyType: 'jsonOrUpload',
  reply: { 201: RehearsalView },
  problems: {
    ...packageProblems,
    'rehearsal.unknown': 404,
    'rehearsal.no_shows_invalid': 400,
    'rehearsal.nested': 409,
    'rehearsal.too_many': 409,
  },
  async admitUpload({ actor, tournament, services, db, isWhole, hasFile }) {
    services.packages.imports.check(actor.guid)
    await checkPlace(db, tournament)
    if (isWhole && !hasFile) throw missingFile()
    return packageTerms
  },
  prepare: async ({ actor, services, request: { upload }, now }) =>
    upload === null ? null : receivePackage(upload, actor, services, now),
  run: async ({ tx, prepared: sent, ...making }) =>
    new Answer(201, { body: await viewOf(tx, await makeRehearsal(tx, { ...making, sent })) }),
})

const list = query({
  name: 'rehearsals.list',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: rehearsalReaders,
  summary: 'The rehearsals of the tournament, oldest first.',
  description: `For its staff; to all others there are none. At most ${maxRehearsals}.`,
  reply: { 200: Type.Object({ rehearsals: Type.Array(RehearsalView) }) },
  problems: { 'rehearsal.unknown': 404 },
  live: { paceMs },
  run: async ({ db, tournament, depends }) => {
    const rehearsals = await listRehearsals(db, tournament.guid)
    depends(rehearsalsTag(tournament.guid), ...rehearsals.flatMap(({ guid, createdBy }) => [guid, createdBy]))
    return { rehearsals: await viewsOf(db, rehearsals) }
  },
})

const read = query({
  name: 'rehearsals.read',
  method: 'GET',
  path: `${path}/:rehearsal`,
  scope: 'rest:read',
  allow: rehearsalReaders,
  summary: 'How a rehearsal was made, and when it ends.',
  description: 'What is in it is at the address of its own tournament: `/tournaments/{guid}`.',
  reply: { 200: RehearsalView },
  live: { paceMs },
  run: ({ db, tournament, rehearsal, depends }) => {
    depends(rehearsalsTag(tournament.guid), rehearsal.guid, rehearsal.createdBy)
    return viewOf(db, rehearsal)
  },
})

const rename = command({
  name: 'rehearsals.rename',
  method: 'PATCH',
  path: `${path}/:rehearsal`,
  scope: 'rest:write',
  allow: rehearsalKeepers,
  summary: 'Give a rehearsal another name.',
  description: 'It is the name of the rehearsal; that of its tournament stays, as all of its settings do.',
  body: RenameBody,
  reply: { 200: RehearsalView },
  run: async ({ tx, actor, rehearsal, body }) => viewOf(tx, await renameRehearsal(tx, actor, rehearsal, body)),
})

const remove = command({
  name: 'rehearsals.delete',
  method: 'DELETE',
  path: `${path}/:rehearsal`,
  scope: 'rest:write',
  allow: rehearsalKeepers,
  summary: 'Delete a rehearsal with everything in it.',
  description: 'Whatever its status is. The real tournament stays as it is.',
  reply: { 204: nullable(Type.String()) },
  run: async ({ tx, actor, rehearsal, now }) => {
    await deleteRehearsal(tx, actor.guid, rehearsal, now)
    return new Answer(204)
  },
})

const clock = query({
  name: 'rehearsals.clock',
  method: 'GET',
  path: `${path}/:rehearsal/clock`,
  scope: 'rest:read',
  allow: rehearsalReaders,
  summary: 'What the clock of a rehearsal shows, and how fast it runs.',
  description:
    'Everything in the rehearsal happens by it: what is due, deadlines, delays, and every instant in an answer. It begins paused, and never goes back.',
  reply: { 200: Type.Object({ clock: ClockView }) },
  run: ({ rehearsal }) => ({ clock: clockView(rehearsal.clock) }),
})

const changeClock = command({
  name: 'rehearsals.setClock',
  method: 'POST',
  path: `${path}/:rehearsal/clock`,
  scope: 'rest:write',
  allow: clockKeepers,
  summary: 'Let the clock of a rehearsal run, pause it, or move it on.',
  description:
    'On the way to `advanceTo` everything that is due runs, in the order of its due times and each at its own. This takes 20 seconds at most: `done: false` then says that the clock has not arrived, and the same call goes on; `rate` and `paused` are set only when it has. `ran` counts what was due and changed something.',
  body: ClockBody,
  reply: { 200: Type.Object({ clock: ClockView, ran: Type.Integer(), done: Type.Boolean() }) },
  problems: { 'clock.backwards': 409, 'clock.too_far': 400, 'rehearsal.unknown': 404 },
  prepare: async ({ actor, rehearsal, body, clients }) => {
    const to = advanceOf(body.advanceTo)
    if (to === null) return { ran: 0, isDone: true }
    checkAdvance(rehearsal.clock.now, to)
    return clients.rehearsalClocks.advance(rehearsal.guid, to, actor.guid)
  },
  run: async ({ tx, actor, rehearsal, body, prepared: { ran, isDone } }) => {
    if (isDone) await setClock(tx, actor.guid, rehearsal, body)
    const set = await findRehearsal(tx, rehearsal.guid)
    if (set === undefined) throw unknownRehearsal()
    return { clock: clockView(set.clock), ran, done: isDone }
  },
})

const outboxName = 'rehearsals.outbox'
type Place = readonly [at: string, kind: OutboxKind, place: number]
const isPlace = (position: Position): position is Place =>
  position.length === 3 &&
  isCursorInstant(position[0]) &&
  outboxKinds.some((kind) => kind === position[1]) &&
  Number.isSafeInteger(position[2])

const outbox = query({
  name: 'rehearsals.outbox',
  method: 'GET',
  path: `${path}/:rehearsal/outbox`,
  scope: 'rest:read',
  allow: rehearsalReaders,
  summary: 'What would have left a rehearsal, oldest first.',
  description: `Nothing is sent from a rehearsal. What the real tournament would have sent is recorded instead, as it would be sent, with the attempts that the faults of the rehearsal made necessary: messages to the chat, notifications and pushes. Look-ups of maps are recorded, too, and answered from what is stored here. Nothing that is possible in a rehearsal causes messages of other kinds. The last ${maxMessages} are kept.`,
  query: Type.Object({
    kind: Type.Optional(oneOf(outboxKinds, { description: 'All kinds unless given.' })),
    status: Type.Optional(oneOf(messageStatuses, { description: 'All unless given.' })),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ messages: Type.Array(MessageView), nextCursor: NextCursor }) },
  live: { query: ['kind', 'status'], paceMs },
  run: async ({ db, rehearsal, query: { kind, status, limit = defaultPageSize, before }, depends }) => {
    depends(outboxTag(rehearsal.guid), rehearsal.guid)
    const position = decodeCursor(outboxName, before, isPlace)
    const after = position === undefined ? null : { at: new Date(position[0]), kind: position[1], place: position[2] }
    const kinds = kind === undefined ? outboxKinds : [kind]
    const statuses = status === undefined ? messageStatuses : [status]
    const rows = await listMessages(db, rehearsal.guid, { kinds, statuses, after, limit })
    depends(...new Set(rows.flatMap(({ userGuid }) => userGuid ?? [])))
    const shown = rows.map((row) => ({ row, view: messageView(row) }))
    const placeOf = ({ row: { at, kind, place } }: (typeof shown)[number]) => [formatInstant(at), kind, place]
    const page = toPage(outboxName, shown, limit, placeOf, shown.map(jsonBytes))
    return { messages: page.items.map(({ view }) => view), nextCursor: page.nextCursor }
  },
})

const changeFaults = command({
  name: 'rehearsals.setFaults',
  method: 'PUT',
  path: `${path}/:rehearsal/faults`,
  scope: 'rest:write',
  allow: rehearsalKeepers,
  summary: 'Make what a rehearsal would send fail, come late or be limited.',
  description:
    'For each kind that is named; all others are answered without a fault again. Senders do what they do in earnest: they try again, wait as they are asked to, or give up, by the clock of the rehearsal. Which attempts a fault concerns is drawn by the seed.',
  body: FaultsBody,
  reply: { 200: Type.Object({ faults: FaultsView }) },
  problems: { 'rehearsal.unknown': 404 },
  // What happened before is answered as it was set before.
  prepare: ({ rehearsal, clients }) => clients.rehearsalClocks.catchUp(rehearsal.guid),
  run: async ({ tx, actor, rehearsal, body }) => ({ faults: faultsView(await setFaults(tx, actor, rehearsal, body)) }),
})

export const rehearsalsOperations = [create, list, read, rename, remove, clock, changeClock, outbox, changeFaults]
