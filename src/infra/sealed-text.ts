import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Seal } from './sealed.ts'

/**
 * Secrets that must be shown or used again: the database contains them encrypted with the secret of the installation.
 */

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** @param purpose the place where the text is stored; a text that was sealed for another place cannot be opened */
export function sealText(seal: Seal, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, keyOf(seal, purpose), nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @throws Error when the text was not sealed for this purpose with the secret of this installation */
export function openText(seal: Seal, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < nonceBytes + tagBytes) throw new Error(`a sealed text of ${purpose} is cut`)
  const decipher = createDecipheriv(algorithm, keyOf(seal, purpose), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
  return Buffer.concat(text).toString('utf8')
}

/** 256 bits; each purpose has another key. */
function keyOf(seal: Seal, purpose: string): Buffer {
  return Buffer.from(seal(`sealed-text.${purpose}`), 'base64url')
}

/** The secret of the installation before and after its replacement. */
export interface SealChange {
  readonly old: Seal
  readonly next: Seal
}

/** How many values of a slice have the new secret now, and how many neither secret opens. */
export interface Resealed {
  readonly resealed: number
  readonly lost: number
}

/**
 * The text, sealed by the next secret; null if neither secret opens it. A text that has the next secret already is
 * returned as it is, so that a replacement can be run again.
 */
export function resealText({ old, next }: SealChange, purpose: string, sealed: string): string | null {
  if (opened(next, purpose, sealed) !== null) return sealed
  const text = opened(old, purpose, sealed)
  return text === null ? null : sealText(next, purpose, text)
}

function opened(seal: Seal, purpose: string, sealed: string): string | null {
  try {
    return openText(seal, purpose, sealed)
  } catch {
    return null
  }
}

/** The members of a record that are sealed, each by the next secret. What neither secret opens stays as it is. */
export function resealMembers<Name extends string>(
  change: SealChange,
  purposes: Readonly<Record<Name, string>>,
  record: Readonly<Record<Name, string | null>>,
): { readonly values: Readonly<Record<Name, string | null>> } & Resealed {
  const names = Object.keys(purposes) as Name[]
  const values: Record<Name, string | null> = { ...record }
  let [resealed, lost] = [0, 0]
  for (const name of names) {
    const before = record[name]
    if (before === null) continue
    const after = resealText(change, purposes[name], before)
    if (after === null) lost++
    else resealed++
    values[name] = after ?? before
  }
  return { values, resealed, lost }
}

/** The sum of the counts of several records or slices. */
export function sumResealed(counts: readonly Resealed[]): Resealed {
  return {
    resealed: counts.reduce((sum, { resealed }) => sum + resealed, 0),
    lost: counts.reduce((sum, { lost }) => sum + lost, 0),
  }
}
