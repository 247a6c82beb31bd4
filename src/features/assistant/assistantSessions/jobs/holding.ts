import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../../../../core/problem.ts'
import type { Answered, Told } from '../../../../infra/clients/assistant/messages.ts'
import { AssistantFailure, type Joined, join } from '../../../../infra/clients/assistant/request.ts'
import type { SetContext } from '../../../../infra/jobs/lease-sets.ts'
import { openingOf } from '../../assistantLinks/queries.ts'
import { outcomeOf } from '../../assistantLinks/rules/outcomes.ts'
import { findLink } from '../../assistantLinks/store/links.ts'
import type { AssistantLink } from '../../assistantLinks/types.ts'
import {
  giveAnswer,
  keepPlay,
  keepPlayState,
  keepProposal,
  keepReport,
  saveSession,
  takeCommand,
  tellWhatHappened,
} from '../commands/holding.ts'
import { chooseMap, type MapWish, readMatchContext, turnOf } from '../queries/context.ts'
import { liveMachinesOf, liveScoreOf, liveSessionOf } from '../rules/live.ts'
import type { Command, Effect, Failure, Input, LiveValue, Machine } from '../rules/machine.ts'
import { othersOf, phaseOf, sessionPlayers } from '../rules/players.ts'
import { dueAt, step } from '../rules/step.ts'
import { listWaiting, type StoredCommand } from '../store/commands.ts'
import { isStillOperator } from '../store/operators.ts'
import { findSession, listMatchesHeldElsewhere, type SessionChanges } from '../store/sessions.ts'
import type { AssistantSession, SessionStatus } from '../types.ts'
import { answerHint, commandHint, sessionHint } from './hints.ts'
import { recall } from './recalling.ts'

const backoffMs = [1_000, 2_000, 4_000, 8_000, 15_000]
const giveUpMs = 10 * 60_000
const lookMs = 5_000
const saveMs = 200
const liveMs = 50

/**
 * A session as the one process that holds it works on it: a connection of its own, and the machine that decides. Whatever comes in
 * waits in one queue; what is written is on disk before anything after it is sent or told. (AS4, AS16)
 */
export class HeldSession {
  readonly #context: SetContext
  readonly #signal: AbortSignal
  #session: AssistantSession
  #link: AssistantLink
  #machine: Machine
  #status: SessionStatus = 'connecting'
  #joined: Joined | null = null
  /** By the ids of packets. */
  readonly #refs = new Map<string, number>()
  #queue: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #saving: NodeJS.Timeout | undefined
  #showing: NodeJS.Timeout | undefined
  readonly #shown = new Map<string, LiveValue>()
  readonly #bodies = new Map<string, StoredCommand>()
  #saved: SessionChanges | null = null
  #ended: (() => void) | null = null
  #isOver = false

  constructor(
    context: SetContext,
    signal: AbortSignal,
    session: AssistantSession,
    link: AssistantLink,
    machine: Machine,
  ) {
    this.#context = context
    this.#signal = signal
    this.#session = session
    this.#link = link
    this.#machine = machine
  }

  /** Until the session is closed or has failed, or the lease is gone. */
  async run(): Promise<void> {
    const { wake } = this.#context
    const { guid } = this.#session
    const ofUs = (work: () => void) => (id: string) => {
      if (id === guid) work()
    }
    const stops = [
      wake.onHint(
        sessionHint,
        ofUs(() => this.#enqueue(() => this.#look())),
      ),
      wake.onHint(
        commandHint,
        ofUs(() => this.#enqueue(() => this.#takeCommands())),
      ),
    ]
    const looking = setInterval(() => this.#enqueue(() => this.#look()), lookMs)
    const watching = setInterval(() => this.#watchControl(), 500)
    const aborted = () => this.#end()
    this.#signal.addEventListener('abort', aborted)
    try {
      this.#enqueue(() => this.#look())
      await this.#connectAgainAndAgain()
    } finally {
      this.#signal.removeEventListener('abort', aborted)
      for (const stop of stops) stop()
      for (const timer of [looking, watching]) clearInterval(timer)
      this.#end()
      await this.#queue
      for (const timer of [this.#timer, this.#saving, this.#showing]) clearTimeout(timer)
    }
  }

  /** Nothing is sent after this. */
  #end(): void {
    this.#isOver = true
    this.#joined?.connection.close()
    this.#joined = null
    this.#ended?.()
  }

  get #isDone(): boolean {
    return this.#isOver || this.#signal.aborted
  }

  async #connectAgainAndAgain(): Promise<void> {
    let tries = 0
    let since = performance.now()
    while (!this.#isDone) {
      const failure = await this.#connectOnce()
      if (this.#isDone) return
      if (failure === null) {
        // It was there, and is gone.
        tries = 0
        since = performance.now()
        this.#setStatus('reconnecting')
      } else {
        this.#machine = { ...this.#machine, lastError: { ...failure, at: this.#context.now().toISOString() } }
        const isOver = failure.code === 'assistant.password' || performance.now() - since > giveUpMs
        this.#setStatus(
          isOver ? 'failed' : this.#session.lastPacketAt === null && tries < 1 ? 'connecting' : 'reconnecting',
        )
        if (isOver) {
          await this.#queue
          await this.#save()
          return
        }
      }
      const base = backoffMs[Math.min(tries, backoffMs.length - 1)] ?? 15_000
      tries++
      await wait((base * randomInt(80, 121)) / 100, undefined, { signal: this.#signal, ref: false }).catch(() => {})
    }
  }

  /** @returns why there was no connection; null once one that was there has ended */
  async #connectOnce(): Promise<{ readonly code: string; readonly message: string } | null> {
    const early: Told[] = []
    let isJoined = false
    let end: () => void = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    try {
      const { database, services, clients, now } = this.#context
      this.#link = (await findLink(database.db, this.#session.tournamentGuid)) ?? this.#link
      const opening = await openingOf(database.db, services, this.#link, now())
      const joined = await join(clients.assistant, {
        ...opening,
        onTold: (told) => {
          if (isJoined) this.#hear(told)
          else early.push(told)
        },
        onEnd: () => end(),
      })
      if (this.#isDone) {
        joined.connection.close()
        return null
      }
      this.#joined = joined
      this.#ended = end
      this.#refs.clear()
      const heldElsewhere = await listMatchesHeldElsewhere(database.db, this.#session.guid)
      this.#setStatus('connected')
      const { selfGuid: self, tournament } = joined
      this.#feed({ type: 'joined', self, tournament, heldElsewhere })
      isJoined = true
      for (const told of early) this.#hear(told)
    } catch (error) {
      if (error instanceof AssistantFailure) return outcomeOf(error)
      if (error instanceof Problem) return { code: error.code, message: error.message }
      this.#context.log.error({ err: error, session: this.#session.guid }, 'session of the assistant')
      return { code: 'assistant.unreachable', message: 'The assistant cannot be reached just now.' }
    }
    await ended
    this.#joined?.connection.close()
    this.#joined = null
    this.#feed({ type: 'lost' })
    return null
  }

  #hear(told: Told): void {
    if (told.type === 'unauthorised') {
      this.#ended?.()
      return
    }
    if (told.type !== 'answer') {
      if (told.type !== 'other' && told.type !== 'attempt') this.#feed({ type: 'told', told })
      return
    }
    const ref = this.#refs.get(told.to)
    if (ref !== undefined) this.#feed({ type: 'answer', ref, answer: told as Answered })
  }

  #feed(input: Input): void {
    this.#enqueue(() => this.#step(input))
  }

  #enqueue(work: () => Promise<void>): void {
    if (this.#isDone) return
    this.#queue = this.#queue
      .then(() => (this.#isDone ? undefined : work()))
      .catch((err: unknown) =>
        this.#context.log.error({ err, session: this.#session.guid }, 'session of the assistant'),
      )
  }

  async #step(input: Input): Promise<void> {
    const around = { now: this.#context.now().getTime(), tournament: this.#link.assistantGuid, newGuid: randomUUID }
    const { machine, effects } = step(this.#machine, input, around)
    this.#machine = machine
    for (const effect of effects) {
      if (this.#isDone) return
      await this.#carryOut(effect)
    }
    this.#arm()
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const at = dueAt(this.#machine)
    if (at === null || this.#isDone) return
    this.#timer = setTimeout(() => this.#feed({ type: 'time' }), Math.max(0, at - this.#context.now().getTime()) + 1)
  }

  async #carryOut(effect: Effect): Promise<void> {
    const { database, now } = this.#context
    const write = <T>(work: Parameters<typeof database.transaction<T>>[0]) => database.transaction(work)
    switch (effect.type) {
      case 'send': {
        const id = this.#joined?.connection.send(effect.message)
        if (id !== undefined && effect.ref !== null) this.#refs.set(id, effect.ref)
        return
      }
      case 'answer':
        return this.#answer(effect.command, effect.failure)
      case 'beginPlay':
        return this.#beginPlay(effect)
      case 'playState':
        await write((tx) => keepPlayState(tx, this.#session, effect, now()))
        this.#saveSoon()
        return
      case 'finish':
        await write((tx) => keepReport(tx, effect, now()))
        return
      case 'propose':
        await write((tx) => keepProposal(tx, effect, now()))
        return
      case 'happened':
        await write(async (tx) => tellWhatHappened(tx, this.#session, effect, this.#session.controllerGuid))
        return
      case 'save':
        this.#saveSoon()
        this.#showMachines()
        return
      case 'live':
        this.#shown.set(effect.user, effect.value)
        this.#showing ??= setTimeout(() => this.#show(), liveMs)
        return
      case 'liveAll':
        this.#showMachines()
        return
      case 'reconnect':
        this.#ended?.()
        return
    }
  }

  async #beginPlay(effect: Effect & { readonly type: 'beginPlay' }): Promise<void> {
    const { database, now } = this.#context
    const { command, chosen, mode, players } = effect
    try {
      const context = await readMatchContext(database.db, this.#session.matchGuid, now())
      if (context === null) throw new Problem('missing', 'match.unknown', 'The match is gone.')
      const turn = context.flow === null ? null : turnOf(context.flow, now())
      const { tournamentGuid, matchGuid, guid: sessionGuid } = this.#session
      const played = context.match.games.length + 1
      const play = await database.transaction((tx) =>
        keepPlay(
          tx,
          {
            ...{ tournamentGuid, matchGuid, sessionGuid, flowSessionGuid: context.flowSession },
            ...{ game: turn?.game ?? played, run: turn?.run ?? 1, technical: turn?.technical ?? false },
            map: { ...chosen.map, maxScore: chosen.maxScore },
            ...{ mode, source: 'assistant', expected: players, serverHost: this.#link.host },
            serverVersion: this.#joined?.serverVersion ?? null,
            assistantMatch: this.#machine.matchGuid,
          },
          now(),
        ),
      )
      await this.#step({ type: 'playKept', command, guid: play.guid })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code, message } = error
      await this.#step({ type: 'playRefused', command, failure: { code, message } })
    }
  }

  async #answer(command: string, failure: Failure | null): Promise<void> {
    const { database, wake } = this.#context
    // Whoever asked reads the session as it is now.
    await this.#save()
    await database.transaction((tx) => giveAnswer(tx, command, failure))
    this.#bodies.delete(command)
    wake.hint(answerHint, command)
  }

  /** Looks at what others may have changed: the session itself, who plays, and what was asked meanwhile. */
  async #look(): Promise<void> {
    const { database, now } = this.#context
    const session = await findSession(database.db, this.#session.guid)
    if (session === undefined || session.closedAt !== null) return this.#leave(session)
    this.#session = session
    const context = await readMatchContext(database.db, session.matchGuid, now())
    if (context !== null && !isDeepStrictEqual(context.expected, this.#machine.expected)) {
      await this.#step({ type: 'expected', expected: context.expected })
    }
    await this.#takeCommands()
  }

  async #leave(session: AssistantSession | undefined): Promise<void> {
    const { match, isMatchOurs } = this.#machine
    if (session?.deleteMatch === true && isMatchOurs && match !== null && this.#joined !== null) {
      this.#joined.connection.send({ type: 'deleteMatch', match: match.guid })
      await wait(200)
    }
    this.#end()
  }

  async #takeCommands(): Promise<void> {
    const { database, now } = this.#context
    for (const stored of await listWaiting(database.db, this.#session.guid)) {
      if (this.#isDone) return
      const taken = await database.transaction((tx) => takeCommand(tx, stored, now()))
      if (!taken.isTaken) {
        this.#context.wake.hint(answerHint, stored.guid)
        continue
      }
      this.#bodies.set(stored.guid, stored)
      await this.#carryOutCommand(stored)
    }
  }

  async #carryOutCommand(stored: StoredCommand): Promise<void> {
    const command = await this.#commandOf(stored)
    if (command === 'resync') {
      await this.#answer(stored.guid, null)
      this.#ended?.()
    } else if ('failure' in command) await this.#answer(stored.guid, command.failure)
    else await this.#step({ type: 'command', id: stored.guid, command })
  }

  async #commandOf(stored: StoredCommand): Promise<Command | 'resync' | { readonly failure: Failure }> {
    if (stored.name === 'resync') return 'resync'
    if (stored.name !== 'setMap') return { name: stored.name, ...stored.body } as Command
    const { database, now } = this.#context
    const { tournamentGuid, matchGuid } = this.#session
    const chosen = await chooseMap(database.db, { tournamentGuid, matchGuid }, stored.body as MapWish, now())
    return 'failure' in chosen ? chosen : { name: 'setMap', chosen }
  }

  /** Whoever loses their role loses control at once, and what they asked for and was not sent is not sent. (AS5) */
  #watchControl(): void {
    if (this.#machine.play?.state !== 'held') return
    this.#enqueue(async () => {
      const { database } = this.#context
      const session = await findSession(database.db, this.#session.guid)
      const controller = session?.controllerGuid ?? null
      if (session === undefined || controller === null) return
      if (!(await isStillOperator(database.db, session.tournamentGuid, controller)))
        await this.#step({ type: 'controlLost' })
    })
  }

  #setStatus(status: SessionStatus): void {
    if (this.#status === status && this.#saved !== null) return
    this.#status = status
    this.#enqueue(() => this.#save())
  }

  #saveSoon(): void {
    this.#saving ??= setTimeout(() => {
      this.#saving = undefined
      this.#enqueue(() => this.#save())
    }, saveMs)
  }

  async #save(): Promise<void> {
    clearTimeout(this.#saving)
    this.#saving = undefined
    const machine = this.#machine
    const { map, warnings, matchGuid, isMatchOurs, lastError } = machine
    const changes: SessionChanges = {
      ...{ status: this.#status, phase: phaseOf(machine), assistantMatch: matchGuid, isMatchOurs, lastError },
      state: { players: sessionPlayers(machine), others: othersOf(machine), map: map?.map ?? null, warnings },
    }
    if (isDeepStrictEqual(changes, this.#saved)) return
    const { database, now } = this.#context
    const lastPacketAt = this.#joined === null ? this.#session.lastPacketAt : now()
    const saved = await database.transaction(async (tx) => {
      const open = await findSession(tx, this.#session.guid)
      if (open === undefined || open.closedAt !== null) return undefined
      return saveSession(tx, this.#session, { ...changes, lastPacketAt })
    })
    if (saved === undefined) return
    this.#session = saved
    this.#saved = changes
  }

  #show(): void {
    this.#showing = undefined
    if (this.#isDone) return
    for (const [user, value] of this.#shown) this.#put('', `player:${user}`, liveScoreOf(value))
    this.#shown.clear()
  }

  #showMachines(): void {
    for (const [key, value] of liveMachinesOf(this.#machine)) this.#put('/staff', key, value)
    this.#put('', 'session', liveSessionOf(this.#machine))
  }

  #put(of: '' | '/staff', key: string, value: object): void {
    const { tournamentGuid, matchGuid } = this.#session
    const topic = `/tournaments/${tournamentGuid}/matches/${matchGuid}/live${of}`
    try {
      this.#context.services.realtime.ephemeral.put(topic, key, value, 'assistant')
    } catch (err) {
      this.#context.log.warn({ err, session: this.#session.guid }, 'live value of the assistant')
    }
  }
}

/** Holds a session for as long as its lease is ours. */
export async function hold(guid: string, context: SetContext, signal: AbortSignal): Promise<void> {
  const recalled = await recall(guid, context)
  if (recalled === null || signal.aborted) return
  const { session, link, machine } = recalled
  await new HeldSession(context, signal, session, link, machine).run()
}
