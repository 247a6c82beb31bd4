import { Unreachable } from '../http.ts'
import type { Answered, Ask, AssistantTournament, EndOfConnection, Told } from './messages.ts'
import type { AssistantAddress, AssistantClient, AssistantConnection } from './types.ts'

/** Requests one after the other over a connection, for short uses of an assistant. (AS3, AS22, AS25) */

export type FailureCode =
  | 'assistant.version'
  | 'assistant.unauthorised'
  | 'assistant.password'
  | 'assistant.tournament_unknown'
  | 'assistant.permission'
  | 'assistant.timeout'
  | 'assistant.unreachable'
  | 'assistant.protocol'

/** Details of the failure that may be shown. */
export interface FailureDetails {
  /** The tournaments that a server tells of, where it has another than the one that is linked. */
  readonly seen?: readonly Pick<AssistantTournament, 'guid' | 'name'>[]
  readonly clientVersion?: number
  readonly serverVersion?: number
  /** Names of the first hundred tournaments on the server. */
  readonly tournaments?: readonly string[]
  /** A full permission string. */
  readonly permission?: string
}

/** The message says what failed, and contains neither a token nor an internal address. (assistant: Failures) */
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

/** A connection that matches answers to requests by id. All other messages go to `onMessage`. */
export interface Conversation extends AssistantConnection {
  /** The pending requests, by packet id. */
  readonly waiting: Map<string, Waiting>
  /** Why no more requests are possible; null while they are. */
  readonly failure: AssistantFailure | null
}

interface Hearing {
  readonly onMessage?: (told: Told) => void
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

  function onMessage(told: Told): void {
    const asked = told.type === 'answer' ? waiting.get(told.to) : undefined
    if (told.type === 'answer' && asked !== undefined && isOfServer(told, asked.message)) {
      waiting.delete(told.to)
      asked.resolve(told)
      return
    }
    if (told.type === 'unauthorised') fail(new AssistantFailure('assistant.unauthorised', 'the token was refused'))
    wanted.onMessage?.(told)
  }

  const connection = await client
    .open({
      address: wanted.address,
      token: wanted.token,
      tournament: wanted.tournament,
      onMessage,
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

/**
 * Whether the server sent the answer: players to whom a packet was forwarded answer under its id too. (assistant:
 * Details, 3)
 */
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
 * Resolves with the server's answer, whether it accepts or refuses.
 * @throws AssistantFailure on a timeout, when the connection ends first, or when the token is refused
 */
export async function ask(
  connection: Conversation,
  message: Ask,
  { timeoutMs = answerMs }: { readonly timeoutMs?: number } = {},
): Promise<Answered> {
  if (connection.failure !== null) throw connection.failure
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  // The answer cannot arrive before `send` returns.
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
  /** Called for each packet. */
  readonly token: () => string
  /** GUID of the assistant's tournament. */
  readonly tournament: string
  /** Empty when the tournament has none. */
  readonly password: string
  readonly versionCode: number
  /** All messages from the beginning, except awaited answers. */
  readonly onMessage?: (told: Told) => void
  /** Called when a joined connection has ended, also when we close it. */
  readonly onEnd?: (end: EndOfConnection, words: string) => void
  /** The timeout for each answer. */
  readonly timeoutMs?: number
  /** Aborts joining; the connection is then closed immediately. */
  readonly signal?: AbortSignal
}

export interface Joined {
  readonly connection: Conversation
  readonly serverVersion: number
  /** The tournament from the answer to `join`, with our permissions in it. */
  readonly tournament: AssistantTournament
  /** All tournaments on the server. */
  readonly tournaments: readonly AssistantTournament[]
  readonly selfGuid: string
}

/**
 * Connects and joins. If the server has another version with the same packets, it connects again with that version.
 * (assistant: Failures)
 * @throws AssistantFailure; the reason of the signal, when it was aborted before there was a connection
 */
export async function join(client: AssistantClient, joining: Joining): Promise<Joined> {
  const first = await attempt(client, joining, joining.versionCode)
  if (first.type === 'joined') return first.joined
  if (!isSpoken(first.serverVersion)) throw wrongVersion(joining.versionCode, first.serverVersion)
  const second = await attempt(client, joining, first.serverVersion)
  if (second.type === 'joined') return second.joined
  throw wrongVersion(first.serverVersion, second.serverVersion)
}

/** Versions with the same packets as ours. (assistant: Failures) */
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
    onMessage: (told) => joining.onMessage?.(told),
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
    seen: tournaments.map(({ guid, name }) => ({ guid, name })),
  })
}

function refusal(details: Answered['details']): AssistantFailure {
  if (details.type !== 'permission')
    return new AssistantFailure('assistant.protocol', 'the answer is not the expected one')
  const permission = details.required
  return new AssistantFailure('assistant.permission', `the permission ${permission} is missing`, { permission })
}
