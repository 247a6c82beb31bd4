import { randomInt } from 'node:crypto'
import type { Seal } from '../../infra/sealed.ts'

/** Codes that a user reads off one screen and types into another. (RFC 8628 §6.1) */

/** Letters that neither make words nor look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

export function newUserCode(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}

/** However it was typed: case, spaces and hyphens do not count. null for what is no code. */
export function readUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : null
}

/** In two halves, as it is shown. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}

export function sealOfUserCode(seal: Seal, code: string): string {
  return seal(`user code.${code}`)
}
