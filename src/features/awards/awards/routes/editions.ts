import { Type } from 'typebox'
import { type Actor, anyone, everybody, type SignedIn, signedIn, strangers } from '../../../../core/actor.ts'
import { SpreadsheetQuery, spreadsheetNote, toCsv } from '../../../../core/csv.ts'
import { Answer, command, query, Refusal } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { missing } from '../../../../core/problem.ts'
import { HtmlQuery, htmlProblems, readHtmlInclude } from '../../../../core/rendered.ts'
import { NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import type { Services } from '../../../../services.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { CreateBody, DeleteQuery, StatusBody, UpdateBody } from '../bodies/editions.ts'
import { changeEdition, createEdition, deleteEdition } from '../commands/editions.ts'
import { changeStatus } from '../commands/phases.ts'
import { awardsTag } from '../events.ts'
import { maySeeEdition } from '../policy.ts'
import { showCategory, showEdition, withHtml } from '../queries.ts'
import { unknownEdition } from '../rules/nominating.ts'
import { hasReached } from '../rules/phases.ts'
import { listCategories, listEditions } from '../store/editions.ts'
import { listNominees } from '../store/nominees.ts'
import { listPeople } from '../store/people.ts'
import type { Edition } from '../types.ts'
import { nomineesHeader, nomineesRows } from '../views/csv.ts'
import { CategoryView, EditionView, ListedEdition, listedEdition } from '../views/edition.ts'
import { EligibilityView, eligibilityView } from '../views/eligibility.ts'

const listName = 'awards.list'

const list = query({
  name: 'awards.list',
  method: 'GET',
  path: '/awards',
  scope: 'public',
  allow: anyone,
  summary: 'Editions of the awards, newest first.',
  description: 'Drafts and cancelled ones are shown to those who manage awards alone.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ editions: Type.Array(ListedEdition), nextCursor: NextCursor }) },
  audience: (actor: Actor) => (badgeManagers.allows(actor, {}) ? 'managers' : everybody(actor, {})),
  run: async ({ db, actor, depends, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    depends(awardsTag)
    const rows = await listEditions(db, { after, limit, isManager: badgeManagers.allows(actor, {}) })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
    return { editions: items.map(listedEdition), nextCursor }
  },
})

const read = query({
  name: 'awards.read',
  method: 'GET',
  path: '/awards/:edition',
  scope: 'public',
  allow: anyone,
  summary: 'An edition of the awards with its categories and, from voting on, its nominees.',
  description:
    'Nominees stand in an order of each reader’s own. While a runoff is held, `runoff` names the categories, and each of them who is tied. Whoever follows this is told of phases, never of votes: `voted` is as it was when something else last changed.',
  query: Type.Object(HtmlQuery),
  reply: { 200: EditionView },
  problems: htmlProblems,
  audience: strangers,
  live: {
    query: ['include'],
    sends: ['award.phase_changed', 'award.published'],
    concerns: ({ actor, records }) => ({
      by: { tag: (records.edition as Edition).guid },
      isSent: (event) => event.type !== 'award.phase_changed' || maySeeEdition(actor, event.after),
    }),
  },
  run: async ({ db, actor, edition, query: { include }, services, depends }) => {
    const isRendered = readHtmlInclude(include)
    const shown = await showEdition(db, actor, edition, depends)
    return isRendered ? withHtml(services.markdown, shown) : shown
  },
})

const readCategory = query({
  name: 'awards.category',
  method: 'GET',
  path: '/awards/:edition/categories/:category',
  scope: 'public',
  allow: anyone,
  summary: 'A category of an edition and, from voting on, its nominees.',
  description: 'Nominees stand in an order of each reader’s own, always the same.',
  reply: { 200: CategoryView },
  audience: strangers,
  run: ({ db, actor, edition, category, depends }) => showCategory(db, actor, edition, category, depends),
})

const eligibility = query({
  name: 'awards.eligibility',
  method: 'GET',
  path: '/awards/:edition/eligibility',
  scope: 'rest:read',
  allow: signedIn,
  summary: 'Whether the caller may nominate and vote, with every check that fails.',
  description: 'Voters are judged when they vote and once more when voting closes. The phase is not among the checks.',
  reply: { 200: EligibilityView },
  run: async ({ db, actor, edition }) => {
    const person = (await listPeople(db, [actor.guid])).get(actor.guid)
    if (person === undefined) throw unknownEdition()
    return eligibilityView(person, edition.rules)
  },
})

const contentType = 'text/csv; charset=utf-8'

const nomineesCsv = query({
  name: 'awards.nomineesCsv',
  method: 'GET',
  path: '/awards/:edition/nominees.csv',
  scope: 'public',
  allow: anyone,
  summary: 'The nominees of all categories as a spreadsheet, from voting on.',
  description: `${spreadsheetNote} Their GUIDs are those of the ballots.`,
  query: Type.Object(SpreadsheetQuery),
  reply: { 200: Type.String() },
  contentType,
  problems: { 'award.nominees_hidden': 404 },
  audience: everybody,
  run: async ({ db, edition, query: wanted, depends }) => {
    if (!hasReached(edition, 'voting')) {
      throw missing('award.nominees_hidden', 'The nominees are shown when voting opens.')
    }
    depends(edition.guid)
    const [categories, nominees] = await Promise.all([listCategories(db, edition.guid), listNominees(db, edition.guid)])
    return new Answer(200, {
      body: toCsv(nomineesHeader, nomineesRows(categories, nominees), wanted),
      contentType,
      headers: { 'content-disposition': `attachment; filename="awards-${edition.id}-nominees.csv"` },
    })
  },
})

const around = (services: Services, now: Date) => ({ mediaUrl: services.config.media.url, now })
const invalidSettings = { 'award.invalid': 400, 'award.dates_invalid': 400, 'media.reference_invalid': 400 } as const

const create = command({
  name: 'awards.create',
  method: 'POST',
  path: '/awards',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Make an edition of the awards, as a draft that managers alone see.',
  description:
    'Give it categories next. It comes from phase to phase at its dates, or by hand. Dates stand in their order, and voting takes 24 hours at least.',
  body: CreateBody,
  reply: { 201: EditionView },
  problems: { ...invalidSettings, 'award.id_taken': 409 },
  run: async ({ tx, actor, body, services, now }) =>
    showEdition(tx, actor, await createEdition(tx, actor, body, around(services, now))),
})

const update = command({
  name: 'awards.update',
  method: 'PATCH',
  path: '/awards/:edition',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Change an edition; what is not given stays.',
  description:
    'Dates that have passed stay, and so do the rules once voting has opened. The end of voting is moved to an hour from now at the earliest.',
  body: UpdateBody,
  reply: { 200: EditionView },
  problems: {
    ...invalidSettings,
    'award.id_taken': 409,
    'award.stale': 409,
    'award.phase_wrong': 409,
    'award.rules_fixed': 409,
    'award.date_passed': 409,
  },
  run: async ({ tx, actor, edition, body, services, now }) =>
    showEdition(tx, actor, await changeEdition(tx, actor, edition.guid, body, around(services, now))),
})

const remove = command({
  name: 'awards.delete',
  method: 'DELETE',
  path: '/awards/:edition',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Delete a draft with its categories.',
  description: 'Whatever nominations have opened for is cancelled instead.',
  query: Type.Object(DeleteQuery),
  reply: { 204: nullable(Type.String()) },
  problems: { 'award.phase_wrong': 409, 'award.stale': 409, 'award.invalid': 400 },
  run: async ({ tx, actor, edition, query: { expectedUpdatedAt }, now }) => {
    await deleteEdition(tx, actor, edition.guid, expectedUpdatedAt, now)
    return new Answer(204)
  },
})

const status = command({
  name: 'awards.status',
  method: 'POST',
  path: '/awards/:edition/status',
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Have an edition come to its next phase, whatever its dates say, or cancel it.',
  description:
    'In this order: draft → nominating → shortlisting → voting → counting → published; counting → voting is a runoff among tied nominees. Where the rules ask for runoffs, a step out of counting that is refused tells whether there are ties: exclusions are fixed by it. From nominating to counting it can be cancelled, for which a reason is needed; its votes are deleted then.',
  body: StatusBody,
  reply: { 200: EditionView },
  refusals: {
    409: Type.Object({
      message: Type.String(),
      categories: Type.Optional(
        Type.Array(
          Type.Object({
            guid: Type.String(),
            name: Type.String(),
            shortlistSize: Type.Integer(),
            nominees: Type.Integer({ description: 'Those that have not declined.' }),
          }),
          { description: 'Those that cannot be voted in yet.' },
        ),
      ),
    }),
  },
  problems: {
    'award.step_illegal': 409,
    'award.no_categories': 409,
    'award.shortlists_open': 409,
    'award.reason_missing': 400,
    'award.runoff_due': 409,
    'award.no_ties': 409,
  },
  run: async ({ tx, actor, edition, body, now }) => showAfter(tx, actor, edition.guid, body, now),
})

async function showAfter(
  tx: Parameters<typeof changeStatus>[0],
  actor: SignedIn,
  guid: string,
  { status: to, reason }: { readonly status: Parameters<typeof changeStatus>[2]['to']; readonly reason?: string },
  now: Date,
) {
  const changed = await changeStatus(tx, guid, { to, by: actor.guid, reason: reason || undefined, now })
  return changed instanceof Refusal ? changed : showEdition(tx, actor, changed)
}

export const editionsOperations = [
  ...[list, read, readCategory, eligibility, nomineesCsv],
  ...[create, update, remove, status],
]
