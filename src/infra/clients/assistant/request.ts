import { Unreachable } from '../http.ts'
import type { Answered, Ask, AssistantTournament, EndOfConnection, Told } from './messages.ts'
import type { AssistantAddress, AssistantClient, AssistantConnection } from './types.ts'

/** One question after the other over a connection, for what needs an assistant for a moment. (AS3, AS22, AS25) */

export type FailureCode =
  | 'assistant.version'
  | 'assistant.unauthorised'
  | 'assistant.password'
  | 'assistant.tournament_unknown'
  | 'assistant.permission'
  | 'assistant.timeout'
  | 'assistant.unreachable'
  | 'assistant.protocol'

/** What the failure is about, as far as it may be shown. */
export interface FailureDetails {
  readonly clientVersion?: number
  readonly serverVersion?: number
  /** Names of the tournaments that the server told of, the first hundred. */
  readonly tournaments?: readonly string[]
  /** A full permission string. */
  readonly permission?: string
}

/** Its message names what failed, and neither a token nor an inner address. (assistant: Failures) */
export class AssistantFailure extends Error {
  override readonly name = 'AssistantFailure'
  readonly code: FailureCode
  readonly details: FailureDetails

  constructor(code: FailureCode, message: string, details: FailureDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

type Waiting = {
  readonly message: Ask
  readonly resolve: (answer: Answered) => void
  readonly reject: (failure: AssistantFailure) => void
}

/** A connection whose answers are waited for by id. What nobody waits for goes to whoever opened it. */
export interface Conversation extends AssistantConnection {
  /** By the ids of packets. */
  readonly waiting: Map<string, Waiting>
  /** Why nothing more can be asked; null while something can. */
  readonly failure: AssistantFailure | null
}

interface Hearing {
  readonly onTold?: (told: Told) => void
  readonly onEnd?: (end: EndOfConnection, words: string) => void
}

interface Converse extends Hearing {
  readonly address: AssistantAddress
  readonly token: () => string
  readonly tournament: string
}

const answerMs = 10_000
const maxNames = 100

/** @throws AssistantFailure `assistant.unreachable` */
async function converse(client: AssistantClient, wanted: Converse): Promise<Conversation> {
  const waiting = new Map<string, Waiting>()
  let failure: AssistantFailure | null = null

  function fail(reason: AssistantFailure): void {
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
  }

  function onTold(told: Told): void {
    const asked = told.type === 'answer' ? waiting.get(told.to) : undefined
    if (told.type === 'answer' && asked !== undefined && isOfServer(told, asked.message)) {
      waiting.delete(told.to)
      asked.resolve(told)
      return
    }
    if (told.type === 'unauthorised') fail(new AssistantFailure('assistant.unauthorised', 'the token was refused'))
    wanted.onTold?.(told)
  }

  const connection = await client
    .open({
      address: wanted.address,
      token: wanted.token,
      tournament: wanted.tournament,
      onTold,
      onEnd(end, words) {
        failure = ended(end, words)
        fail(failure)
        wanted.onEnd?.(end, words)
      },
    })
    .catch((error: unknown) => {
      if (error instanceof Unreachable) throw new AssistantFailure('assistant.unreachable', error.message)
      throw error
    })
  return {
    waiting,
    get failure() {
      return failure
    },
    get selfGuid() {
      return connection.selfGuid
    },
    set selfGuid(guid) {
      connection.selfGuid = guid
    },
    get lastPacketAt() {
      return connection.lastPacketAt
    },
    send: (message) => connection.send(message),
    close: () => connection.close(),
  }
}

/** Players to whom a packet was forwarded answer under its id as well. (assistant: Details, 3) */
function isOfServer({ from }: Answered, message: Ask): boolean {
  return !('to' in message && message.to.includes(from))
}

const codesOfEnds: Readonly<Record<EndOfConnection, FailureCode>> = {
  closed: 'assistant.unreachable',
  unreachable: 'assistant.unreachable',
  protocol: 'assistant.protocol',
  silent: 'assistant.timeout',
}

function ended(end: EndOfConnection, words: string): AssistantFailure {
  return new AssistantFailure(codesOfEnds[end], words)
}

/**
 * Resolves with the server's answer, whether it is a yes or a no.
 * @throws AssistantFailure when none came in time, when the connection ended first, or when the token was refused
 */
export async function ask(
  connection: Conversation,
  message: Ask,
  { timeoutMs = answerMs }: { readonly timeoutMs?: number } = {},
): Promise<Answered> {
  if (connection.failure !== null) throw connection.failure
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  // An answer comes later than `send` returns.
  const id = connection.send(message)
  connection.waiting.set(id, { message, resolve, reject })
  const timer = setTimeout(
    () => reject(new AssistantFailure('assistant.timeout', 'the assistant did not answer in time')),
    timeoutMs,
  )
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    connection.waiting.delete(id)
  }
}

export interface Joining {
  readonly address: AssistantAddress
  /** Asked for with each packet. */
  readonly token: () => string
  /** GUID of the assistant's tournament. */
  readonly tournament: string
  /** Empty where the tournament has none. */
  readonly password: string
  readonly versionCode: number
  /** What is told from the beginning on, but for answers that are waited for. */
  readonly onTold?: (told: Told) => void
  /** Once a connection that `join` gave has ended; whoever closes it is told as well. */
  readonly onEnd?: (end: EndOfConnection, words: string) => void
  /** For each answer. */
  readonly timeoutMs?: number
  /** Until it has joined: whoever ends it has the connection closed at once. */
  readonly signal?: AbortSignal
}

export interface Joined {
  readonly connection: Conversation
  readonly serverVersion: number
  /** As the answer to `join` tells it, with the permissions that we hold there. */
  readonly tournament: AssistantTournament
  /** All that the server told of. */
  readonly tournaments: readonly AssistantTournament[]
  readonly selfGuid: string
}

/**
 * Connects and joins. A server of another version is connected to once more under its own, where that is one that speaks as
 * this one does. (assistant: Failures)
 * @throws AssistantFailure; what the signal was ended with, where it was before there was a connection
 */
export async function join(client: AssistantClient, joining: Joining): Promise<Joined> {
  const first = await attempt(client, joining, joining.versionCode)
  if (first.type === 'joined') return first.joined
  if (!isSpoken(first.serverVersion)) throw wrongVersion(joining.versionCode, first.serverVersion)
  const second = await attempt(client, joining, first.serverVersion)
  if (second.type === 'joined') return second.joined
  throw wrongVersion(first.serverVersion, second.serverVersion)
}

/** Versions whose packets are those of ours. (assistant: Failures) */
function isSpoken(version: number): boolean {
  return version >= 1_240 && version <= 1_399
}

function wrongVersion(clientVersion: number, serverVersion: number): AssistantFailure {
  const message = `the assistant has version ${serverVersion} and did not accept ${clientVersion}`
  return new AssistantFailure('assistant.version', message, { clientVersion, serverVersion })
}

type Attempt =
  | { readonly type: 'joined'; readonly joined: Joined }
  | { readonly type: 'wrongVersion'; readonly serverVersion: number }

async function attempt(client: AssistantClient, joining: Joining, clientVersion: number): Promise<Attempt> {
  const { signal } = joining
  signal?.throwIfAborted()
  let hasJoined = false
  const connection = await converse(client, {
    address: joining.address,
    token: joining.token,
    tournament: joining.tournament,
    onTold: (told) => joining.onTold?.(told),
    onEnd: (end, words) => {
      if (hasJoined) joining.onEnd?.(end, words)
    },
  })
  const close = () => connection.close()
  signal?.addEventListener('abort', close, { once: true })
  try {
    signal?.throwIfAborted()
    const welcome = await welcomed(connection, clientVersion, joining)
    if (welcome.wrongVersion) {
      connection.close()
      return { type: 'wrongVersion', serverVersion: welcome.serverVersion }
    }
    const joined = await entered(connection, welcome.tournaments, joining)
    hasJoined = true
    return { type: 'joined', joined: { ...joined, connection, serverVersion: welcome.serverVersion } }
  } catch (error) {
    connection.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', close)
  }
}

async function welcomed(connection: Conversation, clientVersion: number, joining: Joining) {
  const { ok, details } = await ask(connection, { type: 'connect', clientVersion }, joining)
  if (details.type === 'connect' && (ok || details.wrongVersion)) return details
  throw refusal(details)
}

async function entered(connection: Conversation, tournaments: readonly AssistantTournament[], joining: Joining) {
  if (!tournaments.some(({ guid }) => guid === joining.tournament)) throw unknown(tournaments)
  const { ok, details } = await ask(connection, { type: 'join', password: joining.password }, joining)
  if (details.type !== 'join' || (!ok && !details.wrongPassword)) throw refusal(details)
  if (details.wrongPassword) throw new AssistantFailure('assistant.password', 'the password of the tournament is wrong')
  if (details.tournament === null) throw unknown(tournaments)
  if (details.selfGuid === '') throw refusal(details)
  connection.selfGuid = details.selfGuid
  return { tournament: details.tournament, tournaments, selfGuid: details.selfGuid }
}

function unknown(tournaments: readonly AssistantTournament[]): AssistantFailure {
  const names = tournaments.slice(0, maxNames).map(({ name }) => name)
  return new AssistantFailure('assistant.tournament_unknown', 'the assistant does not tell of the tournament', {
    tournaments: names,
  })
}

function refusal(details: Answered['details']): AssistantFailure {
  if (details.type !== 'permission')
    return new AssistantFailure('assistant.protocol', 'the answer is not the expected one')
  const permission = details.required
  return new AssistantFailure('assistant.permission', `the permission ${permission} is missing`, { permission })
}
