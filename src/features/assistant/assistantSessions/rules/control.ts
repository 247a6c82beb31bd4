import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, type Problem } from '../../../../core/problem.ts'
import type { AssistantSession } from '../types.ts'

/** How long control lasts without a renewal, in seconds. (AS5) */
export const controlSeconds = 30

/** GUID of the controller; null if nobody has control. (AS5) */
export function controllerOf(
  { controllerGuid, controllerUntil }: Pick<AssistantSession, 'controllerGuid' | 'controllerUntil'>,
  now: Date,
): string | null {
  return controllerUntil !== null && controllerUntil > now ? controllerGuid : null
}

/** The columns of control that an operator takes or renews. Control ends with the token of the request. (AS5, D76) */
export function controlBy({ guid, token }: SignedIn, now: Date) {
  return { controllerGuid: guid, controllerUntil: controlUntil(now), controllerToken: token?.jti ?? null }
}

export const noControl = { controllerGuid: null, controllerSince: null, controllerUntil: null, controllerToken: null }

export function controlUntil(now: Date): Date {
  return new Date(now.getTime() + controlSeconds * 1_000)
}

/** Only the controller may give commands. (AS5) */
export function notController(controller: string | null): Problem {
  const message =
    controller === null
      ? 'You do not have control of the session; take it first.'
      : 'Somebody else has control of the session; they release it, or you take it over with a reason.'
  return conflict('assistant.not_controller', message, { controller })
}
