import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, type Problem } from '../../../../core/problem.ts'
import type { AssistantSession } from '../types.ts'

/** Seconds that control is held without being renewed. (AS5) */
export const controlSeconds = 30

/** Whoever has control now; null for nobody. (AS5) */
export function controllerOf(
  { controllerGuid, controllerUntil }: Pick<AssistantSession, 'controllerGuid' | 'controllerUntil'>,
  now: Date,
): string | null {
  return controllerUntil !== null && controllerUntil > now ? controllerGuid : null
}

/** Control as an operator takes it, or renews it: by the token that asks, with which it ends. (AS5, D76) */
export function controlBy({ guid, token }: SignedIn, now: Date) {
  return { controllerGuid: guid, controllerUntil: controlUntil(now), controllerToken: token?.jti ?? null }
}

export const noControl = { controllerGuid: null, controllerSince: null, controllerUntil: null, controllerToken: null }

export function controlUntil(now: Date): Date {
  return new Date(now.getTime() + controlSeconds * 1_000)
}

/** Only the controller gives commands. (AS5) */
export function notController(controller: string | null): Problem {
  const message =
    controller === null
      ? 'You do not have control of the session; take it first.'
      : 'Somebody else has control of the session; they release it, or you take it over with a reason.'
  return conflict('assistant.not_controller', message, { controller })
}
