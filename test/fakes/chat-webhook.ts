import { randomBytes } from 'node:crypto'
import { type FakeAnswer, type FakeServer, type SeenRequest, startFakeServer } from './server.ts'

/** Webhooks of the chat platform with their messages, in its own formats (Discord v10). */

interface Embed {
  readonly title?: string
  readonly description?: string
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[]
}

/** A message in the channel. */
export interface WireMessage {
  readonly id: string
  readonly content: string
  readonly embeds: readonly Embed[]
  readonly timestamp: string
  readonly edited_timestamp: string | null
  readonly nonce?: string
}

export interface FakeWebhook {
  /** Secret. */
  readonly url: string
  /** The messages in order, without deleted ones. */
  readonly messages: readonly WireMessage[]
  /** All messages ever created. */
  readonly made: readonly WireMessage[]
  /** Deletes a message like a moderator. */
  deleteMessage(id: string): void
  /** Deletes the webhook like its owner: it is unknown from then on. */
  delete(): void
}

export interface FakeChatWebhooks extends FakeServer {
  /** The address of the platform's REST API for the service's configuration. */
  readonly apiUrl: string
  addWebhook(options?: { readonly knowsNonces?: boolean }): FakeWebhook
  /**
   * Whether webhooks check nonces by default: the platform does so for bots, and ignores nonces of webhooks. Off by
   * default.
   */
  knowsNonces: boolean
  /** The limit of requests for each webhook; no limit by default. */
  bucket: { readonly requests: number; readonly windowMs: number } | null
  /** The number of requests to a bucket that was reported as empty. */
  readonly excesses: number
}

interface Channel {
  readonly id: string
  readonly knowsNonces: boolean | undefined
  readonly token: string
  isDeleted: boolean
  messages: WireMessage[]
  readonly made: WireMessage[]
  bucket: { left: number; readonly resetsAt: number } | null
}

interface Platform {
  readonly channels: Map<string, Channel>
  knowsNonces: boolean
  bucket: FakeChatWebhooks['bucket']
  excesses: number
  lastId: bigint
}

const api = '/api/v10'

export async function startFakeChatWebhooks(): Promise<FakeChatWebhooks> {
  const platform: Platform = {
    channels: new Map(),
    knowsNonces: false,
    bucket: null,
    excesses: 0,
    lastId: 1_184_720_934_812_345_678n,
  }
  const server = await startFakeServer({ answer: (request) => answer(platform, request), limited })
  return {
    ...server,
    apiUrl: `${server.url}${api}`,
    addWebhook: ({ knowsNonces } = {}) => addWebhook(platform, server.url, knowsNonces),
    get knowsNonces() {
      return platform.knowsNonces
    },
    set knowsNonces(whether) {
      platform.knowsNonces = whether
    },
    get bucket() {
      return platform.bucket
    },
    set bucket(bucket) {
      platform.bucket = bucket
    },
    get excesses() {
      return platform.excesses
    },
  }
}

function addWebhook(platform: Platform, url: string, knowsNonces: boolean | undefined): FakeWebhook {
  const channel: Channel = {
    id: nextId(platform),
    knowsNonces,
    token: randomBytes(51).toString('base64url'),
    isDeleted: false,
    messages: [],
    made: [],
    bucket: null,
  }
  platform.channels.set(channel.id, channel)
  return {
    url: `${url}${api}/webhooks/${channel.id}/${channel.token}`,
    get messages() {
      return channel.messages
    },
    made: channel.made,
    deleteMessage(id) {
      channel.messages = channel.messages.filter((message) => message.id !== id)
    },
    delete() {
      channel.isDeleted = true
    },
  }
}

function nextId(platform: Platform): string {
  platform.lastId += 4_194_304n
  return platform.lastId.toString()
}

function answer(platform: Platform, request: SeenRequest): FakeAnswer {
  const [, base, id = '', token, messages, messageId] =
    /^((?:\/api\/v10|\/api)\/webhooks)\/(\d+)\/([\w-]+)(?:\/(messages)\/(\d+))?$/.exec(request.path) ?? []
  if (base === undefined) return { status: 404, body: { message: '404: Not Found', code: 0 } }
  const channel = platform.channels.get(id)
  if (channel === undefined || channel.isDeleted) return failure(404, 10_015, 'Unknown Webhook')
  if (channel.token !== token) return failure(401, 50_027, 'Invalid Webhook Token')
  const budget = spend(platform, channel)
  if (budget.refusal !== null) return budget.refusal
  const reply =
    messages === undefined ? execute(platform, channel, request) : onMessage(channel, request, messageId ?? '')
  return { ...reply, headers: { ...reply.headers, ...budget.headers } }
}

function failure(status: number, code: number, message: string): FakeAnswer {
  return { status, body: { message, code } }
}

function spend(
  platform: Platform,
  channel: Channel,
): { readonly refusal: FakeAnswer | null; readonly headers: Record<string, string> } {
  if (platform.bucket === null) return { refusal: null, headers: {} }
  const { requests, windowMs } = platform.bucket
  const now = Date.now()
  if (channel.bucket === null || channel.bucket.resetsAt <= now) {
    channel.bucket = { left: requests, resetsAt: now + windowMs }
  }
  const waitS = (channel.bucket.resetsAt - now) / 1_000
  if (channel.bucket.left === 0) {
    platform.excesses++
    return { refusal: limited(waitS), headers: {} }
  }
  channel.bucket.left--
  return { refusal: null, headers: bucketHeaders(requests, channel.bucket.left, waitS) }
}

function bucketHeaders(limit: number, left: number, waitS: number): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': (Date.now() / 1_000 + waitS).toFixed(3),
    'x-ratelimit-reset-after': waitS.toFixed(3),
    'x-ratelimit-bucket': '4cc3a3d9c1b7ffb2b5f1e3c0e7c2a1d4',
  }
}

/** Without a time the platform's edge refuses, in its own format. */
function limited(waitS: number | null): FakeAnswer {
  if (waitS === null) return { status: 429, body: 'error code: 1015' }
  const headers = {
    ...bucketHeaders(5, 0, waitS),
    'retry-after': String(Math.ceil(waitS)),
    'x-ratelimit-scope': 'shared',
  }
  return { status: 429, headers, body: { message: 'You are being rate limited.', retry_after: waitS, global: false } }
}

function execute(platform: Platform, channel: Channel, request: SeenRequest): FakeAnswer {
  if (request.method !== 'POST') return failure(405, 0, '405: Method Not Allowed')
  const body = JSON.parse(request.body)
  const fault = bodyFault(body)
  if (fault !== null) return fault
  const nonce = (channel.knowsNonces ?? platform.knowsNonces) && typeof body.nonce === 'string' ? body.nonce : undefined
  const earlier = channel.made.find((message) => nonce !== undefined && message.nonce === nonce)
  if (earlier !== undefined && body.enforce_nonce === true) {
    const stands = channel.messages.find(({ id }) => id === earlier.id)
    return stands === undefined ? unknownMessage : { status: 200, body: stands }
  }
  const message: WireMessage = {
    id: nextId(platform),
    content: body.content ?? '',
    embeds: body.embeds ?? [],
    timestamp: new Date().toISOString().replace('Z', '000+00:00'),
    edited_timestamp: null,
    ...(nonce === undefined ? {} : { nonce }),
  }
  channel.messages.push(message)
  channel.made.push(message)
  if (request.query.get('wait') !== 'true') return { status: 204 }
  return { status: 200, body: { ...message, type: 0, channel_id: '1100000000000000002', webhook_id: channel.id } }
}

const unknownMessage = failure(404, 10_008, 'Unknown Message')

function onMessage(channel: Channel, request: SeenRequest, messageId: string): FakeAnswer {
  const at = channel.messages.findIndex(({ id }) => id === messageId)
  const message = channel.messages[at]
  if (message === undefined) return unknownMessage
  if (request.method === 'DELETE') {
    channel.messages.splice(at, 1)
    return { status: 204 }
  }
  if (request.method !== 'PATCH') return failure(405, 0, '405: Method Not Allowed')
  const body = JSON.parse(request.body)
  const fault = bodyFault({ ...message, ...body })
  if (fault !== null) return fault
  const { content = message.content, embeds = message.embeds } = body
  const edited = { ...message, content, embeds, edited_timestamp: new Date().toISOString() }
  channel.messages[at] = edited
  return { status: 200, body: edited }
}

interface WireBody {
  readonly content?: string
  readonly embeds?: readonly Embed[]
  readonly nonce?: string
  readonly allowed_mentions?: unknown
}

/** The platform's documented limits, in UTF-16 code units; mentions must be allowed explicitly. */
function bodyFault({ content = '', embeds = [], nonce = '', allowed_mentions }: WireBody): FakeAnswer | null {
  const invalid = failure(400, 50_035, 'Invalid Form Body')
  if (content.trim() === '' && embeds.length === 0) {
    return failure(400, 50_006, 'Cannot send an empty message')
  }
  if (content.length > 2_000 || nonce.length > 25 || embeds.length > 10) return invalid
  const { parse = null, ...named } = (allowed_mentions ?? {}) as { parse?: unknown; roles?: unknown }
  if (JSON.stringify(parse) !== '[]' || Object.keys(named).some((name) => name !== 'roles')) return invalid
  const texts = embeds.flatMap(({ title = '', description = '', fields = [] }) => [
    title,
    description,
    ...fields.flatMap(({ name, value }) => [name, value]),
  ])
  const isSound = embeds.every(
    ({ title = '', description = '', fields = [] }) =>
      title.length <= 256 &&
      description.length <= 4_096 &&
      fields.length <= 25 &&
      fields.every(({ name, value }) => isWithin(name, 256) && isWithin(value, 1_024)) &&
      (title !== '' || description !== '' || fields.length > 0),
  )
  return isSound && texts.join('').length <= 6_000 ? null : invalid
}

function isWithin(text: string, max: number): boolean {
  return text.trim() !== '' && text.length <= max
}
