import { createHash, createHmac } from 'node:crypto'

/**
 * The inputs of a draw. Everybody can check draws afterwards: the seed is committed to before the first draw, each draw
 * is a function of the seed, the session and the nonces of the seats, and the seed is published when the session is
 * over. (match-flows: Draws)
 */
export interface DrawSource {
  /** 32 random bytes. */
  readonly seed: Uint8Array
  /** GUID; of a copied session, that of the session that drew first. */
  readonly session: string
  /** In the order of the seats; null for a seat that gave none. */
  readonly nonces: readonly (string | null)[]
}

/** SHA-256 of the seed, in lower-case hex digits. */
export function commitmentOf(seed: Uint8Array): string {
  return createHash('sha256').update(seed).digest('hex')
}

/** A GUID that tells nothing of the seed, and is the same for equal seeds. */
export function guidOf(seed: Uint8Array): string {
  const digits = createHash('sha256').update('drawn as').update(seed).digest('hex')
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`]
  return [...parts, digits.slice(20, 32)].join('-')
}

const space = 2 ** 48

/**
 * The outcome of a draw, from 0 to `outcomes` - 1.
 * @param number of the draw in the session, from 1
 * @param redraw how often this draw was repeated by a referee
 */
export function draw(
  { seed, session, nonces }: DrawSource,
  { number, redraw, outcomes }: { readonly number: number; readonly redraw: number; readonly outcomes: number },
): number {
  const given = nonces.filter((nonce) => nonce !== null).join(',')
  // Values beyond the last whole multiple of `outcomes` would make the first outcomes more likely.
  const limit = Math.floor(space / outcomes) * outcomes
  for (let attempt = 0; ; attempt += 1) {
    const text = `${session}:${number}:${redraw}:${attempt}:${given}`
    const value = createHmac('sha256', seed).update(text, 'utf8').digest().readUIntBE(0, 6)
    if (value < limit) return value % outcomes
  }
}

/** The outcome of a roll, from 1 to 100. */
export function roll(source: DrawSource, number: number, redraw: number): number {
  return draw(source, { number, redraw, outcomes: 100 }) + 1
}
