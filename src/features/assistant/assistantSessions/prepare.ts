import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { conflict, Problem } from '../../../core/problem.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { Wake } from '../../../infra/events/wake.ts'
import { sessionClosed } from './commands/sessions.ts'
import { answerHint, commandHint, sessionHint } from './jobs/hints.ts'
import { problemOf } from './rules/limits.ts'
import type { Failure } from './rules/machine.ts'
import { findCommand, insertCommand } from './store/commands.ts'
import { findOfMatch } from './store/sessions.ts'

/**
 * The processes that hold sessions, as seen by a request: like another server, they answer after some time or not at
 * all.
 */
export interface SessionHolders {
  /**
   * Resolves once the process that holds the session has carried the order out.
   * @throws Problem the refusal; `assistant.timeout` without an answer in time, `assistant.closed` without an open
   * session
   */
  ask(order: Order): Promise<void>
  /** Tells the process that holds a session to read it again. */
  look(session: string): void
}

export interface Order {
  readonly match: string
  readonly user: string
  /** A repeated key sends nothing again. (AS6) */
  readonly key: string | null
  readonly name: string
  readonly body: object
}

/** A start is answered once somebody is seen in the game, which may take fifteen seconds. (AS6, AS8) */
const patienceMs: Readonly<Record<string, number>> = { play: 18_000, return: 18_000 }
const defaultMs = 10_000
const pollMs = 500

export function sessionHolders(database: Database, wake: Wake): SessionHolders {
  return {
    look: (session) => wake.hint(sessionHint, session),
    async ask({ match, user, key, name, body }) {
      const session = await findOfMatch(database.db, match)
      if (session === undefined || session.closedAt !== null) throw sessionClosed()
      const given = { sessionGuid: session.guid, userGuid: user, key, name, body }
      const command = await database.transaction((tx) => insertCommand(tx, given))
      const isSame =
        command.sessionGuid === session.guid && command.name === name && isDeepStrictEqual(command.body, plain(body))
      if (!isSame)
        throw conflict('command.key_reused', 'The key was sent with something else before; take another one.')
      const answer = await answered(command.guid, session.guid, patienceMs[name] ?? defaultMs)
      if (answer.failure !== null) throw problemOf(answer.failure)
    },
  }

  async function answered(
    guid: string,
    session: string,
    withinMs: number,
  ): Promise<{ readonly failure: Failure | null }> {
    const until = performance.now() + withinMs
    let hinted: () => void = () => {}
    const stop = wake.onHint(answerHint, (id) => {
      if (id === guid) hinted()
    })
    try {
      wake.hint(commandHint, session)
      for (;;) {
        const hint = new Promise<void>((resolve) => {
          hinted = resolve
        })
        const command = await findCommand(database.db, guid)
        if (command?.answeredAt != null) return command.answer as { failure: Failure | null }
        if (performance.now() > until) throw notAnswered()
        await Promise.race([hint, wait(pollMs, undefined, { ref: false })])
      }
    } finally {
      stop()
    }
  }
}

/** The body as JSON, in the form that the database returns. */
function plain(body: object): unknown {
  return JSON.parse(JSON.stringify(body))
}

function notAnswered(): Problem {
  return new Problem(
    'unavailable',
    'assistant.timeout',
    'The assistant did not answer in time; look at the session before you send it again, with the same key.',
  )
}
