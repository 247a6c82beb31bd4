import { Type } from 'typebox'
import { firstParty, policy } from '../../../core/actor.ts'
import { Answer, command, type Operation, query } from '../../../core/operation.ts'
import { nullable } from '../../../core/schema.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { PersonalData, Section } from '../../../infra/db/personal-data.ts'
import type { MediaField } from '../../../infra/media/fields.ts'
import { isGlobalManager } from '../../tournaments/access/policy.ts'
import { findUserByGuid } from '../users/store/users.ts'
import type { User } from '../users/types.ts'
import { deleteAccount, gone, removePlaceholder } from './commands.ts'
import { sectionLimit } from './rules.ts'
import { exportOf, exportView } from './views.ts'

const globalManagers = policy('global tournament managers, developers and owners', isGlobalManager)

/** The export and the deletion of all personal data about a user, as each slice declares it. */
export function accountsOperations(
  personalData: readonly PersonalData<User>[],
  fields: readonly MediaField[],
): readonly Operation[] {
  const sections = personalData.flatMap((each) => Object.entries(each.sections))

  const remove = command({
    name: 'accounts.delete',
    method: 'DELETE',
    path: '/users/@me',
    scope: 'rest:user:write',
    // An application may act for its user, but not delete their account. (D40)
    allow: firstParty,
    summary: 'Delete the account of the signed-in user, for good.',
    description:
      'What others built on stays and names a deleted user; everything else about the user is removed, with their applications and all tokens. Not while they organise a tournament that is not over, captain a registered team of one, or are the last owner of the service.',
    reply: { 204: nullable(Type.String()) },
    problems: {
      'account.organises': 409,
      'account.captains': 409,
      'account.last_owner': 409,
      'user.banned': 403,
    },
    run: async ({ tx, actor, services, now }) => {
      await deleteAccount(tx, actor, personalData, { fields, services, now })
      return new Answer(204)
    },
  })

  const download = query({
    name: 'accounts.export',
    method: 'GET',
    path: '/users/@me/export',
    scope: 'rest:user:read',
    // The scope covers only the profile: a user's consent to an application does not include all of their data. (D40)
    allow: firstParty,
    budget: 'upload',
    summary: 'Everything that is held about the signed-in user, as a file.',
    description: `Of each kind of record the newest ${sectionLimit}. Others are named by GUID alone, and secrets and their hashes are left out.`,
    reply: { 200: exportOf(sections.map(([name]) => name)) },
    run: async ({ db, actor, now }) => {
      const [user, held] = await Promise.all([findUserByGuid(db, actor.guid), readSections(db, actor.guid, sections)])
      if (user === undefined) throw gone()
      return new Answer(200, {
        body: exportView(user, held, now),
        headers: { 'content-disposition': `attachment; filename="account-${user.guid}.json"` },
      })
    },
  })

  const removeOther = command({
    name: 'accounts.removePlaceholder',
    method: 'DELETE',
    path: '/users/:user',
    scope: 'rest:write',
    allow: globalManagers,
    summary: 'Remove a person who has not signed in and does not want to stand here.',
    description:
      'Their name is “Player 017” or the like wherever they have a place that stays; everything else about them is removed, as with an account that is deleted. The same sheet does not bring them back. People with an account delete it themselves.',
    reply: { 204: nullable(Type.String()) },
    problems: { 'user.has_account': 409 },
    run: async ({ tx, actor, user, services, now }) => {
      await removePlaceholder(tx, actor, user, personalData, { fields, services, now })
      return new Answer(204)
    },
  })

  return [remove, removeOther, download]
}

async function readSections(db: Db, userGuid: string, sections: readonly (readonly [string, Section])[]) {
  const read = sections.map(async ([name, list]) => [name, await list(db, userGuid, sectionLimit + 1)] as const)
  return Object.fromEntries(await Promise.all(read))
}
