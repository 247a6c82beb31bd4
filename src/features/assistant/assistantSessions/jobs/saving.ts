import { isDeepStrictEqual } from 'node:util'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { saveSession } from '../commands/holding.ts'
import type { Machine } from '../rules/machine.ts'
import { othersOf, phaseOf, sessionPlayers } from '../rules/players.ts'
import { lockSession, type SessionChanges } from '../store/sessions.ts'
import type { AssistantSession, SessionStatus } from '../types.ts'

const soonMs = 200

/** Saves the readable state of a session when it has changed. Changes in quick succession are saved together. */
export class Saving {
  readonly #context: SetContext
  readonly #save: () => void
  #status: SessionStatus = 'connecting'
  #saved: SessionChanges | null = null
  #timer: NodeJS.Timeout | undefined

  /** @param save adds a save to the session's queue */
  constructor(context: SetContext, save: () => void) {
    this.#context = context
    this.#save = save
  }

  setStatus(status: SessionStatus): void {
    if (this.#status === status && this.#saved !== null) return
    this.#status = status
    this.#save()
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#save()
    }, soonMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** @returns the saved session; the unchanged one if nothing was saved */
  async save(session: AssistantSession, machine: Machine, isJoined: boolean): Promise<AssistantSession> {
    this.stop()
    const { map, warnings, matchGuid, isMatchOurs, lastError } = machine
    const changes: SessionChanges = {
      status: this.#status,
      phase: phaseOf(machine),
      assistantMatch: matchGuid,
      isMatchOurs,
      lastError,
      state: { players: sessionPlayers(machine), others: othersOf(machine), map: map?.map ?? null, warnings },
    }
    if (isDeepStrictEqual(changes, this.#saved)) return session
    const { database, now } = this.#context
    const lastPacketAt = isJoined ? now() : session.lastPacketAt
    const saved = await database.transaction(async (tx) => {
      const open = await lockSession(tx, session.guid)
      if (open === undefined || open.closedAt !== null) return undefined
      return saveSession(tx, session, { ...changes, lastPacketAt })
    })
    if (saved === undefined) return session
    this.#saved = changes
    return saved
  }
}
