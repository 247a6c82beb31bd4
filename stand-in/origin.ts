import { type Static, Type } from 'typebox'
import { forbidden } from '../src/core/problem.ts'
import type { Services } from '../src/services.ts'

export const origins = Type.Object({
  origin: Type.Optional(Type.String()),
  'sec-fetch-site': Type.Optional(Type.String()),
})

export const originProblems = { 'request.cross_site': 403 } as const

/**
 * Programs on this machine may sign in any user, which is the purpose of the stand-in. Pages of other websites in a
 * browser on this machine may not.
 */
export function checkOrigin(headers: Static<typeof origins>, { config }: Services): void {
  const { origin, 'sec-fetch-site': site } = headers
  const isOurs =
    origin === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : origin === new URL(config.publicUrl).origin
  if (!isOurs) throw forbidden('request.cross_site', 'This may be called only from this installation itself.')
}
