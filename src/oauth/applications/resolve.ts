import { firstParty } from '../../core/actor.ts'
import { forbidden, missing } from '../../core/problem.ts'
import type { Resolver } from '../../infra/http/admission.ts'
import { findApplication } from '../store/applications.ts'
import type { Application } from '../types.ts'

declare module '../../core/operation.ts' {
  interface Resources {
    application: Application
  }
}

/**
 * Resolves `:application` in an address by its client id. It finds only the caller's own applications. The token of an
 * application is refused for every client id, existing or not. (D5, D40)
 */
export const resolveApplication: Resolver = async ({ db, actor }, value) => {
  if (actor.guid === null || !firstParty.allows(actor, {})) {
    throw forbidden('role.missing', `Only ${firstParty.who} may do this.`)
  }
  const record = await findApplication(db, value, actor.guid)
  if (record === undefined) throw unknownApplication()
  return { record }
}

export function unknownApplication() {
  return missing('application.unknown', 'You have no such application.')
}
