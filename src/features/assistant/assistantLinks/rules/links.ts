import { isIPv6 } from 'node:net'
import { isPrivateHost } from '../../../../core/network.ts'
import { conflict, invalid, missing, type Problem } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import type { AssistantLink, LinkDefaults, TokenKind } from '../types.ts'

/** The default WebSocket port of assistants' servers. (assistant: Records) */
export const defaultPort = 8676

export const maxHostCharacters = 253
export const maxQualifierEvents = 20
export const maxBannedMods = 50
export const maxPromptCharacters = 200
export const maxSecretCharacters = 4_000

/** The versions of the protocol that a link may name. (assistant: Failures) */
export const versionCodes = { least: 1240, most: 1399 } as const
/** The default version of the protocol. (assistant: Records) */
export const newestVersionCode = 1310

/** The default settings for playing a match. (assistant: Records) */
export const defaultValues: LinkDefaults = {
  playMode: 'now',
  readyCheck: false,
  prompt: '',
  loadTimeoutMs: 100_000,
  autoAccept: false,
  autoAcceptMs: 5_000,
}

/** A link as a manager sends it. A missing member gets its default; a missing secret keeps its value. */
export interface LinkInput {
  readonly host: string
  readonly port?: number
  readonly tls?: boolean
  readonly certificate?: string
  readonly assistantTournament: { readonly guid: string; readonly name: string }
  readonly tokenKind: TokenKind
  readonly token?: string | null
  readonly password?: string | null
  readonly versionCode?: number | null
  readonly qualifierEvents?: readonly string[]
  readonly bannedMods?: readonly string[]
  readonly hookSecret?: string | null
  readonly enabled?: boolean
  readonly allowModify?: boolean
  readonly defaults?: Partial<LinkDefaults>
}

/** A secret in plain text; undefined keeps the present secret. */
type Given = string | null | undefined

export interface ReadLink
  extends Omit<
    AssistantLink,
    | 'tournamentGuid'
    | 'sealedToken'
    | 'sealedPassword'
    | 'sealedHookSecret'
    | 'actsAs'
    | 'state'
    | 'lastConnectedAt'
    | 'serverVersion'
    | 'permissions'
    | 'lastError'
    | 'updatedAt'
  > {
  readonly token: Given
  readonly password: Given
  readonly hookSecret: Given
}

/** What the installation allows links to use. (AS1; D34) */
export interface Terms {
  readonly allowPlain: boolean
  readonly allowPrivate: boolean
}

/**
 * Checks a link that a manager sends as a whole. It leads to a public address over TLS; only a local installation may
 * allow others. A change of host, port or certificate deletes token and password unless new ones are given, so that no
 * secret reaches another server. (AS1)
 * @throws Problem `assistant.invalid`
 */
export function readLink(input: LinkInput, current: AssistantLink | undefined, terms: Terms): ReadLink {
  const { tls = true, port = defaultPort, tokenKind, versionCode = null, enabled = true, allowModify = false } = input
  const host = readHost(input.host, terms)
  if (!tls && !terms.allowPlain) throw fault('tls', 'must be true')
  const certificate = readCertificate(input.certificate ?? 'public', tls)
  const isElsewhere =
    current !== undefined &&
    (current.host !== host ||
      current.port !== port ||
      current.certificate !== certificate ||
      // Without TLS, the secrets could be read on the way.
      (current.tls && !tls))
  const kept = (given: Given) => (given === undefined && isElsewhere ? null : given)
  if (tokenKind !== 'bot' && input.token != null) throw fault('token', 'is for the kind "bot" alone; leave it out')
  return {
    host,
    port,
    tls,
    certificate,
    tokenKind,
    versionCode,
    enabled,
    allowModify,
    assistantGuid: input.assistantTournament.guid,
    assistantName: oneLine(input.assistantTournament.name),
    token: tokenKind === 'bot' ? kept(input.token) : null,
    password: kept(input.password),
    hookSecret: input.hookSecret,
    qualifierEvents: readList('qualifierEvents', input.qualifierEvents ?? []),
    bannedMods: readList('bannedMods', (input.bannedMods ?? []).map(oneLine)),
    defaults: { ...defaultValues, ...input.defaults, prompt: oneLine(input.defaults?.prompt ?? '') },
  }
}

function fault(member: string, reason: string): Problem {
  return invalid('assistant.invalid', `"${member}" ${reason}.`)
}

/** Reads a host name or an IP address without scheme, port or path. Returns IPv6 without brackets. (AS1; D34) */
function readHost(text: string, { allowPrivate }: Terms): string {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text
  const address = isIPv6(bare) ? `https://[${bare}]/` : `https://${text}/`
  const url = URL.canParse(address) ? new URL(address) : null
  const isBare = url !== null && url.pathname === '/' && url.port === '' && url.username === '' && url.search === ''
  if (url === null || !isBare || url.hash !== '' || /[\s@/?#\\%]/.test(text)) {
    throw fault('host', 'must be the name or address of a server, without scheme, port and path')
  }
  if (!allowPrivate && isPrivateHost(url.hostname)) throw fault('host', 'must be on the open internet')
  return url.hostname.replace(/^\[|\]$/g, '')
}

/** Reads `public`, or a fingerprint of 32 bytes in hex; colons, spaces and case do not matter. */
function readCertificate(text: string, tls: boolean): string {
  if (text === 'public') return text
  const fingerprint = text.replace(/[:\s]/g, '').toLowerCase()
  if (!tls) throw fault('certificate', 'must be "public" without tls')
  if (/^[\da-f]{64}$/.test(fingerprint)) return fingerprint
  throw fault('certificate', 'must be "public" or the SHA-256 fingerprint of a certificate, in hex')
}

function readList(member: string, given: readonly string[]): readonly string[] {
  if (new Set(given).size !== given.length) throw fault(member, 'must name nothing twice')
  if (given.includes('')) throw fault(member, 'must name nothing empty')
  return given
}

const connecting = [
  ...(['host', 'port', 'tls', 'certificate', 'assistantGuid', 'tokenKind'] as const),
  ...(['sealedToken', 'sealedPassword', 'actsAs', 'versionCode'] as const),
] as const satisfies readonly (keyof AssistantLink)[]

/** Whether two links connect in the same way. If not, the link becomes `untested`. (AS3) */
export function connectsAlike(before: AssistantLink, after: Pick<AssistantLink, (typeof connecting)[number]>): boolean {
  return connecting.every((name) => before[name] === after[name])
}

export function notLinked(): Problem {
  return missing('assistant.not_linked', 'The tournament is linked to no assistant.')
}

/** A link cannot be deleted while sessions are open, because they connect by it. (assistant: Operations) */
export function checkNoSessions(open: number): void {
  if (open === 0) return
  throw conflict('assistant.sessions_open', 'Close the assistant’s sessions of this tournament first.')
}

/** A link acts in the name of the manager who set it. That user must still manage the tournament. (AS2) */
export function actorLost(): Problem {
  return conflict(
    'assistant.actor_lost',
    'Whoever set the link manages this tournament no more; set it again in your own name.',
  )
}

/** The link has no bot token: it was never set, or it was deleted when the server changed. (assistant: Failures) */
export function tokenMissing(): Problem {
  return conflict('assistant.unauthorised', 'The link has no token; give the one of a bot of the assistant’s.')
}
