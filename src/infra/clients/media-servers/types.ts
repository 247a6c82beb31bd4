import type { HttpClient } from '../http.ts'

/** What we say to media servers and they to us, whatever their kind. Each kind's own words are in the file of its name. */

export const serverKinds = ['mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp', 'generic'] as const
export type ServerKind = (typeof serverKinds)[number]

/** How a stream comes in. MediaMTX calls `whip` `webrtc`. */
export const streamProtocols = ['rtmp', 'rtmps', 'srt', 'whip', 'rtsp'] as const
export type StreamProtocol = (typeof streamProtocols)[number]

/** A request of a media server, as it came. */
export interface HookRequest {
  readonly query: URLSearchParams
  readonly authorization: string | null
  /** `X-OME-Signature` */
  readonly signature: string | null
  readonly body: Buffer
}

/** Somebody wants to send a stream. */
export interface PublishQuestion {
  readonly action: 'publish'
  readonly key: string
  /** GUID under which the stream would be public, where the server has taken it from the address; it must be the owner's. */
  readonly claimed: string | null
  readonly protocol: StreamProtocol
  /** Of the publisher; null where the server does not tell. */
  readonly address: string | null
  /** What the server calls the connection, for cutting it and for its end. */
  readonly clientId: string | null
}

/** Somebody wants to watch. */
export interface ReadQuestion {
  readonly action: 'read'
  /** GUID of the user whose stream it is; null for a path that is nobody's. */
  readonly userGuid: string | null
  /** The token `view`, without which tests are not shown. (S5) */
  readonly view: string | null
}

/** A stream has ended. */
export interface DoneReport {
  readonly action: 'done'
  /** As far as the server tells: by its key, or by the GUID in its path. */
  readonly key: string | null
  readonly userGuid: string | null
  readonly clientId: string | null
}

/** A stream goes on. (S14) */
export interface UpdateReport {
  readonly action: 'update'
  readonly key: string | null
  readonly userGuid: string | null
  readonly clientId: string | null
}

/** Asked without credentials, as MediaMTX does first: refused, and not counted as a wrong key. (S10) */
export interface BareQuestion {
  readonly action: 'bare'
}

/** What we have nothing to say about, such as the end of a viewer: answered so that the server goes on. */
export interface OtherReport {
  readonly action: 'other'
}

export type HookQuestion = PublishQuestion | ReadQuestion | DoneReport | UpdateReport | BareQuestion | OtherReport

export type Verdict =
  | {
      readonly allowed: true
      /** Whose stream it is: what its public path is made of. */
      readonly userGuid: string
      /** For how long; 0 without end. */
      readonly lifetimeMs: number
    }
  /** In words without secrets. */
  | { readonly allowed: false; readonly reason: string }

/** What goes back, with the status and headers that the server acts by. */
export interface HookAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is. */
  readonly body?: string
  readonly contentType?: string
}

/** The form in which servers of a kind ask and are answered. Pure. */
export interface HookForm {
  /** Whether the request proves to be of whoever has one of the secrets; compared in constant time. */
  readonly proves: (request: HookRequest, secrets: readonly string[]) => boolean
  /** null for a shape that we do not know, which is refused. (S7) */
  readonly read: (request: HookRequest) => HookQuestion | null
  /** For publish and read: what was decided. For what only reports, whatever the verdict, that we know. */
  readonly answer: (request: HookRequest, question: HookQuestion, verdict: Verdict) => HookAnswer
  /** For a shape that we do not know, and for whatever we could not decide. Never lets anything through. */
  readonly refusal: (request: HookRequest, reason: string) => HookAnswer
}

/** Where a server can be asked and told, by its owners' word. */
export interface ControlAddress {
  /** Without a slash at its end. */
  readonly url: string
  readonly user: string | null
  readonly password: string | null
  /** OvenMediaEngine's; null for the usual ones. */
  readonly vhost: string | null
  /** null for `live`. */
  readonly app: string | null
}

/** A stream that a server has at the moment. */
export interface ServedStream {
  /** GUID in its path; null for a path that is nobody's. */
  readonly userGuid: string | null
  /** As the server calls it. */
  readonly path: string
  /** What cutting it takes, where the server tells. */
  readonly clientId: string | null
  readonly protocol: StreamProtocol | null
  readonly width: number | null
  readonly height: number | null
  readonly fps: number | null
  readonly videoKbps: number | null
  readonly audioKbps: number | null
  readonly readers: number | null
}

export interface Cut {
  readonly userGuid: string
  readonly path: string
  readonly clientId: string | null
  readonly protocol: StreamProtocol
}

/** The control interface of servers of a kind. Each throws `Unreachable` where the server gives no usable answer. */
export interface ControlForm {
  readonly list: (http: HttpClient, control: ControlAddress) => Promise<readonly ServedStream[]>
  /** @returns whether there was something to cut; what is gone already is as good as cut */
  readonly cut: (http: HttpClient, control: ControlAddress, cut: Cut) => Promise<boolean>
}

/** What an encoder must be given to publish, for one address of ingest. (S16) */
export interface EncoderFields {
  readonly serverField: string
  /** null where it is not to be shown. */
  readonly keyField: string | null
}

/** Everything that is particular to a kind of media server. */
export interface MediaServerKind {
  /** null for `generic`, which asks at `/streaming/validate` alone. */
  readonly hooks: HookForm | null
  readonly control: ControlForm | null
  /**
   * Whether a second publisher takes the place of the first; otherwise the server itself refuses it, so that the first must be
   * gone before we answer. (S6)
   */
  readonly takesNewer: boolean
  /** @param ingest address that its owners gave, such as `rtmp://host/live`
   *  @param key null where it must not be shown */
  readonly encoderFields: (
    ingest: { readonly protocol: StreamProtocol; readonly url: string },
    userGuid: string,
    key: string | null,
  ) => EncoderFields
}
