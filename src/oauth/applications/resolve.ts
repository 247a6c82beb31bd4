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
 * `:application` in an address, by its client id. There are only the caller's own, and for the token of an application
 * there are none to look for: it is turned away whichever it names. (D5, D40)
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
