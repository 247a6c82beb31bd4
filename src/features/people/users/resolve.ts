import { invalid, missing, unauthenticated } from '../../../core/problem.ts'
import type { Resolver } from '../../../infra/http/admission.ts'
import { readPlatform } from './rules/identities.ts'
import { findUser, findUserByGuid } from './store/users.ts'

export const userProblems = {
  'request.invalid': 'invalid',
  'token.missing': 'unauthenticated',
  'user.unknown': 'missing',
} as const

/** Resolves `:user` in a path: any identifier of a user, or `@me`. (D6) */
export const resolveUser: Resolver = async ({ db, actor }, value) => {
  if (value === '') {
    throw invalid('request.invalid', 'Name the user by GUID, chat-platform ID or ranking ID, or as @me.')
  }
  if (value === '@me') {
    if (actor.guid === null) throw unauthenticated('token.missing', 'Sign in to use @me.')
    const record = await findUserByGuid(db, actor.guid)
    if (record !== undefined) return { record }
  }
  const record = value === '@me' ? undefined : await findUser(db, value)
  if (record === undefined) throw missing('user.unknown', 'There is no such user.')
  return { record }
}

/** Resolves `:identity` in a path: an identity of the caller, by its platform. */
export const resolveIdentity: Resolver = async (_context, value) => ({ record: readPlatform(value) })
