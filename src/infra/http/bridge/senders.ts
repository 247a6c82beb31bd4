/**
 * The two ways in which the bridge page sends the player's state to the service: over the socket, in the name of the
 * signed-in user, or with an operator's ticket. This file runs unchanged in the page. (AS30)
 */

export interface Sender {
  /** Sends the newest value; null deletes the earlier one. */
  publish(value: object | null): void
  /** Sends a result again until it is answered; resolves with the service's record of the song. (AS31) */
  tell(result: object): Promise<FinishedSong>
}

interface FinishedSong {
  readonly status: 'collecting' | 'proposed' | 'accepted' | 'rejected' | 'superseded'
  readonly players: readonly { readonly userGuid: string; readonly side: number; readonly score: number }[]
}

export interface SenderListener {
  /** Called when a value was sent to the service. */
  onSent(): void
  /** @param words why the connection is closed, where that is known */
  onStatus(state: 'live' | 'waiting' | 'closed', words?: string): void
  onRefusal(refusal: { readonly code: string; readonly message: string }): void
}

/** The part of the real-time API's client that is used here. */
interface SocketClient {
  publish(topic: string, key: string, value: object | null): void
  command(
    name: 'live.finish',
    input: { readonly params: object; readonly body: object },
    options: { readonly key: string },
  ): Promise<{ readonly body: FinishedSong }>
}

interface Place {
  readonly tournament: string
  /** GUID. */
  readonly match: string
  /** GUID of the player. */
  readonly user: string
}

export class SocketSender implements Sender {
  readonly #client: SocketClient
  readonly #place: Place
  readonly #listener: Pick<SenderListener, 'onSent'>

  /** @param client reports its connection status to the page itself */
  constructor(client: SocketClient, place: Place, listener: Pick<SenderListener, 'onSent'>) {
    this.#client = client
    this.#place = place
    this.#listener = listener
  }

  publish(value: object | null): void {
    const { tournament, match, user } = this.#place
    this.#client.publish(`/tournaments/${tournament}/matches/${match}/live`, `player:${user}`, value)
    if (value !== null) this.#listener.onSent()
  }

  async tell(body: object): Promise<FinishedSong> {
    const input = { params: this.#place, body }
    return (await this.#client.command('live.finish', input, { key: crypto.randomUUID() })).body
  }
}

/** The service's refusal of a request. */
export class Refused extends Error {
  readonly code: string
  /** Whether a retry may succeed. */
  readonly isPassing: boolean

  constructor(status: number, code: string, message: string) {
    super(message)
    this.code = code
    this.isPassing = code === 'request.limited' || (status >= 502 && status <= 504)
  }
}

/** Milliseconds. */
const patience = 10_000
/** Milliseconds between attempts; the last value repeats. */
const retries = [1_000, 2_000, 4_000, 8_000, 15_000]

/** The functions that the page uses, and that tests replace. */
interface Surroundings {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>
  readonly wait: (ms: number) => Promise<unknown>
}

const page: Surroundings = {
  fetch: (address, init) => fetch(address, init),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/**
 * The record that a ticket is valid for.
 * @throws Refused
 */
export async function openTicket(ticket: string, around: Surroundings = page): Promise<unknown> {
  return (await post('open', { ticket }, around)).json()
}

/**
 * The ticket is in the body, because servers on the way log addresses.
 * @throws Refused, or whatever `fetch` throws where there is no answer
 */
async function post(what: 'open' | 'live' | 'finish', body: object, { fetch }: Surroundings): Promise<Response> {
  const reply = await fetch(`/api/bridgeTickets/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/plain' },
    body: JSON.stringify(body),
    // The session of a user signed in on this machine must not be sent.
    credentials: 'omit',
    signal: AbortSignal.timeout(patience),
  })
  if (reply.ok) return reply
  const message = (await reply.text()).slice(0, 500)
  throw new Refused(reply.status, reply.headers.get('problem-code') ?? '', message)
}

export class TicketSender implements Sender {
  readonly #ticket: string
  readonly #listener: SenderListener
  readonly #around: Surroundings
  #waiting: { readonly value: object | null } | null = null
  #isSending = false
  /** Why sending has ended; null while it continues. */
  #over: Refused | null = null

  constructor(ticket: string, listener: SenderListener, around: Surroundings = page) {
    this.#ticket = ticket
    this.#listener = listener
    this.#around = around
  }

  publish(value: object | null): void {
    this.#waiting = { value }
    void this.#flush()
  }

  async tell(result: object): Promise<FinishedSong> {
    for (let tried = 0; ; tried++) {
      if (this.#over !== null) throw this.#over
      try {
        const reply = await this.#post('finish', result)
        return (await reply.json()) as FinishedSong
      } catch (error) {
        if (error instanceof Refused && !error.isPassing) throw error
        if (error instanceof Refused) this.#listener.onRefusal(error)
        await this.#around.wait(retries[Math.min(tried, retries.length - 1)] as number)
      }
    }
  }

  /** Sends one request at a time, so that none overtakes another; a value that fails is replaced by the next one. */
  async #flush(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    while (this.#waiting !== null && this.#over === null) {
      const { value } = this.#waiting
      this.#waiting = null
      try {
        await this.#post('live', { value })
        if (value !== null) this.#listener.onSent()
      } catch (error) {
        if (error instanceof Refused && this.#over === null) this.#listener.onRefusal(error)
      }
    }
    this.#isSending = false
  }

  async #post(what: 'live' | 'finish', body: object): Promise<Response> {
    try {
      const reply = await post(what, { ...body, ticket: this.#ticket }, this.#around)
      this.#listener.onStatus('live')
      return reply
    } catch (error) {
      // An ended ticket is not sent again: invalid tickets count as guesses of the whole network.
      if (error instanceof Refused && error.code === 'bridge.ticket_invalid') this.#over = error
      if (!(error instanceof Refused)) this.#listener.onStatus('waiting')
      else if (this.#over !== null) this.#listener.onStatus('closed', error.message)
      else this.#listener.onStatus('live')
      throw error
    }
  }
}
