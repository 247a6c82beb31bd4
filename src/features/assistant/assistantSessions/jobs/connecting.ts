import { randomInt } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../../core/problem.ts'
import type { Told } from '../../../../infra/clients/assistant/messages.ts'
import { AssistantFailure, ask, type Joined, join } from '../../../../infra/clients/assistant/request.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { noteOutcome } from '../../assistantLinks/commands.ts'
import { openingOf } from '../../assistantLinks/queries.ts'
import { type Outcome, outcomeOf } from '../../assistantLinks/rules/outcomes.ts'
import { findLink } from '../../assistantLinks/store.ts'
import type { AssistantLink } from '../../assistantLinks/types.ts'
import type { Failure } from '../rules/machine.ts'
import { againAfter, goodForMs } from '../rules/reconnecting.ts'

/** Callbacks by which a `Line` reports to its session. */
export interface Hearing {
  /** Messages are delivered only after this has resolved. */
  readonly onJoined: (joined: Joined) => Promise<void>
  readonly onMessage: (reported: Told) => void
  readonly onLost: () => void
  /** @param failure null if an existing connection broke */
  readonly onTrouble: (failure: Failure | null, isOver: boolean) => void
}

/** For how long `deleteMatch` waits for a connection. */
const deleteMs = 15_000

const unreachable: Failure = {
  code: 'assistant.unreachable',
  message: 'The assistant cannot be reached just now.',
}

/**
 * Keeps one connection to the assistant, and makes a new one after each break as long as that may succeed. (AS2, AS10)
 */
export class Line {
  joined: Joined | null = null
  /** The link that the last connection used. */
  link: AssistantLink
  readonly #context: SetContext
  readonly #signal: AbortSignal
  readonly #hearing: Hearing
  #end: (() => void) | null = null
  readonly #closing = new AbortController()
  #wasRefused = false
  /** Permissions that the assistant listed when the session joined, but then refused. */
  readonly #missing = new Set<string>()
  /** Why the last connection was given up; null if it just broke. */
  #broken: Failure | null = null

  constructor(context: SetContext, signal: AbortSignal, link: AssistantLink, hearing: Hearing) {
    this.#context = context
    this.#signal = signal
    this.link = link
    this.#hearing = hearing
  }

  /** Ends the present connection. `run` then makes another one. */
  end(): void {
    this.#end?.()
  }

  /** Closes the line. Nothing is sent after this. */
  close(): void {
    this.#closing.abort()
    this.joined?.connection.close()
    this.joined = null
    this.end()
  }

  /** Deletes a match at the assistant. If the connection has just been lost, the next one is waited for. */
  async deleteMatch(match: string): Promise<void> {
    const until = performance.now() + deleteMs
    while (this.joined === null && !this.#isDone && performance.now() < until) await wait(100)
    if (this.joined === null) return
    await ask(this.joined.connection, { type: 'deleteMatch', match }).catch((err: unknown) =>
      this.#context.log.warn({ err, tournament: this.link.tournamentGuid }, 'deleting a match at the assistant'),
    )
  }

  get #isDone(): boolean {
    return this.#closing.signal.aborted || this.#signal.aborted
  }

  /** Connects repeatedly until the line is closed or another try cannot succeed. */
  async run(): Promise<void> {
    let tries = 0
    let refusals = 0
    let since = performance.now()
    while (!this.#isDone) {
      const triedAt = performance.now()
      this.#wasRefused = false
      this.#broken = null
      const failure = await this.#connectOnce()
      if (this.#isDone) return
      if (failure === null) {
        tries = 0
        since = performance.now()
        if (since - triedAt > goodForMs) refusals = 0
      }
      if (this.#wasRefused) refusals++
      const trouble = { code: failure?.code ?? null, tokenKind: this.link.tokenKind, refusals, tries }
      const ms = againAfter({ ...trouble, withoutMs: performance.now() - since }, randomInt(1_000) / 1_000)
      const reported = failure ?? (ms === null ? refused : null)
      this.#hearing.onTrouble(reported ?? this.#broken, ms === null)
      if (reported !== null && reported !== switchedOff) await this.#note({ ok: false, ...reported })
      if (ms === null) return
      if (failure !== null) tries++
      await wait(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {})
    }
  }

  /** @returns why there was no connection; null after an existing connection has ended */
  async #connectOnce(): Promise<Failure | null> {
    const early: Told[] = []
    let isHeard = false
    const ended = Promise.withResolvers<void>()
    const hear = (reported: Told) => {
      if (reported.type === 'unauthorised') {
        this.#wasRefused = true
        ended.resolve()
      } else if (isHeard) this.#hearing.onMessage(reported)
      else early.push(reported)
    }
    try {
      const { database, services, clients, now } = this.#context
      this.link = (await findLink(database.db, this.link.tournamentGuid)) ?? this.link
      if (!this.link.enabled) return switchedOff
      const opening = await openingOf(database.db, services, this.link, now())
      if (this.#isDone) return null
      const joined = await join(clients.assistant, {
        ...opening,
        signal: this.#closing.signal,
        onMessage: hear,
        onEnd: (end) => {
          if (end === 'protocol') this.#broken = noAssistant
          ended.resolve()
        },
      })
      if (this.#isDone) {
        joined.connection.close()
        return null
      }
      this.joined = joined
      this.#missing.clear()
      this.#end = ended.resolve
      await this.#hearing.onJoined(joined)
      isHeard = true
      for (const reported of early) this.#hearing.onMessage(reported)
      const { serverVersion, tournament } = joined
      await this.#note({ ok: true, serverVersion, permissions: tournament.permissions })
    } catch (error) {
      this.joined?.connection.close()
      this.joined = null
      if (this.#isDone) return null
      if (error instanceof AssistantFailure) {
        const { code, message } = outcomeOf(error)
        return { code, message }
      }
      if (error instanceof Problem) return { code: error.code, message: error.message }
      this.#context.log.error({ err: error, tournament: this.link.tournamentGuid }, 'connecting to the assistant')
      return unreachable
    }
    await ended.promise
    this.joined?.connection.close()
    this.joined = null
    this.#hearing.onLost()
    return null
  }

  /** Saves the outcome in the link's status if it differs. The staff see that status. */
  async #note(outcome: Outcome): Promise<void> {
    const { database, log, now } = this.#context
    try {
      const link = await findLink(database.db, this.link.tournamentGuid)
      if (link === undefined || isKnown(link, outcome)) return
      await database.transaction((tx) => noteOutcome(tx, null, this.link, outcome, now()))
    } catch (err) {
      log.warn({ err, tournament: this.link.tournamentGuid }, 'status of the link to the assistant')
    }
  }

  /** Adds a permission that the assistant refused to the missing ones in the link's status. (assistant: Failures) */
  async noteMissing(permission: string): Promise<void> {
    if (this.joined === null) return
    this.#missing.add(permission)
    const permissions = this.joined.tournament.permissions.filter((one) => !this.#missing.has(one))
    await this.#note({ ok: true, serverVersion: this.joined.serverVersion, permissions })
  }
}

const noAssistant: Failure = {
  code: 'assistant.protocol',
  message: 'The assistant sent what no assistant sends; the connection is being made again.',
}

const switchedOff: Failure = {
  code: 'assistant.not_linked',
  message: 'The link to the assistant is switched off; switch it on again, or close the session.',
}

const refused: Failure = {
  code: 'assistant.unauthorised',
  message: 'The assistant refused the token; check that it trusts this service, or give it anew.',
}

function isKnown(link: AssistantLink, outcome: Outcome): boolean {
  if (!outcome.ok) return link.state === 'failing' && link.lastError?.code === outcome.code
  const { state, serverVersion, permissions } = link
  return (
    state === 'ok' &&
    serverVersion === outcome.serverVersion &&
    isDeepStrictEqual(permissions.toSorted(), outcome.permissions.toSorted())
  )
}
