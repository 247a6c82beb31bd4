import { Type } from 'typebox'
import { type SignedIn, signedIn } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { NominateBody } from '../bodies/categories.ts'
import { nominate, takeBack } from '../commands/nominations.ts'
import { loadTargets } from '../queries.ts'
import { countByTarget, listNominations, listOwnNominations } from '../store/nominations.ts'
import type { Category, Nomination } from '../types.ts'
import { NotEligible } from '../views/eligibility.ts'
import { NominationView, nominationView } from '../views/nomination.ts'

const path = '/awards/:edition/categories/:category/nominations'
const listName = 'awards.nominations'

const list = query({
  name: 'awards.nominations',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: signedIn,
  summary: 'The caller’s nominations in a category; for those who manage awards, all of them.',
  description: 'Newest first. Nobody is told whose nominations are, and those that were taken back are left out.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ nominations: Type.Array(NominationView), nextCursor: NextCursor }) },
  run: async ({ db, actor, category, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    if (!badgeManagers.allows(actor, {})) {
      const own = await listOwnNominations(db, category.guid, actor.guid)
      return { nominations: await show(db, actor, category, own, false), nextCursor: null }
    }
    const rows = await listNominations(db, category.guid, { after, limit })
    const { items, nextCursor } = toPage(listName, rows, limit, makingPosition)
    return { nominations: await show(db, actor, category, items, true), nextCursor }
  },
})

async function show(
  db: Db,
  actor: SignedIn,
  category: Category,
  nominations: readonly Nomination[],
  isManager: boolean,
) {
  const keys = nominations.map(({ targetKey }) => targetKey)
  const [targets, counts] = await Promise.all([
    loadTargets(db, [category], nominations),
    isManager ? countByTarget(db, category.guid, keys) : null,
  ])
  return nominations.map((nomination) => nominationView(nomination, { viewer: actor.guid, targets, counts }))
}

const create = command({
  name: 'awards.nominate',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Nominate somebody or something in a category.',
  description:
    'While nominations are open. The same counts once, and nobody nominates what is theirs unless the edition says so. 60 an hour may be sent, and 100 in a category, those that were taken back among them. A refusal of somebody who may not nominate lists every failed check.',
  body: NominateBody,
  reply: { 201: NominationView },
  refusals: { 403: NotEligible },
  problems: {
    'award.invalid': 400,
    'award.target_invalid': 400,
    'award.target_unknown': 404,
    'user.unknown': 404,
    'award.not_eligible': 403,
    'award.self_nomination': 403,
    'award.phase_wrong': 409,
    'award.nominated_already': 409,
    'award.nominations_limit': 409,
  },
  run: async ({ tx, actor, category, body, request, now }) => {
    request.countUse('award-nomination', actor.guid)
    const made = await nominate(tx, actor, category, body, now)
    const [view] = await show(tx, actor, category, [made], false)
    if (view === undefined) throw new Error('one nomination was shown')
    return view
  },
})

const remove = command({
  name: 'awards.withdrawNomination',
  method: 'DELETE',
  path: `${path}/:nomination`,
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Take one’s own nomination back, while nominations are open.',
  description: 'One that was taken back already stays so.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'award.phase_wrong': 409 },
  run: async ({ tx, actor, category, nomination, now }) => {
    await takeBack(tx, actor, category, nomination, now)
    return new Answer(204)
  },
})

export const nominationsOperations = [list, create, remove]
