import type { Resolver } from '../../../infra/http/admission.ts'
import { readPlatform } from '../users/rules/identities.ts'

/** `:identity` in an address: one of the user's own, by its platform. */
export const resolveIdentity: Resolver = async (_context, value) => ({ record: readPlatform(value) })
