import { nameKeyOf } from '../../../core/names.ts'
import { conflict, invalid, missing, type Problem } from '../../../core/problem.ts'
import type { SceneDocument } from '../../../engine/scenes/document.ts'

export const maxNameLength = 60
export const maxLabelLength = 40
export const maxOverlays = 50
export const maxEditors = 20
export const maxTokens = 20

/**
 * A tournament has at most 50 overlays. (overlays 1)
 * @throws Problem `overlay.too_many`
 */
export function checkRoom(present: number): void {
  if (present >= maxOverlays) {
    throw conflict('overlay.too_many', `A tournament has at most ${maxOverlays} overlays; delete one first.`)
  }
}

/**
 * An overlay has at most 20 valid tokens. (overlays 1; overlays 11.4)
 * @throws Problem `token.too_many`
 */
export function checkRoomForToken(present: number): void {
  if (present >= maxTokens) {
    throw conflict('token.too_many', `An overlay has at most ${maxTokens} tokens; revoke one first.`)
  }
}

/**
 * An overlay names at most 20 editors. (overlays 1)
 * @throws Problem `overlay.too_many_editors`
 */
export function checkEditors(named: number): void {
  if (named > maxEditors) {
    throw invalid('overlay.too_many_editors', `An overlay has at most ${maxEditors} editors; name fewer.`)
  }
}

/**
 * A token expires in the future, or never. (OV16)
 * @throws Problem `request.invalid`
 */
export function checkExpiry(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now) {
    throw invalid('request.invalid', 'The time at which the token expires, expiresAt, must be in the future.')
  }
}

/**
 * The name must differ from all other overlays of the tournament, ignoring case. (overlays 1; D73)
 * @throws Problem `overlay.name_taken`
 */
export function checkNameFree(name: string, others: readonly string[]): void {
  if (others.map(nameKeyOf).includes(nameKeyOf(name))) throw nameTaken()
}

export function nameTaken(): Problem {
  return conflict('overlay.name_taken', 'The tournament has an overlay of this name; choose another one.')
}

export function unknownToken(): Problem {
  return missing('token.unknown', 'The overlay has no such view token.')
}

const form = /^ovt_[A-Za-z0-9_-]{43}$/

/** A view token is `ovt_` and 43 characters of base64url. Other texts are not looked up. (OV16) */
export function hasFormOfViewToken(token: string): boolean {
  return form.test(token)
}

export function viewTokenOf(secret: string): string {
  return `ovt_${secret}`
}

const hourMs = 3_600_000

/** Only the hour of a token's use is stored. (overlays 1) */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / hourMs) * hourMs)
}

/** The first document of an overlay without a template: one empty scene. (overlays 11.4) */
export const emptyDocument: SceneDocument = {
  schemaVersion: 1,
  canvas: { width: 1920, height: 1080, background: 'transparent' },
  scenes: { scene0001: { name: 'Scene', order: 'V', elements: {} } },
}

export function unknownTemplate(): Problem {
  return missing(
    'template.unknown',
    'There is no such template: give the key of a built-in one, or the GUID of one of yours or of an overlay that you may edit.',
  )
}

/**
 * A draft that changed recently is likely to change again, and edits emit no events. So answers with it are made again
 * soon.
 */
const editedMs = 15_000
const againMs = 2_000

/**
 * Returns when an answer that shows a draft must be made again without an event; null if it need not.
 * (overlays: Operations)
 */
export function nextLook(updatedAt: Date, now: Date): Date | null {
  return now.getTime() - updatedAt.getTime() < editedMs ? new Date(now.getTime() + againMs) : null
}
