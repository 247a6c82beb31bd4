import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { Answer, command, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { AnswerBody, ExcludeBody } from '../bodies/voting.ts'
import { answerExclusion, excludeUser, liftExclusion } from '../commands/exclusions.ts'
import { listExclusions } from '../store/exclusions.ts'
import { ExclusionView, exclusionViews, OwnExclusionView, ownExclusionView } from '../views/exclusions.ts'

const path = '/admin/awards/:edition/exclusions'
const listName = 'awards.exclusions'

const list = query({
  name: 'awards.exclusions',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: badgeManagers,
  summary: 'Users whose votes are left out of an edition, the first of them first.',
  description: 'With the reasons, and what the users say to them.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ exclusions: Type.Array(ExclusionView), nextCursor: NextCursor }) },
  run: async ({ db, edition, query: { limit = defaultPageSize, before } }) => {
    const after = decodeCursor(listName, before, isMakingPosition)
    const rows = await listExclusions(db, edition.guid, { after, limit })
    const page = toPage(listName, rows, limit, ({ createdAt, userGuid }) =>
      makingPosition({ createdAt, guid: userGuid }),
    )
    return { exclusions: await exclusionViews(db, page.items), nextCursor: page.nextCursor }
  },
})

const exclude = command({
  name: 'awards.exclude',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Leave the votes of a user out, while votes are counted.',
  description:
    'The user is told the reason, and may answer. All ballots are made anew, with new numbers. Nobody is told how the user voted. Once a step out of counting was refused because of ties, or a runoff was held, whose votes of the first round are left out is fixed.',
  body: ExcludeBody,
  reply: { 201: ExclusionView },
  problems: {
    'award.phase_wrong': 409,
    'award.not_voted': 404,
    'award.already_excluded': 409,
    'award.exclusions_fixed': 409,
  },
  run: async ({ tx, actor, edition, body, now }) => {
    const [view] = await exclusionViews(tx, [await excludeUser(tx, actor, edition, body, now)])
    if (view === undefined) throw new Error('one exclusion was asked for')
    return view
  },
})

const lift = command({
  name: 'awards.liftExclusion',
  method: 'DELETE',
  path: `${path}/:user`,
  scope: 'rest:write',
  allow: badgeManagers,
  summary: 'Count the votes of a user again who was left out, while votes are counted.',
  description: 'Where nobody left them out, nothing happens. Fixed are those that cannot be made any more either.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'award.phase_wrong': 409, 'award.exclusions_fixed': 409 },
  run: async ({ tx, actor, edition, user, now }) => {
    await liftExclusion(tx, actor, edition, user.guid, now)
    return new Answer(204)
  },
})

const answer = command({
  name: 'awards.answerExclusion',
  method: 'POST',
  path: '/awards/:edition/exclusion/answer',
  scope: 'rest:write',
  allow: signedIn,
  summary: 'Say something to your votes having been left out, to those who manage the awards.',
  description: 'For whoever was left out alone. A second answer replaces the first.',
  body: AnswerBody,
  reply: { 200: OwnExclusionView },
  problems: { 'award.not_excluded': 404 },
  run: async ({ tx, actor, edition, body, now }) =>
    ownExclusionView(await answerExclusion(tx, actor, edition, body.message, now)),
})

export const exclusionsOperations = [list, exclude, lift, answer]
