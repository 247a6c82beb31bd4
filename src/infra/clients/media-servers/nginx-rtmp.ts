import type { XMLParser } from 'fast-xml-parser'
import { Type } from 'typebox'
import { shapeOf } from '../../../core/shape.ts'
import type { HttpAnswer } from '../http.ts'
import { ask, invalidAnswer, positive, positiveInteger, toKbps } from './asking.ts'
import { liveApp, orNull, provesByQuery, userOfName, withoutSlash } from './hooks.ts'
import type {
  ControlAddress,
  ControlForm,
  HookForm,
  HookQuestion,
  HookRequest,
  MediaServerKind,
  ServedStream,
} from './types.ts'

/**
 * nginx with its RTMP module: it asks through `on_publish` and similar hooks, lists its streams at `/stat`, and cuts
 * streams at `/control`.
 */

/** The name of the server's own client, which plays a stream to push it to another server. */
const ownPlayer = 'ngx-local-relay'

const hooks: HookForm = {
  proves: provesByQuery,

  read(request) {
    const form = formOf(request)
    const name = form.get('name')
    switch (form.get('call')) {
      case 'publish':
        return publishing(form)
      case 'play':
        // The server's own client names no application, which every other client must do.
        if (form.get('app') === '' && form.get('flashver') === ownPlayer) return { action: 'other' }
        return { action: 'read', userGuid: userOfName(name ?? ''), view: orNull(form.get('view')) }
      case 'publish_done':
        return { action: 'done', ...whose(name), clientId: orNull(form.get('clientid')) }
      case 'update_publish':
        return { action: 'update', ...whose(name), clientId: orNull(form.get('clientid')) }
      case 'connect':
      case 'disconnect':
      case 'done':
      case 'play_done':
      case 'record_done':
      case 'update_play':
        return { action: 'other' }
      default:
        return null
    }
  },

  answer(_request, question, verdict) {
    switch (question.action) {
      case 'publish':
        // A 2xx would publish under the name that the encoder gave, which is the key. (S1)
        return verdict.allowed ? { status: 302, headers: { location: verdict.userGuid } } : { status: 403 }
      case 'read':
      case 'update':
        return { status: verdict.allowed ? 200 : 403 }
      default:
        return { status: 200 }
    }
  },

  refusal: () => ({ status: 403 }),
}

/**
 * The module writes its own fields before the arguments of the encoder, so the first of repeated fields is the
 * module's.
 */
function formOf({ body }: HookRequest): URLSearchParams {
  return new URLSearchParams(body.toString())
}

function publishing(form: URLSearchParams): HookQuestion | null {
  const key = orNull(form.get('name'))
  if (key === null) return null
  return {
    action: 'publish',
    key,
    claimed: null,
    protocol: 'rtmp',
    address: orNull(form.get('addr')),
    clientId: orNull(form.get('clientid')),
  }
}

/** Ends and updates contain the key of a stream, or its public name where the server no longer knows the key. */
function whose(name: string | null): { readonly key: string | null; readonly userGuid: string | null } {
  const userGuid = userOfName(name ?? '')
  return { key: userGuid === null ? orNull(name) : null, userGuid }
}

/** Loaded when such a server is first asked: it needs 5 MB, which other installations save. */
let loading: Promise<XMLParser> | undefined

/** Reads all values as text, without entities, and to the depth of a list of clients. */
function loadParser(): Promise<XMLParser> {
  loading ??= import('fast-xml-parser').then(
    ({ XMLParser }) =>
      new XMLParser({
        processEntities: false,
        ignoreAttributes: true,
        ignoreDeclaration: true,
        ignorePiTags: true,
        parseTagValue: false,
        maxNestedTags: 16,
        isArray: (name) => lists.has(name),
      }),
  )
  return loading
}

const lists: ReadonlySet<string> = new Set(['server', 'application', 'stream', 'client'])

const OptionalText = Type.Optional(Type.String())
const Stream = Type.Object({
  name: Type.String(),
  bw_video: OptionalText,
  bw_audio: OptionalText,
  client: Type.Optional(
    Type.Array(Type.Object({ id: OptionalText, flashver: OptionalText, publishing: OptionalText })),
  ),
  meta: Type.Optional(
    Type.Union([
      Type.String(),
      Type.Object({
        video: Type.Optional(
          Type.Union([
            Type.String(),
            Type.Object({ width: OptionalText, height: OptionalText, frame_rate: OptionalText }),
          ]),
        ),
      }),
    ]),
  ),
  publishing: OptionalText,
})
type Stream = Type.Static<typeof Stream>

/** An element without content is an empty text. */
const statShape = shapeOf(
  Type.Object({
    rtmp: Type.Object({
      server: Type.Optional(
        Type.Array(
          Type.Union([
            Type.String(),
            Type.Object({
              application: Type.Optional(
                Type.Array(
                  Type.Object({
                    name: Type.String(),
                    live: Type.Optional(
                      Type.Union([Type.String(), Type.Object({ stream: Type.Optional(Type.Array(Stream)) })]),
                    ),
                  }),
                ),
              ),
            }),
          ]),
        ),
      ),
    }),
  }),
)

const control: ControlForm = {
  async list(http, address) {
    const answer = await ask(http, address, { method: 'GET', path: '/stat' })
    return (await streamsOf(answer, appOf(address)))
      .filter(({ publishing }) => publishing !== undefined)
      .map((stream) => served(stream, appOf(address)))
  },

  async cut(http, address, { userGuid, clientId }) {
    const which = { app: appOf(address), name: userGuid, ...(clientId === null ? {} : { clientid: clientId }) }
    const path = `/control/drop/publisher?${new URLSearchParams(which)}`
    const answer = await ask(http, address, { method: 'GET', path })
    if (!/^\d{1,9}\s*$/.test(answer.text)) throw invalidAnswer(answer)
    return Number(answer.text) > 0
  },
}

function appOf({ app }: ControlAddress): string {
  return app ?? liveApp
}

async function streamsOf(answer: HttpAnswer, app: string): Promise<readonly Stream[]> {
  const stat = await parsed(answer)
  if (!statShape.check(stat)) throw invalidAnswer(answer)
  return (stat.rtmp.server ?? [])
    .flatMap((server) => (typeof server === 'string' ? [] : (server.application ?? [])))
    .filter(({ name }) => name === app)
    .flatMap(({ live }) => (typeof live === 'string' || live === undefined ? [] : (live.stream ?? [])))
}

/**
 * Parses the list of streams. A document type is refused, because it could contain entities and the server never sends
 * one. A cut document is refused, because the parser would accept it without the missing streams.
 */
async function parsed(answer: HttpAnswer): Promise<unknown> {
  if (answer.text.includes('<!') || !answer.text.trimEnd().endsWith('</rtmp>')) throw invalidAnswer(answer)
  const parser = await loadParser()
  try {
    return parser.parse(answer.text)
  } catch {
    throw invalidAnswer(answer)
  }
}

function served({ name, bw_video, bw_audio, client = [], meta }: Stream, app: string): ServedStream {
  const video = typeof meta === 'object' && typeof meta.video === 'object' ? meta.video : {}
  return {
    userGuid: userOfName(name),
    path: `${app}/${name}`,
    clientId: orNull(client.find(({ publishing }) => publishing !== undefined)?.id),
    protocol: 'rtmp',
    width: positiveInteger(video.width),
    height: positiveInteger(video.height),
    fps: positive(video.frame_rate),
    videoKbps: toKbps(positive(bw_video)),
    audioKbps: toKbps(positive(bw_audio)),
    // Viewers by HLS are not among its clients.
    readers: client.filter(({ publishing, flashver }) => publishing === undefined && flashver !== ownPlayer).length,
  }
}

export const nginxRtmp: MediaServerKind = {
  hooks,
  control,
  takesNewer: false,
  encoderFields: ({ url }, _userGuid, key) => ({ serverField: withoutSlash(url), keyField: key }),
}
