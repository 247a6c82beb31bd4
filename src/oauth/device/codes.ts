import { randomInt } from 'node:crypto'
import type { Seal } from '../../infra/sealed.ts'

/** User codes, which a user reads on one screen and types on another. (RFC 8628 §6.1) */

/** Letters that neither form words nor look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

export function newUserCode(): string {
  return Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
}

/** Reads a typed code: case, spaces and hyphens do not count. null for an invalid code. */
export function readUserCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : null
}

/** The code in two halves, as it is shown. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`
}

export function sealOfUserCode(seal: Seal, code: string): string {
  return seal(`user code.${code}`)
}
