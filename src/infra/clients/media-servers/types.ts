import type { HttpClient } from '../http.ts'

/** The messages between us and media servers of all kinds. Each kind's own format is in the file with its name. */

export const serverKinds = ['mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp', 'generic'] as const
export type ServerKind = (typeof serverKinds)[number]

/** The protocol of a publisher. MediaMTX calls `whip` `webrtc`. */
export const streamProtocols = ['rtmp', 'rtmps', 'srt', 'whip', 'rtsp'] as const
export type StreamProtocol = (typeof streamProtocols)[number]

/** A request of a media server, before it is parsed. */
export interface HookRequest {
  readonly query: URLSearchParams
  readonly authorization: string | null
  /** `X-OME-Signature` */
  readonly signature: string | null
  readonly body: Buffer
}

/** A client wants to publish a stream. */
export interface PublishQuestion {
  readonly action: 'publish'
  readonly key: string
  /**
   * The GUID under which the stream would be public, where the server reads it from the address; it must be the key
   * owner's.
   */
  readonly claimed: string | null
  readonly protocol: StreamProtocol
  /** The address of the publisher; null where the server does not send it. */
  readonly address: string | null
  /** The server's id of the connection, which is needed to cut it and to recognise its end. */
  readonly clientId: string | null
}

/** A client wants to watch. */
export interface ReadQuestion {
  readonly action: 'read'
  /** GUID of the stream's owner; null for a path without an owner. */
  readonly userGuid: string | null
  /** The token `view`, which is required for tests. (S5) */
  readonly view: string | null
}

/** A stream has ended. */
export interface DoneReport {
  readonly action: 'done'
  /** Where the server sends them: the key, or the GUID in the path. */
  readonly key: string | null
  readonly userGuid: string | null
  readonly clientId: string | null
}

/** A stream continues. (S14) */
export interface UpdateReport {
  readonly action: 'update'
  readonly key: string | null
  readonly userGuid: string | null
  readonly clientId: string | null
}

/** A request without credentials, which MediaMTX sends first: refused, and not counted as a wrong key. (S10) */
export interface BareQuestion {
  readonly action: 'bare'
}

/** A report that needs no decision, such as the end of a viewer; it is always acknowledged. */
export interface OtherReport {
  readonly action: 'other'
}

export type HookQuestion = PublishQuestion | ReadQuestion | DoneReport | UpdateReport | BareQuestion | OtherReport

export type Verdict =
  | {
      readonly allowed: true
      /** The owner of the stream, whose GUID is its public path. */
      readonly userGuid: string
      /** The maximum duration of the stream; 0 for no limit. */
      readonly lifetimeMs: number
    }
  /** `reason` is a text without secrets. */
  | { readonly allowed: false; readonly reason: string }

/** The answer, with the status and headers that the server needs. */
export interface HookAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent unchanged. */
  readonly body?: string
  readonly contentType?: string
}

/** The format of requests and answers for one kind of server. Pure functions. */
export interface HookForm {
  /** Whether the request proves that its sender has one of the secrets; compared in constant time. */
  readonly proves: (request: HookRequest, secrets: readonly string[]) => boolean
  /** Null for an unknown shape, which is refused. (S7) */
  readonly read: (request: HookRequest) => HookQuestion | null
  /** The answer for a verdict about publishing or reading; a report is acknowledged whatever the verdict. */
  readonly answer: (request: HookRequest, question: HookQuestion, verdict: Verdict) => HookAnswer
  /** The answer for an unknown shape, and when no decision was possible. It never allows anything. */
  readonly refusal: (request: HookRequest, reason: string) => HookAnswer
}

/** The address and credentials of a server's control interface, which its owners set. */
export interface ControlAddress {
  /** Without a slash at its end. */
  readonly url: string
  readonly user: string | null
  readonly password: string | null
  /** The virtual host of OvenMediaEngine; null for the default one. */
  readonly vhost: string | null
  /** Null for `live`. */
  readonly app: string | null
}

/** A stream that a server has now. */
export interface ServedStream {
  /** GUID in its path; null for a path without an owner. */
  readonly userGuid: string | null
  /** The server's name of the path. */
  readonly path: string
  /** The id that is needed to cut it, where the server sends it. */
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

/**
 * The control interface of one kind of server. Each method throws `Unreachable` when the server gives no usable answer.
 */
export interface ControlForm {
  readonly list: (http: HttpClient, control: ControlAddress) => Promise<readonly ServedStream[]>
  /** @returns whether there was a stream to cut; a missing stream counts as cut */
  readonly cut: (http: HttpClient, control: ControlAddress, cut: Cut) => Promise<boolean>
}

/** The values that an encoder needs to publish to one address. (S16) */
export interface EncoderFields {
  readonly serverField: string
  /** Null when the key must not be shown. */
  readonly keyField: string | null
}

/** Everything that differs between kinds of media servers. */
export interface MediaServerKind {
  /** Null for `generic`, which only asks at `/streaming/validate`. */
  readonly hooks: HookForm | null
  readonly control: ControlForm | null
  /**
   * Whether a second publisher replaces the first. Otherwise the server refuses the second one, so that the first must
   * be cut before we answer. (S6)
   */
  readonly takesNewer: boolean
  /**
   * @param ingest the address that its owners set, such as `rtmp://host/live`
   * @param key null when it must not be shown
   */
  readonly encoderFields: (
    ingest: { readonly protocol: StreamProtocol; readonly url: string },
    userGuid: string,
    key: string | null,
  ) => EncoderFields
}
