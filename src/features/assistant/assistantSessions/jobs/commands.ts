import { Problem } from '../../../../core/problem.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { giveAnswer, takeCommand } from '../commands/holding.ts'
import { chooseMap, type MapWish, readMatchContext } from '../queries/context.ts'
import { failureOf } from '../rules/limits.ts'
import type { Command, Failure } from '../rules/machine.ts'
import { checkIsWorth, isStep, type Step } from '../rules/worth.ts'
import { listWaiting, type StoredCommand } from '../store/commands.ts'
import type { AssistantSession } from '../types.ts'
import { answerHint } from './hints.ts'

/** What operators ask of a session: each is taken once, and answered once, whatever becomes of it. (AS8) */
export class Commands {
  readonly #context: SetContext
  /** Those that were taken and are not answered. */
  readonly #open = new Set<string>()

  constructor(context: SetContext) {
    this.#context = context
  }

  /** Those that wait and are young enough, one after the other, until somebody stops. */
  async *taken(sessionGuid: string): AsyncGenerator<StoredCommand> {
    const { database, now, wake } = this.#context
    for (const stored of await listWaiting(database.db, sessionGuid)) {
      // Nobody waits for an old one any more, nor expects that it is done yet.
      if (stored.isOld) await database.transaction((tx) => giveAnswer(tx, stored.guid, notDone))
      else if ((await database.transaction((tx) => takeCommand(tx, stored, now()))).isTaken) {
        this.#open.add(stored.guid)
        yield stored
        continue
      }
      wake.hint(answerHint, stored.guid)
    }
  }

  /** What the machine is to do; `resync` is for the connection alone. */
  async read(
    { name, body }: StoredCommand,
    { tournamentGuid, matchGuid }: AssistantSession,
  ): Promise<Command | 'resync' | { readonly failure: Failure }> {
    if (name === 'resync') return 'resync'
    const { database, now } = this.#context
    const judged = isStep(name) ? await this.#judge(name, matchGuid, body) : { isForced: false }
    if ('failure' in judged) return judged
    // A start is judged once more where it is written down.
    if (name === 'load' && !judged.isForced) return { name, ...body, force: null } as Command
    if (name !== 'setMap') return { name, ...body } as Command
    const chosen = await chooseMap(database.db, { tournamentGuid, matchGuid }, body as MapWish, now())
    return 'failure' in chosen ? chosen : { name: 'setMap', chosen }
  }

  async #judge(
    step: Step,
    matchGuid: string,
    body: { readonly force?: string | null },
  ): Promise<{ readonly isForced: boolean } | { readonly failure: Failure }> {
    const { database, now } = this.#context
    const context = await readMatchContext(database.db, matchGuid, now())
    if (context === null) return { isForced: false }
    try {
      return checkIsWorth(step, context, body.force ?? null)
    } catch (error) {
      if (error instanceof Problem) return { failure: failureOf(error) }
      throw error
    }
  }

  /** It has its answer on disk. */
  tell(guid: string): void {
    this.#open.delete(guid)
    this.#context.wake.hint(answerHint, guid)
  }

  /** What the session was asked and did not come to. */
  async giveUp(): Promise<void> {
    const { database, wake } = this.#context
    for (const guid of this.#open) {
      await database.transaction((tx) => giveAnswer(tx, guid, notDone))
      wake.hint(answerHint, guid)
    }
  }
}

const notDone: Failure = {
  code: 'assistant.timeout',
  message: 'The session did not come to it in time; look at it before you send it again.',
}
