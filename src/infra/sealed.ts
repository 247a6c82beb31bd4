import { isSame } from './secrets.ts'

/** Signed values that another party keeps for us: everybody who has one can read it, but only we can make one. */

export type Seal = (text: string) => string

export interface SealedForm<T> {
  /** Letters, digits, `-`, `_` and one dot. */
  close(seal: Seal, value: T, now: Date): string
  /** Null when the text was not made by `close` of this form, or has expired. */
  open(seal: Seal, text: string, now: Date): T | null
}

interface Content<T> {
  readonly value: T
  /** Milliseconds. */
  readonly expiresAt: number
}

/** `purpose` prevents that a value of one form is accepted as another form. `T` must be representable in JSON. */
export function sealedForm<T>(purpose: string, lifetimeSeconds: number): SealedForm<T> {
  const sign = (seal: Seal, payload: string) => seal(`${purpose}.${payload}`)
  return {
    close(seal, value, now) {
      const content: Content<T> = { value, expiresAt: now.getTime() + lifetimeSeconds * 1000 }
      const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
      return `${payload}.${sign(seal, payload)}`
    },
    open(seal, text, now) {
      const [payload = '', signature = '', ...rest] = text.split('.')
      if (rest.length > 0 || !isSame(signature, sign(seal, payload))) return null
      const { value, expiresAt } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Content<T>
      return expiresAt > now.getTime() ? value : null
    },
  }
}
