import { conflict, invalid, type Problem } from '../../../core/problem.ts'

export const longestName = 60
export const longestLabel = 40
export const mostOverlays = 50
export const mostEditors = 20
export const mostTokens = 20

/** Ids may be repeated; everything that is there once is in the order in which it was named first. */
export function withoutRepetitions(guids: readonly string[]): string[] {
  return [...new Set(guids)]
}

/**
 * A tournament has at most 50 overlays. (overlays 1)
 * @throws Problem `overlay.too_many`
 */
export function checkRoom(present: number): void {
  if (present >= mostOverlays) {
    throw conflict('overlay.too_many', `A tournament has at most ${mostOverlays} overlays; delete one first.`)
  }
}

/**
 * An overlay has at most 20 tokens that are good. (overlays 1, 11.4)
 * @throws Problem `token.too_many`
 */
export function checkRoomForToken(present: number): void {
  if (present >= mostTokens) {
    throw conflict('token.too_many', `An overlay has at most ${mostTokens} tokens; revoke one first.`)
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

export function nameTaken(): Problem {
  return conflict('overlay.name_taken', 'The tournament has an overlay of this name; choose another one.')
}

const form = /^ovt_[A-Za-z0-9_-]{43}$/

/** View tokens are `ovt_` and 43 characters of base64url; nothing else is looked for. (OV16) */
export function hasFormOfViewToken(token: string): boolean {
  return form.test(token)
}

export function viewTokenOf(secret: string): string {
  return `ovt_${secret}`
}

const hourMs = 3_600_000

/** Of the use of a token nothing is kept but the hour. (overlays 1) */
export function hourOf(instant: Date): Date {
  return new Date(Math.floor(instant.getTime() / hourMs) * hourMs)
}
