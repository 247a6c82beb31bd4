import { conflict, Problem, unauthenticated } from '../../../core/problem.ts'
import { mayConnect } from '../../../core/scopes.ts'
import { formatInstant } from '../../../core/time.ts'
import { type Bearer, type Credential, credentialOf, isViewToken, nobody } from '../../http/admission.ts'
import type { Viewer } from '../durable/subscription.ts'
import { type ConnectionLimits, ofAnonymous, ofUser, told } from './limits.ts'
import type { Packet } from './packets.ts'
import { holderOf, knownToken } from './peers.ts'
import type { Shown, Switchboard } from './switchboard.ts'

/**
 * The identity of a socket: anonymous, or the bearer verified by its handshake or an `authenticate` packet. (RT18,
 * RT27)
 */
export class Holder {
  readonly #board: Switchboard
  readonly #address: string
  #bearer: Bearer | null = null
  #viewer: Viewer

  constructor(board: Switchboard, address: string) {
    this.#board = board
    this.#address = address
    this.#viewer = { credential: nobody, ip: address }
  }

  get bearer(): Bearer | null {
    return this.#bearer
  }

  get viewer(): Viewer {
    return this.#viewer
  }

  get limits(): ConnectionLimits {
    return limitsOf(this.#bearer)
  }

  become(bearer: Bearer): void {
    this.#bearer = bearer
    this.#viewer = { credential: credentialOf(bearer), ip: this.#address }
  }

  renew(bearer: Bearer): void {
    this.#viewer.credential = credentialOf(bearer)
  }

  /** Verifies the token again. */
  async credential(): Promise<Credential> {
    if (this.#bearer === null) return nobody
    const bearer = await this.#board.verifyAgain(knownToken(this.#bearer), new Date())
    return bearer === null ? nobody : credentialOf(bearer)
  }

  /**
   * Verifies an `authenticate` packet; null where the bearer has the maximum number of connections.
   * @throws Problem `packet.invalid`, `token.invalid`, `token.scope_missing`, `connection.authenticated`,
   *   `request.limited`
   */
  async read(packet: Packet<'authenticate'>): Promise<Shown | null> {
    const shown = await this.#shownBy(packet)
    const { bearer } = shown
    if (!mayFollow(bearer)) throw unauthenticated('token.scope_missing', 'The access token lacks the scope ws:read.')
    const known = this.#bearer
    if (known !== null && holderOf(known) !== holderOf(bearer)) {
      throw conflict('connection.authenticated', 'The connection is another user’s; open one of your own.')
    }
    return known === null && !(await this.#board.hasRoom(bearer)) ? null : shown
  }

  /** The answer to a successful `authenticate`: the bearer's data and limits. */
  async describe(bearer: Bearer): Promise<object> {
    const { guid, scopes, view } = bearer.actor
    const user = guid === null ? null : await this.#board.cardOf(guid)
    const overlay = view === null ? {} : { overlay: await this.#board.overlayOf(view) }
    const expiresAt = formatInstant(Number.isFinite(bearer.expiresAt) ? new Date(bearer.expiresAt) : null)
    return { user, scopes: [...scopes], expiresAt, limits: told(limitsOf(bearer)), ...overlay }
  }

  async #shownBy({ token, ticket, viewToken }: Packet<'authenticate'>): Promise<Shown> {
    const given = [token, ticket, viewToken].filter((each) => each !== undefined)
    if (given.length !== 1) {
      throw new Problem('invalid', 'packet.invalid', 'Send one of `token`, `ticket` and `viewToken`.')
    }
    const presented = viewToken ?? token?.replace(/^Bearer +/i, '')
    // A view token is not accepted as an access token, nor the reverse; that is refused before any verification.
    const isMixedUp = presented !== undefined && isViewToken(presented) !== (viewToken !== undefined)
    const credential = presented === undefined ? { ticket: ticket as string } : { token: presented }
    const shown = isMixedUp ? null : await this.#board.shownBy(credential, this.#address)
    if (shown !== null) return shown
    throw unauthenticated(
      'token.invalid',
      `The ${viewToken === undefined ? 'access' : 'view'} token is not valid or no longer valid.`,
    )
  }
}

/** A view token has the limits of an anonymous connection. (RT29) */
export function limitsOf(bearer: Bearer | null): ConnectionLimits {
  return bearer === null || bearer.actor.view !== null ? ofAnonymous : ofUser
}

/** Whether a bearer may open connections at all. (RT18) */
export function mayFollow({ actor }: Bearer): boolean {
  return actor.view !== null || mayConnect(actor.scopes)
}
