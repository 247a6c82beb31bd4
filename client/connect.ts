import { Clock } from './clock.ts'
import { type CommandOptions, type CommandResult, Commands } from './commands.ts'
import { Connection, type Status } from './connection.ts'
import { Credentials } from './credentials.ts'
import { Endpoint } from './endpoint.ts'
import { callSafely, localError, RealtimeError } from './errors.ts'
import type { Commands as CommandTypes } from './generated.ts'
import { Handle, type LiveTopic as Live, type Topic } from './handles.ts'
import { platform as defaults, type Platform } from './platform.ts'
import { Publisher } from './publisher.ts'
import { type SceneOptions, type SceneSnapshot, SceneTopic } from './scene.ts'
import { Subscriptions } from './subscriptions.ts'
import { type Asked, LiveTopic, ReadTopic } from './topic.ts'
import { plainName, Topics } from './topics.ts'
import type { BodyOf, InputOf } from './types.ts'

export type { CommandOptions, CommandResult } from './commands.ts'
export type { Status } from './connection.ts'
export { RealtimeError } from './errors.ts'
export type * from './generated.ts'
export type { LiveTopic, Topic } from './handles.ts'
export type { Fact, Resync } from './packets.ts'
export type { SceneOptions, SceneSnapshot } from './scene.ts'
export type { Change, Listener, TopicStatus } from './topic.ts'

export interface Options {
  /** Address of the socket, which is `SOCKET_URL` of the service. */
  readonly url: string
  /**
   * Address of the REST interface including `/api`. Streams from there replace the socket in networks that block
   * sockets.
   */
  readonly apiUrl?: string
  /**
   * Returns an access token, or null for an anonymous client. Called again when a token has expired or is about to
   * expire.
   */
  readonly token?: () => Promise<string | null>
  /** View token of an overlay, instead of `token`. */
  readonly viewToken?: string
  readonly onStatus?: (status: Status) => void
  /** Called with errors that no promise reports, such as that of a value that could not be published. */
  readonly onError?: (error: RealtimeError) => void
}

export interface TopicOptions {
  /** Whether to receive the events behind the changes too. */
  readonly facts?: boolean
  /** Whether to receive the data with the delay of the broadcast. */
  readonly delayed?: boolean
}

export interface LiveOptions {
  readonly delayed?: boolean
  /** Maximum number of packets a second, 1 to 10. */
  readonly rate?: number
}

export interface Scene extends Live<SceneSnapshot> {
  /**
   * Sends a change as base64, of at most 64 KiB. It is kept, and sent again after an interruption, until it is stored.
   */
  readonly update: (data: string) => void
  /** The changes that are not known to be stored. */
  readonly unsent: readonly string[]
}

export interface Client {
  /** A live read, by its path without `/api`. */
  topic<const Name extends string>(name: Name, options?: TopicOptions): Topic<BodyOf<Name>>
  /** An ephemeral topic, with the newest value of each key. */
  live<Value = unknown>(name: string, options?: LiveOptions): Live<Readonly<Record<string, Value>>>
  command<Name extends keyof CommandTypes>(
    name: Name,
    input: InputOf<CommandTypes[Name]>,
    options?: CommandOptions,
  ): Promise<CommandResult<CommandTypes[Name]['result']>>
  /**
   * A document that several users edit at the same time. Call it once for each document, because every call starts a
   * new one.
   */
  scene(name: string, options: SceneOptions): Scene
  /**
   * Publishes a value of an ephemeral topic, or only the newest of several that follow quickly; null removes the key.
   */
  publish(topic: string, key: string, value: unknown): void
  /** The time of the service, in milliseconds since 1970. */
  readonly clock: { now(): number }
  readonly status: Status
  /** Ends the client for good. */
  close(): void
}

/**
 * Connects to the real-time API. One connection serves all topics and commands of the client.
 *
 * @param surroundings replaces the clock, timers, randomness and connections of the platform, for tests
 */
export function connect(options: Options, surroundings: Partial<Platform> = {}): Client {
  const platform = { ...defaults, ...surroundings }
  const { url, token, viewToken, onStatus } = options
  const onError = (error: RealtimeError) => callSafely(() => options.onError?.(error))
  let status: Status = { state: 'connecting' }
  let scenes = 0
  const wake = () => connection.wake()
  const clock = new Clock(platform)
  const topics = new Topics(platform, wake)
  const commands = new Commands(wake)
  const publisher = new Publisher(platform, clock, wake, onError)
  const credentials = new Credentials(platform, token, viewToken)
  const endpoint = options.apiUrl === undefined ? undefined : new Endpoint(platform, options.apiUrl, credentials)
  let subscriptions: Subscriptions | undefined

  const detach = () => {
    subscriptions?.close()
    subscriptions = undefined
    publisher.detach()
    commands.detach()
    topics.detach()
  }

  const close = (last: Status, error: RealtimeError) => {
    if (status.state === 'closed') return
    subscriptions?.close()
    connection.close()
    publisher.close()
    commands.refuse(error)
    topics.close(error)
    tellStatus(last)
  }

  const tellStatus = (next: Status) => {
    status = next
    callSafely(() => onStatus?.(next))
  }

  const connection = new Connection({
    platform,
    url: new URL(url).href,
    credentials,
    clock,
    endpoint,
    listener: {
      onSocket(socket, user) {
        subscriptions = new Subscriptions(socket, platform, () => topics.dropLingering())
        topics.attach(subscriptions)
        commands.refuse(undefined)
        commands.attach(socket, user?.guid ?? '')
        publisher.attach(socket)
      },
      onStreams: (streams) => topics.attach(streams),
      onStreamsOpen: () => commands.refuse(streamError()),
      onOffline() {
        commands.refuse(undefined)
        detach()
      },
      onRefused: (last) => close(last, refusedError(last)),
      onPacket(packet) {
        if (packet.type === 'error') onError(new RealtimeError(packet))
        else subscriptions?.receive(packet)
      },
      onStatus: tellStatus,
      isNeeded: () => !(topics.isEmpty && commands.isEmpty && publisher.isEmpty),
      hasTopics: () => !topics.isEmpty,
    },
  })
  connection.wake()

  const handle = (Kind: typeof ReadTopic | typeof LiveTopic, name: string, asked: Asked) => {
    const plain = plainName(name)
    return new Handle<never>(topics, JSON.stringify([plain, asked]), plain, () => new Kind(plain, asked))
  }

  return {
    topic: (name, { facts, delayed } = {}) =>
      handle(ReadTopic, name, { ...(facts && { facts }), ...(delayed && { delayed }) }),
    live: (name, { delayed, rate } = {}) =>
      handle(LiveTopic, name, { ...(delayed && { delayed }), ...(rate !== undefined && { rate }) }),
    scene(name, sceneOptions) {
      const plain = plainName(name)
      const made = new SceneTopic(plain, platform, sceneOptions)
      const { update, unsent } = made
      return Object.assign(new Handle<SceneSnapshot>(topics, JSON.stringify([plain, ++scenes]), plain, () => made), {
        update,
        unsent,
      })
    },
    command: (name, input, commandOptions = {}) => commands.run(name, input, commandOptions),
    publish: (topic, key, value) => publisher.publish(plainName(topic), key, value),
    clock,
    get status() {
      return status
    },
    close: () => close({ state: 'closed' }, localError('connection.closed', 'The connection was closed here.')),
  }
}

const streamError = () =>
  localError(
    'connection.stream',
    'Sockets are blocked here, and a stream takes no commands: send it by REST, with the same key as Idempotency-Key.',
  )

function refusedError({ code, reason }: Status): RealtimeError {
  return localError('connection.refused', `The service closed the connection for good (${code}): ${reason}`)
}
