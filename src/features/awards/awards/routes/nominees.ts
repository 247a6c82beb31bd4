import { Type } from 'typebox'
import type { SignedIn } from '../../../../core/actor.ts'
import { Answer, command } from '../../../../core/operation.ts'
import { nullable } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'
import type { Services } from '../../../../services.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { CreateNomineeBody, UpdateNomineeBody } from '../bodies/categories.ts'
import { addNominee, changeNominee, declineNomination, removeNominee } from '../commands/nominees.ts'
import { deciders } from '../policy.ts'
import { loadTargets } from '../queries.ts'
import { countMerged } from '../store/nominations.ts'
import type { Category, Edition, Nominee } from '../types.ts'
import { DeclinedView, declinedView, NomineeView, nomineeView } from '../views/nominee.ts'

const path = '/awards/:edition/categories/:category/nominees'
const around = (services: Services, now: Date) => ({ mediaUrl: services.config.media.url, now })

const invalidInput = {
  'award.invalid': 400,
  'award.target_invalid': 400,
  'media.reference_invalid': 400,
  'award.target_unknown': 404,
  'award.nomination_unknown': 404,
  'award.phase_wrong': 409,
  'award.nominee_exists': 409,
} as const

/** The view of a nominee for managers of awards. */
async function show(db: Db, edition: Edition, category: Category, nominee: Nominee) {
  const [targets, counts] = await Promise.all([loadTargets(db, [category], [nominee]), countMerged(db, edition.guid)])
  return nomineeView(nominee, { edition, targets, counts })
}

const create = command({
  name: 'awards.addNominee',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Make a nominee of a category, which nominations are merged into.',
  description:
    'While nominations are open, or the shortlist is made. Whoever is nominated is told, and may decline: the user, the organiser of the tournament, or the captain of the team.',
  body: CreateNomineeBody,
  reply: { 201: NomineeView },
  problems: { ...invalidInput, 'award.nominees_limit': 409 },
  run: async ({ tx, actor, edition, category, body, services, now }) =>
    show(tx, edition, category, await addNominee(tx, actor, category, body, around(services, now))),
})

const update = command({
  name: 'awards.updateNominee',
  method: 'PATCH',
  path: `${path}/:nominee`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Change a nominee, or which nominations are merged into it; what is not given stays.',
  description: 'Until voting opens. Whoever is nominated instead is told.',
  body: UpdateNomineeBody,
  reply: { 200: NomineeView },
  problems: { ...invalidInput, 'award.nominee_unknown': 404 },
  run: async ({ tx, actor, edition, category, nominee, body, services, now }) =>
    show(tx, edition, category, await changeNominee(tx, actor, nominee, body, around(services, now))),
})

const remove = command({
  name: 'awards.removeNominee',
  method: 'DELETE',
  path: `${path}/:nominee`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Delete a nominee, until voting opens.',
  description: 'What was merged into it stands alone again.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'award.phase_wrong': 409 },
  run: async ({ tx, actor, nominee, now }) => {
    await removeNominee(tx, actor, nominee, now)
    return new Answer(204)
  },
})

const decline = command({
  name: 'awards.decline',
  method: 'POST',
  path: '/awards/nominees/:nominee/decline',
  scope: 'rest:write',
  allow: deciders,
  summary: 'Decline to stand, for oneself or for what one organises or leads.',
  description:
    'Until the results are published. It cannot be voted for any more, and votes for it are void. Declining again changes nothing.',
  reply: { 200: DeclinedView },
  problems: { 'award.phase_wrong': 409 },
  run: async ({ tx, actor, nominee, now }) =>
    declinedView(await declineNomination(tx, actor as SignedIn, nominee, now), nominee.category),
})

export const nomineesOperations = [create, update, remove, decline]
