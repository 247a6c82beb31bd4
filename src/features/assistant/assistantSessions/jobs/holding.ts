import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../../core/problem.ts'
import type { Told } from '../../../../infra/clients/assistant/messages.ts'
import type { Joined } from '../../../../infra/clients/assistant/request.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { findLink } from '../../assistantLinks/store.ts'
import type { AssistantLink } from '../../assistantLinks/types.ts'
import { emitWhatHappened, giveAnswer, savePlayState } from '../commands/holding.ts'
import { readMatchContext } from '../queries.ts'
import { type GatheredEffect, gathered } from '../rules/gathering.ts'
import { failureOf } from '../rules/limits.ts'
import type { Effect, Failure, Input, Machine } from '../rules/machine.ts'
import { isSameLine } from '../rules/reconnecting.ts'
import { dueAt, step } from '../rules/step.ts'
import type { StoredCommand } from '../store/commands.ts'
import { isStillController, isStillOperator } from '../store/operators.ts'
import { findSession, listMatchesHeldElsewhere } from '../store/sessions.ts'
import type { AssistantSession } from '../types.ts'
import { Commands } from './commands.ts'
import { Line } from './connecting.ts'
import { commandHint, sessionHint } from './hints.ts'
import { type Recalled, recall } from './recalling.ts'
import { saveResults } from './results.ts'
import { Saving } from './saving.ts'
import { Showing } from './showing.ts'
import { saveStart } from './starting.ts'

const lookMs = 5_000
/** While the database is unavailable, writes are tried again. After 60 tries (15 s) the lease has expired. */
const tryAgainMs = 250
const maxTries = 60

/**
 * A session in the one process that holds its lease, with its own connection and state machine. All inputs wait in one
 * queue. Each change is saved before any later packet or live value is sent. (AS4, AS16)
 */
class HeldSession {
  readonly #context: SetContext
  readonly #signal: AbortSignal
  readonly #line: Line
  readonly #showing: Showing
  readonly #saving: Saving
  readonly #commands: Commands
  #session: AssistantSession
  #machine: Machine
  /** Reference numbers of requests, by the id of the packet. */
  readonly #refs = new Map<string, number>()
  #queue: Promise<void> = Promise.resolve()
  /** Inputs since the last queued work. They are handled together; null if there are none. */
  #heard: Input[] | null = null
  #timer: NodeJS.Timeout | undefined
  /** GUID of the operator who gave the last command. */
  #commander: string | null = null
  #isOver = false

  constructor(context: SetContext, signal: AbortSignal, { session, link, machine }: Recalled) {
    this.#context = context
    this.#signal = signal
    this.#session = session
    this.#machine = machine
    this.#showing = new Showing(context, session)
    this.#saving = new Saving(context, () => this.#enqueue(() => this.#save()))
    this.#commands = new Commands(context)
    this.#line = new Line(context, signal, link, {
      onJoined: (joined) => this.#join(joined),
      onMessage: (told) => this.#hear(told),
      onLost: () => this.#feed({ type: 'lost' }),
      onTrouble: (failure, isOver) => this.#beInTrouble(failure, isOver),
    })
  }

  /** Runs until the session is closed or has failed, or the lease is lost. */
  async run(): Promise<void> {
    const { wake } = this.#context
    const ofUs = (work: () => Promise<void>) => (id: string) => {
      if (id === this.#session.guid) this.#enqueue(work)
    }
    const onSession = ofUs(() => this.#look())
    const onCommand = ofUs(() => this.#takeCommands())
    const stops = [wake.onHint(sessionHint, onSession), wake.onHint(commandHint, onCommand)]
    const looking = setInterval(() => this.#enqueue(() => this.#look()), lookMs)
    const watching = setInterval(() => this.#watchControl(), 500)
    const aborted = () => this.#end()
    this.#signal.addEventListener('abort', aborted)
    try {
      this.#enqueue(() => this.#look())
      await this.#line.run()
      await this.#queue
    } finally {
      this.#signal.removeEventListener('abort', aborted)
      for (const stop of stops) stop()
      for (const timer of [looking, watching]) clearInterval(timer)
      this.#end()
      await this.#queue
      clearTimeout(this.#timer)
      this.#saving.stop()
      this.#showing.stop()
    }
    if (!this.#signal.aborted) await this.#commands.giveUp()
  }

  /** Closes the connection. Nothing is sent after this. */
  #end(): void {
    this.#isOver = true
    this.#line.close()
  }

  get #isDone(): boolean {
    return this.#isOver || this.#signal.aborted
  }

  async #join({ selfGuid: self, tournament }: Joined): Promise<void> {
    const heldElsewhere = await listMatchesHeldElsewhere(this.#context.database.db, this.#session.guid)
    this.#refs.clear()
    this.#saving.setStatus('connected')
    this.#feed({ type: 'joined', self, tournament, heldElsewhere })
  }

  #beInTrouble(failure: Failure | null, isOver: boolean): void {
    if (failure !== null) {
      const { code, message } = failure
      this.#machine = { ...this.#machine, lastError: { code, message, at: this.#context.now().toISOString() } }
      this.#saving.soon()
    }
    const isFirst = failure !== null && this.#session.lastPacketAt === null
    this.#saving.setStatus(isOver ? 'failed' : isFirst ? 'connecting' : 'reconnecting')
  }

  #hear(told: Told): void {
    if (told.type === 'answer') {
      const ref = this.#refs.get(told.to)
      if (ref !== undefined) this.#take({ type: 'answer', ref, answer: told })
    } else if (told.type !== 'other' && told.type !== 'attempt') this.#take({ type: 'told', told })
  }

  #take(input: Input): void {
    if (this.#isDone) return
    if (this.#heard !== null) {
      this.#heard.push(input)
      return
    }
    const heard = [input]
    this.#enqueue(() => {
      if (this.#heard === heard) this.#heard = null
      return this.#step(...heard)
    })
    this.#heard = heard
  }

  #feed(input: Input): void {
    this.#enqueue(() => this.#step(input))
  }

  #enqueue(work: () => Promise<void>): void {
    this.#heard = null
    if (this.#isDone) return
    this.#queue = this.#queue.then(() => (this.#isDone ? undefined : work())).catch((err: unknown) => this.#log(err))
  }

  #log(err: unknown): void {
    this.#context.log.error({ err, session: this.#session.guid }, 'session of the assistant')
  }

  async #step(...inputs: readonly Input[]): Promise<void> {
    const around = {
      now: this.#context.now().getTime(),
      tournament: this.#line.link.assistantGuid,
      newGuid: randomUUID,
    }
    const all: Effect[] = []
    for (const input of inputs) {
      const { machine, effects } = step(this.#machine, input, around)
      this.#machine = machine
      all.push(...effects)
    }
    for (const effect of gathered(all)) {
      if (this.#isDone) return
      // If one effect fails, the other effects are still carried out.
      await this.#carryOut(effect).catch((err: unknown) => this.#log(err))
    }
    this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const at = dueAt(this.#machine)
    if (at === null || this.#isDone) return
    this.#timer = setTimeout(() => this.#feed({ type: 'time' }), Math.max(0, at - this.#context.now().getTime()) + 1)
  }

  /** Repeats a transaction until the database accepts it or the session is no longer held here. (AS16) */
  async #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#context.database.transaction(work)
      } catch (error) {
        if (error instanceof Problem || this.#isDone || tries === maxTries) throw error
        this.#log(error)
        await wait(tryAgainMs, undefined, { signal: this.#signal, ref: false }).catch(() => {})
      }
    }
  }

  async #insist(write: (tx: Tx) => Promise<void>): Promise<void> {
    if (!this.#isDone) await this.#write(write).catch((err: unknown) => this.#log(err))
  }

  async #carryOut(effect: GatheredEffect): Promise<void> {
    const { now } = this.#context
    const log = (err: unknown) => this.#log(err)
    switch (effect.type) {
      case 'send': {
        const id = this.#line.joined?.connection.send(effect.message)
        if (id !== undefined && effect.ref !== null) this.#refs.set(id, effect.ref)
        return
      }
      case 'answer':
        return this.#answer(effect.command, effect.failure)
      case 'beginPlay':
        return this.#beginPlay(effect)
      case 'playState':
        await this.#write((tx) => savePlayState(tx, this.#session, effect, now()))
        this.#saving.soon()
        return
      case 'results':
        return saveResults(effect, this.#context, (write) => this.#insist(write), log)
      case 'happened':
        return this.#write(async (tx) => emitWhatHappened(tx, this.#session, effect, this.#session.controllerGuid))
      case 'lacking':
        return this.#line.noteMissing(effect.permission)
      case 'save':
        this.#saving.soon()
        this.#showing.showAll(this.#machine)
        return
      case 'live':
        this.#showing.show(effect.user, effect.value)
        return
      case 'liveAll':
        this.#showing.showAll(this.#machine)
        return
      case 'reconnect':
        this.#line.end()
        return
    }
  }

  async #beginPlay(effect: Effect & { readonly type: 'beginPlay' }): Promise<void> {
    const { command } = effect
    let guid: string
    try {
      guid = await saveStart(this.#context, this.#session, this.#line, this.#machine, effect)
    } catch (error) {
      if (!(error instanceof Problem)) this.#log(error)
      const failure = error instanceof Problem ? failureOf(error) : notWritten
      await this.#step({ type: 'playRefused', command, failure })
      return
    }
    await this.#step({ type: 'playKept', command, guid })
  }

  async #answer(command: string, failure: Failure | null): Promise<void> {
    // The caller of the command then reads the session with the change.
    await this.#save()
    await this.#write((tx) => giveAnswer(tx, command, failure))
    this.#commands.announceAnswer(command)
    const permission = failure?.data?.permission
    if (typeof permission === 'string') await this.#line.noteMissing(permission)
  }

  /** Reads what other processes may have changed: the session, its link, the line-up and new commands. */
  async #look(): Promise<void> {
    const { database, now } = this.#context
    const session = await findSession(database.db, this.#session.guid)
    if (session === undefined || session.closedAt !== null) return this.#leave(session)
    this.#session = session
    const link = await findLink(database.db, session.tournamentGuid)
    if (link !== undefined) await this.#follow(link)
    const context = await readMatchContext(database.db, session.matchGuid, now())
    if (context !== null && !isDeepStrictEqual(context.expected, this.#machine.expected)) {
      await this.#step({ type: 'expected', expected: context.expected })
    }
    await this.#takeCommands()
  }

  /** Uses the link's new settings. If the link now leads elsewhere, the connection is ended and made again. */
  async #follow(link: AssistantLink): Promise<void> {
    const { bannedMods, defaults } = link
    const { settings } = this.#machine
    const given = { bannedMods, loadTimeoutMs: defaults.loadTimeoutMs }
    if (!isDeepStrictEqual({ ...settings, ...given }, settings)) await this.#step({ type: 'settings', settings: given })
    if (!isSameLine(link, this.#line.link)) this.#line.end()
  }

  /** Leaves a closed session. Results that have arrived are saved first, so that none is lost. (D75) */
  async #leave(session: AssistantSession | undefined): Promise<void> {
    // A start that is still held back must not be sent any more.
    await this.#step({ type: 'controlLost' })
    const { match, isMatchOurs } = this.#machine
    if (session?.deleteMatch === true && isMatchOurs && match !== null) await this.#line.deleteMatch(match.guid)
    // `run` ends after the work that is in the queue by then.
    this.#line.close()
  }

  async #takeCommands(): Promise<void> {
    for await (const stored of this.#commands.taken(this.#session.guid)) {
      await this.#carryOutCommand(stored)
      if (this.#isDone) return
    }
  }

  async #carryOutCommand(stored: StoredCommand): Promise<void> {
    const command = await this.#commands.read(stored, this.#session)
    this.#commander = stored.userGuid
    if (command === 'resync') {
      await this.#answer(stored.guid, null)
      this.#line.end()
    } else if ('failure' in command) await this.#answer(stored.guid, command.failure)
    else await this.#step({ type: 'command', id: stored.guid, command })
  }

  /**
   * Checks the controller's right while a start is held back. If the right is lost, the start is not sent. (AS5, D76)
   */
  #watchControl(): void {
    if (this.#machine.play?.state !== 'held') return
    this.#enqueue(async () => {
      const { db } = this.#context.database
      const session = await findSession(db, this.#session.guid)
      if (session === undefined || this.#commander === null) return
      const isLost =
        !(await isStillOperator(db, session.tournamentGuid, this.#commander)) ||
        (session.controllerGuid !== null && !(await isStillController(db, session)))
      if (isLost) await this.#step({ type: 'controlLost' })
    })
  }

  async #save(): Promise<void> {
    this.#session = await this.#saving.save(this.#session, this.#machine, this.#line.joined !== null)
  }
}

const notWritten: Failure = {
  code: 'assistant.timeout',
  message: 'The start could not be written down, and was not sent; try again.',
}
/** Holds a session as long as this process has its lease. */
export async function hold(guid: string, context: SetContext, signal: AbortSignal): Promise<void> {
  const recalled = await recall(guid, context)
  if (recalled === null || signal.aborted) return
  await new HeldSession(context, signal, recalled).run()
}
