import { Problem } from '../../../../core/problem.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { giveAnswer, takeCommand } from '../commands/holding.ts'
import { chooseMap, type MapWish, readMatchContext } from '../queries.ts'
import { failureOf } from '../rules/limits.ts'
import type { Command, Failure } from '../rules/machine.ts'
import { checkIsWorth, isStep, type Step } from '../rules/plays-without-result.ts'
import { listWaiting, type StoredCommand } from '../store/commands.ts'
import type { AssistantSession } from '../types.ts'
import { answerHint } from './hints.ts'

/** The commands of a session's operators. Each is taken once and answered once, even if it fails. (AS8) */
export class Commands {
  readonly #context: SetContext
  /** GUIDs of commands that were taken and are not answered. */
  readonly #open = new Set<string>()

  constructor(context: SetContext) {
    this.#context = context
  }

  /** Takes the waiting commands that are not too old, one after the other, until the caller stops the iteration. */
  async *taken(sessionGuid: string): AsyncGenerator<StoredCommand> {
    const { database, now, wake } = this.#context
    for (const stored of await listWaiting(database.db, sessionGuid)) {
      // The sender of an old command already got a timeout, and does not expect it to be carried out.
      if (stored.isOld) await database.transaction((tx) => giveAnswer(tx, stored.guid, notDone))
      else if ((await database.transaction((tx) => takeCommand(tx, stored, now()))).isTaken) {
        this.#open.add(stored.guid)
        yield stored
        continue
      }
      wake.hint(answerHint, stored.guid)
    }
  }

  /** Returns the command for the state machine, which does not handle `resync`; a failure if it is refused. */
  async read(
    { name, body }: StoredCommand,
    { tournamentGuid, matchGuid }: AssistantSession,
  ): Promise<Command | 'resync' | { readonly failure: Failure }> {
    if (name === 'resync') return 'resync'
    const { database, now } = this.#context
    const judged = isStep(name) ? await this.#judge(name, matchGuid, body) : { isForced: false }
    if ('failure' in judged) return judged
    // A start keeps `force`, because it is checked again when it is saved.
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

  /** Tells the waiting processes that a command's answer is saved. */
  announceAnswer(guid: string): void {
    this.#open.delete(guid)
    this.#context.wake.hint(answerHint, guid)
  }

  /** Answers the commands that were taken but not carried out. */
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
