import { readName } from '../../../../core/names.ts'
import { conflict, invalid, type Problem } from '../../../../core/problem.ts'
import type { ServerKind } from '../../../../infra/clients/media-servers/types.ts'
import type { Ingest, Play, StreamServer } from '../types.ts'
import { controlFault, type IngestProtocol, ingestFault, playFault } from './addresses.ts'
import { defaultNetworks, readNetworks } from './networks.ts'

export const maxNameCharacters = 60

/** The maximum number of servers, so that the list fits into one answer. (D8) */
export const maxServers = 100

export const maxIngests = 10

/** The maximum grace period in seconds: a day to give the server its new secret. (streaming: Stream operations) */
export const maxSecretGrace = 86_400

/** Shown in place of a password that is set. (streaming: Records) */
export const configured = 'configured'

/** The control address in a request. An absent password stays unchanged. */
export interface ControlInput {
  readonly url: string
  readonly user?: string | null
  readonly password?: string | null
  readonly vhost?: string | null
  readonly app?: string | null
}

/** The settings of a server that can change at any time; absent members stay unchanged. */
export interface ServerInput {
  readonly name?: string
  readonly enabled?: boolean
  readonly assignmentRequired?: boolean
  readonly ingest?: readonly { readonly protocol: IngestProtocol; readonly url: string }[]
  readonly play?: { readonly [Name in keyof Play]?: string | null }
  readonly control?: ControlInput | null
  readonly networks?: readonly string[]
}

/** A control address with its password in plain text. */
export interface OpenControl {
  readonly url: string
  readonly user: string | null
  /** undefined keeps the current password. */
  readonly password: string | null | undefined
  readonly vhost: string | null
  readonly app: string | null
}

/** The settings of a server. */
export interface ServerSettings
  extends Pick<StreamServer, 'name' | 'enabled' | 'assignmentRequired' | 'ingest' | 'play' | 'networks'> {
  readonly control: OpenControl | null
}

/**
 * The defaults of a server: it is enabled, players need an assignment, and calls are accepted from any network unless
 * the kind has default networks. (streaming: Records)
 */
export function defaults(kind: ServerKind): ServerSettings {
  return {
    name: '',
    enabled: true,
    assignmentRequired: true,
    ingest: [],
    play: { whep: null, llhls: null, hls: null },
    control: null,
    networks: defaultNetworks(kind),
  }
}

/** The current settings of a server, from which a change starts. */
export function settingsOf(server: StreamServer): ServerSettings {
  const { name, enabled, assignmentRequired, ingest, play, networks, control } = server
  return {
    name,
    enabled,
    assignmentRequired,
    ingest,
    play,
    networks,
    control: control === null ? null : { ...openParts(control), password: undefined },
  }
}

function openParts({ url, user, vhost, app }: Omit<OpenControl, 'password'>): Omit<OpenControl, 'password'> {
  return { url, user, vhost, app }
}

/**
 * Applies the given settings; each address of `play` is replaced separately. Every address needs a scheme for its
 * purpose and must not contain credentials. A control address is replaced as a whole, except that its password stays.
 * (streaming: Records; streaming: Details, 5)
 * @throws Problem `stream_server.invalid`
 */
export function readServer(kind: ServerKind, input: ServerInput, current: ServerSettings): ServerSettings {
  const { name, enabled, assignmentRequired, ingest, play, control, networks } = input
  return {
    name: name === undefined ? current.name : readServerName(name),
    enabled: enabled ?? current.enabled,
    assignmentRequired: assignmentRequired ?? current.assignmentRequired,
    ingest: ingest === undefined ? current.ingest : readIngest(kind, ingest),
    play: play === undefined ? current.play : { ...current.play, ...readPlay(play) },
    control: control === undefined ? current.control : control && readControl(kind, control, current.control),
    networks: networks === undefined ? current.networks : readPlace(kind, networks),
  }
}

function fault(member: string, reason: string): Problem {
  return invalid('stream_server.invalid', `"${member}" ${reason}.`)
}

function readServerName(text: string): string {
  const name = readName(text)
  if (!name.ok) throw fault('name', name.reason)
  return name.value
}

function readIngest(kind: ServerKind, given: NonNullable<ServerInput['ingest']>): Ingest[] {
  const seen = new Set<string>()
  return given.map(({ protocol, url }, index) => {
    const reason = ingestFault(kind, protocol, url)
    if (reason !== null) throw fault(`ingest[${index}]`, reason)
    if (seen.has(`${protocol} ${url}`)) throw fault(`ingest[${index}]`, 'must not be named twice')
    seen.add(`${protocol} ${url}`)
    return { protocol, url }
  })
}

function readPlay(given: NonNullable<ServerInput['play']>): Partial<Play> {
  const entries = Object.entries(given).map(([name, template]) => {
    const reason = template === null ? null : playFault(template)
    if (reason !== null) throw fault(`play.${name}`, reason)
    return [name, template]
  })
  return Object.fromEntries(entries)
}

function readPlace(kind: ServerKind, given: readonly string[]): readonly string[] {
  const read = readNetworks(kind, given)
  if (!read.ok) throw fault('networks', read.reason)
  return read.networks
}

/** A password is only sent to the host for which it was given. For another host, it must be given again. */
function readControl(kind: ServerKind, given: ControlInput, current: OpenControl | null): OpenControl {
  if (kind === 'generic')
    throw fault('control', 'must be null: servers of no particular kind have no interface that we know')
  const reason = controlFault(given.url)
  if (reason !== null) throw fault('control.url', reason)
  const { user = null, password, vhost = null, app = null } = given
  if (password === configured) {
    throw fault(
      'control.password',
      `must not be "${configured}", which only says that there is one; leave it out to keep it`,
    )
  }
  const url = given.url.replace(/\/+$/, '')
  if (password !== undefined) return { url, user, password, vhost, app }
  if (current === null) return { url, user, password: null, vhost, app }
  if (new URL(current.url).origin !== new URL(url).origin) {
    throw fault('control.password', 'must be given again, or as null, where the address leads to another host')
  }
  return { url, user, password: current.password, vhost, app }
}

/** A change must give at least one member of a server. (D9) */
export function checkSomethingGiven(input: ServerInput): void {
  if (Object.values(input).some((value) => value !== undefined)) return
  throw invalid('stream_server.nothing_given', 'Give at least one member to change.')
}

/** The list of all servers has to fit into one answer. (D8) */
export function checkRoom(held: number): void {
  if (held < maxServers) return
  throw conflict('stream_server.limit_reached', `There may be at most ${maxServers} media servers; delete one first.`)
}

/** A server with live streams cannot be deleted; disabling it ends them. (streaming: Stream operations) */
export function checkNobodyIsLive(isLive: boolean): void {
  if (!isLive) return
  throw conflict(
    'stream_server.live',
    'Somebody is live through this server; disable it first, which ends its streams.',
  )
}

/** The error for a test of a server without a control address. (streaming: Stream operations) */
export function noControl(): Problem {
  return conflict('stream_server.no_control', 'This server has no control address; set one first.')
}

/** The origins of the addresses at which streams are watched. The site's pages may load streams from them. (W6) */
export function playOrigins(servers: readonly { readonly play: Play }[]): string[] {
  const addresses = servers
    .flatMap(({ play }) => [play.whep, play.llhls, play.hls])
    .filter((address) => address !== null)
  return [...new Set(addresses.map((address) => new URL(address).origin))]
}
